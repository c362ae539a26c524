import { expect, test } from 'vitest';
import { dialectById, type ProfileId } from '../dialect/index.js';
import type { Exchange, Header } from '../wire/index.js';
import { readOutcome } from './outcome.js';

const encoder = new TextEncoder();

function outcomeOf(error: unknown, { profile = 'a2a-1.0' as ProfileId, status = 200, headers = [] as Header[] } = {}) {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error('no dialect');
  const body = encoder.encode(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
  const exchange: Exchange = {
    id: 'x1',
    purpose: 'test',
    request: { method: 'POST', url: 'http://agent.test/', headers: [] },
    response: { status, headers: [['content-type', 'application/json'], ...headers], body, chunks: [] },
    startedAt: 0,
    durationMs: 0,
  };
  return readOutcome(exchange, dialect, (wire) => wire);
}

const info = (reason: string) => [
  { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'agent.test' },
];

test.each([
  ['the reason UNAUTHENTICATED', { code: -31401, message: 'no', data: info('UNAUTHENTICATED') }],
  ['the reason PERMISSION_DENIED', { code: -32099, message: 'no', data: info('PERMISSION_DENIED') }],
  ['the reason below details', { code: -31401, message: 'no', data: { details: info('UNAUTHENTICATED') } }],
  ['a status', { code: 16, message: 'no', data: { status: 'UNAUTHENTICATED' } }],
  ['details of an internal error', { code: -32603, message: 'Internal error', data: info('UNAUTHENTICATED') }],
  ['unauthenticated', { code: -31401, message: 'Unauthenticated: call again' }],
  ['a missing token', { code: -32000, message: 'Missing bearer token' }],
  ['credentials', { code: 4001, message: 'Credentials are required to list tasks' }],
  ['an API key', { code: -32050, message: 'Invalid API key' }],
  ['401', { code: 401, message: '401 Unauthorized' }],
  ['a text for a code', { code: 'UNAUTHENTICATED', message: 'no' }],
])('%s is a denial', (_, error) => {
  expect(outcomeOf(error)).toMatchObject({ kind: 'denied', message: error.message });
});

test.each([
  ['the token of a page', { code: -32602, message: 'Invalid page token' }],
  ['the token of a page, under a code of its own', { code: -32050, message: 'invalid token: pageToken is unknown' }],
  ['a webhook', { code: -32050, message: 'This address is forbidden' }],
  ['a file', { code: -32000, message: "EACCES: permission denied, open '/srv/x'" }],
  ['an unknown task that is called unauthorized', { code: -32001, message: 'unauthorized' }],
  ['an unknown method', { code: -32601, message: 'Authentication required', data: info('UNAUTHENTICATED') }],
  ['an internal error', { code: -32603, message: 'Unauthorized' }],
  ['the author', { code: -32050, message: 'the authorship of this task is unknown' }],
  ['nothing', { code: -32050, message: '' }],
])('%s is none', (_, error) => {
  expect(outcomeOf(error)).toMatchObject({ kind: 'refusal' });
});

test.each([
  ['a reason', { code: -31403, message: 'no', data: info('PERMISSION_DENIED') }, true],
  ['words', { code: -31403, message: 'Permission denied.' }, true],
  ['403', { code: 403, message: '403 Forbidden' }, true],
  ['who it is', { code: -31401, message: 'no', data: info('UNAUTHENTICATED') }, undefined],
])('%s: it is about permissions: %j', (_, error, isKnown) => {
  expect(outcomeOf(error)).toMatchObject({ kind: 'denied' });
  expect((outcomeOf(error) as { readonly isKnown?: true }).isKnown).toBe(isKnown);
});

test('a challenge beside an error without a name is one', () => {
  const headers: Header[] = [['WWW-Authenticate', 'Bearer']];
  expect(outcomeOf({ code: -32050, message: 'no' }, { headers })).toMatchObject({ kind: 'denied' });
  expect(outcomeOf({ code: -32001, message: 'no' }, { headers })).toMatchObject({ kind: 'refusal' });
});

test('whose calls are signed asks for an account', () => {
  const error = { code: -32000, message: 'no' };
  expect(outcomeOf(error, { profile: 'xpr' })).toMatchObject({
    kind: 'denied',
    signs: expect.stringContaining('--xpr-account'),
  });
  expect(outcomeOf(error)).toMatchObject({ kind: 'refusal' });
});
