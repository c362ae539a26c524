import type { Header } from '../../wire/index.js';
import type { WireMutation } from '../case/case.js';
import {
  always,
  countOf,
  head,
  type Outgoing,
  open,
  textOf,
  tokenOf,
  type WireMutationKind,
  withoutControls,
} from './wire-mutation.js';

// Wire mutations with the head of the request (RFC 9110).

const contentTypes = [
  'text/plain',
  'application/xml',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonrequest',
  'application/json-rpc',
  'application/a2a+json',
  'application/json;',
  'application/json; charset',
  'APPLICATION/JSON',
  ' application/json',
  'application/json, text/plain',
  'application/*',
  '*/*',
  'json',
  '/',
  ';',
  '',
  'application/octet-stream',
  'text/event-stream',
  'application/json; a=b; c="d;e"',
  `application/json; ${'a=b; '.repeat(50)}`,
];
const charsets = [
  'utf-8',
  'UTF-8',
  '"utf-8"',
  'utf8',
  'utf-16',
  'utf-7',
  'iso-8859-1',
  'us-ascii',
  'x-unknown',
  '',
  'utf-8; charset=utf-16',
  'none',
  'ibm037',
];
const sameCharsets = new Set(['utf-8', 'UTF-8']);

/** Headers that only the client sets: connection, framing, credentials. */
const owned = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'keep-alive',
  'authorization',
  'cookie',
]);
const added = (out: Outgoing, trick: WireMutation): Outgoing => {
  const name = tokenOf(textOf(trick, 'name', 'X-Tck'));
  if (owned.has(name.toLowerCase())) return out;
  const value = withoutControls(textOf(trick, 'value')).repeat(countOf(trick, 'times', 1, 100_000));
  const count = countOf(trick, 'count', 1, 2000);
  const named = (at: number): Header => [count === 1 ? name : `${name}-${at}`, value];
  return { ...out, headers: [...out.headers, ...Array.from({ length: count }, (_, at) => named(at))] };
};

const withHeader = (trick: WireMutation, size: number): number =>
  size +
  countOf(trick, 'count', 1, 2000) *
    (textOf(trick, 'name').length + 20 + textOf(trick, 'value').length * countOf(trick, 'times', 1, 100_000));

export const httpMutations = {
  charset: {
    demand: (trick) => (sameCharsets.has(textOf(trick, 'name')) ? 'kept' : 'open'),
    make: ({ randomSource }) => ({ name: randomSource.pick(charsets) }),
    http: (trick, out) => ({
      ...out,
      contentType: `application/json; charset=${withoutControls(textOf(trick, 'name', 'utf-8'))}`,
    }),
  },
  'content-type': {
    demand: open,
    make: ({ randomSource }) => ({ type: randomSource.chance(0.15) ? null : randomSource.pick(contentTypes) }),
    http: (trick, out) => ({
      ...out,
      contentType: trick['type'] === null ? null : withoutControls(textOf(trick, 'type', 'text/plain')),
    }),
  },
  header: {
    demand: open,
    make: ({ randomSource }) =>
      randomSource.pick([
        { name: 'X-Tck', value: 'a', times: randomSource.pick([1, 1000, 7000, 15_000, 17_000, 70_000]), count: 1 },
        { name: 'X-Tck', value: 'a', times: 1, count: randomSource.pick([10, 90, 150, 1000]) },
        { name: 'X-Tck', value: 'ü\u00ff', times: 1, count: 1 },
        { name: 'Accept-Language', value: 'en-US,en;q=0.5,'.repeat(20), times: 1, count: 1 },
        { name: 'X-Forwarded-For', value: '127.0.0.1, ::1', times: 1, count: 1 },
        { name: 'X-Forwarded-Host', value: 'example.com', times: 1, count: 1 },
        { name: 'X-HTTP-Method-Override', value: 'DELETE', times: 1, count: 1 },
        { name: 'Range', value: 'bytes=0-1', times: 1, count: 1 },
        { name: 'If-None-Match', value: '*', times: 1, count: 1 },
        { name: 'Origin', value: 'null', times: 1, count: 1 },
        {
          name: 'A2A-Version',
          value: randomSource.pick(['', '9.9', '0.3', '1.0', 'a', '1.0, 0.3', '1.0.0.0', '-1']),
          times: 1,
          count: 1,
        },
        {
          name: randomSource.pick(['X-A2A-Extensions', 'A2A-Extensions']),
          value: randomSource.pick(['https://example.com/none', ',', ',,,', 'a, '.repeat(200), '"', '\u00e9']),
          times: 1,
          count: 1,
        },
        { name: 'traceparent', value: '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01', times: 1, count: 1 },
        { name: '__proto__', value: 'a', times: 1, count: 1 },
        { name: 'constructor', value: 'a', times: 1, count: 1 },
      ]),
    grown: withHeader,
    astray: (trick) => /method/i.test(textOf(trick, 'name')),
    http: (trick, out) => added(out, trick),
  },
  // Servers have different limits: 431 is a fine answer.
  'long-header': {
    demand: open,
    make: ({ randomSource }) => ({ name: 'X-Tck', value: 'a', times: randomSource.pick([4100, 5000, 7000]), count: 1 }),
    grown: withHeader,
    http: (trick, out) => added(out, trick),
  },
  accept: {
    demand: open,
    make: ({ randomSource }) => ({
      value: randomSource.pick([
        'text/html',
        'image/png',
        '*/*',
        '',
        'text/event-stream',
        'application/json;q=0',
        'a/b/c',
        ','.repeat(300),
      ]),
    }),
    http: (trick, out) => head(out, 'accept', withoutControls(textOf(trick, 'value'))),
  },
  method: {
    demand: open,
    astray: always,
    make: ({ randomSource }) => ({
      name: randomSource.pick(['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS', 'TRACE', 'QUERY', 'post']),
    }),
    http: (trick, out) => {
      const method = textOf(trick, 'name', 'GET').replaceAll(/[^A-Za-z-]/g, '') || 'GET';
      // undici opens a tunnel for CONNECT, and speaks another protocol after it.
      const safe = method.toUpperCase() === 'CONNECT' ? 'GET' : method;
      return { ...out, method: safe, ...(safe === 'GET' || safe === 'HEAD' ? { body: new Uint8Array(0) } : {}) };
    },
  },
  query: {
    demand: open,
    astray: always,
    make: ({ randomSource }) => ({
      text: randomSource.pick([
        'a=1',
        'id=1&id=2',
        'A2A-Version=9.9',
        '__proto__[a]=1',
        'a[b][c]=d',
        '%00',
        '%ff',
        '%',
        '&&&',
        'a='.repeat(1000),
        '../',
        '?',
        'x'.repeat(9000),
        'method=tasks/get',
      ]),
    }),
    http: (trick, out) => ({ ...out, query: `?${textOf(trick, 'text').replaceAll(/[^\x21-\x7e]|#/g, '')}` }),
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
