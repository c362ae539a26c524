import type { Dialect } from '../src/dialect/index.js';
import { TckError } from '../src/model/index.js';
import type { CallSigning } from '../src/run/index.js';
import type { Carrier, Clock } from '../src/wire/index.js';
import type { BundledTargets } from './settings.js';
import type { Surroundings, SurroundingsOptions } from './xpr/agent/index.js';

export { type BundledTargets, signs, together } from './settings.js';
export type { Stub, Surroundings } from './xpr/agent/index.js';
export type { XprTarget } from './xpr/run/index.js';

// The packs that ship with the kit, by name: the one place of the core that knows them. Each part of one is loaded where
// it is used first.

const bundled = {
  xpr: {
    run: () => import('./xpr/run/index.js'),
    agent: () => import('./xpr/agent/index.js'),
    client: () => import('./xpr/clients/sign.js'),
    fuzz: () => import('./xpr/fuzz/index.js'),
  },
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

/** What the pack of a profile adds to the fuzzer; undefined: nothing. */
export const fuzzPartOf = async ({ signed }: Dialect) =>
  signed === undefined ? undefined : (await bundledPack(signed.pack).fuzz()).fuzzPart;

/** What all packs add to it: stored cases may be of any. */
export const fuzzParts = () => Promise.all(Object.values(bundled).map(async (pack) => (await pack.fuzz()).fuzzPart));
