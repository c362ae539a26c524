import { expect, test } from 'vitest';
import type { CallStep } from '../../../src/fuzz/case/case.js';
import { joined } from '../../../src/fuzz/case/joined.js';
import { bring } from '../../../src/fuzz/index.js';
import { fuzzPart } from './index.js';

bring(fuzzPart);

const call = (operation: 'send' | 'get', more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation,
  ...more,
});
const caseOf = (...steps: readonly CallStep[]) => ({ dialect: 'a2a-1.0' as const, steps });

test('joined cases keep payments for the tasks that they were for', () => {
  const paying = caseOf(call('send', { as: 'a' }), call('send', { tricks: [{ trick: 'payment', for: 'a' }] }));
  expect(joined([paying], caseOf(call('get'))).steps[1]).toEqual(
    call('send', { tricks: [{ trick: 'payment', for: 'c0-a' }] }),
  );
});
