import { failureOf, grpcAnswer, loadGrpc, type NativeRequest } from '../../binding/index.js';
import { type Dialect, dialectById, methodOf } from '../../dialect/index.js';
import { type Operation, operations } from '../../model/index.js';
import { type Header, header } from '../../wire/index.js';
import type { Patch } from '../seams.js';
import { type Answer, createTestClient, message03, message10 } from '../test-client.js';
import { variants } from '../variants/index.js';

import type { FuzzFault } from './fuzz-fault.js';

// A client for the tests of seeded faults: it logs every answer of the agent.

export interface Meeting {
  /** Any bytes in the place of a call. */
  post(body: string | Uint8Array, headers?: readonly Header[]): Promise<unknown>;
  /** Any request below the endpoint, with the headers of the dialect. */
  ask(
    verb: string,
    path: string,
    more?: { readonly headers?: readonly Header[]; readonly body?: string },
  ): Promise<Answer['json']>;
  /** A call over gRPC, changed before it is sent. */
  sendMessage(
    operation: Operation,
    params: unknown,
    change?: (native: NativeRequest) => NativeRequest,
  ): Promise<Answer['json']>;
  call(method: string, params?: unknown, more?: object): Promise<Answer['json']>;
  /** A task that a message began, or an error. */
  send(text: string, more?: object, params?: object): Promise<Answer['json']>;
  get(id: unknown, more?: object): Promise<Answer['json']>;
  cancel(id: unknown, more?: object): Promise<Answer['json']>;
  /** Reads a stream to its end, or for ten seconds. */
  listen(method: string, params: object): Promise<readonly unknown[]>;
  /** A message in the spelling of the dialect. */
  message(text: string, more?: object): object;
  wait(ms: number): Promise<void>;
  /** All that came, in order, and how long each took. */
  readonly log: readonly unknown[];
}

const patienceMs = 10_000;
const hangs = 'no answer';

