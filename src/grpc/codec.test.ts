import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { a2a10 } from './a2a-1.0.js';
import { codecOf } from './codec.js';
import { framed, framesIn, isWhole } from './frames.js';
import { grpcAnswer, grpcRequest, loadGrpc, methodAt } from './index.js';
import { readStatus, writeStatus } from './status.js';

const codec = codecOf(a2a10);
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
const encoded = (message: string, json: unknown): Uint8Array => {
  const made = codec.encode(message, json);
  if ('fault' in made) throw new Error(made.fault);
  return made;
};

describe('JSON to bytes and back', () => {
  test('fields that are not set are absent, required ones are there and named as unset', () => {
    expect(codec.decode('ListTasksResponse', bytes())).toEqual({
      json: { tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 },
      unknownFields: [],
      unknownEnums: [],
      unset: ['tasks', 'nextPageToken', 'pageSize', 'totalSize'],
      badTimes: [],
    });
    expect(codec.decode('Task', encoded('Task', { id: 't', status: { state: 'TASK_STATE_WORKING' } }))).toMatchObject({
      json: { id: 't', status: { state: 'TASK_STATE_WORKING' } },
      unset: [],
      badTimes: [],
    });
  });

  test('an optional zero is kept, another zero is absent', () => {
    const json = { id: 't', historyLength: 0 };
    expect(codec.decode('GetTaskRequest', encoded('GetTaskRequest', json))).toMatchObject({ json });
    const plain = codec.decode(
      'SendMessageConfiguration',
      encoded('SendMessageConfiguration', { returnImmediately: false }),
    );
    expect(plain).toMatchObject({ json: {} });
  });

  test('what no strict reader knows is named with its place', () => {
    const odd = bytes(
      ...encoded('Task', { id: 't', status: { state: 'TASK_STATE_WORKING' } }),
      // Field 1000, a varint; then status.state 77.
      0xc0,
      0x3e,
      1,
      0x1a,
      2,
      8,
      77,
    );
    expect(codec.decode('Task', odd)).toMatchObject({ unknownFields: ['#1000'], unknownEnums: ['status.state'] });
  });

  test.for<[string, Uint8Array]>([
    ['a truncated varint', bytes(0x0a, 0x80)],
    ['a length beyond the end', bytes(0x0a, 100, 1)],
    ['a wrong wire type', bytes(0x09, 1, 2, 3, 4, 5, 6, 7, 8)],
    ['a text that is no UTF-8', bytes(0x0a, 1, 0xff)],
    ['nothing but a bad tag', bytes(0)],
  ])('%s is not a message', ([, wrong]) => {
    const read = codec.decode('Task', wrong);
    // A wrong wire type is an unknown field to a reader that skips what it cannot read.
    expect('fault' in read || read.unknownFields.length > 0 || read.unset.includes('id')).toBe(true);
  });

  test.for<[string, unknown]>([
    ['a member that the message does not have', { id: 't', surprise: 1 }],
    ['a number in the place of a text', { id: 7 }],
    ['a list in the place of a message', []],
    ['an unknown enum value', { id: 't', status: { state: 'TASK_STATE_DREAMING' } }],
    ['a half of a surrogate pair', { id: '\ud800' }],
  ])('%s has no form', ([, json]) => {
    expect(codec.encode('Task', json)).toHaveProperty('fault');
  });

  test('nesting is limited in both directions', () => {
    let value: unknown = 'end';
    for (let depth = 0; depth < 3000; depth++) value = [value];
    expect(codec.encode('Part', { data: value })).toHaveProperty('fault');
    const deep = Uint8Array.from(Array.from({ length: 4000 }, () => [0x0a, 0x7f]).flat());
    expect(codec.decode('Task', deep)).toHaveProperty('fault');
  });

  test('what the kit nests in a payment is read when an agent repeats it', () => {
    const nested = (wrap: (value: unknown) => unknown): unknown => {
      let value: unknown = 'end';
      for (let depth = 0; depth < 100; depth++) value = wrap(value);
      return value;
    };
    for (const data of [nested((value) => [value]), nested((value) => ({ value }))]) {
      const made = codec.encode('Part', { data });
      if ('fault' in made) throw new Error(made.fault);
      expect(codec.decode('Part', made)).toMatchObject({ json: { data } });
    }
  });

  test('any JSON value survives as data, in the precision of a double', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (data) => {
        const made = codec.encode('Part', { data });
        if ('fault' in made) throw new Error(made.fault);
        const read = codec.decode('Part', made);
        const plain = (value: unknown) =>
          JSON.parse(JSON.stringify(value), (_, item) => (Object.is(item, -0) ? 0 : item));
        expect(plain((read as { json: { data?: unknown } }).json.data)).toEqual(plain(data));
      }),
    );
  });

  test('any bytes give a message or a fault, never more', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (any) => {
        expect(codec.decode('Task', any)).toBeTypeOf('object');
      }),
      { numRuns: 500 },
    );
  });
});

