import { expect, test } from 'vitest';
import { webhooksFor } from '../endpoint/webhooks.js';
import type { OpenWebhooks } from '../wire/index.js';
import { readWebhook } from './webhook.js';

test.each([
  [undefined, undefined, {}],
  ['127.0.0.1', undefined, { webhook: { host: '127.0.0.1', port: 0 } }],
  ['[::1]:8080', undefined, { webhook: { host: '::1', port: 8080 } }],
  [
    '0.0.0.0:8080',
    'https://hooks.example/x',
    { webhook: { host: '0.0.0.0', port: 8080, url: 'https://hooks.example/x' } },
  ],
])('%j and %j', (listen, url, expected) => {
  expect(readWebhook(listen, url)).toEqual(expected);
});

test.each([
  [undefined, 'https://hooks.example', 'needs --webhook'],
  ['0.0.0.0:8080', undefined, 'needs --webhook-url'],
  ['http://x', undefined, 'is not an address'],
  ['x:99999', undefined, 'is not an address'],
  ['x:y', undefined, 'is not an address'],
  ['x', 'hooks.example', 'is not a base URL'],
  ['x', 'ftp://hooks.example', 'is not a base URL'],
  ['x', 'https://user:pass@hooks.example', 'is not a base URL'],
  ['x', 'https://hooks.example/?a=b', 'is not a base URL'],
])('%j and %j are refused', (listen, url, message) => {
  expect(() => readWebhook(listen, url)).toThrow(message);
});

const closed = { url: 'http://x', assured: false, close: async () => undefined };

test('without options webhooks are for agents on this machine', () => {
  const server = () => async () => closed;
  expect(webhooksFor('https://agent.example', undefined, server)).toContain('--webhook-url');
  for (const url of ['http://localhost:1', 'http://127.0.0.2/', 'http://[::1]:1/'])
    expect(webhooksFor(url, undefined, server)).toBeTypeOf('function');
  expect(webhooksFor('https://agent.example', { host: 'x' }, server)).toBeTypeOf('function');
});

test('an address that is taken is wrong usage', async () => {
  const open = webhooksFor('http://localhost', { host: 'h', port: 1 }, () => () => Promise.reject(new Error('taken')));
  await expect(
    (open as OpenWebhooks)(async () => ({ status: 200, headers: [], body: (async function* () {})() })),
  ).rejects.toThrow('cannot listen on --webhook h:1: taken');
});
