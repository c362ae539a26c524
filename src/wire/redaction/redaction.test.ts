import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import { growthOf } from '../../../test/work.js';
import { bodyText, createRedactor, type Exchange, type Header } from '../index.js';
import { isWord } from './secret-search.js';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'utf8'));
const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

function exchangeWith(parts: {
  readonly url?: string;
  readonly requestHeaders?: readonly Header[];
  readonly requestBody?: string;
  readonly responseHeaders?: readonly Header[];
  readonly responseBody?: Uint8Array;
  readonly cuts?: readonly number[];
  readonly detail?: string;
  readonly rpcId?: unknown;
}): Exchange {
  const body = parts.responseBody ?? bytes('{}');
  const places = [0, ...(parts.cuts ?? []).filter((cut) => cut < body.length).sort((a, b) => a - b), body.length];
  return {
    id: 'x1',
    purpose: 'test',
    request: {
      method: 'POST',
      url: parts.url ?? 'http://agent.test/',
      headers: parts.requestHeaders ?? [],
      body: bytes(parts.requestBody ?? '{}'),
    },
    response: {
      status: 200,
      headers: parts.responseHeaders ?? [],
      body,
      chunks: places.slice(1).map((place, index) => ({ atMs: index, bytes: body.subarray(places[index], place) })),
    },
    failure: { kind: 'reset', detail: parts.detail ?? 'gone' },
    startedAt: 0,
    durationMs: 1,
    call: { valid: true, rpcId: parts.rpcId ?? 1 },
  };
}

/** Everything that a report could show of an exchange. */
function allText({ request, response, failure, call, purpose }: Exchange): string {
  const shown = (body: Uint8Array | undefined): string => Buffer.from(body ?? []).toString('utf8');
  const chunks = Buffer.concat(response?.chunks.map((chunk) => chunk.bytes) ?? []);
  return [
    purpose,
    request.method,
    request.url,
    ...request.headers.flat(),
    shown(request.body),
    ...(response?.headers.flat() ?? []),
    shown(response?.body),
    shown(chunks),
    failure?.detail,
    JSON.stringify(call?.rpcId),
  ].join('\n');
}

const spellings: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'percent-encoded': encodeURIComponent,
  'percent-encoded to the last': (secret) => Buffer.from(secret).toString('hex').replace(/../g, '%$&'),
  'percent-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  form: (secret) => new URLSearchParams({ a: secret }).toString().slice(2),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'JSON-escaped': (secret) => JSON.stringify(secret).slice(1, -1),
  'JSON-escaped twice': (secret) => JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
  'JSON-escaped to ASCII': (secret) =>
    secret.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  hex: (secret) => Buffer.from(secret).toString('hex'),
};

const places: Readonly<Record<string, (canary: string, cuts: readonly number[]) => Exchange>> = {
  'request header': (canary) => exchangeWith({ requestHeaders: [['X-Any', `a ${canary} b`]] }),
  'header name': (canary) => exchangeWith({ responseHeaders: [[canary, 'x']] }),
  'response header': (canary) => exchangeWith({ responseHeaders: [['Location', `/a?b=${canary}`]] }),
  'response header as Latin-1': (canary) => exchangeWith({ responseHeaders: [['X-Echo', latin1(canary)]] }),
  query: (canary) => exchangeWith({ url: `http://agent.test/?q=${canary}&r=1` }),
  'user information': (canary) => exchangeWith({ url: `http://me:${canary}@agent.test/` }),
  path: (canary) => exchangeWith({ url: `http://agent.test/${canary}` }),
  'request body': (canary) => exchangeWith({ requestBody: `{"a":"${canary}"}` }),
  'response body': (canary, cuts) => exchangeWith({ responseBody: bytes(`{"a":"${canary}"}`), cuts }),
  'binary response body': (canary, cuts) =>
    exchangeWith({ responseBody: Uint8Array.from([0xff, 0xc3, ...bytes(canary), 0x80, ...bytes(canary)]), cuts }),
  'failure detail': (canary) => exchangeWith({ detail: `no such host: ${canary}` }),
  'RPC id': (canary) => exchangeWith({ rpcId: { deep: [canary] } }),
};

/** A secret as people have them, or with every sign that an encoding treats in its own way. */
const canaries = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 24 }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        '\\',
        '/',
        '%',
        '+',
        ' ',
        '&',
        '$',
        'ä',
        '世',
        '🎉',
        '\n',
        'a',
        'Z',
        '5',
        '.',
        '*',
        '(',
        '[',
      ),
      minLength: 6,
      maxLength: 16,
    }),
    fc.base64String({ minLength: 8, maxLength: 40 }),
  )
  .map((text) => text.trim())
  .filter((text) => Array.from(text).length >= 6 && new Set(text).size >= 4 && !isWord(text));

