import type { Rule } from '../../src/kit/index.js';
import * as header from './header.js';
import * as places from './places.js';

export const versionRules: readonly Rule[] = [header, places].flatMap((file): readonly Rule[] => Object.values(file));
