import { expect, test } from 'vitest';
import { disclosureIn } from '../../kit/index.js';
import type { Exchange } from '../../wire/index.js';
import { exceptionIn } from './exception-words.js';
import { leakSigns } from './leak-signs.js';

const encoder = new TextEncoder();
function answering(message: string, sent = '{}'): Exchange {
  const body = encoder.encode(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32603, message } }));
  return {
    id: 'x1',
    purpose: 'test',
    request: { method: 'POST', url: 'http://agent.test/', headers: [], body: encoder.encode(sent) },
    response: { status: 200, headers: [['content-type', 'application/json']], body, chunks: [] },
    startedAt: 0,
    durationMs: 1,
  };
}

test.each([
  ['a stack trace', 'TypeError: x\n    at send (/srv/agent/dist/rpc.js:41:17)'],
  ['a stack trace', 'Traceback (most recent call last):\n  File "app.py", line 3, in <module>'],
  ['a stack trace', 'java.lang.IllegalStateException\n\tat com.example.Agent.send(Agent.java:42)'],
  ['a stack trace', 'error\n\tat com.example.AgentKt.send(Agent.kt:42)'],
  ['a stack trace', 'panic: x\n\ngoroutine 17 [running]:'],
  ['a stack trace', "thread 'main' panicked at src"],
  ['a stack trace', '   at Agent.Rpc.Send(String s) in Rpc.cs:line 7'],
  ['a stack trace', 'PHP Fatal error: Uncaught Error'],
  ['a stack trace', "agent/rpc.rb:12:in `send'"],
  ['an error of its database', 'SQLSTATE[22P02]: invalid input syntax'],
  ['an error of its database', 'duplicate key value violates unique constraint "tasks_pkey"'],
  ['an error of its network', 'connect ECONNREFUSED 127.0.0.1:5432'],
  ['its environment', 'PATH=/usr/bin HOME=/root'],
  ['a path of a file', 'cannot open /home/deploy/agent/config.yaml'],
])('finds %s', (what, message) => {
  expect(disclosureIn(answering(message), leakSigns)?.what).toBe(what);
});

test.each([
  'Task not found',
  'Invalid params: /params/message/parts/0/text must be string',
  'Look at https://example.com/docs/a2a/errors for help',
  'Unknown method tasks/foo at line 1 column 5',
  'type.googleapis.com/google.rpc.ErrorInfo',
])('finds nothing in %s', (message) => {
  expect(disclosureIn(answering(message), leakSigns)).toBeUndefined();
  expect(exceptionIn(message)).toBeUndefined();
});

test('a text that the kit sent is not a leak', () => {
  const text = 'PATH=/usr/bin';
  expect(disclosureIn(answering(`no such id: ${text}`, JSON.stringify({ id: text })), leakSigns)).toBeUndefined();
});

test.each([
  "Cannot read properties of undefined (reading 'parts')",
  "Cannot create property 'id' on string 'a'",
  'Cannot convert object to primitive value',
  'The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array',
  "'NoneType' object has no attribute 'parts'",
  "KeyError: 'message'",
  'java.lang.NullPointerException',
  'runtime error: invalid memory address or nil pointer dereference',
  'called `Option::unwrap()` on a `None` value',
  "undefined method `parts' for nil",
])('hears an exception in %s', (message) => {
  expect(exceptionIn(message)).toBeDefined();
});
