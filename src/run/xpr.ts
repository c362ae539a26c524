import { createPacer, type Pacer, type Signer } from '../client/index.js';
import { type Dialect, dialectById } from '../dialect/index.js';
import type { XprCaller, XprScene, XprSigning } from '../kit/index.js';
import { member, stringMember, TckError } from '../model/index.js';
import { type Clock, type Exchange, header, type Wire } from '../wire/index.js';
import { type ChainControl, privateKeyFor, publicKeyText, type Scheme, signedHeaders } from '../xpr/index.js';
import type { Detected } from './detect.js';
import { askSigned } from './probe.js';

/** What the user gives for an agent of the XPR dialect. Keys are secrets: they appear nowhere. */
export interface XprOptions {
  readonly first?: XprCaller;
  readonly second?: XprCaller;
  readonly unregistered?: XprCaller;
  /** `auto`: three lines, and where those are refused, five. */
  readonly digest: 'v1' | 'v2' | 'auto';
  /** Recipient of five-line digests. Default: the account of the card. */
  readonly audience?: string;
  readonly chainId?: string;
  /** Reads what the chain says; given where there is an RPC endpoint. */
  readonly chain?: ChainReader;
  /** Signed requests that the agent takes in a minute, where somebody said so. */
  readonly rate?: number;
  /** Messages may be sent, although each starts work. */
  readonly allowSend: boolean;
  /** Waits of more than a minute are allowed. */
  readonly slow: boolean;
  readonly minKyc?: number;
  readonly minTrust?: number;
  /** Control of the chain that the agent asks, where it is one of the kit's. */
  readonly lab?: ChainControl;
}

/** Nobody, and all defaults. */
export const withoutAccount: XprOptions = { digest: 'auto', allowSend: false, slow: false };

/** What is read of a chain before the run. Rejects when it cannot be read. */
export interface ChainReader {
  chainId(): Promise<string>;
  /** What an agent should make of the caller's key: one line for each thing to know. */
  keysOf(caller: XprCaller): Promise<readonly string[]>;
}

export interface Prepared {
  readonly dialect: Dialect;
  readonly signer: Signer | undefined;
  readonly secondSigner: Signer | undefined;
  readonly scene: XprScene;
  /** Why messages are not sent. */
  readonly sendsOff: string | undefined;
  /** What was found, one line each. */
  readonly evidence: readonly string[];
}

export interface Preparing {
  readonly xpr: XprOptions;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly uuid: () => string;
  readonly onWait: (ms: number) => void;
  readonly signal?: AbortSignal;
  /** Nothing is sent any more: the agent is gone, or the budget spent. */
  readonly isOver?: () => boolean;
}

/** The default of the document. */
const usualRate = 20;
/** Requests that the kit leaves to others of the minute's limit. */
const spare = 2;
const windowMs = 60_000;
/** A Date header has whole seconds, and the way takes time: less is no skew. */
const leastSkewMs = 2000;
const noLab =
  'a chain of the kit is needed behind the agent; a2a-tck lab --profile xpr starts one, then give --xpr-lab';

/** The window of the document: a clock that is further off takes no requests of right ones. */
const mostSkewMs = 300_000;

/** How far the agent's clock is ahead, milliseconds, told by the first of these answers that says what time it is. */
export function skewOf(...answers: readonly (Exchange | undefined)[]): number {
  for (const exchange of answers) {
    const headers = exchange?.response?.headers ?? [];
    const at = Date.parse(header(headers, 'date') ?? '');
    // What a cache has kept tells of the time when it was made.
    if (exchange === undefined || Number.isNaN(at) || header(headers, 'age') !== undefined) continue;
    const skew = at - (exchange.startedAt + exchange.durationMs);
    return Math.abs(skew) < leastSkewMs ? 0 : skew;
  }
  return 0;
}

/** Callers whom nobody knows, from fresh UUIDs. */
export const strangers =
  (uuid: () => string): XprScene['stranger'] =>
  (account = madeUpAccount(uuid())) => ({ account, key: privateKeyFor(uuid()) });

