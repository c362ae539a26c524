import { alive } from './alive.js';
import { bindings } from './bindings.js';
import { cost } from './cost.js';
import { errorClass } from './error-class.js';
import { laws } from './laws.js';
import { leaks } from './leaks.js';
import type { Oracle } from './oracle.js';
import { polluted } from './polluted.js';
import { statefulOracles } from './stateful.js';
import { unchanged } from './unchanged.js';

/** Oracles that judge a trace answer by answer, in the order in which symptoms are reported. */
export const answerOracles: readonly Oracle[] = [alive, laws, errorClass, unchanged, leaks, polluted, cost];

/** Those of packs. */
const brought: Oracle[] = [];

/** Adds the oracle of a pack. */
export function addOracle(oracle: Oracle): void {
  if (!brought.includes(oracle)) brought.push(oracle);
}

export const oracles = (): readonly Oracle[] => [...answerOracles, ...statefulOracles, ...brought, bindings];
