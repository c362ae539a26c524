import type { Rule } from '../../src/kit/index.js';
import * as callers from './callers.js';
import * as contents from './contents.js';
import * as errors from './errors.js';
import * as listings from './listings.js';
import * as push from './push.js';
import * as reads from './reads.js';
import * as streams from './streams.js';
import * as work from './work.js';

/** What is the same over every binding of an agent. */
export const equivalenceRules: readonly Rule[] = [
  reads,
  contents,
  listings,
  errors,
  callers,
  push,
  work,
  streams,
].flatMap((file): readonly Rule[] => Object.values(file));
