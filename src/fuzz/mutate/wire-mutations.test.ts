import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../dialect/index.js';
import type { CallStep, WireMutation } from '../case/case.js';
import type { Spelled } from '../case/spelled.js';
import { createSpell } from '../execute/spell.js';
import { objectsIn } from '../generate/objects.js';
import { createRandomSource } from '../generate/random-source.js';
import { isUsable, kindOf, makeWireMutation, namesFor } from './wire-mutations.js';

const known = (id: string): Dialect => {
  const found = dialectById(id);
  if (found === undefined) throw new Error(`no dialect ${id}`);
  return found;
};
const dialect = known('a2a-0.3');
const { portable: portableMutations, sockets: socketMutations } = namesFor(dialect);
const params = {
  message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Grüße 🙂' }] },
  metadata: {},
};
const step: CallStep = { step: 'call', operation: 'send', params };

function spelled(tricks: readonly WireMutation[], changes: Partial<CallStep> = {}): Spelled {
  const context = {
    dialect,
    rpcId: 'f0000001',
    resolve: () => undefined,
    endpoint: 'http://agent.test/rpc?key=1',
    credentials: [['Authorization', 'Bearer secret']] as const,
  };
  return createSpell()({ ...step, ...changes, tricks }, context);
}
const text = ({ body }: Spelled): string => new TextDecoder().decode(body);
const latin1 = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('latin1');
const parses = (body: string): boolean => {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
};
const plain = spelled([]);
/** All that goes out, as one text. */
const bytesOf = ({ body, raw, request: _, ...head }: Spelled): string =>
  `${JSON.stringify(head)} ${latin1(raw)} ${latin1(body)}`;

test.each([...portableMutations, ...socketMutations])('%s changes what goes out, in the same way each time', (name) => {
  const randomSource = createRandomSource(9);
  for (let times = 0; times < 6; times++) {
    const trick = makeWireMutation(name, { randomSource, maxBytes: 10_000, objects: objectsIn(params) });
    expect(JSON.parse(JSON.stringify(trick))).toEqual(trick);
    const made = spelled([trick]);
    expect(bytesOf(made)).not.toBe(bytesOf(plain));
    expect(bytesOf(spelled([trick]))).toBe(bytesOf(made));
    expect(made.body.length).toBeLessThan(400_000);
    if (made.demand === 'parse-error') expect(parses(text(made))).toBe(false);
    if (made.demand === 'valid') expect(JSON.parse(text(made))).toEqual(JSON.parse(text(plain)));
    if (socketMutations.includes(name)) expect(latin1(made.raw)).toContain('Authorization: Bearer secret');
  }
});

test('arguments that make no sense do no harm', () => {
  for (const name of [...portableMutations, ...socketMutations]) {
    for (const odd of [null, -1, 1e300, 'x', {}, ['a'], true]) {
      const names = Object.keys(
        makeWireMutation(name, { randomSource: createRandomSource(1), maxBytes: 1000, objects: [''] }),
      );
      const trick: WireMutation = { ...Object.fromEntries(names.map((name) => [name, odd])), trick: name };
      const made = spelled([trick]);
      expect(made.body.length).toBeLessThan(4_000_000);
    }
  }
  expect(kindOf({ trick: 'constructor' })).toBeUndefined();
  expect(spelled([{ trick: 'constructor' }]).demand).toBe('open');
});

test('no header can be smuggled in through an argument', () => {
  const made = spelled([
    { trick: 'header', name: 'X-A\r\nX-B', value: 'a\r\nX-C: d', times: 1, count: 1 },
    { trick: 'header', name: 'Authorization', value: 'Bearer mine', times: 1, count: 1 },
    { trick: 'accept', value: 'a\nb' },
    { trick: 'query', text: 'a\r\nb#c' },
    { trick: 'content-type', type: 'text/plain\r\nX-D: e' },
  ]);
  expect(made.headers).toEqual([
    ['X-AX-B', 'aX-C: d'],
    ['accept', 'ab'],
  ]);
  expect(made.url).toBe('http://agent.test/rpc?key=1&abc');
  expect(made.contentType).toBe('text/plainX-D: e');
});

