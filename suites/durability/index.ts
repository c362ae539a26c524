import type { Rule } from '../../src/kit/index.js';
import { finishedKept } from './restart.js';

/** Last of all: what comes after a restart may find nothing of what was before. */
export const durabilityRules: readonly Rule[] = [finishedKept];
