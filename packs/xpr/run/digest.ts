import type { Dialect } from '../../../src/dialect/index.js';
import { stringMember, TckError } from '../../../src/model/index.js';
import { isAccountName, type Scheme } from '../signing/index.js';
import type { XprOptions } from './options.js';

/** The chain ids of the public chains. */
const publicChains: readonly string[] = [
  '384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0',
  '71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd',
];

export interface Schemes {
  readonly v1: Scheme;
  /** The configured scheme, or else the possible ones; none if the audience is not known. */
  readonly v2: readonly Scheme[];
  /** The chain id is a guess. */
  readonly isGuess: boolean;
}

/** The schemes that the agent may verify. `document`: the card as it came. */
export async function schemesOf(xpr: XprOptions, document: unknown): Promise<Schemes> {
  const named = stringMember(document, 'xpr:account');
  // Any other text in the card could add lines to the text that is signed.
  const audience = xpr.audience ?? (named !== undefined && isAccountName(named) ? named : undefined);
  const needsChain = xpr.digest !== 'v1' && xpr.chainId === undefined;
  const chainId = needsChain ? await (xpr.chain ?? xpr.stub)?.chainId() : xpr.chainId;
  const chains = chainId === undefined ? publicChains : [chainId];
  return {
    v1: { lines: 3 },
    v2: audience === undefined ? [] : chains.map((chain) => ({ lines: 5, audience, chainId: chain })),
    isGuess: chainId === undefined,
  };
}

/** Whether the agent accepts a probe with a correct signature. */
export type Trial = (scheme: Scheme) => Promise<boolean>;

/** The first scheme whose requests the agent accepts. */
async function firstLetIn(schemes: readonly Scheme[], isLetIn: Trial): Promise<Scheme | undefined> {
  for (const scheme of schemes) if (await isLetIn(scheme)) return scheme;
  return undefined;
}

const letInOver = (scheme: Scheme): string =>
  scheme.lines === 3
    ? 'the agent accepts a request signed over three lines'
    : `the agent accepts a request signed over five lines (for ${scheme.audience}, chain ${scheme.chainId?.slice(0, 8)}…)`;

/**
 * Tries the digest of the published client, then the one for one recipient. Throws `TckError('usage')` if only the
 * latter is wanted and its values are not known.
 */
export async function chooseScheme(
  xpr: XprOptions,
  { id }: Dialect,
  { v1, v2, isGuess }: Schemes,
  isLetIn: Trial,
): Promise<{ readonly scheme: Scheme; readonly evidence: readonly string[] }> {
  const asked = id === 'xpr-v2' ? 'v2' : xpr.digest;
  const [only] = v2;
  if (asked === 'v2' && only !== undefined && !isGuess) return { scheme: only, evidence: [] };
  if (asked === 'v1' || (asked === 'auto' && xpr.first === undefined)) return { scheme: v1, evidence: [] };
  const scheme = await firstLetIn(asked === 'v2' ? v2 : [v1, ...v2], isLetIn);
  if (scheme !== undefined) return { scheme, evidence: [letInOver(scheme)] };
  const hint = 'give --xpr-audience and --xpr-chain-id, or --xpr-rpc';
  if (asked === 'v2') {
    const why = 'requests are signed for one recipient on one chain, but the recipient or chain is not known';
    throw new TckError('usage', why, hint);
  }
  const over = v2.length === 0 ? 'three lines' : 'three lines, or over five';
  const open = v2.length === 0 || isGuess ? `; for five lines ${hint}` : '';
  return { scheme: v1, evidence: [`the agent refuses a request signed over ${over}${open}`] };
}