test.each([
  [
    { trick: 'duplicate-member', at: '/params', name: 'message', value: 'null', where: 'first' },
    '"params":{"message":null,"message":{',
  ],
  [{ trick: 'hostile-member', at: '', name: '__proto__', value: '1', where: 'last' }, '},"__proto__":1}'],
  [{ trick: 'deep-member', at: '/params/message', name: 'd', opening: '[', times: 3 }, '"d":[[[]]]}'],
  [{ trick: 'tail', text: '}' }, '}}}'],
  [{ trick: 'single-quotes' }, "{'jsonrpc':'2.0'"],
  [{ trick: 'bare-names' }, '{jsonrpc:"2.0"'],
  [{ trick: 'escaped-names' }, String.raw`{"\u006a\u0073\u006f\u006e\u0072\u0070\u0063":"2.0"`],
  [{ trick: 'batch', count: 2, nested: 1, mixed: false }, '"id":"f0000001-1"'],
  [{ trick: 'body', text: 'true' }, 'true'],
])('%o is %s', (trick, expected) => {
  expect(text(spelled([trick as WireMutation]))).toContain(expected);
});

test('a batch of none is an empty array', () => {
  expect(text(spelled([{ trick: 'batch', count: 0, nested: 0 }]))).toBe('[]');
});

test('bytes that are not UTF-8 come out unchanged', () => {
  const { body } = spelled([{ trick: 'no-utf8', hex: 'eda080', where: 'value' }]);
  expect(Buffer.from(body).includes(Buffer.from('eda080', 'hex'))).toBe(true);
  expect(() => new TextDecoder('utf-8', { fatal: true }).decode(body)).toThrow();
  const wide = spelled([{ trick: 'encoding', to: 'utf-16be', bom: true, said: true }]);
  expect(new TextDecoder('utf-16be').decode(wide.body)).toBe(text(plain));
  expect(wide.contentType).toBe('application/json; charset=utf-16be');
});

test('chunks tear characters apart and lose none', () => {
  const raw = latin1(spelled([{ trick: 'chunks', sizes: [1], extension: '' }]).raw);
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  expect(head).toContain('Transfer-Encoding: chunked');
  expect(head).not.toMatch(/content-length/i);
  const chunks = [...rest.join('\r\n\r\n').matchAll(/1\r\n([\s\S])\r\n/g)].map(([, byte]) => byte);
  expect(Buffer.from(chunks.join(''), 'latin1')).toEqual(Buffer.from(plain.body));
});

test('a pipelined request goes out whole, several times, without closing in between', () => {
  const raw = latin1(spelled([{ trick: 'pipelined', copies: 3 }]).raw);
  expect(raw.match(/POST \/rpc\?key=1 HTTP\/1\.1\r\n/g)).toHaveLength(3);
  expect(raw).not.toMatch(/connection: close/i);
});

test('the id of the mutation is the one that went out', () => {
  const withId = (value: never) => ({ edits: [{ at: '/id', op: 'set' as const, value, keyword: 'type' as const }] });
  expect(spelled([]).rpcId).toBe('f0000001');
  expect(spelled([], withId(7 as never)).rpcId).toBe(7);
  expect(spelled([], withId({ $raw: '1e400' } as never)).rpcId).toBe(Number.POSITIVE_INFINITY);
  expect(spelled([], withId(null as never)).rpcId).toBeNull();
  expect(spelled([], { edits: [{ at: '/id', op: 'remove', keyword: 'required' }] })).not.toHaveProperty('rpcId');
  expect(spelled([{ trick: 'batch', count: 2 }])).not.toHaveProperty('rpcId');
  expect(spelled([{ trick: 'truncated', permille: 500 }])).not.toHaveProperty('rpcId');
  expect(spelled([{ trick: 'method', name: 'GET' }])).not.toHaveProperty('rpcId');
});

