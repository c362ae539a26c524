import { describe, expect, test } from 'vitest';
import { xprV2 } from '../../../src/dialect/xpr.js';
import {
  digest,
  headerNames,
  malformations,
  misreadings,
  privateKeyFor,
  publicKeyR1,
  publicKeyText,
  type Scheme,
  signatureText,
  signedHash,
  signR1,
  twins,
} from '../signing/index.js';
import { residentKey, residentOwnerKey } from './chain/residents.js';
import { changed, known, type Letter, meet, refused } from './guest.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const signatureOf = ({ headers }: Letter): string =>
  headers.find(([name]) => name === headerNames.signature)?.[1] ?? expect.fail('unsigned');

describe.each([
  ['three lines', undefined],
  ['five lines', xprV2],
])('a signature of %s', (_, dialect) => {
  const start = () => meet(dialect === undefined ? {} : { dialect });

  test('is accepted for each account that signs, and for each spelling of the body', async () => {
    const { ask, agent } = await start();
    const bodies = [
      '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"Zoë 🙂 e\u0301"}}',
      '{"params":{"id":"\\u00e9"},"method":"tasks/get","id":2,"jsonrpc":"2.0"}',
      '\ufeff{ "jsonrpc": "2.0",\r\n"id": 3, "method": "tasks/get", "params": {"id": "x"} }\r\n',
    ];
    expect(await ask()).toBe(known);
    expect(await ask({ account: 'bob' })).toBe(known);
    for (const body of bodies) expect(await ask({ body })).toBe(known);
    expect(agent.crashes).toEqual([]);
  });

  test('is not one of another key, account, body or scheme', async () => {
    const { ask, write, control, agent } = await start();
    const chainId = await control.chainId();
    const body = '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}';
    const schemes: readonly Scheme[] = [
      ...(dialect === undefined ? [] : [{ lines: 3 } as const]),
      { lines: 5, audience: 'bob', chainId },
      { lines: 5, audience: 'tckagent', chainId: '0'.repeat(64) },
    ];
    for (const scheme of schemes) expect(await ask({ scheme })).toBe(refused);
    expect(await ask({ key: privateKeyFor('stranger') })).toBe(refused);
    expect(await ask({ key: residentOwnerKey('alice') })).toBe(refused);
    expect(await ask({ account: 'alice', key: residentKey('bob') })).toBe(refused);
    expect(await ask({ account: 'nobody', key: residentKey('alice') })).toBe(refused);
    expect(await ask({ ...write({ body }), body: bytes(body.replace('"x"', '"y"')) })).toBe(refused);
    expect(await ask({ ...write({ body }), body: bytes(body.replace('"x"', ' "x"')) })).toBe(refused);
    expect(agent.crashes).toEqual([]);
  });

  test('has one spelling, one meaning and one curve', async () => {
    const { ask, write, control, seconds } = await start();
    const chainId = await control.chainId();
    const scheme: Scheme = dialect === undefined ? { lines: 3 } : { lines: 5, audience: 'tckagent', chainId };
    const letter = write();
    const claim = { account: 'alice', timestamp: String(seconds()), body: letter.body };
    const texts = [
      ...twins(signatureOf(letter)),
      ...malformations(signatureOf(letter)),
      ...misreadings(scheme, claim, residentKey('alice')),
    ];
    expect(texts.length).toBeGreaterThan(20);
    for (const { id, text } of texts) {
      expect([id, await ask(changed(letter, headerNames.signature, text))]).toEqual([id, refused]);
    }
    const secret = residentKey('alice').secret;
    const keys = [
      { key: publicKeyText(residentKey('alice').publicKey), weight: 1 },
      { key: publicKeyText(publicKeyR1(secret), 'R1'), weight: 1 },
    ];
    await control.setAccount({ name: 'alice', permissions: [{ name: 'active', threshold: 1, keys }] });
    const other = signatureText(signR1(signedHash(digest(scheme, claim)), secret), 'R1');
    expect(await ask(changed(letter, headerNames.signature, other))).toBe(refused);
    expect(await ask(letter)).toBe(known);
  });
});