/** An account name that nobody has: twelve of the characters that may stand in one. */
export const madeUpAccount = (uuid: string): string =>
  `tck${uuid
    .replaceAll('-', '')
    .replace(/[06789]/g, 'g')
    .slice(0, 9)}`;

/** On a chain of the kit accounts are made where the user gave none: two registered ones, and one that is not. */
async function withLab({ xpr, uuid }: Preparing): Promise<XprOptions> {
  const { lab } = xpr;
  if (lab === undefined) return xpr;
  const made = async (isRegistered: boolean): Promise<XprCaller> => {
    const caller = { account: madeUpAccount(uuid()), key: privateKeyFor(uuid()) };
    await enrol(lab, caller, isRegistered);
    return caller;
  };
  return {
    ...xpr,
    first: xpr.first ?? (await made(true)),
    second: xpr.second ?? (await made(true)),
    unregistered: xpr.unregistered ?? (await made(false)),
  };
}

/** Puts an account on the chain of the kit, trusted as far as can be. */
async function enrol(lab: ChainControl, { account, key }: XprCaller, isRegistered: boolean): Promise<void> {
  const active = {
    name: 'active',
    threshold: 1,
    keys: [{ key: publicKeyText(key.publicKey), weight: 1 }],
    accounts: [],
  };
  await lab.setAccount({ name: account, permissions: [active] });
  await lab.setKyc({ account, verified: 1, kyc: [3] });
  if (isRegistered) await lab.setAgent({ account, active: true, registeredAt: 1 });
}

interface Schemes {
  readonly v1: Scheme;
  /** Undefined: it is not known for whom, or for which chain, requests are signed. */
  readonly v2: Scheme | undefined;
}

async function schemesOf({ xpr }: Preparing, document: unknown): Promise<Schemes> {
  const audience = xpr.audience ?? stringMember(document, 'xpr:account');
  const needsChain = xpr.digest !== 'v1' && xpr.chainId === undefined;
  const chainId = needsChain ? await (xpr.chain ?? xpr.lab)?.chainId() : xpr.chainId;
  const isKnown = audience !== undefined && chainId !== undefined;
  return { v1: { lines: 3 }, v2: isKnown ? { lines: 5, audience, chainId } : undefined };
}

/** Whether a correctly signed probe is let in. */
type Trial = (scheme: Scheme) => Promise<boolean>;

/** Asks with the digest of the published client, then with that for one recipient. */
async function chooseScheme(
  { xpr }: Preparing,
  detected: Detected,
  { v1, v2 }: Schemes,
  isLetIn: Trial,
): Promise<{ readonly scheme: Scheme; readonly evidence: readonly string[] }> {
  const asked = detected.dialect.signed === 5 ? 'v2' : xpr.digest;
  if (asked === 'v2') {
    if (v2 !== undefined) return { scheme: v2, evidence: [] };
    throw new TckError(
      'usage',
      'requests are signed for one recipient on one chain, and those are not known',
      'give --xpr-audience and --xpr-chain-id, or --xpr-rpc',
    );
  }
  if (asked === 'v1' || xpr.first === undefined) return { scheme: v1, evidence: [] };
  if (await isLetIn(v1)) return { scheme: v1, evidence: ['a request signed over three lines is let in'] };
  if (v2 !== undefined && (await isLetIn(v2))) {
    return { scheme: v2, evidence: ['a request signed over five lines, for this recipient, is let in'] };
  }
  const tried = v2 === undefined ? 'three lines' : 'three lines and over five';
  return { scheme: v1, evidence: [`a request signed over ${tried} is not let in`] };
}

