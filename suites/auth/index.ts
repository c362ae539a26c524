import type { Rule } from '../../src/kit/index.js';
import * as accepted from './accepted.js';
import * as disclosure from './disclosure.js';
import * as foreign from './foreign.js';
import * as refusals from './refusals.js';
import * as required from './required.js';

const files = [required, refusals, accepted, foreign, disclosure];

export const authRules: readonly Rule[] = files.flatMap((file): readonly Rule[] => Object.values(file));