describe('a canary never survives', () => {
  describe.each(Object.keys(places))('in the %s', (place) => {
    test.each(Object.keys(spellings))('%s', (spelling) => {
      fc.assert(
        fc.property(canaries, fc.array(fc.nat(60), { maxLength: 4 }), (secret, cuts) => {
          const planted = spellings[spelling]?.(secret) ?? '';
          const exchange = places[place]?.(planted, cuts);
          if (exchange === undefined) return expect.unreachable();
          const redacted = createRedactor(['unrelated secret', secret]).redactExchange(exchange);
          const shown = allText(redacted);
          expect(shown).not.toContain(planted.replace(/=+$/, ''));
          expect(shown).not.toContain(secret);
          if (place !== 'user information') expect(shown).toContain('[secret-2]');
          expect(Buffer.concat(redacted.response?.chunks.map((chunk) => chunk.bytes) ?? [])).toEqual(
            Buffer.from(redacted.response?.body ?? []),
          );
        }),
        byDay(6),
      );
    });
  });

  test('within longer base64, at any alignment', () => {
    fc.assert(
      fc.property(canaries, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
        const planted = Buffer.from(before + secret + after).toString('base64');
        const shown = createRedactor([secret]).text(`x=${planted}`);
        expect(shown).toContain('[secret-1]');
        expect(Buffer.from(shown.replace('[secret-1]', ''), 'base64').toString()).not.toContain(secret);
      }),
      byDay(20),
    );
  });
});

describe('credentials that are not a known secret', () => {
  const { headers, url } = createRedactor([]);

  test.each<[name: string, value: string, shown: string]>([
    ['Authorization', 'Bearer abc.def', 'Bearer [hidden]'],
    ['authorization', 'basic dXNlcjpwYXNz', 'basic [hidden]'],
    ['Authorization', 'half1 half2', '[hidden]'],
    ['Authorization', 'Bearer', '[hidden]'],
    ['Authorization', '', ''],
    ['Proxy-Authorization', 'Digest username="x"', 'Digest [hidden]'],
    ['Cookie', 'a=b', '[hidden]'],
    ['Set-Cookie', 'sid=1; HttpOnly', '[hidden]'],
    ['X-API-Key', 'k', '[hidden]'],
    ['x-apikey', 'k', '[hidden]'],
    ['X-Goog-Api-Key', 'k', '[hidden]'],
    ['X-A2A-Notification-Token', 't', '[hidden]'],
    ['X-Auth-Token', 't', '[hidden]'],
    ['Client-Secret', 't', '[hidden]'],
    ['WWW-Authenticate', 'Bearer realm="x"', 'Bearer realm="x"'],
    ['x-ratelimit-limit-tokens', '100', '100'],
    ['Content-Type', 'application/json', 'application/json'],
  ])('%s: %s', (name, value, shown) => {
    expect(headers([[name, value]])).toEqual([[name, shown]]);
  });

  test.each([
    ['http://u:p@agent.test/a', 'http://[hidden]@agent.test/a'],
    ['http://agent.test/?a=1&access_token=x&b=2#f', 'http://agent.test/?a=1&access_token=[hidden]&b=2#f'],
    ['http://agent.test/?API_KEY=x', 'http://agent.test/?API_KEY=[hidden]'],
    ['http://agent.test/?monkey=x', 'http://agent.test/?monkey=x'],
    ['http://agent.test/a@b', 'http://agent.test/a@b'],
  ])('%s', (before, after) => {
    expect(url(before)).toBe(after);
    expect(url(after)).toBe(after);
  });
});

test('what holds no secret stays the same, byte by byte', () => {
  const { redactExchange } = createRedactor(['a secret that does not occur', 'abc']);
  fc.assert(
    fc.property(fc.uint8Array(), fc.array(fc.nat(20)), (body, cuts) => {
      const exchange = exchangeWith({ responseBody: body, cuts, requestBody: 'abc' });
      expect(redactExchange(exchange)).toEqual(exchange);
    }),
  );
});

test('secrets that come into being later are hidden from then on, by what is shown in their place', () => {
  const late: { secret: string; shown: string }[] = [];
  const { text, redactExchange } = createRedactor(['hunter2'], () => late);
  expect(text('hunter2 0xabc4ef')).toBe('[secret-1] 0xabc4ef');
  late.push({ secret: 'abc4ef', shown: 'ab...' });
  expect(text('hunter2 0xabc4ef')).toBe('[secret-1] 0xab...');
  expect(text(text('0xabc4ef 0xABC4ef'))).toBe('0xab... 0xab...');
  late.push({ secret: 'abc4ef0123', shown: 'ab....' });
  expect(text('0xabc4ef0123 0xabc4ef')).toBe('0xab.... 0xab...');
  const redacted = redactExchange(exchangeWith({ responseBody: bytes('"abc4ef"'), requestBody: 'abc4ef' }));
  expect(bodyText(redacted.response?.body)).toBe('"ab..."');
  expect(bodyText(redacted.request.body)).toBe('ab...');
});

