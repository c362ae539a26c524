import type { Rule } from '../../src/kit/index.js';
import * as negotiated from './negotiated.js';
import * as required from './required.js';

const files = [negotiated, required];

export const extensionRules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