describe('over HTTP+JSON', () => {
  const rest = known('a2a-1.0-rest');
  const { portable, sockets } = namesFor(rest);
  const read: CallStep = { step: 'call', operation: 'get', params: { id: 'a-task', historyLength: 2 } };
  const cancel: CallStep = { step: 'call', operation: 'cancel', params: { id: 'a-task', metadata: { a: 1 } } };
  const begin: CallStep = {
    step: 'call',
    operation: 'send',
    params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Grüße 🙂' }] }, metadata: {} },
  };
  const sent = (callStep: CallStep, ...tricks: readonly WireMutation[]): Spelled =>
    createSpell()(
      { ...callStep, tricks },
      {
        dialect: rest,
        rpcId: 'f0000001',
        resolve: () => undefined,
        endpoint: 'http://agent.test/base',
        credentials: [['Authorization', 'Bearer secret']],
      },
    );
  const whole = ({ native, headers, raw }: Spelled): string =>
    JSON.stringify({ ...native, body: latin1(native?.body), headers, raw: latin1(raw) });

  test('there is nothing to batch, and paths to change', () => {
    expect([...portable, ...sockets]).not.toContain('batch');
    expect(portable).toEqual(expect.arrayContaining(['path', 'parameters', 'verb', 'override', 'unasked-body']));
    expect([...portableMutations, ...socketMutations]).toContain('batch');
    expect([...portableMutations, ...socketMutations]).not.toContain('path');
  });

  test.each([...portable, ...sockets])('%s changes what goes out, in the same way each time', (name) => {
    const randomSource = createRandomSource(9);
    let changed = 0;
    for (const callStep of [read, cancel, begin]) {
      if (!isUsable({ trick: name }, rest, callStep.operation)) continue;
      for (let times = 0; times < 12; times++) {
        const trick = makeWireMutation(name, { randomSource, maxBytes: 10_000, objects: ['/params'] });
        expect(JSON.parse(JSON.stringify(trick))).toEqual(trick);
        const made = sent(callStep, trick);
        if (whole(made) !== whole(sent(callStep))) changed++;
        expect(whole(sent(callStep, trick))).toBe(whole(made));
        expect(made.native?.url).toMatch(/^http:\/\/agent\.test\/[\x21-\x7e]*$/);
        if (sockets.includes(name)) expect(latin1(made.raw)).toContain('Authorization: Bearer secret');
      }
    }
    // Where the request has a body already, this one is not odd, and a verb may be the usual one.
    expect(changed).toBeGreaterThanOrEqual(6);
  });

  test('a path is changed where the mutation says so, and goes out exactly', () => {
    const path = (callStep: CallStep, trick: object) => {
      const { native } = sent(callStep, { trick: 'path', times: 1, ...trick });
      expect(native?.asIs).toBe(true);
      return native?.url.replace('http://agent.test', '');
    };
    expect(path(read, { from: 1, put: 'id', text: '%00' })).toBe('/base/tasks/a-task%00?historyLength=2');
    expect(path(cancel, { from: 1, put: 'id', text: '%2F..' })).toBe('/base/tasks/a-task%2F..:cancel');
    expect(path(cancel, { from: 1, put: 'instead', text: '..' })).toBe('/base/tasks/..:cancel');
    expect(path(read, { from: 2, put: 'segment', text: '..' })).toBe('/base/../tasks/a-task?historyLength=2');
    expect(path(read, { from: 1, put: 'after', text: '/?#\r\n x' })).toBe('/base/tasks/a-task/x?historyLength=2');
    const colon = sent(cancel, { trick: 'path-spelling', how: 'colon' }).native?.url;
    expect(colon).toBe('http://agent.test/base/tasks/a-task%3Acancel');
    const twice = sent(read, { trick: 'parameters', text: 'historyLength=3', times: 1 }).native?.url;
    expect(twice).toBe('http://agent.test/base/tasks/a-task?historyLength=2&historyLength=3');
  });

  test('the agent may read another operation where the path, the query or the verb is changed', () => {
    const method = (trick: WireMutation) => (sent(read, trick).request() as { readonly method?: string }).method;
    expect(method({ trick: 'media-type', type: 'text/json' })).toBe('GetTask');
    for (const trick of ['path', 'path-spelling', 'parameters', 'verb', 'override', 'query', 'method']) {
      expect(sent(read, { trick }).astray).toBe(true);
      expect(method({ trick })).toBeUndefined();
    }
  });

  test('arguments that make no sense do no harm', () => {
    for (const name of [...portable, ...sockets]) {
      for (const odd of [null, -1, 1e300, 'x', {}, ['a'], true]) {
        const tools = { randomSource: createRandomSource(1), maxBytes: 1000, objects: ['/params'] };
        const names = Object.keys(makeWireMutation(name, tools));
        const trick: WireMutation = { ...Object.fromEntries(names.map((name) => [name, odd])), trick: name };
        for (const callStep of [read, begin]) expect(whole(sent(callStep, trick)).length).toBeLessThan(4_000_000);
      }
    }
  });
});
