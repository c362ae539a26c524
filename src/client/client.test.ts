import { getResponse, type HttpHandler, HttpResponse, http } from 'msw';
import { describe, expect, test } from 'vitest';
import { dialectById } from '../dialect/index.js';
import { type Carrier, createTape, createWire, type Exchange, sleep, virtualClock } from '../wire/index.js';
import { type Client, createClient } from './client.js';
import { type Outcome, describe as say } from './outcome.js';

// The client against an endpoint of msw handlers: a mock that is not ours, and no socket.

const endpoint = 'http://agent.test/rpc';

async function* chunksOf(body: ReadableStream<Uint8Array> | null) {
  if (body !== null) for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) yield chunk;
}

const carrierOf =
  (handlers: readonly HttpHandler[]): Carrier =>
  async (request) => {
    const { method, url, headers, body } = request;
    const asked = new Request(url, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    });
    const response = (await getResponse([...handlers], asked)) ?? new Response(null, { status: 404 });
    return { status: response.status, headers: [...response.headers.entries()], body: chunksOf(response.body) };
  };

interface Setting {
  readonly client: Client;
  readonly seen: Exchange[];
}

const setting = (...handlers: HttpHandler[]): Setting => settingFor(10_000, ...handlers);

const settingFor = (maxBytes: number, ...handlers: HttpHandler[]): Setting => settingOf('a2a-0.3', maxBytes, handlers);

function settingOf(profile: string, maxBytes: number, handlers: readonly HttpHandler[]): Setting {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error('no dialect');
  const clock = virtualClock();
  const wire = createWire({
    carrier: carrierOf(handlers),
    clock,
    tape: createTape(),
    limits: { timeoutMs: 1000, maxBytes },
  });
  const seen: Exchange[] = [];
  const client = createClient({
    wire,
    clock,
    dialect,
    endpoint,
    credentials: [['authorization', 'Bearer right']],
    readOnly: false,
    limitPatienceMs: 60_000,
    uuid: () => 'u',
  }).for('test', (exchange) => seen.push(exchange));
  return { client, seen };
}

const answering = (make: (body: { id: unknown; method: string; params: unknown }, request: Request) => Response) =>
  http.post(endpoint, async ({ request }) => make((await request.clone().json()) as never, request));

const result = (value: unknown) => answering(({ id }) => HttpResponse.json({ jsonrpc: '2.0', id, result: value }));
const error = (code: number, message = 'No.', init: ResponseInit = {}) =>
  answering(({ id }) => HttpResponse.json({ jsonrpc: '2.0', id, error: { code, message } }, init));
const get = ({ client }: Setting): Promise<Outcome<unknown>> => client.call('get', { id: 't' });

describe('the outcome of a call', () => {
  test('a result is decoded and kept as it came', async () => {
    const outcome = await get(setting(result({ kind: 'task', id: 't', status: { state: 'working' }, extra: 1 })));
    expect(outcome).toMatchObject({
      kind: 'result',
      value: { id: 't', status: { state: 'working' } },
      wire: { extra: 1 },
    });
  });

  test.for<[string, HttpHandler, object]>([
    ['an error has its name', error(-32001), { kind: 'refusal', code: -32001, error: 'TaskNotFound' }],
    ['an error under HTTP 404 is the same', error(-32001, 'No.', { status: 404 }), { kind: 'refusal', code: -32001 }],
    ['an unknown code has no name', error(-1), { kind: 'refusal', code: -1, error: undefined }],
    [
      'a plain 400 is a refusal without a code',
      answering(() => new Response('bad', { status: 400 })),
      { kind: 'refusal', code: undefined },
    ],
    ['401 is denied', answering(() => new Response('', { status: 401 })), { kind: 'denied', status: 401 }],
    [
      'a plain 500 is broken',
      answering(() => new Response('oops', { status: 500 })),
      { kind: 'invalid-response', fault: 'http' },
    ],
    ...['', '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Gleich wieder"}}'].flatMap((body) =>
      ['1', 'Wed, 21 Oct 2099 07:28:00 GMT', 'soon'].map((after): [string, HttpHandler, object] => [
        `503 with Retry-After ${after} and the body ${body}`,
        answering(() => new Response(body, { status: 503, headers: { 'retry-after': after } })),
        { kind: after !== 'soon' ? 'busy' : body === '' ? 'invalid-response' : 'refusal' },
      ]),
    ),
    ['HTML is broken', answering(() => HttpResponse.html('<p>')), { kind: 'invalid-response', fault: 'not-json' }],
    [
      'nothing is broken',
      answering(() => new Response(null, { status: 204 })),
      { kind: 'invalid-response', fault: 'empty' },
    ],
    [
      'JSON without result and error is broken',
      answering(() => HttpResponse.json({ ok: true })),
      { kind: 'invalid-response', fault: 'no-envelope' },
    ],
    ['a result that is no task is broken', result('task'), { kind: 'invalid-response', fault: 'unreadable' }],
    ['too much is broken', result('x'.repeat(20_000)), { kind: 'invalid-response', fault: 'too-large' }],
  ])('%s', async ([, handler, expected]) => {
    const outcome = await get(setting(handler));
    expect(outcome).toMatchObject(expected);
    expect(say(outcome)).not.toBe('');
  });
});

