import { expect, test } from 'vitest';
import type { InvalidResponse } from '../client/index.js';
import type { Exchange } from '../wire/index.js';
import { accepted, answered, codeIs, refused } from './judges.js';
import { Inconclusive } from './verdict.js';
import { letIn } from './xpr.js';

const broken = (fault: InvalidResponse['fault'], status = 200): InvalidResponse => ({
  kind: 'invalid-response',
  fault,
  detail: '',
  exchange: { response: { status, headers: [], body: new Uint8Array(), chunks: [] } } as unknown as Exchange,
});

test('an answer that is longer than the kit reads proves nothing, where it matters what it says', () => {
  for (const judge of [accepted, refused, codeIs('InvalidParams'), letIn]) {
    expect(judge(broken('too-large'))).toBeInstanceOf(Inconclusive);
    expect(judge(broken('not-json'))).toBeTypeOf('string');
  }
  expect(answered(broken('too-large'))).toBeUndefined();
  expect(answered(broken('too-large', 500))).toBeInstanceOf(Inconclusive);
  expect(answered(broken('not-json', 500))).toBeTypeOf('string');
});