export function meet(dialect: Dialect, patches: readonly (Patch | undefined)[]): Meeting {
  const visitor = createTestClient({ dialect, patches });
  const { clock } = visitor;
  const log: unknown[] = [];
  const is10 = dialect.schemas === 'a2a/1.0';
  const message = is10 ? message10 : message03;
  const method = (name: 'send' | 'get' | 'cancel'): string => dialect.operations[name]?.rpc ?? '';

  async function within<T>(work: Promise<T>): Promise<T | string> {
    let forget = (): void => {};
    const late = new Promise<string>((resolve) => {
      forget = clock.after(patienceMs, () => resolve(hangs));
    });
    try {
      return await Promise.race([work, late]);
    } catch (cause) {
      return String(cause);
    } finally {
      forget();
    }
  }
  async function noted(asked: Promise<Answer>): Promise<Answer['json']> {
    const began = clock.now();
    const answer = await within(asked);
    const seen = typeof answer === 'string' ? answer : { status: answer.status, text: answer.text };
    log.push({ seen, ms: clock.now() - began });
    if (typeof answer === 'string' || !answer.text.startsWith('{')) return { failed: seen };
    return answer.json;
  }
  const usual = [['content-type', 'application/json'], ...dialect.headers] as const;
  const post = (body: string | Uint8Array, headers?: readonly Header[]) =>
    noted(visitor.http('POST', dialect.endpointPath || '/', headers ?? usual, body));
  const ask: Meeting['ask'] = (verb, path, { headers = [], body } = {}) =>
    noted(visitor.http(verb, path, [...dialect.headers, ...headers], body));
  let count = 0;
  /** A call over gRPC; what comes is put where JSON-RPC has it. */
  const byMessage: Meeting['sendMessage'] = async (operation, params, change = (native) => native) => {
    await loadGrpc();
    const form = dialect.binding.request({
      operation,
      endpoint: 'http://agent.test/a',
      names: dialect.operations[operation],
      params,
      id: undefined,
    });
    if ('inexpressible' in form) return { failed: form.inexpressible };
    const { contentType, headers = [], ...native } = change(form);
    const type = contentType === undefined ? [] : ([['content-type', contentType]] as const);
    const request = { ...native, headers: [...type, ...headers, ...dialect.headers] };
    const began = clock.now();
    const came = await within(
      (async () => {
        const response = await visitor.agent.handle(request, new AbortController().signal);
        const chunks: Uint8Array[] = [];
        for await (const chunk of response.body) chunks.push(chunk);
        return { ...response, body: new Uint8Array(Buffer.concat(chunks)), trailers: response.trailers?.() };
      })(),
    );
    const answer = typeof came === 'string' ? undefined : grpcAnswer(new URL(request.url).pathname, came);
    const end = answer === undefined ? undefined : failureOf(answer.end);
    const [first] = answer?.messages ?? [];
    const json = first !== undefined && 'json' in first ? first.json : undefined;
    const seen =
      typeof came === 'string' ? came : { status: came.status, type: header(came.headers, 'content-type'), json, end };
    log.push({ seen, ms: clock.now() - began });
    return { result: json ?? {}, error: end };
  };
  /** A call in a binding that has paths; what comes is put where JSON-RPC has it. */
  async function byPath(name: string, params: unknown): Promise<Answer['json']> {
    const operation = operations.find((one) => methodOf(dialect, one) === name);
    if (dialect.binding.requests === 'messages')
      return byMessage(operation ?? 'get', params, (native) =>
        operation === undefined ? { ...native, url: `${new URL(native.url).origin}/${name}` } : native,
      );
    if (operation === undefined) return ask('POST', `/${name}`);
    const form = dialect.binding.request({
      operation,
      endpoint: 'http://agent.test/a',
      names: dialect.operations[operation],
      params,
      id: undefined,
    });
    if ('inexpressible' in form) return { failed: form.inexpressible };
    const headers = form.contentType === undefined ? [] : [['content-type', form.contentType] as const];
    const body = form.body === undefined ? {} : { body: new TextDecoder().decode(form.body) };
    return { result: await ask(form.method, form.url.replace('http://agent.test/a', ''), { headers, ...body }) };
  }
  const call: Meeting['call'] = (name, params, more = {}) => {
    if (dialect.binding.requests !== 'envelopes') return byPath(name, params);
    return post(JSON.stringify({ jsonrpc: '2.0', id: `r${++count}`, method: name, params, ...more })) as never;
  };
  const soon = is10 ? { returnImmediately: true } : { blocking: false };
  return {
    post,
    ask,
    sendMessage: byMessage,
    call,
    message,
    send: (text, more = {}, params = {}) =>
      call(method('send'), { message: message(text, more), configuration: soon, ...params }),
    get: (id, more = {}) => call(method('get'), { id, ...more }),
    cancel: (id, more = {}) => call(method('cancel'), { id, ...more }),
    async listen(name, params) {
      const events: unknown[] = [];
      const end = await within(
        (async () => {
          const heard = await visitor.listen(name, params);
          for (let event = await heard.next(); event !== undefined; event = await heard.next()) events.push(event);
        })(),
      );
      log.push({ events, end });
      return events;
    },
    wait: (ms) => visitor.wait(ms),
    log,
  };
}

export type Scene = (meeting: Meeting) => Promise<void>;

/** What a scene shows on the agent of a fault, with the fault and without. */
export async function contrast(
  { patch, on, profiles = ['a2a-0.3'] }: FuzzFault,
  scene: Scene,
): Promise<{ readonly clean: readonly unknown[]; readonly faulty: readonly unknown[] }> {
  const dialect = dialectById(profiles[0]);
  if (dialect === undefined) throw new Error(`no dialect ${profiles[0]}`);
  const base = variants.find(({ id }) => id === on)?.patch;
  const seen = async (...patches: readonly Patch[]): Promise<readonly unknown[]> => {
    const meeting = meet(dialect, [base, ...patches]);
    await scene(meeting);
    return meeting.log;
  };
  return { clean: await seen(), faulty: await seen(patch) };
}

/** The usual requests to an agent; only few faults may show here. */
export const usual: Scene = async ({ send, get, cancel, wait, call }) => {
  const { result } = await send('hello');
  const id = result.task?.id ?? result.id;
  await wait(50);
  await get(id);
  await get(id, { historyLength: 2 });
  await cancel(id);
  await get('unknown');
  await send('again', { contextId: 'a-context' });
  const begun = await send('tck-input-required');
  const asked = begun.result.task?.id ?? begun.result.id;
  await wait(50);
  await send('blue', { taskId: asked });
  await wait(50);
  await get(asked);
  await call('nothing');
};
