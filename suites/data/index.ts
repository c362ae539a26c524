import type { Rule } from '../../src/kit/index.js';
import * as task from './task.js';

export const dataRules: readonly Rule[] = [task].flatMap((file): readonly Rule[] => Object.values(file));
