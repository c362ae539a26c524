import { readX402 } from './x402/options/read.js';
import type { SharedTotal, sharedTotal, X402Target } from './x402/run/index.js';
import { readXpr } from './xpr/options/read.js';
import type { XprTarget } from './xpr/run/index.js';

// What the user says to the packs that ship with the kit.

export type { SharedTotal } from './x402/run/index.js';

/** Options for them. */
export interface BundledTargets {
  /** For agents of the XPR dialect: who signs, and how. */
  readonly xpr?: XprTarget;
  /** For agents that charge through the x402 extension; left out: payments are not judged. */
  readonly x402?: X402Target;
}

type Given = Parameters<typeof readXpr>[0] & Parameters<typeof readX402>[0];

/** The options of a run for these packs, and keys of the environment. Throws `TckError('usage')`. */
export const readTargets = (
  given: Given,
  env: Readonly<Record<string, string | undefined>>,
  readKeyFile: (option: string, file: string) => string,
): BundledTargets => ({ ...readXpr(given, env, readKeyFile), ...readX402(given, env, readKeyFile) });

/** Options one over the other: those of later ones win. */
export const together = (...all: readonly (BundledTargets | undefined)[]): BundledTargets => ({
  xpr: Object.assign({}, ...all.map((targets) => targets?.xpr)) as XprTarget,
});

/** The rest of the options, without those for these packs. */
export function without<T extends BundledTargets>({ xpr, x402, ...rest }: T): Omit<T, keyof BundledTargets> {
  return rest;
}

/** Whether the run signs calls. */
export const signs = ({ xpr = {} }: BundledTargets): boolean =>
  Object.entries(xpr).some(([name, value]) => value !== undefined && /(account|key)$/i.test(name));

/** Whether payments are judged. */
export const charges = ({ x402 }: BundledTargets): boolean => x402 !== undefined;

/** What of a run is worth money to others; undefined: nothing. */
export const worthOf = (targets: BundledTargets): string | undefined =>
  charges(targets) ? '--x402' : signs(targets) ? 'calls that are signed' : undefined;

/** How payments can be judged without the user's money; undefined: the run pays with none. */
export const insteadOfMoney = ({ x402 }: BundledTargets): string | undefined =>
  x402?.key === undefined || x402.dryRun === true ? undefined : 'pay with the play money of --x402-stub';

/** One total for all payments of several runs; undefined: none of them pays. `defaults`: options for all of them. */
export async function totalOf(
  targets: readonly BundledTargets[],
  defaults: Parameters<typeof sharedTotal>[1] = {},
): Promise<SharedTotal | undefined> {
  const paying = targets.flatMap(({ x402 }) => (x402?.key === undefined ? [] : [x402]));
  return paying.length === 0 ? undefined : (await import('./x402/run/index.js')).sharedTotal(paying, defaults);
}

/** The options that a finding of such a run is replayed with. */
export const replayOptions = (targets: BundledTargets): readonly string[] => (charges(targets) ? ['--x402'] : []);
