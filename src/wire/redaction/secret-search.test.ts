import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { growthOf } from '../../../test/work.js';
import { createRedactor } from '../index.js';

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text)];
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const mime = (text: string, width: number, end: string): string =>
  (base64(text).match(new RegExp(`.{1,${width}}`, 'g')) ?? []).join(end);
const entities = (text: string, of: (code: number) => string): string =>
  [...text].map((sign) => of(sign.codePointAt(0) ?? 0)).join('');

/** As `hexdump -C` and `xxd` print it. `before`: what stands in front of the secret. */
function dump(text: string, group: number, row: (offset: string, digits: string, letters: string) => string): string {
  const all = Buffer.from(text);
  const rows: string[] = [];
  for (let at = 0; at < all.length; at += 16) {
    const line = all.subarray(at, at + 16);
    const digits = (line.toString('hex').match(new RegExp(`.{1,${2 * group}}`, 'g')) ?? []).join(' ');
    const letters = line.toString('latin1').replace(/[^ -~]/g, '.');
    rows.push(row(at.toString(16).padStart(8, '0'), digits.padEnd(group === 1 ? 47 : 39), letters));
  }
  return rows.join('\n');
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const disguises: Readonly<Record<string, (secret: string) => string>> = {
  'decimal entities': (secret) => entities(secret, (code) => `&#${code};`),
  'decimal entities without their ends': (secret) => entities(secret, (code) => `&#${code} `).replaceAll(' ', ''),
  'hex entities': (secret) => entities(secret, (code) => `&#x${code.toString(16).toUpperCase()};`),
  'entities with zeros': (secret) => entities(secret, (code) => `&#X0000${code.toString(16)};`),
  'entities in JSON of Go and .NET': (secret) => entities(secret, (code) => `\\u0026#${code};`),
  'entities in a URL': (secret) => encodeURIComponent(entities(secret, (code) => `&#${code};`)),
  'entities where HTML needs them': (secret) => `&lt;${secret.replace(/[&<>"']/g, (sign) => named[sign] ?? '')}&gt;`,
  'entities of letters beside plain ones': (secret) =>
    [...secret].map((sign, at) => (at % 2 === 0 ? sign : `&#${sign.codePointAt(0)};`)).join(''),
  'a Buffer in JSON': (secret) => JSON.stringify(Buffer.from(secret)),
  'a Buffer in indented JSON': (secret) => JSON.stringify(Buffer.from(secret), undefined, 2),
  'a Buffer in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(Buffer.from(secret), undefined, 1)),
  'a Uint8Array in JSON': (secret) => JSON.stringify(Uint8Array.from(bytesOf(secret))),
  'signed bytes': (secret) => [...Int8Array.from(bytesOf(secret))].join(', '),
  'a Buffer as Node prints it': (secret) => inspect(Buffer.from(secret)),
  'a Uint8Array as Node prints it': (secret) => inspect(Uint8Array.from(bytesOf(secret))),
  'MIME base64': (secret) => mime(`user:${secret}`, 8, '\r\n'),
  'MIME base64 in JSON': (secret) => JSON.stringify(mime(`a:${secret}`, 7, '\r\n')),
  'MIME base64 in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(mime(secret, 7, '\n'))),
  'folded base64': (secret) => mime(`ab:${secret}`, 10, '\n '),
  'hex with colons': (secret) => (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(':'),
  'hex with blanks, in capitals': (secret) =>
    (Buffer.from(secret).toString('hex').toUpperCase().match(/../g) ?? []).join(' '),
  'numbers in hex': (secret) =>
    bytesOf(secret)
      .map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)
      .join(', '),
  'escapes of bytes': (secret) =>
    bytesOf(secret)
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  'escapes in octal': (secret) =>
    bytesOf(secret)
      .map((byte) => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'escapes with braces': (secret) => entities(secret, (code) => `\\u{${code.toString(16)}}`),
  'quoted-printable': (secret) =>
    [...secret].map((sign, at) => (at % 5 === 4 ? `=\r\n${sign}` : sign.replace('=', '=3D'))).join(''),
  'a hex dump': (secret) => dump(`user=${secret}`, 1, (at, digits, letters) => `${at}  ${digits}  |${letters}|`),
  'a hex dump of a cut text': (secret) => dump(secret, 1, (at, digits) => `${at}  ${digits.trim()}`),
  'a hex dump of pairs': (secret) => dump(secret, 2, (at, digits, letters) => `${at}: ${digits}  ${letters}`),
  'a hex dump in JSON': (secret) =>
    JSON.stringify(dump(`x=${secret}, and more`, 2, (at, digits, letters) => `${at}: ${digits}  ${letters}`)),
};

const secrets = [
  'Sesame-Bearer/0001+aBcD',
  'Sesame Query&0004=<b>"x"',
  'sésame-ouvre-toi',
  'a1b2c3d4e5f60718293a4b5c',
  // A key in the format of wallets.
  '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
  // A short one.
  'k9fT2xQ',
];
/** The beginning of a text that was cut has to be this long. */
const leastAtCut = 8;
const shown = /\[secret-2\]/;

describe.each(secrets)('%s', (secret) => {
  const { text, redactExchange, value } = createRedactor(['unrelated secret', secret]);
  test.each(Object.keys(disguises))('is hidden as %s', (name) => {
    const planted = disguises[name]?.(secret) ?? '';
    const said = `it said ${planted} at last`;
    expect(text(said)).toMatch(shown);
    // Nothing of it is left but what frames it.
    const left = text(said).replace('it said ', '').replace(' at last', '');
    expect(left.replace(/\[secret-2\]/g, '').length).toBeLessThanOrEqual(name.includes('dump') ? 90 : 60);
    expect(text(text(said))).toBe(text(said));
    const exchange = redactExchange({
      id: 'x1',
      purpose: 'test',
      request: { method: 'POST', url: 'http://agent.test/', headers: [] },
      response: { status: 200, headers: [], body: Buffer.from(said), chunks: [{ atMs: 0, bytes: Buffer.from(said) }] },
      startedAt: 0,
      durationMs: 1,
    });
    expect(Buffer.from(exchange.response?.body ?? []).toString()).toMatch(shown);
    expect(Buffer.concat(exchange.response?.chunks.map(({ bytes }) => bytes) ?? []).toString()).toMatch(shown);
  });

  test('is hidden as numbers in a value', () => {
    const buffer: unknown = JSON.parse(JSON.stringify({ token: Buffer.from(secret), other: [1, 2, 3, 4, 5] }));
    expect(value(buffer)).toEqual({ token: { type: 'Buffer', data: ['[hidden]'] }, other: [1, 2, 3, 4, 5] });
    const array: unknown = JSON.parse(JSON.stringify(Uint8Array.from(bytesOf(secret))));
    expect(value(array)).toEqual({ '[hidden]': '[hidden]' });
  });

  test
    .skipIf(secret.length < leastAtCut)
    .each([
      'decimal entities',
      'hex entities',
      'a Buffer in JSON',
      'MIME base64',
      'hex with colons',
      'a hex dump of a cut text',
    ])('its beginning is hidden as %s where a text was cut', (name) => {
    const planted = disguises[name]?.(secret) ?? '';
    for (let length = Math.ceil(0.75 * planted.length); length < planted.length - 3; length++)
      expect(text(`it said ${planted.slice(0, length)}…`)).toMatch(shown);
  });
});

const signature = `0x${Buffer.from(Array.from({ length: 65 }, (_, at) => (at * 89 + 7) % 256)).toString('hex')}`;
const raw = Buffer.from(signature.slice(2), 'hex');
const halves = [
  { secret: signature.slice(2, 66), shown: 'r...' },
  { secret: signature.slice(66, 130), shown: 's...' },
];
test.each<[as: string, spelled: string]>([
  ['base64 of its bytes', raw.toString('base64')],
  ['base64url of its bytes', raw.toString('base64url')],
  [
    'base64 of its bytes with line breaks',
    JSON.stringify((raw.toString('base64').match(/.{1,20}/g) ?? []).join('\r\n')),
  ],
  ['base64 of its text', base64(signature)],
  ['its bytes in decimal', [...raw].join(', ')],
  ['its bytes as a Buffer', JSON.stringify(raw)],
  ['its text as a Buffer', JSON.stringify(Buffer.from(signature))],
  ['its bytes in hex', [...raw].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')],
  ['its halves as numbers', halves.map(({ secret }) => BigInt(`0x${secret}`)).join()],
  ['its bytes, percent-encoded', [...raw].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')],
  ['entities', entities(signature, (code) => `&#${code};`)],
])('a signature of a payment is hidden as %s', (_, spelled) => {
  const { text } = createRedactor([], () => halves);
  expect(text(`got ${spelled} here`)).toMatch(/r\.\.\..*s\.\.\./s);
});

const signed = `SIG_K1_${'KAbc123XyZ'.repeat(10)}`;
test.each<[as: string, spelled: string]>([
  ['base64', base64(`signature: ${signed}`)],
  ['MIME base64', mime(signed, 20, '\n')],
  ['entities', entities(signed, (code) => `&#${code};`)],
  ['a Buffer', JSON.stringify(Buffer.from(signed))],
  ['hex with blanks', (Buffer.from(signed).toString('hex').match(/../g) ?? []).join(' ')],
  ['its letters backwards', Array.from(signed).reverse().join('')],
])('a signature of a request is hidden as %s', (_, spelled) => {
  const left = createRedactor([]).text(`got ${spelled} here`);
  expect(left).toContain('SIG_[hidden]');
  expect(left.length).toBeLessThan(70);
});

test.each(['a "quoted" key\\n', 'key\\t%41\\x42', 'Key\\u0041 &amp; \\N'])(
  'a secret with escapes is hidden in letters of any case, and in escapes: %s',
  (secret) => {
    const { text } = createRedactor([secret]);
    for (const spelled of [secret, secret.toUpperCase(), secret.toLowerCase()]) {
      for (const said of [spelled, JSON.stringify(spelled), JSON.stringify(JSON.stringify(spelled))]) {
        expect(text(`got ${said} here`)).toContain('[secret-1]');
      }
    }
  },
);

test('what holds no secret stays the same', () => {
  const { text } = createRedactor(['Sesame-0001', 'hunter22', signature]);
  const signs = fc.constantFrom(
    '&#',
    '83',
    ';',
    '%5',
    '\\',
    'u00',
    ', ',
    '0x',
    '\n',
    '=',
    'Sesam',
    'hunter',
    'U2Vz',
    '…',
  );
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 40 }), (parts) => {
      const said = parts.join('');
      expect(text(said)).toBe(said);
    }),
  );
  const card = JSON.stringify(
    { skills: [{ id: 'a&b', tags: ['x', 'y'], numbers: [1, 2, 3, 255, 1000] }] },
    undefined,
    2,
  );
  expect(text(card)).toBe(card);
});

test.each([
  '&#83;',
  '\\u0053',
  '%2553',
  '83,',
  '00000000: 53\n',
  'U2Vz\n',
  '53 ',
  '=\n',
  'Sesame-00…',
  '&amp;amp;',
  'Sesame-0001 Sesame-00… ',
])('a text of %j, ten times as long, takes ten times the work', async (unit) => {
  const { text } = createRedactor(['Sesame-0001', 'Sesame-0001-aaaaaaaaaaaaaaaaaaaaaaaaab', 'S'.repeat(40), signature]);
  // An expression that goes back and forth would not end.
  expect(await growthOf((size) => text(unit.repeat(size / unit.length)), 40_000)).toBeLessThan(15);
});