describe('frames', () => {
  test('come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 5 }), (all) => {
        const body = Buffer.concat(all.map((item) => framed(item)));
        const { frames, rest } = framesIn(body);
        expect(frames.map(({ data }) => [...data])).toEqual(all.map((item) => [...item]));
        expect(rest).toBe(0);
      }),
    );
  });

  test('a body that ends inside a message or a prefix is reported', () => {
    const { frames, rest } = framesIn(Buffer.concat([framed(bytes(1, 2)), framed(bytes(3), { length: 9 })]));
    expect(frames.map(isWhole)).toEqual([true, false]);
    expect(rest).toBe(0);
    expect(framesIn(bytes(0, 0, 0)).rest).toBe(3);
  });
});

describe('a status', () => {
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'TASK_NOT_FOUND',
    domain: 'a2a-protocol.org',
    metadata: { taskId: 't' },
  };
  test('keeps its details, known and unknown', () => {
    const other = { '@type': 'type.googleapis.com/some.Other', value: Buffer.from([8, 1]).toString('base64') };
    const status = { code: 5, message: 'no such task', details: [info, other] };
    expect(readStatus(writeStatus(status))).toEqual(status);
  });
  test('of other bytes is a fault', () => {
    expect(readStatus(bytes(0x0a, 0x80))).toHaveProperty('fault');
    expect(readStatus(bytes(0x1a, 2, 0x0a, 0x7f))).toHaveProperty('fault');
  });
});

describe('an answer', () => {
  const path = '/lf.a2a.v1.A2AService/GetTask';
  const type = [['content-type', 'application/grpc']] as const;
  const task = { id: 't', status: { state: 'TASK_STATE_COMPLETED' } };
  const read = async (
    body: Uint8Array,
    trailers: readonly (readonly [string, string])[] | undefined,
    headers = type,
  ) => {
    await loadGrpc();
    return grpcAnswer(path, { status: 200, headers: [...headers], trailers, body });
  };

  test('has its message and its status', async () => {
    const answer = await read(framed(encoded('Task', task)), [['grpc-status', '0']]);
    expect(answer).toMatchObject({ messages: [{ json: task }], end: { code: 0, isTrailersOnly: false } });
  });
  test.for([
    ['no trailers', undefined, undefined],
    ['no number', [['grpc-status', 'OK']], 'OK'],
    ['a number that is no code', [['grpc-status', '99']], '99'],
  ] as const)('with %s has no code', async ([, trailers, rawStatus]) => {
    const answer = await read(framed(encoded('Task', task)), trailers);
    expect(answer?.end.code).toBeUndefined();
    expect(answer?.end.rawStatus).toBe(rawStatus);
  });
  test('of trailers only is read from its headers', async () => {
    const details = Buffer.from(writeStatus({ code: 5, message: 'x', details: [] })).toString('base64');
    const headers = [
      ...type,
      ['grpc-status', '5'],
      ['grpc-message', 'caf%C3%A9'],
      ['grpc-status-details-bin', details],
    ];
    const answer = await read(new Uint8Array(), undefined, headers as never);
    expect(answer?.end).toMatchObject({ code: 5, message: 'café', isTrailersOnly: true, status: { code: 5 } });
  });
  test('a method of no service is none', () => {
    expect(methodAt('/lf.a2a.v1.A2AService/Nope')).toBeUndefined();
    expect(methodAt('/other.Service/GetTask')).toBeUndefined();
    expect(methodAt('/lf.a2a.v1.A2AService/constructor')).toBeUndefined();
    expect(grpcRequest('/nowhere', {})).toHaveProperty('fault');
  });
});

describe('an answer of more fields than are read', () => {
  /** A task with this many empty artifacts. */
  const crowded = (artifacts: number): Uint8Array =>
    bytes(...encoded('Task', { id: 't' }), ...Array.from({ length: artifacts }, () => [0x22, 0]).flat());

  test('is a fault, and nothing is built of it', () => {
    expect(codec.fields('Task', crowded(3))).toBe(4);
    expect(codec.decode('Task', crowded(4), { mostFields: 5 })).toMatchObject({ json: { id: 't' } });
    expect(codec.decode('Task', crowded(5), { mostFields: 5 })).toEqual({
      fault: 'it has more than 5 fields, more than are read',
      isLimit: true,
    });
    expect(codec.decode('Task', crowded(60_000))).toMatchObject({ fault: expect.stringContaining('50000 fields') });
  });

  test('fields of inner messages and of maps count, up to the limit', () => {
    const task = encoded('Task', { id: 't', metadata: { a: { b: 'c' } }, status: { state: 'TASK_STATE_WORKING' } });
    // id; status and its state; metadata, an entry with key and value, and the same within it down to the text.
    const whole = codec.fields('Task', task);
    expect(whole).toBe(12);
    expect(codec.fields('Task', task, 5)).toBe(5);
    // Of what is cut off, what stands before the cut.
    expect(codec.fields('Task', task.subarray(0, 2))).toBe(1);
  });

  test('messages share one limit', async () => {
    await loadGrpc();
    const item = framed(crowded(30_000));
    const body = Uint8Array.from(Buffer.concat([item, item, item]));
    const reply = { status: 200, headers: [], trailers: [['grpc-status', '0']] as const, body };
    const { messages = [] } = grpcAnswer('/lf.a2a.v1.A2AService/GetTask', reply) ?? {};
    expect(messages.map((message) => 'fault' in message)).toEqual([false, true, true]);
  });
});
