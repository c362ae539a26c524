import { expect, test } from 'vitest';
import { letIn } from '../../../packs/xpr/shared/asking.js';
import type { InvalidResponse, Refusal } from '../../client/index.js';
import type { Exchange } from '../../wire/index.js';
import { accepted, answered, codeIs, isServerError, refused, worst } from './judges.js';
import { Inconclusive, inconclusive } from './verdict.js';

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

const refusal = (more: Partial<Refusal>, status = 200): Refusal => ({
  ...({ kind: 'refusal', inForm: true, code: -32000, error: undefined, message: '' } as unknown as Refusal),
  exchange: broken('not-json', status).exchange,
  ...more,
});

test('an error is one of the server by its name, and by its status where it has no form', () => {
  for (const item of [
    broken('not-json', 500),
    refusal({ error: 'InternalError' }),
    refusal({ fits: ['InternalError', 'InvalidAgentResponse'] }),
    refusal({ inForm: false }, 502),
  ]) {
    expect(isServerError(item)).toBe(true);
  }
  for (const item of [
    broken('not-json'),
    refusal({ error: 'InvalidParams' }, 500),
    refusal({ fits: ['UnsupportedOperation', 'MethodNotFound'] }, 501),
    // AMB10-27: JSON-RPC may answer an error of its own under any status.
    refusal({}, 500),
    { kind: 'not-sent', reason: '' } as const,
  ]) {
    expect(isServerError(item)).toBe(false);
  }
});

test('of several judgements a failure counts first, and then what is unproven', () => {
  const open = inconclusive('not seen');
  expect(worst([undefined, open, 'wrong', 'worse'])).toBe('wrong');
  expect(worst([undefined, open])).toBe(open);
  expect(worst([undefined, undefined])).toBeUndefined();
  expect(worst([])).toBeUndefined();
});