describe('the headers', () => {
  const names = Object.values(headerNames);

  test('are all there, once, and not empty', async () => {
    const { ask, write, control } = await meet();
    const letter = write();
    for (const name of names) {
      const value = letter.headers.find(([found]) => found === name)?.[1] ?? '';
      for (const values of [[], [''], [' '], [value, value], [value, 'x'], ['x', value], [`${value}, ${value}`]]) {
        expect([name, values, await ask(changed(letter, name, ...values))]).toEqual([name, values, refused]);
      }
    }
    expect(await ask({ headers: letter.headers.slice(0, 1), body: letter.body })).toBe(refused);
    expect(await control.calls()).toEqual([]);
    const odd = letter.headers.map(([name, value]) => [name.toUpperCase().replace('X', 'x'), ` ${value}\t`] as const);
    expect(await ask({ ...letter, headers: odd })).toBe(known);
  });

  test('name an account that there can be', async () => {
    const { ask, control } = await meet();
    const odd = ['Alice', 'ALICE', 'alice.', '.alice', 'al ice', 'alice,bob', 'älice', '../alice', 'a'.repeat(13)];
    for (const account of [...odd, 'a'.repeat(300), 'alice6']) {
      expect([account, await ask({ account, key: residentKey('alice') })]).toEqual([account, refused]);
    }
    const asked = (await control.calls()).map((call) => call.account);
    expect(asked.filter((account) => account !== '.alice')).toEqual([]);
  });

  test('name a time near now, in seconds', async () => {
    const { ask, seconds } = await meet();
    const now = seconds();
    for (const away of [-300, -240, 240, 300]) expect(await ask({ timestamp: String(now + away) })).toBe(known);
    const far = [-301, -330, -3600, 301, 330, 3600].map((away) => String(now + away));
    const odd = ['abc', 'NaN', 'Infinity', '1e9', '0x5', `${now}abc`, `${now}.9`, `+${now}`, `${now}e0`, `-${now}`];
    const other = ['0', '-1', `${now}000`, `0000${now}`, `${now},${now}`, '٣', '１２３', '9'.repeat(400)];
    for (const timestamp of [...far, ...odd, ...other]) {
      expect([timestamp, await ask({ timestamp })]).toEqual([timestamp, refused]);
    }
    // A signature for the number that a sloppy reader makes of it.
    for (const [timestamp, signed] of odd.slice(5, 9).map((timestampText) => [timestampText, String(now)] as const)) {
      const { write, ask: asking } = await meet();
      expect(await asking(changed(write({ timestamp: signed }), headerNames.timestamp, timestamp))).toBe(refused);
    }
  });
});

describe('refusals', () => {
  test('are errors of JSON-RPC that answer the call, and come after those of the envelope', async () => {
    const { post, write, http } = await meet();
    const unsigned = (body: string | Uint8Array) => http('POST', '/a2a', [['content-type', 'application/json']], body);
    const call = await unsigned('{"jsonrpc":"2.0","id":"mine","method":"tasks/get","params":{"id":"x"}}');
    expect(call.status).toBe(200);
    expect(call.json).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      error: { code: refused, message: expect.stringMatching(/^Authentication failed: X-XPR-Account is missing/) },
    });
    const codes = {
      '{': -32700,
      '': -32700,
      '[]': -32600,
      '{"jsonrpc":"1.0","id":1,"method":"x"}': -32600,
      '{"jsonrpc":"2.0","id":1}': -32600,
      '{"jsonrpc":"2.0","id":1,"method":"nothing"}': refused,
      '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":7}': refused,
    };
    for (const [body, code] of Object.entries(codes)) {
      expect([body, (await unsigned(body)).json.error.code]).toEqual([body, code]);
    }
    const signed = async (body: string | Uint8Array) => (await post(write({ body }))).json.error.code;
    expect(await signed('{"jsonrpc":"2.0","id":1,"method":"nothing"}')).toBe(-32601);
    expect(await signed('{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":7}')).toBe(-32602);
    expect(await signed('{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{}}')).toBe(-32601);
    const broken = (byte: number): Uint8Array =>
      Uint8Array.from([
        ...bytes('{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"'),
        byte,
        ...bytes('"}}'),
      ]);
    for (const byte of [0xff, 0xc0]) expect(await signed(broken(byte))).toBe(-32700);
    const large = await unsigned(' '.repeat(1024 * 1024 + 1));
    const text = await http('POST', '/a2a', [['content-type', 'text/plain']], '{}');
    for (const { json } of [large, text]) expect(json.error.code).toBe(-32600);
  });
});
