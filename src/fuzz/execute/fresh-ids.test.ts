import { expect, test } from 'vitest';
import { a2a03 } from '../../dialect/a2a-0.3.js';
import { member } from '../../model/index.js';
import { type CallStep, callsOf, type Value } from '../case/case.js';
import { joined } from '../case/joined.js';
import { createSpell } from './spell.js';

const context = {
  dialect: a2a03,
  rpcId: 'f1',
  resolve: () => undefined,
  endpoint: 'http://agent.test/',
  credentials: [],
};
const send = (message: Value, more: Partial<CallStep> = {}): CallStep => ({
  step: 'call',
  operation: 'send',
  params: { message },
  ...more,
});
const sent = (step: CallStep, again?: string): string =>
  Buffer.from(createSpell()(step, { ...context, ...(again === undefined ? {} : { again }) }).body).toString();

test('a message that is sent again has another id, which begins as before', () => {
  const step = send({ messageId: 'tck-failure-1', role: 'user' });
  expect(sent(step)).toContain('"messageId":"tck-failure-1"');
  expect(sent(step, '1a')).toContain('"messageId":"tck-failure-1-again-1a"');
  expect(sent(step, '1a')).toBe(sent(step, '1a'));
  expect(sent(step, '1b')).not.toBe(sent(step, '1a'));
  expect(JSON.stringify(step)).not.toContain('again');
});

test('a second id beside it is another one too', () => {
  const trick = {
    trick: 'duplicate-member',
    at: '/params/message',
    name: 'messageId',
    value: '"other"',
    where: 'last',
  };
  const step = send({ messageId: 'm-1' }, { tricks: [trick] });
  expect(sent(step)).toContain('"messageId":"m-1","messageId":"other"');
  expect(sent(step, '2')).toContain('"messageId":"m-1-again-2","messageId":"other-again-2"');
});

test.each<readonly [string, CallStep]>([
  ['no id', send({ role: 'user' })],
  ['an empty one', send({ messageId: '' })],
  ['one that is no text', send({ messageId: { $raw: '1e400' } })],
  [
    'one that was put there on purpose',
    send(
      { messageId: 'a' },
      { edits: [{ at: '/params/message/messageId', op: 'set', value: 'b', keyword: 'bounds' }] },
    ),
  ],
  ['no message', { step: 'call', operation: 'get', params: { id: 'a' } }],
  ['no params', { step: 'call', operation: 'get' }],
])('%s stays unchanged', (_, step) => {
  expect(sent(step, '1')).toBe(sent(step));
});

test('cases that are joined keep their ids apart, and what was twice in one of them stays so', () => {
  const item = { dialect: 'a2a-0.3', steps: [send({ messageId: 'm-1' }), send({ messageId: 'm-1' })] } as const;
  const ids = callsOf(joined([item, item], item)).map(({ params }) => member(member(params, 'message'), 'messageId'));
  expect(new Set(ids).size).toBe(3);
  expect(ids[0]).toBe(ids[1]);
  expect(ids.slice(4)).toEqual(['m-1', 'm-1']);
});

test('an invented task is another one the next time, and the same one in all requests of that time', () => {
  const id = 'f0000000-dead-4000-8000-0123456789ab';
  const said = (step: CallStep, again?: string) => sent(step, again).match(/f0000000-dead-4000-8000-[0-9a-f]{12}/)?.[0];
  const get: CallStep = { step: 'call', operation: 'get', params: { id } };
  const toNobody = send({ messageId: 'm-1', taskId: id });
  expect([said(get), said(toNobody)]).toEqual([id, id]);
  expect(said(get, '1')).toBe(said(toNobody, '1'));
  expect(new Set([id, said(get, '1'), said(get, '2')]).size).toBe(3);
});
