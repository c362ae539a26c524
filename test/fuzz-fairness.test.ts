import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { CallStep, Step, Value } from '../src/fuzz/case/case.js';
import { oracles } from '../src/fuzz/oracles/index.js';
import { RpcFailure } from '../src/reference/failure.js';
import type { Patch } from '../src/reference/index.js';
import { type Carrier, CarrierFailure, sleep } from '../src/wire/index.js';
import { asked, cancel, edit, edited, judged, labOn, lookAt, plain, read, say } from './fuzz-judged.js';

// What campaigns against real servers had shown wrong: docs/targets-fuzzed.md.

describe('the oracles of single answers', () => {
  test('take no agent for hanging that is at work, and has overlooked the wish not to wait', async () => {
    let overlooked = 0;
    // Who waits where nothing is said, and takes what cannot be read for nothing.
    const overlooking =
      (agent: Carrier): Carrier =>
      (request, signal) => {
        if (request.method !== 'POST') return agent(request, signal);
        const { params, ...call } = JSON.parse(Buffer.from(request.body ?? []).toString()) as Record<string, object>;
        const { configuration }: { readonly configuration?: unknown } = params ?? {};
        if (configuration === '') overlooked++;
        const read = typeof configuration === 'object' ? configuration : { blocking: true };
        const body = Buffer.from(JSON.stringify({ ...call, params: { ...params, configuration: read } }));
        return agent({ ...request, body }, signal);
      };
    const work = say('tck-cancel Work for a long time, until the task is canceled.');
    const buckets = await judged(
      edited(work, edit('/params/configuration', 'type', '')),
      'a2a-0.3',
      [],
      undefined,
      overlooking,
    );
    expect(overlooked).toBeGreaterThan(0);
    expect(buckets.filter((bucket) => bucket.startsWith('alive'))).toEqual([]);
  });

  // RFC 8259 §9: an implementation may limit how deeply texts nest.
  test.each([
    ['what nests too deeply', { $nest: ['[', 129] }, []],
    ['a list', ['a'], ['error-class/ParseError get invalid-params type']],
  ] as const)('an agent whose parser ends at an id that is %s', async (_, id, buckets) => {
    const parser: Patch = (inner) => ({
      parse(body) {
        if (Buffer.from(body).includes('"id":[')) throw new RpcFailure('ParseError');
        return inner.parse(body);
      },
    });
    expect(await judged(edited(read, edit('/params/id', 'type', id)), 'a2a-0.3', [parser])).toEqual(buckets);
  });

  test('take no agent for hanging that is slow now and then, whatever it was asked', async () => {
    let sends = 0;
    // Each time what it is compared with is answered: unchanged, patient, without the member. Then the same again.
    const slow = new Set([1, 5, 6]);
    const atRandom: Patch = (inner, { clock }) => ({
      async execute(command, call) {
        if (command.op === 'send' && slow.has(++sends)) await sleep(clock, 60_000);
        return inner.execute(command, call);
      },
    });
    const { runner } = await labOn('a2a-0.3', [atRandom]);
    const steps = edited(plain, edit('/params/metadata', 'bounds', { note: 'tck' }));
    const hangs = async () =>
      (await runner.examine({ dialect: 'a2a-0.3', steps }, 1)).symptoms.filter(({ bucket }) =>
        bucket.startsWith('alive/hang'),
      ).length;
    expect([await hangs(), sends]).toEqual([1, 5]);
    // Run again from scratch: silent once more, and not the second time.
    expect([await hangs(), sends]).toEqual([0, 10]);
  });

  test('blame what broke inside, and not what was refused after it for a reason', async () => {
    const answer = say('tck-complete-task Blue.', { taskId: { $ref: 'a.task' } });
    const buckets = await judged(
      [...asked, lookAt('a'), answer, cancel, lookAt('a')],
      'a2a-0.3',
      [],
      undefined,
      breakingInside(() => true),
    );
    expect(buckets.filter((bucket) => bucket.startsWith('unchanged'))).toEqual(['unchanged/state refused send valid']);
  });

  test.each([
    ['a change for what the same request does without it', '"taskId"', 'valid'],
    ['the change where it is to blame', '"metadata":5', 'type /params/metadata'],
  ])('blame %s', async (_, breaks, name) => {
    const answer = say('tck-complete-task Blue.', { taskId: { $ref: 'a.task' } });
    const changed = edited(answer, edit('/params/metadata', 'type', 5));
    const buckets = await judged(
      [...asked, lookAt('a'), ...changed, lookAt('a')],
      'a2a-0.3',
      [],
      undefined,
      breakingInside((body) => body.includes(breaks)),
    );
    expect(buckets.filter((bucket) => bucket.startsWith('unchanged'))).toEqual([
      `unchanged/state refused send ${name}`,
    ]);
  });

  test('blame no request for a death that one before it may have caused', async () => {
    let isDying = false;
    const dying =
      (agent: Carrier): Carrier =>
      (request, signal) => {
        if (isDying) throw new CarrierFailure('reset', 'nobody there');
        isDying = Buffer.from(request.body ?? []).includes('"token":5');
        return agent(request, signal);
      };
    const config = { pushNotificationConfig: { url: 'https://example.com/', token: 'a' } };
    const asking: CallStep = { ...plain, params: { ...Object(plain.params), configuration: config } };
    const deadly = edit('/params/configuration/pushNotificationConfig/token', 'type', 5);
    const steps = [...edited(asking, deadly), ...edited(read, edit('/params/id', 'type', 5))];
    expect(await judged(steps, 'a2a-0.3', [], undefined, dying)).toEqual(['alive/dead']);
  });

  test('read a request that is nested more deeply than the stack', async () => {
    const broken = faults.find(({ id }) => id === 'data-task-metadata-is-an-array');
    if (broken === undefined) throw new Error('no such fault');
    const deep = edit('/params/metadata', 'bounds', { nested: { $nest: ['{', 20_000] } });
    // Looks for the words of the agent in all that was sent, and fails nowhere.
    const steps = [{ ...plain, as: 'a' }, lookAt('a'), ...edited(cancel, deep)];
    expect(await judged(steps, 'a2a-0.3', [broken.patch])).toContain('law/data/task-metadata send');
  });

  test.each([
    ['one of them brings alone', [], []],
    ['one of them brings alone, with six more', [], [], 6],
    [
      'only both bring',
      [edit('/params/configuration', 'type', 5)],
      ['alive/exception send required /params/message + type /params/configuration'],
    ],
  ])('with two changes, an exception that %s', async (_, needed, seen, more = 0) => {
    const exception = { code: -32603, message: "Cannot read properties of undefined (reading 'messageId')" };
    const throwing =
      (agent: Carrier): Carrier =>
      async (request, signal) => {
        const { params, id } = JSON.parse(Buffer.from(request.body ?? []).toString() || '{}') as {
          readonly params?: { readonly message?: unknown; readonly configuration?: unknown };
          readonly id?: string;
        };
        const isBroken = params !== undefined && params.message === undefined && !('id' in params);
        if (!isBroken || (needed.length > 0 && params.configuration !== 5)) return agent(request, signal);
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: exception }));
        return { status: 200, headers: [['content-type', 'application/json']], body: answering(body) };
      };
    const others = Array.from({ length: more }, (_, at) => edit(`/params/tck${at}`, 'additional', at));
    const changes = [...others, edit('/params/message', 'required'), edit('/params/configuration', 'type', 5)];
    const buckets = await judged(edited(plain, ...changes), 'a2a-0.3', [], undefined, throwing);
    expect(buckets.filter((bucket) => bucket.startsWith('alive/exception'))).toEqual(seen);
  });
});

