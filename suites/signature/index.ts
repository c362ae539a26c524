import type { Rule } from '../../src/kit/index.js';
import * as header from './header.js';
import * as verified from './verified.js';

const files = [header, verified];

export const signatureRules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