/** What the checks of signed requests need. Throws `TckError` for options that do not go together. */
export async function prepareXpr(preparing: Preparing, detected: Detected): Promise<Prepared> {
  const { wire, clock, uuid, onWait, signal, isOver } = preparing;
  const xpr = await withLab(preparing);
  const document = detected.target.cardDocument;
  const told = skewOf(detected.probed, detected.target.cardExchange);
  // Whoever could name any time would be given signatures that are good for others at that time.
  const skew = Math.abs(told) > mostSkewMs ? 0 : told;
  const seconds = (): number => Math.floor((clock.now() + skew) / 1000);
  const { rate = usualRate } = xpr;
  const pacers = new Map<string, Pacer>();
  function pacerOf(account: string): Pacer {
    const known = pacers.get(account);
    if (known !== undefined) return known;
    const limit = Math.max(1, rate - spare);
    const made = createPacer({
      clock,
      limit,
      windowMs,
      onWait,
      ...(signal === undefined ? {} : { signal }),
      ...(isOver === undefined ? {} : { isOver }),
    });
    pacers.set(account, made);
    return made;
  }
  const signerOf = ({ account, key }: XprCaller, usual: Scheme, signing: XprSigning = {}): Signer => {
    const pacer = pacerOf(account);
    const paced = signing.paced ?? true;
    return {
      turn: async () => (paced ? pacer.turn() : pacer.note()),
      headers: ({ body = new Uint8Array() }) => {
        const timestamp = String(signing.timestamp ?? seconds());
        return signedHeaders({ account, key, scheme: signing.scheme ?? usual, timestamp, body });
      },
    };
  };
  const { first, second } = xpr;
  const isLetIn: Trial = async (scheme) => {
    if (first === undefined) return false;
    const { turn, headers } = signerOf(first, scheme);
    await turn();
    const outcome = await askSigned({ wire, uuid }, detected, headers);
    return outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.error === 'TaskNotFound');
  };
  const schemes = await schemesOf({ ...preparing, xpr }, document);
  const { scheme, evidence } = await chooseScheme({ ...preparing, xpr }, detected, schemes, isLetIn);
  const dialect = dialectById(scheme.lines === 5 ? 'xpr-v2' : 'xpr');
  if (dialect === undefined) throw new TckError('internal', 'the XPR dialect is gone');
  const keys = await keysTold(xpr);
  const stated = statesSigning(document) ? [] : ['the card does not say that calls are signed'];
  const isHere = loopback.test(new URL(detected.target.endpoint).hostname);
  return {
    dialect,
    signer: first && signerOf(first, scheme),
    secondSigner: second && signerOf(second, scheme),
    sendsOff:
      xpr.allowSend || isHere ? undefined : 'each message starts work on this agent; --xpr-allow-send allows it',
    evidence: [...clockTold(told, skew), ...evidence, ...keys, ...stated],
    scene: {
      scheme,
      first,
      second,
      unregistered: xpr.unregistered,
      rate,
      isRateStated: xpr.rate !== undefined,
      slow: xpr.slow,
      minKyc: xpr.minKyc,
      minTrust: xpr.minTrust,
      lab: xpr.lab,
      labOff: xpr.lab === undefined ? noLab : '',
      seconds,
      as: (caller, signing) => ({ headers: [], query: [], signer: signerOf(caller, scheme, signing) }),
      stranger: strangers(uuid),
    },
  };
}

function clockTold(told: number, skew: number): readonly string[] {
  if (told === 0) return [];
  const line = `the agent's clock is ${Math.round(Math.abs(told) / 1000)} s ${told > 0 ? 'ahead' : 'behind'}`;
  return [skew === told ? line : `${line}: too far to follow it, requests are signed for the time of this machine`];
}

const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

const statesSigning = (document: unknown): boolean =>
  ['securitySchemes', 'security'].some((name) => member(document, name) !== undefined) ||
  Array.isArray(member(member(document, 'capabilities'), 'extensions'));

/** Beforehand: what the chain says of the keys that were given. */
async function keysTold({ chain, first, second }: XprOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const caller of [first, second]) {
    if (chain === undefined || caller === undefined) continue;
    lines.push(...(await chain.keysOf(caller)));
  }
  return lines;
}
