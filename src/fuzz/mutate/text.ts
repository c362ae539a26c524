import type { WireMutation } from '../case/case.js';
import { hostileNames } from '../generate/hostile.js';
import { countOf, kept, open, textOf, type WireMutationKind } from './wire-mutation.js';

// Wire mutations with the JSON text (RFC 8259).

const nest = (opening: string, times: number): string =>
  opening === '{' ? `${'{"n":'.repeat(times)}1${'}'.repeat(times)}` : '['.repeat(times) + ']'.repeat(times);

const member = (trick: WireMutation, value: string) => ({
  at: textOf(trick, 'at', '/params'),
  members: `${JSON.stringify(textOf(trick, 'name', 'tck'))}:${value}`,
  where: textOf(trick, 'where') === 'first' ? ('first' as const) : ('last' as const),
});

/** Texts that only look like JSON values: §3 allows none of them. */
const resembling = [
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  'True',
  'None',
  '0x10',
  '010',
  '+1',
  '.5',
  '1.',
  '1e',
  "'a'",
  '"a\tb"',
  '"\\x41"',
  '"\\u12"',
  '[1,]',
  '{"a":1,}',
  '/**/1',
  '1//\n',
  '`a`',
  '[1 2]',
  '{"a"}',
  '{a:1}',
];
/** Texts that follow a whole document. */
const tails = [
  '}',
  ']',
  ',',
  'x',
  '{}',
  '[]',
  '\u0000',
  '""',
  ' null',
  ';',
  '\n{"jsonrpc":"2.0"}',
  '//',
  '\u001a',
  '<html>',
];
/** §2: these four are white space, the others are not. */
const blanks = [' ', '\n', '\r\n', '\t'];
const bodies = [
  '{}',
  '[]',
  '1',
  '"jsonrpc"',
  'null',
  'true',
  '-',
  '{',
  '"',
  '',
  ' ',
  '[{}]',
  '{"jsonrpc":"2.0"}',
  'jsonrpc=2.0',
  '<xml/>',
  '--boundary',
  '0',
  '[[]]',
];
/** JSON that is not a request object in any reading. */
const noRequests = new Set(['{}', '{"jsonrpc":"2.0"}']);
const noJson = new Set(['-', '{', '"', 'jsonrpc=2.0', '<xml/>', '--boundary']);

/** Batches of no, one, a few and many calls; with items that are not requests, without ids, and nested. */
const batches = [
  { count: 0 },
  { count: 1 },
  { count: 2 },
  { count: 50 },
  { count: 3, mixed: true },
  { count: 10, mixed: true },
  { count: 3, notifications: true },
  { count: 2, nested: 1 },
  { count: 0, nested: 2 },
].map((item) => ({ nested: 0, mixed: false, notifications: false, ...item }));