const named = (id: string, text: string, more: Readonly<Record<string, Value>> = {}): Value => ({
  kind: 'message',
  messageId: id,
  role: 'user',
  parts: [{ kind: 'text', text }],
  ...more,
});
const task = { taskId: { $ref: 'a.task' } };

// What long campaigns against the variants had shown wrong.
describe('all oracles', () => {
  test('take the next turn behind a turn that is brought again for what it is', async () => {
    const steps: readonly Step[] = [
      { step: 'call', operation: 'stream', params: { message: named('tck-input-required-1', 'Blue?') }, as: 'a' },
      {
        step: 'together',
        calls: [
          { step: 'call', operation: 'subscribe', params: { id: { $ref: 'a.task' } } },
          { step: 'call', operation: 'send', params: { message: named('m-2', 'Blue.', task) } },
        ],
      },
    ];
    expect(await judged(steps, 'a2a-0.2', [], 'stream-replays', undefined, oracles())).toEqual([]);
  });

  test.each([
    ['is left open where the message named another context', 'a', 'c-elsewhere', []],
    ['is a finding where it named the same', undefined, 'c-elsewhere', ['life-cycle/other-context answer']],
  ])('know that the context of a task %s', async (_, contextId, answered, found) => {
    const moving =
      (agent: Carrier): Carrier =>
      async (request, signal) => {
        const text = Buffer.from(request.body ?? []).toString() || '{}';
        const isNext = text.includes('"m-2"');
        const body = Buffer.from(text.replace(',"contextId":"a"', ''));
        const response = await agent(request.method === 'POST' ? { ...request, body } : request, signal);
        if (!isNext) return response;
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) chunks.push(chunk);
        const requestText = Buffer.concat(chunks).toString();
        return {
          ...response,
          body: answering(Buffer.from(requestText.replace(/("contextId":")[^"]*/g, `$1${answered}`))),
        };
      };
    const next = named('m-2', 'tck-complete-task Blue.', {
      ...task,
      ...(contextId === undefined ? {} : { contextId }),
    });
    const steps: readonly Step[] = [...asked, { step: 'call', operation: 'send', params: { message: next } }];
    const buckets = await judged(steps, 'a2a-0.3', [], undefined, moving, oracles());
    expect(buckets.filter((bucket) => bucket.includes('context'))).toEqual(found);
  });

  test('know that a message may bring a configuration along', async () => {
    const configuration = {
      blocking: false,
      pushNotificationConfig: { id: 'tck-config-3', url: 'https://example.com/a2a-tck' },
    };
    const message = named('tck-auth-required-2', 'Go on.', task);
    const pushed = { pushNotificationConfig: { id: 'tck-config-1', url: 'https://example.com/a2a-tck' } };
    const steps: readonly Step[] = [
      { step: 'call', operation: 'send', params: { message: named('m-1', 'tck-cancel Work for long.') }, as: 'a' },
      { step: 'call', operation: 'pushSet', params: { ...task, ...pushed } },
      {
        step: 'call',
        operation: 'pushDelete',
        params: { id: { $ref: 'a.task' }, pushNotificationConfigId: 'tck-config-3' },
      },
      { step: 'call', operation: 'send', params: { message, configuration } },
      { step: 'call', operation: 'pushList', params: { id: { $ref: 'a.task' } } },
    ];
    expect(await judged(steps, 'a2a-0.2', [], 'push-open-tasks-only', undefined, oracles())).toEqual([]);
  });

  test('take no agent for hanging that works for long, and reads null as nothing', async () => {
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'a' }], taskId: 'no-such-task' };
    const asked: CallStep = { step: 'call', operation: 'send', params: { message } };
    const steps = edited(asked, edit('/params/message/taskId', 'type', null));
    expect(await judged(steps, 'a2a-1.0', [], 'stream-takes-its-time', undefined, oracles())).toEqual([]);
  });

  test('let an agent work on an answer while its task still waits for one', async () => {
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Done.' }] }] as const;
    // Nothing moves but what is shown: from the second look on, the work.
    const patch: Patch = (inner, { store }) => {
      const answered = new Map<string, number>();
      return {
        async execute(command, call) {
          const known = command.op === 'send' ? store.get(command.params.message.taskId ?? '') : undefined;
          if (known !== undefined) {
            answered.set(known.id, 0);
            return { op: 'send', result: { type: 'task', task: known } };
          }
          const looks = command.op === 'get' ? answered.get(command.params.id) : undefined;
          if (command.op !== 'get' || looks === undefined) return inner.execute(command, call);
          answered.set(command.params.id, looks + 1);
          const task = store.get(command.params.id);
          if (task !== undefined && looks > 0) store.put({ ...task, artifacts });
          return inner.execute(command, call);
        },
      };
    };
    const look = lookAt('a');
    const answer = say('Blue.', { taskId: { $ref: 'a.task' } });
    const { runner } = await labOn('a2a-0.3', [patch]);
    const { trace, symptoms } = await runner.examine({ dialect: 'a2a-0.3', steps: [...asked, answer, look, look] }, 1);
    expect(
      trace.sent.slice(-2).map(({ reading }) => 'artifacts' in (reading.outcome as { value: object }).value),
    ).toEqual([false, true]);
    expect(symptoms.map(({ bucket }) => bucket)).toEqual([]);
  });

  test('see what a case does when it runs again, on an agent that takes a message once', async () => {
    const once: Patch = (inner) => {
      const replies = new Map<string, Promise<unknown>>();
      return {
        execute(command, call) {
          if (command.op !== 'send') return inner.execute(command, call);
          const { messageId } = command.params.message;
          const reply = replies.get(messageId) ?? inner.execute(command, call);
          replies.set(messageId, reply);
          return reply as ReturnType<typeof inner.execute>;
        },
      };
    };
    const { runner } = await labOn('a2a-0.3', [once]);
    const steps: readonly Step[] = [
      { ...say('Hello!'), as: 'a' },
      { step: 'wait', for: 'a' },
      say('Go on.', { taskId: { $ref: 'a.task' } }),
    ];
    const runs = [];
    for (let number = 0; number < 3; number++) runs.push(await runner.examine({ dialect: 'a2a-0.3', steps }, 7));
    // Each begins a task of its own, which takes no more messages once it has ended.
    expect(new Set(runs.map(({ trace }) => trace.begun.get('a')?.task)).size).toBe(3);
    expect(runs.map(({ trace }) => trace.sent.at(-1)?.reading.outcome.kind)).toEqual(['refusal', 'refusal', 'refusal']);
    expect(runs.flatMap(({ symptoms }) => symptoms.map(({ bucket }) => bucket))).toEqual([]);
  });

  test.each(['m-1', 'm-2'])('do not tell a message from one before it with the same id: %s', async (messageId) => {
    const { runner } = await labOn('a2a-0.3', [], undefined, undefined, oracles());
    const working = (id: string, more: Readonly<Record<string, Value>> = {}): CallStep => ({
      step: 'call',
      operation: 'send',
      params: {
        message: named(id, 'tck-cancel Work for long.', more),
        configuration: { blocking: false },
      },
    });
    const look: CallStep = { step: 'call', operation: 'get', params: { id: { $ref: 'a.task' } } };
    const steps: readonly Step[] = [
      { ...working('m-1'), as: 'a' },
      look,
      { step: 'together', calls: [working(messageId, task), look] },
      look,
    ];
    const { trace, symptoms } = await runner.examine({ dialect: 'a2a-0.3', steps }, 1);
    expect(Buffer.from(trace.sent.at(-1)?.exchange.response?.body ?? []).toString()).toContain(`"${messageId}"`);
    expect(symptoms.map(({ bucket }) => bucket)).toEqual([]);
  });

  test('do not know where a message is that was taken without an answer', async () => {
    const { runner } = await labOn('a2a-0.3', [], undefined, undefined, oracles());
    const first = named('m-1', 'tck-cancel Work for long.');
    const begun: CallStep = {
      step: 'call',
      operation: 'send',
      params: { message: first, configuration: { blocking: false } },
      as: 'a',
    };
    const elsewhere: CallStep = { step: 'call', operation: 'send', params: { message: named('m-2', 'Hello!') } };
    // Waits for the end of the task, which does not come in time.
    const waiting: CallStep = {
      ...elsewhere,
      params: { message: named('m-2', 'Hello!', task), configuration: { blocking: true } },
    };
    const look: CallStep = { step: 'call', operation: 'get', params: { id: { $ref: 'a.task' } } };
    const known = await runner.examine({ dialect: 'a2a-0.3', steps: [elsewhere] }, 1);
    const examined = await runner.examine({ dialect: 'a2a-0.3', steps: [begun, waiting, look] }, 2);
    expect([...known.symptoms, ...examined.symptoms].map(({ bucket }) => bucket)).toEqual([]);
    const { exchange } = examined.trace.sent[1] ?? {};
    expect(exchange?.failure?.kind).toBe('timeout');
    expect(Buffer.from(examined.trace.sent[2]?.exchange.response?.body ?? []).toString()).toContain('"m-2"');
  });
});

