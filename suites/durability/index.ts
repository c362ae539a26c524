import type { Rule } from '../../src/kit/index.js';
import { finishedKept } from './restart.js';

/** Runs last: earlier tasks may be lost after a restart. */
export const durabilityRules: readonly Rule[] = [finishedKept];