export const textMutations = {
  'duplicate-member': {
    demand: open,
    make: ({ randomSource }) =>
      randomSource.pick(
        [
          { at: '', name: 'id', value: '"tck-other"' },
          { at: '', name: 'method', value: '"kit/no-such-method"' },
          { at: '', name: 'jsonrpc', value: '"1.0"' },
          { at: '', name: 'params', value: '{}' },
          { at: '/params', name: 'id', value: '"tck-other"' },
          { at: '/params', name: 'message', value: 'null' },
          { at: '/params/message', name: 'role', value: '"robot"' },
          { at: '/params/message', name: 'parts', value: '[]' },
          { at: '/params/message', name: 'messageId', value: '"tck-other"' },
        ].map((item) => ({ ...item, where: randomSource.pick(['first', 'last']) })),
      ),
    members: (trick) => member(trick, textOf(trick, 'value', 'null')),
  },
  'hostile-member': {
    demand: open,
    make: ({ randomSource, objects }) => ({
      at: randomSource.pick(objects),
      name: randomSource.chance(0.6)
        ? randomSource.pick(['__proto__', 'constructor', 'prototype'])
        : randomSource.pick(hostileNames),
      value: randomSource.pick(['{"polluted":true}', 'null', '1', '"text"', '[]', '{"prototype":{"polluted":true}}']),
      where: randomSource.pick(['first', 'last']),
    }),
    members: (trick) => member(trick, textOf(trick, 'value', 'null')),
  },
  'deep-member': {
    demand: open,
    make: ({ randomSource, objects, maxBytes }) => ({
      at: randomSource.pick(objects),
      name: 'tckDeep',
      opening: randomSource.pick(['[', '{']),
      times: Math.min(randomSource.pick([64, 129, 512, 1000, 3000, 10_000, 50_000]), Math.floor(maxBytes / 6)),
    }),
    members: (trick) => member(trick, nest(textOf(trick, 'opening', '['), countOf(trick, 'times', 100))),
  },
  'resembling-member': {
    demand: open,
    make: ({ randomSource, objects }) => ({
      at: randomSource.pick(objects),
      name: 'tck',
      value: randomSource.pick(resembling),
    }),
    members: (trick) => member(trick, textOf(trick, 'value', 'NaN')),
  },
  'many-members': {
    demand: open,
    make: ({ randomSource, objects, maxBytes }) => ({
      at: randomSource.pick(objects),
      count: Math.min(randomSource.pick([10, 100, 1000, 5000]), Math.floor(maxBytes / 12)),
    }),
    grown: (trick, size) => size + 20 * countOf(trick, 'count', 1, 100_000),
    members: (trick) => ({
      at: textOf(trick, 'at', '/params'),
      members:
        Array.from({ length: countOf(trick, 'count', 1, 100_000) }, (_, at) => `"tck${at}":${at}`).join(',') ||
        '"tck":0',
      where: 'last',
    }),
  },
  truncated: {
    // The beginning of an object is not a JSON text.
    demand: () => 'parse-error',
    make: ({ randomSource }) => ({ permille: randomSource.pick([1, 20, 100, 300, 500, 700, 900, 990, 999]) }),
    text: (trick, text) => {
      const end = Math.floor((text.length * countOf(trick, 'permille', 500, 999)) / 1000);
      return text.slice(0, Math.max(1, Math.min(end, text.length - 1)));
    },
  },
  // §9: a parser may accept more than JSON.
  tail: {
    demand: open,
    make: ({ randomSource }) => ({ text: randomSource.pick(tails) }),
    text: (trick, text) => text + textOf(trick, 'text', '}'),
  },
  head: {
    demand: open,
    make: ({ randomSource }) => ({
      text: randomSource.pick([
        ',',
        '\u0000',
        ")]}',\n",
        'while(1);',
        '/**/',
        'data: ',
        '\u000b',
        '\u00a0',
        '[',
        '\u2028',
      ]),
    }),
    text: (trick, text) => textOf(trick, 'text', ',') + text,
  },
  'single-quotes': { demand: open, make: () => ({}), text: (_, text) => text.replaceAll('"', "'") },
  'bare-names': { demand: open, make: () => ({}), text: (_, text) => text.replaceAll(/"(\w+)":/g, '$1:') },
  'trailing-comma': { demand: open, make: () => ({}), text: (_, text) => text.replace(/\}$/, ',}') },
  comment: { demand: open, make: () => ({}), text: (_, text) => text.replace(/^\{/, '{/* tck */') },
  blanks: {
    demand: kept,
    make: ({ randomSource }) => ({ text: randomSource.pick(blanks), times: randomSource.pick([1, 3, 100]) }),
    text: (trick, text) => {
      const blank = textOf(trick, 'text', ' ');
      const padding = (blanks.includes(blank) ? blank : ' ').repeat(countOf(trick, 'times', 1, 10_000));
      return padding + text + padding;
    },
  },
  // §7: any character may be escaped, those of names too.
  'escaped-names': {
    demand: kept,
    make: () => ({}),
    text: (_, text) =>
      text.replaceAll(/"(jsonrpc|method|params|message|parts|role)":/g, (_whole, name: string) => {
        const units = [...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
        return `"${units.join('')}":`;
      }),
  },
  body: {
    demand: (trick) => {
      const text = textOf(trick, 'text');
      if (noRequests.has(text)) return 'invalid-request';
      return noJson.has(text) ? 'parse-error' : 'open';
    },
    make: ({ randomSource }) => ({ text: randomSource.pick(bodies) }),
    text: (trick) => textOf(trick, 'text'),
  },
  batch: {
    demand: open,
    needs: 'envelope',
    make: ({ randomSource }) => randomSource.pick(batches),
    // An empty batch drops the request, but the request is printed before.
    grown: (trick, size) => (size + 10) * Math.max(1, countOf(trick, 'count', 2, 1000)),
    text: (trick, text) => {
      const mix = trick['mixed'] === true ? ['1', '{}', 'null', '[]', '"text"'] : [];
      const silent = trick['notifications'] === true;
      const calls = Array.from({ length: countOf(trick, 'count', 2, 1000) }, (_, at) => {
        const call = silent ? text.replace(/"id":"[^"]*",/, '') : text.replace(/("id":"[^"]*)"/, `$1-${at}"`);
        return mix.length > 0 && at % 3 === 1 ? (mix[at % mix.length] ?? '1') : call;
      });
      const deep = countOf(trick, 'nested', 0, 1000);
      return `${'['.repeat(deep + 1)}${calls.join(',')}${']'.repeat(deep + 1)}`;
    },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
