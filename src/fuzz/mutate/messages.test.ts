import { beforeAll, describe, expect, test } from 'vitest';
import { framesIn, grpcCodec, loadGrpc, methodAt } from '../../binding/index.js';
import { type Dialect, dialects } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import type { CallStep, WireMutation } from '../case/case.js';
import type { Spelled } from '../case/spelled.js';
import { createSpell } from '../execute/spell.js';
import { createRandomSource } from '../generate/random-source.js';
import { messageEndings } from './messages.js';
import { isUsable, makeWireMutation, namesFor } from './wire-mutations.js';

beforeAll(loadGrpc);

const message = {
  'a2a-1.0-grpc': { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'Grüße 🙂' }] },
  'a2a-0.3-grpc': { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'Grüße 🙂' }] },
} as const;

describe.each(
  dialects.filter(({ binding }) => binding.requests === 'messages').map((dialect) => [dialect.id, dialect] as const),
)('%s', (id, dialect: Dialect) => {
  const steps: readonly CallStep[] = [
    { step: 'call', operation: 'send', params: { message: message[id as keyof typeof message] } },
    { step: 'call', operation: 'get', params: { id: 'a-task' } },
    { step: 'call', operation: 'cancel', params: { id: 'a-task' } },
  ];
  const spelled = (step: CallStep, tricks: readonly WireMutation[]): Spelled =>
    createSpell()(
      { ...step, tricks },
      { dialect, rpcId: 'f1', resolve: () => undefined, endpoint: 'http://agent.test/', credentials: [] },
    );
  const dataOf = ({ body }: Spelled): Uint8Array => framesIn(body).frames[0]?.data ?? new Uint8Array(0);
  const read = (operation: Operation, spelledRequest: Spelled) => {
    const at = methodAt(dialect.operations[operation]?.grpc ?? '');
    if (at === undefined) throw new Error(`no method for ${operation}`);
    return grpcCodec(at.table).decode(at.method[0], dataOf(spelledRequest));
  };
  const goes = ({ native, body, headers }: Spelled): string =>
    JSON.stringify([native, headers, Buffer.from(body).toString('hex')]);

  test.each(namesFor(dialect).portable)('%s changes what goes out, in the same way each time', (name) => {
    const randomSource = createRandomSource(5);
    let used = 0;
    for (const step of steps) {
      if (!isUsable({ trick: name }, dialect, step.operation)) continue;
      for (let times = 0; times < 8; times++) {
        const trick = makeWireMutation(name, { randomSource, maxBytes: 10_000, objects: ['/params'] });
        expect(JSON.parse(JSON.stringify(trick))).toEqual(trick);
        const made = spelled(step, [trick]);
        expect(made.unsent).toBeUndefined();
        expect(goes(spelled(step, [trick]))).toBe(goes(made));
        if (goes(made) !== goes(spelled(step, []))) used++;
        expect(made.demand).toBe('open');
        // Whatever becomes of it, no other request is on its connection.
        expect(made.native?.manner).toBeDefined();
        expect(made.body.length).toBeLessThan(1_000_000);
      }
    }
    expect(used).toBeGreaterThan(0);
  });

  test('arguments that make no sense do no harm', () => {
    for (const name of namesFor(dialect).portable)
      for (const odd of [null, -1, 1e300, 'x', {}, ['a'], true]) {
        const made = makeWireMutation(name, { randomSource: createRandomSource(1), maxBytes: 1000, objects: [''] });
        const names = Object.keys(made).filter((key) => key !== 'trick');
        const trick: WireMutation = { ...Object.fromEntries(names.map((name) => [name, odd])), trick: name };
        for (const step of steps) expect(spelled(step, [trick]).body.length).toBeLessThan(6_000_000);
      }
  });

  test.each(messageEndings)('a message that ends with %s is none, at any depth', (hex) => {
    for (const step of steps)
      for (const inside of [0, 1, 2]) {
        const found = read(step.operation, spelled(step, [{ trick: 'message-end', hex, inside }]));
        // Some readers step over a number that is too long, and over a field that ends nothing.
        expect('fault' in found || found.unknownFields.length > 0).toBe(true);
      }
  });

  test('texts that are not UTF-8 are refused, and unknown fields are stepped over', () => {
    for (const step of steps) {
      const bad = read(step.operation, spelled(step, [{ trick: 'bad-utf8', hex: 'ff', field: 0, inside: 0 }]));
      expect(bad).toMatchObject({ fault: expect.any(String) });
      const more = { trick: 'unknown-fields', number: 19_000, as: 'group', count: 30, inside: 0 };
      const found = read(step.operation, spelled(step, [more]));
      expect('unknownFields' in found && found.unknownFields).toContain('#19000');
    }
  });

  test('a Struct has the depth that was asked for', () => {
    const [step] = steps as [CallStep];
    const at = (levels: number) => read('send', spelled(step, [{ trick: 'deep-struct', levels, of: 'object' }]));
    expect(at(20)).not.toHaveProperty('fault');
    expect(at(400)).toHaveProperty('fault');
  });

  test('frames are what they are said to be', () => {
    const [, step] = steps as [CallStep, CallStep];
    const frames = (trick: WireMutation) => framesIn(spelled(step, [trick]).body);
    const [whole] = framesIn(spelled(step, []).body).frames;
    expect(frames({ trick: 'frame-flag', flag: 1, encoding: null }).frames[0]?.flag).toBe(1);
    expect(frames({ trick: 'frame-count', count: 3 }).frames).toHaveLength(3);
    expect(frames({ trick: 'frame-count', count: 0 })).toEqual({ frames: [], rest: 0 });
    expect(frames({ trick: 'frame-length', by: 7 }).frames[0]?.length).toBe((whole?.length ?? 0) + 7);
    expect(frames({ trick: 'frame-tail', hex: '00' }).rest).toBe(1);
    expect(frames({ trick: 'frame-cut', keep: 3 })).toEqual({ frames: [], rest: 3 });
  });

  test('what has no form as a message is not sent, and says why', () => {
    const [send, get] = steps as [CallStep, CallStep];
    const edited = (step: CallStep, at: string, value: never) =>
      createSpell()(
        { ...step, edits: [{ at, op: 'set', value, keyword: 'type' }] },
        { dialect, rpcId: 'f1', resolve: () => undefined, endpoint: 'http://agent.test/', credentials: [] },
      ).unsent;
    expect(edited(get, '/params/id', {} as never)).toEqual(expect.any(String));
    expect(edited(send, '/params/message/metadata', { $nest: ['{', 50_000] } as never)).toEqual(expect.any(String));
    expect(edited(send, '/params/message/metadata', { a: { $raw: '1e400' } } as never)).toEqual(expect.any(String));
    expect(edited(send, '/params/message/metadata', { a: 1 } as never)).toBeUndefined();
  });
});
