import { readXpr } from './xpr/options/read.js';
import type { XprTarget } from './xpr/run/index.js';

// What the user says to the packs that ship with the kit.

/** Options for them. */
export interface BundledTargets {
  /** For agents of the XPR dialect: who signs, and how. */
  readonly xpr?: XprTarget;
}

/** The options of a run for these packs, and keys of the environment. Throws `TckError('usage')`. */
export const readTargets: (...given: Parameters<typeof readXpr>) => BundledTargets = readXpr;

/** Options one over the other: those of later ones win. */
export const together = (...all: readonly (BundledTargets | undefined)[]): BundledTargets => ({
  xpr: Object.assign({}, ...all.map((targets) => targets?.xpr)) as XprTarget,
});

/** Whether the run signs calls. */
export const signs = ({ xpr = {} }: BundledTargets): boolean =>
  Object.entries(xpr).some(([name, value]) => value !== undefined && /(account|key)$/i.test(name));
