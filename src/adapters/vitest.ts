import { beforeAll, describe, test } from 'vitest';
import { type ConformanceOptions, declareConformance } from './conformance.js';

export { ConformanceError, type ConformanceOptions } from './conformance.js';

/**
 * Declares a suite for Vitest, one test for each check. A check that fails the gate fails its test; any other check
 * that did not pass is skipped with its reason. Throws `TckError('usage')` for a selection that matches nothing.
 */
export const conformance = (options: ConformanceOptions): void =>
  declareConformance(options, {
    describe: (name, declare) => void describe(name, declare),
    beforeAll: (begin, timeoutMs) => beforeAll(begin, timeoutMs),
    test: (name, judge) => test(name, (context) => judge({ skip: (note) => context.skip(note) })),
  });
