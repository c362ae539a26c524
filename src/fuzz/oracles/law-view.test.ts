import { describe, expect, test } from 'vitest';
import type { CallStep, Edit } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isOurs, isValid } from './law-view.js';

const sentAs = (step: Omit<CallStep, 'step'>, more: Partial<Sent> = {}): Sent =>
  ({
    step: { step: 'call', ...step },
    demand: 'valid',
    unresolved: [],
    sentAt: 1,
    endedAt: 2,
    reading: { outcome: { kind: 'result' } },
    ...more,
  }) as unknown as Sent;

const traceOf = (...sent: readonly Sent[]): Trace => ({
  case: { dialect: 'a2a-0.3', steps: [] },
  sent,
  begun: new Map(),
});

describe('what laws judge as the words of the agent', () => {
  const get = sentAs({ operation: 'get', params: { id: { $ref: 'a.task' } } }, { sentAt: 3, endedAt: 4 });
  const answer = (contextId: object | string) =>
    sentAs({ operation: 'send', params: { message: { taskId: { $ref: 'a.task' }, contextId: contextId as string } } });

  test.each([
    ['the context of the task', { $ref: 'a.context' }, true],
    ['the context of another task', { $ref: 'b.context' }, false],
    ['a context that nobody has', 'elsewhere', false],
  ])('a message to a task that names %s', (_, contextId, ours) => {
    expect(isOurs(traceOf(answer(contextId), get), get)).toBe(ours);
  });

  test.each([
    ['InvalidParams', true],
    ['InternalError', false],
  ])('a message that is refused with %s', (error, ours) => {
    const outcome = { kind: 'refusal', error };
    const refused: Sent = { ...answer('elsewhere'), reading: { outcome } as Sent['reading'] };
    expect(isOurs(traceOf(refused, get), get)).toBe(ours);
  });
});

describe('odd ids', () => {
  test.each([
    ['an empty text', '', '', true],
    ['zero', 0, 0, true],
    ['an integer that is written out', { $raw: '9007199254740991' }, 9007199254740991, true],
    ['a fraction that is read as zero', { $raw: '1e-400' }, 0, false],
    ['a list', [], [], false],
  ])('%s', (_, value, id, valid) => {
    const edits: readonly Edit[] = [{ at: '/id', op: 'set', value, keyword: 'type' }];
    expect(isValid(sentAs({ operation: 'get', edits }, { demand: 'open', request: { id } }))).toBe(valid);
  });
});
