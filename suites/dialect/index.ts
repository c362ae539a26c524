import type { Rule } from '../../src/kit/index.js';
import * as answers from './answers.js';
import * as card from './card.js';
import * as hybrid from './hybrid.js';
import * as outputModes from './output-modes.js';
import { healthRules } from './paths.js';
import * as queue from './queue.js';

export const dialectRules: readonly Rule[] = [
  ...[card, hybrid, answers, queue, outputModes].flatMap((module): readonly Rule[] => Object.values(module)),
  ...healthRules,
];