describe('the rate limit of the agent', () => {
  test('is waited out as the agent asks, and the call is sent again', async () => {
    let asked = 0;
    const limited = answering(({ id }) =>
      ++asked < 3
        ? new Response('', { status: 429, headers: { 'retry-after': '7' } })
        : HttpResponse.json({ jsonrpc: '2.0', id, error: { code: -32001, message: 'No.' } }),
    );
    expect(await get(setting(limited))).toMatchObject({ kind: 'refusal', code: -32001 });
    expect(asked).toBe(3);
  });

  test('is known under HTTP 200 and -32000 too, and given up in the end', async () => {
    const here = setting(error(-32000, 'Rate limit exceeded'));
    expect(await get(here)).toMatchObject({ kind: 'busy' });
    const sent = here.seen.length;
    expect(await get(here)).toMatchObject({ kind: 'busy' });
    // After one wait in vain the client does not wait again.
    expect(here.seen.length).toBe(sent + 1);
  });
});

describe('a stream', () => {
  const encoder = new TextEncoder();
  /** Sends these texts, and stays open if so wished. */
  const streaming = (texts: readonly string[], staysOpen = false, init: ResponseInit = {}) =>
    http.post(endpoint, () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const text of texts) controller.enqueue(encoder.encode(text));
          if (!staysOpen) controller.close();
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' }, ...init });
    });
  const event = (member: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, ...member })}\n\n`;
  const status = (state: string) =>
    event({ result: { kind: 'status-update', taskId: 't', contextId: 'c', status: { state }, final: false } });
  const open = ({ client }: Setting, slowly = false) => client.open('subscribe', { id: 't' }, { slowly });

  test('is read event by event', async () => {
    const opened = await open(setting(streaming([status('working'), status('completed')])));
    if (opened.kind !== 'stream') throw new Error(opened.kind);
    expect(opened.seen).toHaveLength(1);
    await opened.collect();
    expect(opened.seen.map(({ event }) => event?.type === 'status' && event.status.state)).toEqual([
      'working',
      'completed',
    ]);
    expect((await opened.ended).failure).toBeUndefined();
  });

  test.for<[string, string[], string | undefined]>([
    ['a long event is read', [status('x'.repeat(2_000_000)), status('completed')], undefined],
    ['what is too long to be read', [status('x'.repeat(5_000_000)), status('completed')], 'too-large'],
    ['what has too many events to be read', Array<string>(10_001).fill(status('working')), 'too-large'],
  ])('%s', async ([, texts, failure]) => {
    const opened = await open(settingFor(100_000_000, streaming(texts)));
    if (opened.kind !== 'stream') throw new Error(opened.kind);
    await opened.collect();
    expect((await opened.ended).failure?.kind).toBe(failure);
  });

  test('a refusal as its only event is a refusal, also when it stays open', async () => {
    const refusal = event({ error: { code: -32001, message: 'No.' } });
    for (const staysOpen of [false, true]) {
      const opened = await open(setting(streaming([refusal], staysOpen)));
      expect(opened).toMatchObject({ kind: 'refusal', code: -32001, error: 'TaskNotFound' });
    }
  });

  test('a plain answer to a slow reader comes at once', async () => {
    const here = setting(error(-32001));
    expect(await open(here, true)).toMatchObject({ kind: 'refusal', code: -32001 });
    expect(here.seen[0]?.failure).toBeUndefined();
  });

  test('the rate limit of the agent is waited out', async () => {
    let asked = 0;
    const here = setting(
      http.post(endpoint, () =>
        ++asked < 3
          ? new Response('', { status: 429, headers: { 'retry-after': '7' } })
          : new Response(status('working'), { headers: { 'content-type': 'text/event-stream' } }),
      ),
    );
    expect(await open(here)).toMatchObject({ kind: 'stream' });
    expect(asked).toBe(3);
  });
});

describe('what is sent', () => {
  test('drafts keep their defects, ids and headers are as asked for', async () => {
    let body: unknown;
    let headers = new Headers();
    const { client, seen } = setting(
      answering((sent, request) => {
        body = sent;
        headers = request.headers;
        return HttpResponse.json({});
      }),
    );
    await client.call(
      'send',
      { message: { role: 'robot', parts: 7, surprise: true, kind: undefined } },
      { id: 0, invalid: true, headers: [['Authorization', 'Bearer wrong']] },
    );
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 0,
      method: 'message/send',
      params: { message: { role: 'robot', parts: 7, surprise: true } },
    });
    expect(headers.get('authorization')).toBe('Bearer wrong');
    expect(seen[0]?.call).toEqual({ operation: 'send', rpcId: 0, valid: false });
  });

  test('read-only withholds what could create work', async () => {
    const { client } = setting(result(null));
    const careful = createClient({ ...optionsOf(client), readOnly: true });
    expect(await careful.call('send', {})).toMatchObject({ kind: 'not-sent' });
    expect(await careful.call('cancel', { id: 't' })).toMatchObject({ kind: 'not-sent' });
    expect(await careful.call('get', { id: 't' })).not.toMatchObject({ kind: 'not-sent' });
  });
});

describe('a task that is left at work', () => {
  const message = { messageId: 'm', role: 'user' as const, parts: [{ kind: 'text' as const, text: 'hi' }] };
  const signer = { turn: async () => true, headers: () => [] };
  test.for<[string, object, readonly string[], readonly string[]]>([
    ['is canceled', {}, ['send', 'cancel'], []],
    ['is left where calls are signed', { signer }, ['send'], ['get']],
    ['is left where messages are paid for', { isPaid: true }, ['send'], ['get']],
  ])('%s', async ([, how, sent, asked]) => {
    const options = optionsOf(setting(result(null)).client);
    const seen: (string | undefined)[] = [];
    const client = createClient({ ...options, ...how }).for('test', ({ call }) => seen.push(call?.operation));
    await client.call('send', { message });
    // What began in the last second may be done soon.
    await sleep(options.clock, 1000);
    await client.endWork();
    expect(seen.splice(0)).toEqual(sent);
    expect(await client.endWork('all')).toBe(false);
    // The agent of this test does not end it when it is asked, and is asked once.
    expect(seen.filter((text) => text === 'cancel')).toEqual([]);
    expect(seen).toEqual(expect.arrayContaining([...asked]));
  });
});

describe('an agent that refuses the first message, which names no task', () => {
  const task = { kind: 'task', id: 't', contextId: 'c', status: { state: 'completed' } };
  const message = { messageId: 'm', role: 'user' as const, parts: [{ kind: 'text' as const, text: 'hi' }] };
  const taskIdOf = ({ request }: Exchange): unknown =>
    (JSON.parse(Buffer.from(request.body ?? []).toString()) as { params: { message: { taskId?: string } } }).params
      .message.taskId;
  async function sentTo(isRefused: (named: boolean, count: number) => boolean) {
    let count = 0;
    const tried = setting(
      answering(({ id, params }) => {
        const named = Object.hasOwn((params as { message: object }).message, 'taskId');
        return HttpResponse.json(
          isRefused(named, ++count)
            ? { jsonrpc: '2.0', id, error: { code: -32603, message: 'No.' } }
            : { jsonrpc: '2.0', id, result: task },
        );
      }),
    );
    for (let sends = 0; sends < 2; sends++) await tried.client.call('send', { message });
    return { ids: tried.seen.map(taskIdOf), unnamed: tried.client.messages.unnamed };
  }

  test('and takes those with an id gets an id with each', async () => {
    const { ids, unnamed } = await sentTo((named) => !named);
    expect(ids).toEqual([undefined, 'u', undefined, 'u']);
    expect(unnamed).toMatchObject({ kind: 'refusal' });
  });

  test('and takes the later ones wants none', async () => {
    const { ids, unnamed } = await sentTo((_, count) => count === 1);
    expect(ids).toEqual([undefined, 'u', undefined, undefined]);
    expect(unnamed).toBeUndefined();
  });
});

describe('another interface', () => {
  const asked = async (transport: string, version?: string) => {
    const urls: string[] = [];
    const reply = http.all('http://agent.test/rest/*', ({ request }) => {
      urls.push(new URL(request.url).pathname);
      return HttpResponse.json({ error: { code: 404, message: 'no such task' } }, { status: 404 });
    });
    const { client, seen } = setting(reply);
    const at = client.at('http://agent.test/rest', transport, version);
    const outcomes = [await at?.call('get', { id: 'x' }), await at?.otherwise?.call('get', { id: 'x' })];
    const errors = outcomes.map((outcome) => (outcome?.kind === 'refusal' ? outcome.error : outcome?.kind));
    return { urls, errors, calls: seen.map(({ call }) => call) };
  };

  test('over HTTP+JSON is asked by the paths of its version, and no law hears of it', async () => {
    expect(await asked('HTTP+JSON', '0.3.0')).toEqual({
      urls: ['/rest/v1/tasks/x', '/rest/tasks/x'],
      errors: ['TaskNotFound', 'TaskNotFound'],
      calls: [undefined, undefined],
    });
    expect(await asked('HTTP+JSON', '1.0')).toMatchObject({ urls: ['/rest/tasks/x'], calls: [undefined] });
  });

  test('in a transport that the kit does not speak is none', async () => {
    expect(await asked('https://vendor.example/bindings/websocket', '1.0')).toEqual({
      urls: [],
      errors: [undefined, undefined],
      calls: [],
    });
  });
});

function optionsOf(client: Client) {
  const clock = virtualClock();
  const wire = createWire({
    carrier: carrierOf([result({ kind: 'task', id: 't', status: { state: 'working' } })]),
    clock,
    tape: createTape(),
    limits: { timeoutMs: 1000, maxBytes: 10_000 },
  });
  return {
    wire,
    clock,
    dialect: client.dialect,
    endpoint,
    credentials: [],
    readOnly: false,
    limitPatienceMs: 0,
    uuid: () => 'u',
  };
}

describe('an agent of which it is not known how it spells a config', () => {
  type Body = Readonly<Record<string, unknown>>;
  /** Two calls that begin at the same time. */
  const setTwice = async (answer: (body: Body) => Response) => {
    const handler = http.post('http://agent.test/rpc/v1/tasks/t/pushNotificationConfigs', async ({ request }) =>
      answer((await request.json()) as Body),
    );
    const { client } = settingOf('a2a-0.3-rest', 10_000, [handler]);
    const set = () => client.call('pushSet', { taskId: 't', config: { id: 'c', url: 'http://hook.test/' } });
    return Promise.all([set(), set()]);
  };

  test('the answer to its own spelling counts where it reads none, for each of two calls', async () => {
    const outcomes = await setTwice((body) =>
      HttpResponse.json({ message: 'No.' }, { status: 'parent' in body ? 500 : 422 }),
    );
    expect(
      outcomes.map((outcome) => (outcome.kind === 'not-sent' ? outcome.reason : outcome.exchange.response?.status)),
    ).toEqual([500, 500]);
  });

  test('each of two calls finds the spelling that it reads', async () => {
    const outcomes = await setTwice((body) =>
      'url' in body
        ? HttpResponse.json({ name: 'tasks/t/pushNotificationConfigs/c', pushNotificationConfig: body })
        : HttpResponse.json({ message: 'No.' }, { status: 422 }),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['result', 'result']);
  });
});
