import type { Dialect } from '../src/dialect/index.js';
import type { Rule } from '../src/kit/index.js';
import { TckError } from '../src/model/index.js';
import type { Stub } from '../src/reference/patching.js';
import type { CallSigning, Charging, FuzzStage } from '../src/run/index.js';
import type { Carrier, Clock } from '../src/wire/index.js';
import type { BundledTargets } from './settings.js';
import type { Till } from './x402/agent/index.js';
import type { Surroundings, SurroundingsOptions } from './xpr/agent/index.js';

export {
  type BundledTargets,
  charges,
  insteadOfMoney,
  replayOptions,
  type SharedTotal,
  signs,
  together,
  totalOf,
  without,
  worthOf,
} from './settings.js';
export type { Till } from './x402/agent/index.js';
export type { Surroundings } from './xpr/agent/index.js';

// The packs that ship with the kit, by name: the one place of the core that knows them. Each part of one is loaded where
// it is used first.

const bundled = {
  xpr: {
    run: () => import('./xpr/run/index.js'),
    agent: () => import('./xpr/agent/index.js'),
    client: () => import('./xpr/clients/sign.js'),
  },
} as const;

/** The pack of payments, which agents of several profiles may have beside their own. */
const paying = {
  run: () => import('./x402/run/index.js'),
  agent: () => import('./x402/agent/index.js'),
  client: () => import('./x402/clients/wallet.js'),
} as const;

/** The pack of this name. Throws `TckError('internal')` if none ships with the kit. */
function bundledPack(name: string | undefined): (typeof bundled)[keyof typeof bundled] {
  for (const [own, pack] of Object.entries(bundled)) if (own === name) return pack;
  throw new TckError('internal', `no pack ${name} ships with the kit`);
}

/** How calls are signed, and texts that must appear in no output. */
interface SigningFor {
  readonly signing: CallSigning;
  readonly secrets: readonly string[];
}

/**
 * How calls are signed with these options; without any, the pack is loaded if the agent turns out to speak a profile of it.
 * Throws `TckError('usage')` for options that do not go together.
 */
export async function signingFor({ xpr }: BundledTargets, carrier: Carrier): Promise<SigningFor> {
  if (xpr !== undefined) return (await bundled.xpr.run()).signingFor(xpr, carrier);
  const signing: CallSigning = {
    account: undefined,
    hint: '',
    async prepare(preparing, detected) {
      const pack = await bundledPack(detected.dialect.signed?.pack).run();
      return (await pack.signingFor({}, carrier)).signing.prepare(preparing, detected);
    },
  };
  return { signing, secrets: [] };
}

/** What the reference agent needs where callers sign, and what they sign with; undefined where calls are not signed. */
export const surroundings = async (
  dialect: Dialect,
  clock: Clock,
  options?: SurroundingsOptions,
): Promise<Surroundings | undefined> =>
  dialect.signed === undefined
    ? undefined
    : (await bundledPack(dialect.signed.pack).agent()).surroundings(dialect, clock, options);

/** A stub of what agents ask about callers who sign; undefined where calls are not signed. Throws `TckError('usage')`. */
export const stubFor = async (dialect: Dialect, clock: Clock, options: { readonly chainId?: string | undefined }) =>
  dialect.signed === undefined
    ? undefined
    : (await bundledPack(dialect.signed.pack).agent()).stub(dialect, clock, options);

/** Signs the requests of a client with the account of its errand; undefined where there is none. */
export const clientSigner = async ({ signed }: Dialect, account: Readonly<Record<string, string>> | undefined) =>
  account === undefined ? undefined : (await bundledPack(signed?.pack).client()).signerFor(account);

/** How an agent that charges is judged, its checks, and texts that must appear in no output. */
interface ChargingFor {
  readonly charging: Charging;
  readonly rules: readonly Rule[];
  readonly secrets: readonly string[];
}

/** How payments are judged with these options; undefined: they are not. Throws `TckError('usage')`. */
export async function chargingFor({ x402 }: BundledTargets, carrier: Carrier): Promise<ChargingFor | undefined> {
  if (x402 === undefined) return undefined;
  const { chargingBy, x402For, x402Rules } = await paying.run();
  const { options, secrets } = await x402For(x402, carrier);
  return { charging: chargingBy(options), rules: x402Rules, secrets };
}

/** What the reference agent needs where it charges. Throws `TckError('usage')` for a profile without payments. */
export const tillFor = async (dialect: Dialect, clock: Clock): Promise<Till> =>
  (await paying.agent()).till(dialect, clock, (await paying.run()).chargingBy);

/** A stub of what agents that charge ask. Throws `TckError('usage')`. */
export const chargingStub = async (clock: Clock, options: { readonly chainId?: string | undefined }): Promise<Stub> =>
  (await paying.agent()).stub(clock, options);

/** What the reference client has where it pays. */
export const clientWallet = async () => (await paying.client()).paying;

/** What the packs of a profile and of payments add to the fuzzer. */
export const fuzzPartsOf = async ({ client: { dialect }, charges }: Pick<FuzzStage, 'client' | 'charges'>) => [
  ...(dialect.signed === undefined ? [] : [(await bundledPack(dialect.signed.pack).run()).fuzzPart]),
  ...(charges === undefined ? [] : [(await paying.run()).fuzzPart]),
];

/** What all packs add to it: stored cases may be of any. */
export const fuzzParts = () =>
  Promise.all([...Object.values(bundled), paying].map(async (pack) => (await pack.run()).fuzzPart));
