import { expect, test } from 'vitest';
import type { Sent } from '../execute/trace.js';
import { throughAny } from './symptom.js';

const sentBy = (operation: string): Sent => ({ step: { step: 'call', operation } }) as unknown as Sent;
const causeOf = (bucket: string, operation: string): string => throughAny({ bucket, sent: sentBy(operation) }).cause;

test.each([
  ['law/rpc/id-echoed get', 'get', 'law/rpc/id-echoed'],
  ['cost/send /params/message/parts', 'send', 'cost /params/message/parts'],
  ['alive/reset send type /params/id', 'send', 'alive/reset type /params/id'],
  // Suites that have the name of an operation.
  ['law/stream/same-task stream', 'stream', 'law/stream/same-task'],
  ['law/stream/nothing-after-final stream', 'stream', 'law/stream/nothing-after-final'],
  ['law/get/same-id get', 'get', 'law/get/same-id'],
])('the cause of %s, whichever operation shows it', (bucket, operation, cause) => {
  expect(causeOf(bucket, operation)).toBe(cause);
});
