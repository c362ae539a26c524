import { expect, test } from 'vitest';
import type { Exchange } from '../../src/kit/index.js';
import { growthOf } from '../../test/work.js';
import { innards } from './innards.js';

const encoder = new TextEncoder();

function answering(body: string, sent = '{}', account = 'alice'): Exchange {
  return {
    id: 'x1',
    purpose: 'test',
    request: {
      method: 'POST',
      url: 'http://agent.test/app/a2a',
      headers: [['X-XPR-Account', account]],
      body: encoder.encode(sent),
    },
    response: { status: 200, headers: [], body: encoder.encode(body), chunks: [] },
    startedAt: 0,
    durationMs: 1,
  };
}
const error = (message: string): string => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message } });

test.each([
  ['a stack trace', error('Error: denied\n    at verify (dist/auth.js:41:11)')],
  ['a stack trace', error('Error: denied\n    at async /x/y.ts:4:1')],
  ['a stack trace', error('Traceback (most recent call last):\n  File "x.py", line 3')],
  ['a path of a file', error("ENOENT: no such file or directory, open '/home/agent/keys.json'")],
  ['a path of a file', error('cannot open C:\\agents\\config.json')],
  ['a path of a file', '<pre>SyntaxError<br> &nbsp;at parse (/app/node_modules/x/json.js:9:1)</pre>'],
  ['the address of its chain', error('request to http://10.0.0.7:8888/v1/chain/get_account failed')],
  ['the address of its chain', error('connect ECONNREFUSED 127.0.0.1:8888')],
  ['an exception of its chain', error('unknown key (eosio::chain::name): nobody')],
  ['the name of a package', error('@proton/js: bad signature')],
])('%s is found', (what, body) => {
  expect(innards(answering(body))).toMatch(new RegExp(`^(${what}|a stack trace|a path of a file): `));
});

test.each([
  error("Signature verification failed: recovered key does not match any active key for account 'alice'"),
  error('Rate limit exceeded: 20 requests per minute\nat 12:30:45, or at 2026-11-20T12:30:45Z'),
  error('Request timestamp too far from server time (window: 300s)'),
  error('See https://docs.example.com/app/errors/auth for help, and/or tmp'),
  error('express yourself: a read/write opt-in/opt-out home/office'),
  error('Method not found: POST /app/a2a'),
  '<!doctype html><title>413</title><h1>Payload Too Large</h1>',
])('nothing is found in %s', (body) => {
  expect(innards(answering(body))).toBeUndefined();
});

test('a text that the kit sent is not a secret', () => {
  const path = '/etc/passwd';
  expect(innards(answering(error(`no account '${path}'`), '{}', path))).toBeUndefined();
  expect(innards(answering(error(`no account '${path}'`)))).toBe(`a path of a file: '${path}`);
  const windows = 'C:\\boot\\ini.sys';
  expect(innards(answering(error(`no account ${windows}`), '{}', windows))).toBeUndefined();
  expect(innards(answering(error(`no task ${windows}`), JSON.stringify({ id: windows })))).toBeUndefined();
});

test.each(['\n', ' at ', 'a', '/home', 'C:\\', '\\u0020', 'x/v1/chain/', '('])(
  'an answer of %j, ten times as large, takes ten times the work',
  async (text) => {
    const look = (size: number) => innards(answering(text.repeat(Math.ceil(size / text.length))));
    // An expression that goes back and forth would not end.
    expect(await growthOf(look, 6400)).toBeLessThan(15);
  },
);
