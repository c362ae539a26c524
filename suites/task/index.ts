import type { Rule } from '../../src/kit/index.js';
import * as cancel from './cancel.js';

export const taskRules: readonly Rule[] = [cancel].flatMap((file): readonly Rule[] => Object.values(file));
