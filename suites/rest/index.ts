import type { Rule } from '../../src/kit/index.js';
import * as answers from './answers.js';
import * as bodies from './bodies.js';
import * as errors from './errors.js';
import * as interfaces from './interfaces.js';
import * as paths from './paths.js';
import * as push from './push.js';
import * as queries from './queries.js';

/** What belongs to HTTP+JSON. */
export const restRules: readonly Rule[] = [answers, errors, bodies, paths, queries, push, interfaces].flatMap(
  (file): readonly Rule[] => Object.values(file),
);
