import type { Rule } from '../../src/kit/index.js';
import * as cancel from './cancel.js';
import * as get from './get.js';
import * as history from './history.js';
import * as lifeCycle from './life-cycle.js';

export const taskRules: readonly Rule[] = [get, history, cancel, lifeCycle].flatMap((file): readonly Rule[] =>
  Object.values(file),
);