/** An agent that looks at no metadata, goes on with a task, and then breaks where the body says so. */
const breakingInside =
  (breaks: (body: string) => boolean) =>
  (agent: Carrier): Carrier =>
  async (request, signal) => {
    const text = Buffer.from(request.body ?? []).toString() || '{}';
    const { params, ...call } = JSON.parse(text) as {
      readonly method?: string;
      readonly params?: { readonly message?: { readonly taskId?: string }; readonly metadata?: unknown };
      readonly id?: string;
    };
    if (call.method !== 'message/send' || params?.message?.taskId === undefined) return agent(request, signal);
    const { metadata: _, ...read } = params;
    const response = await agent({ ...request, body: Buffer.from(JSON.stringify({ ...call, params: read })) }, signal);
    if (!breaks(text)) return response;
    const error = { code: -32603, message: 'broken' };
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: call.id, error }));
    return { ...response, headers: [['content-type', 'application/json']], body: answering(body) };
  };

async function* answering(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

describe('agents that are right in a way of their own', () => {
  test('are held to no sentence for a message that they keep although they refused it', async () => {
    const foreign = say('tck-complete-task', { taskId: { $ref: 'a.task' }, contextId: 'of-somebody-else' });
    const done: readonly Step[] = [
      { ...say('tck-complete-task'), as: 'a' },
      { step: 'wait', for: 'a' },
    ];
    const buckets = await judged([...done, foreign, lookAt('a')], 'a2a-0.3', [], 'keeps-what-it-refuses');
    expect(buckets.filter((bucket) => bucket.startsWith('law/'))).toEqual([]);
  });

  test('may refuse a stream with a plain body under the media type of events', async () => {
    const odd: Step = {
      ...say('tck-complete-task'),
      operation: 'stream',
      tricks: [{ trick: 'resembling-member', at: '/params/message', name: 'tck', value: '1.' }],
    };
    expect(await judged([odd], 'a2a-1.0-rest', [], 'rest-like-go')).toEqual([]);
  });

  test('do not hang where a message that they take means other work without its id', async () => {
    const step: Step = {
      ...say('a', { messageId: 'tck-input-required-1' }),
      edits: [{ at: '/params/message/messageId', op: 'set', value: '', keyword: 'format' }],
    };
    const waiting = { ...step, params: { ...(step.params as object), configuration: { blocking: true } } } as Step;
    expect(await judged([waiting], 'a2a-0.3-rest', [], 'stream-of-long-work')).toEqual([]);
  });

  test('do not hang where they take many calls that come at once one after the other', async () => {
    const calls = Array.from({ length: 12 }, () => read);
    const buckets = await judged([{ step: 'together', calls }], 'a2a-0.3', [], 'one-at-a-time');
    expect(buckets).toEqual([]);
  });

  test.each(['a2a-1.0', 'a2a-1.0-rest'] as const)(
    'may refuse a tenant that the card of %s does not name',
    async (profile) => {
      const foreign: CallStep = { step: 'call', operation: 'get', params: { id: 'no-such-task', tenant: 'tck' } };
      expect(await judged([foreign], profile, [], 'tenant-demanded')).toEqual([]);
    },
  );
});
