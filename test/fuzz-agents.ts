import { createChain, residentKey, residents, testChainId, xprAgent } from '../packs/xpr/agent/index.js';
import { fuzzPart } from '../packs/xpr/fuzz/index.js';
import { signedHeaders } from '../packs/xpr/signing/index.js';
import { type Dialect, dialectById, isFor, type ProfileId } from '../src/dialect/index.js';
import { bring } from '../src/fuzz/index.js';
import { createAgent, type Patch, type Variant, variants } from '../src/reference/index.js';
import type { FuzzStage } from '../src/run/index.js';
import { virtualClock } from '../src/wire/index.js';
import { stageOn } from './fuzzing.js';

// Reference agents of every dialect in memory and virtual time, with callers who sign where that is needed.

export interface FuzzedAgent {
  readonly profile: ProfileId;
  readonly variant?: Variant;
  readonly patches?: readonly Patch[];
}

export const profiles: readonly ProfileId[] = [
  'a2a-1.0',
  'a2a-1.0-rest',
  'a2a-0.3',
  'a2a-0.3-rest',
  'a2a-0.2',
  'openclaw',
  'terminal-bench',
  'xpr',
  'xpr-v2',
];

/** The plain agent of each dialect, and each of its conforming variants that charges nothing. */
export const conformingAgents = (): readonly FuzzedAgent[] =>
  profiles.flatMap((profile) => [
    { profile },
    ...variants
      .filter((variant) => variant.charges !== true && isFor(variant, dialectById(profile) as Dialect))
      .map((variant) => ({ profile, variant })),
  ]);

export const nameOf = ({ profile, variant }: FuzzedAgent): string => `${profile} ${variant?.id ?? 'plain'}`;

bring(fuzzPart);

const baseUrl = 'http://agent.test';

/** What a campaign is given of such an agent, and how to end it. */
export async function stageFor({ profile, variant, patches = [] }: FuzzedAgent): Promise<{
  readonly stage: FuzzStage;
  readonly crashes: readonly unknown[];
  stop(): void;
}> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const clock = virtualClock();
  const isSigned = dialect.signed !== undefined;
  const chain = isSigned ? createChain({ clock }) : undefined;
  if (chain !== undefined) await residents(chain.control);
  const agent = createAgent({
    dialect,
    clock,
    baseUrl,
    patches: [...(variant === undefined ? [] : [variant.patch]), ...patches],
    ...(chain === undefined
      ? {}
      : {
          part: xprAgent(dialect, {
            chain: { url: 'http://chain.test', carrier: chain.handle },
            settings: { rateLimit: 1e9 },
          }),
        }),
  });
  const scheme =
    dialect.id === 'xpr-v2' ? { lines: 5 as const, audience: 'tckagent', chainId: testChainId } : { lines: 3 as const };
  const signer = (account: string) => ({
    turn: async () => true,
    headers: ({ body = new Uint8Array() }: { readonly body?: Uint8Array }) =>
      signedHeaders({
        account,
        key: residentKey(account),
        scheme,
        timestamp: String(Math.floor(clock.now() / 1000)),
        body,
      }),
  });
  const url = variant?.cardUrl?.(baseUrl) ?? baseUrl;
  const stage = await stageOn((request, signal) => agent.handle(request, signal), dialect, clock, false, {}, url);
  return {
    stage: {
      ...stage,
      client: {
        ...stage.client,
        credentials: variant?.headers ?? [],
        query: variant?.query ?? [],
        secondCredentials: variant?.secondHeaders ?? [],
        secondQuery: variant?.secondQuery ?? [],
        ...(isSigned ? { signer: signer('alice'), secondSigner: signer('bob') } : {}),
      },
    },
    crashes: agent.crashes,
    stop: agent.stop,
  };
}
