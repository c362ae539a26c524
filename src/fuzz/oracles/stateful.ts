import { answers } from './answers.js';
import { configs } from './configs.js';
import { histories } from './histories.js';
import { lifeCycle } from './life-cycle.js';
import type { Oracle } from './oracle.js';
import { pages } from './pages.js';
import { queries } from './queries.js';
import { streams } from './streams.js';

/** Oracles that look at several answers together: tasks, streams and configurations over a whole trace. */
export const statefulOracles: readonly Oracle[] = [lifeCycle, answers, queries, pages, configs, streams, histories];