const token = 'Sesame-"0001"/Abc\\\\+d';
test.each<[about: string, spelled: string]>([
  ['as it is', token],
  ['in capitals', token.toUpperCase()],
  ['in a URL', encodeURIComponent(token.toLowerCase())],
  ['in JSON within a URL', encodeURIComponent(JSON.stringify(JSON.stringify(token)))],
  ['escaped to ASCII', [...token].map((text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
  ['in base64', Buffer.from(`alice:${token}`).toString('base64')],
  ['in hex', Buffer.from(token).toString('hex').toUpperCase()],
])('of a secret %s nothing is left where an excerpt ends within it', (_, spelled) => {
  const { text, redactExchange } = createRedactor(['another secret', token]);
  expect(text(`x ${spelled} y`)).toMatch(/^x .*\[secret-2\].* y$/);
  for (let length = Math.ceil(0.6 * spelled.length); length < spelled.length; length++) {
    const cut = spelled.slice(0, length);
    expect(text(`x ${cut}… y`)).toMatch(/\[secret-2\].{0,8}… y$/);
    const exchange = exchangeWith({ responseBody: bytes(`x ${cut}`) });
    const { response } = redactExchange({ ...exchange, failure: { kind: 'too-large', detail: '' } });
    expect(bodyText(response?.body)).toContain('[secret-2]');
  }
});

test('what only begins like a secret stays, where nothing was cut', () => {
  const { text } = createRedactor(['http://localhost:4000/secret']);
  expect(text('see http://localhost:4000/card')).toBe('see http://localhost:4000/card');
});

test.each([3000, 8192])(
  'a token of %d characters is hidden, and so is its beginning where the text was cut',
  (length) => {
    const long = Array.from({ length }, (_, at) => ((at * 7919) % 36).toString(36))
      .join('-')
      .slice(0, length);
    const { text, redactExchange } = createRedactor([long]);
    for (const spelled of Object.values(spellings)) {
      expect(text(`a ${spelled(long)} b`)).toMatch(/^a (?:.|\\\/)?\[secret-1\].{0,4} b$/);
      expect(text(`a ${spelled(long).slice(0, 2000)}…`)).toMatch(/^a .{0,2}\[secret-1\].{0,8}…$/);
    }
    const { response } = redactExchange(exchangeWith({ responseBody: bytes(`${'x'.repeat(300_000)}${long}`) }));
    expect(bodyText(response?.body)).toMatch(/^x+\[secret-1\]$/);
  },
);

test.each(['fail', 'Passed', 'inconclusive', 'a1b2'])(
  'the word %s as a secret is hidden where it stands alone, and never in a sentence of the kit',
  (word) => {
    const { text, redactExchange } = createRedactor([word]);
    const sentence = `the check ${word} said ${word}ed`;
    expect(text(sentence)).toBe(sentence);
    const shown = redactExchange(exchangeWith({ responseBody: bytes(`{"a":"${word}","b":"${word}ed"}`) }));
    expect(bodyText(shown.response?.body)).toBe(`{"a":"[secret-1]","b":"${word}ed"}`);
  },
);

test('a text of the user is hidden everywhere, also if it is a word', () => {
  const { text, redactExchange } = createRedactor([{ own: 'Bluebird' }]);
  expect(text('two bluebirds said BLUEBIRD')).toBe('two [secret-1]s said [secret-1]');
  const encoded = Buffer.from('my bluebird').toString('base64');
  const shown = redactExchange(exchangeWith({ responseBody: bytes(`{"a":"bluebirds","b":"${encoded}"}`) }));
  expect(bodyText(shown.response?.body)).toMatch(/^\{"a":"\[secret-1\]s","b":".*\[secret-1\].*"\}$/);
});

test('longer secrets go first, and tokens follow the given order', () => {
  const { text } = createRedactor(['hunter2', 'hunter2-admin']);
  expect(text('hunter2 hunter2-admin hunter2')).toBe('[secret-1] [secret-2] [secret-1]');
});

test.each(['\\', '%', '%25', '%5c', '%255C', '\\u005c', '\\\\"', 'A', '+', '/'])(
  'a body of %j, ten times as long, takes ten times the work',
  async (unit) => {
    const { redactExchange } = createRedactor(['A"%25\\\\/+ secret', 'AAAAAAAAAAAAAAAAB', '\\\\\\\\\\\\x', '%%%%%%%x']);
    const hide = (size: number) => redactExchange(exchangeWith({ responseBody: bytes(unit.repeat(size)) }));
    // Backtracking would take hours.
    expect(await growthOf(hide, 20_000)).toBeLessThan(15);
  },
);
