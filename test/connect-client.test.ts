import {
  create,
  createFileRegistry,
  type DescMethod,
  type DescService,
  fromJson,
  type JsonValue,
  type Message,
  toJson,
} from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  file_google_protobuf_empty,
  MethodDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { type CallOptions, Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect';
import { createGrpcTransport, Http2SessionManager } from '@connectrpc/connect-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { a2a03 } from '../src/grpc/a2a-0.3.js';
import { a2a10 } from '../src/grpc/a2a-1.0.js';
import { codecOf } from '../src/grpc/codec.js';
import { googleRpc } from '../src/grpc/google-rpc.js';
import { registryOf } from '../src/grpc/registry.js';
import type { PackageTable } from '../src/grpc/table.js';
import { variants } from '../src/reference/index.js';
import { streaming } from './peers/hostile-rest.js';
import { servedAgent } from './served.js';

// `a2a-tck serve` over gRPC, driven by a client that is neither ours nor on @grpc/grpc-js: @connectrpc/connect-node has
// its own frames, trailers, deadlines and metadata. Only the tables of the messages are ours.

/** The service of a package, as a generated file would describe it. */
function serviceOf(table: PackageTable): DescService {
  const { name, methods } = table;
  const files = [...registryOf(table).files, file_google_protobuf_empty];
  const typed = (type: string): string => (type === 'Empty' ? '.google.protobuf.Empty' : `.${name}.${type}`);
  const file = create(FileDescriptorProtoSchema, {
    name: `${name}.service.proto`,
    package: name,
    syntax: 'proto3',
    dependency: files.map(({ proto }) => proto.name),
    service: [
      create(ServiceDescriptorProtoSchema, {
        name: 'A2AService',
        method: Object.entries(methods).map(([method, [input, output, streams]]) =>
          create(MethodDescriptorProtoSchema, {
            name: method,
            inputType: typed(input),
            outputType: typed(output),
            serverStreaming: streams === true,
          }),
        ),
      }),
    ],
  });
  const found = createFileRegistry(file, (path) => files.find(({ proto }) => proto.name === path));
  const service = found.getService(`${name}.A2AService`);
  if (service === undefined) throw new Error(`no service of ${name}`);
  return service;
}

type Json = Readonly<Record<string, unknown>>;
type Unary = (request: Message, options?: CallOptions) => Promise<Message>;
type Streaming = (request: Message, options?: CallOptions) => AsyncIterable<Message>;

/** The client of connect for a service, with JSON in the place of its messages. */
function clientOf(service: DescService, baseUrl: string, headers: Readonly<Record<string, string>>) {
  const sessionManager = new Http2SessionManager(baseUrl);
  const withHeaders: Interceptor = (next) => (request) => {
    for (const [name, value] of Object.entries(headers)) request.header.set(name, value);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl, sessionManager, interceptors: [withHeaders] });
  const client = createClient(service, transport) as unknown as Readonly<Record<string, unknown>>;
  const methodNamed = (name: string): DescMethod => {
    const method = service.method[name];
    if (method === undefined) throw new Error(`no method ${name}`);
    return method;
  };
  const json = (method: DescMethod, message: Message): Json => toJson(method.output, message) as Json;
  return {
    async call(name: string, params: Json, options?: CallOptions): Promise<Json> {
      const method = methodNamed(name);
      const send = client[name] as Unary;
      return json(method, await send(fromJson(method.input, params as JsonValue), options));
    },
    async *stream(name: string, params: Json, options?: CallOptions): AsyncGenerator<Json, void, undefined> {
      const method = methodNamed(name);
      const send = client[name] as Streaming;
      for await (const message of send(fromJson(method.input, params as JsonValue), options))
        yield json(method, message);
    },
    close: () => sessionManager.abort(),
  };
}

const trace = 'https://vendor.example/extensions/trace/v1';
const withExtensions = variants.find(({ id }) => id === 'extensions-declared');

/** What differs between the versions. */
const versions = [
  {
    profile: 'a2a-1.0-grpc',
    table: a2a10,
    headers: { 'a2a-version': '1.0' },
    message: (text: string): Json => ({ messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] }),
    send: (message: Json, blocking = true): Json => ({ message, configuration: { returnImmediately: !blocking } }),
    named: (id: string): Json => ({ id }),
    subscribe: 'subscribeToTask',
    extensions: 'a2a-extensions',
    reason: 'TASK_NOT_FOUND',
  },
  {
    profile: 'a2a-0.3-grpc',
    table: a2a03,
    headers: {},
    message: (text: string): Json => ({ messageId: crypto.randomUUID(), role: 'ROLE_USER', content: [{ text }] }),
    send: (message: Json, blocking = true): Json => ({ request: message, configuration: { blocking } }),
    named: (id: string): Json => ({ name: `tasks/${id}` }),
    subscribe: 'taskSubscription',
    extensions: 'x-a2a-extensions',
    reason: undefined,
  },
] as const;

/** The error that a call ends with. */
async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error('the call did not fail');
}

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe.for(versions)(
  'of $profile',
  ({ profile, table, headers, message, send, named, subscribe, extensions, reason }) => {
    let served: Awaited<ReturnType<typeof servedAgent>>;
    let client: ReturnType<typeof clientOf>;
    beforeAll(async () => {
      if (withExtensions === undefined) throw new Error('no variant extensions-declared');
      served = await servedAgent(profile, [streaming, withExtensions.patch]);
      client = clientOf(serviceOf(table), served.url, headers);
    });
    afterAll(async () => {
      client?.close();
      await served?.stop();
    });

    const task = async (text: string, blocking = true): Promise<Json & { readonly id: string }> =>
      (await client.call('sendMessage', send(message(text), blocking)))['task'] as Json & { readonly id: string };

    test('it sends a message, reads its task and cancels another one', async () => {
      const { id, status, artifacts } = await task('héllo \u{1f600}');
      expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
      expect(JSON.stringify(artifacts)).toContain('héllo \u{1f600}');
      expect(await client.call('getTask', named(id))).toMatchObject({ id, status });
      const open = await task('tck-long-running', false);
      expect(await client.call('cancelTask', named(open.id))).toMatchObject({
        status: { state: expect.stringMatching(/^TASK_STATE_CANCELL?ED$/) },
      });
    });

    test('it hears a stream to its end, and a subscription from the task on', async () => {
      const events = await all(client.stream('sendStreamingMessage', send(message('hello there'))));
      expect(Object.keys(events[0] ?? {})).toEqual(['task']);
      expect(events.some((event) => 'artifactUpdate' in event)).toBe(true);
      expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
      const open = await task('tck-long-running', false);
      const [first, ...rest] = await all(client.stream(subscribe, named(open.id)));
      expect(first).toMatchObject({ task: { id: open.id } });
      expect(rest.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
    });

    test('a stream that it drops does not end the task', async () => {
      let id = '';
      for await (const event of client.stream('sendStreamingMessage', send(message('tck-long-running')))) {
        id = (event['task'] as { readonly id: string }).id;
        break;
      }
      expect(await client.call('getTask', named(id))).toMatchObject({
        status: { state: expect.stringMatching(/^TASK_STATE_(SUBMITTED|WORKING|COMPLETED)$/) },
      });
    });

    test('an unknown task is NOT_FOUND, for a call and for a stream', async () => {
      for (const failing of [
        () => client.call('getTask', named('nope')),
        () => all(client.stream(subscribe, named('nope'))),
      ]) {
        const error = await failureOf(failing());
        expect(error.code).toBe(Code.NotFound);
        expect(error.rawMessage).toMatch(/not found/i);
      }
    });

    test.runIf(reason !== undefined)('an error has its reason in its details', async () => {
      const error = await failureOf(client.call('getTask', named('nope')));
      const [detail] = error.details;
      if (detail === undefined || !('type' in detail) || !(detail.value instanceof Uint8Array))
        throw new Error('no detail');
      expect(detail.type).toBe('google.rpc.ErrorInfo');
      const read = codecOf(googleRpc).decode('ErrorInfo', detail.value);
      expect(read).toMatchObject({ json: { reason, domain: 'a2a-protocol.org' } });
    });

    test('a call that takes longer than its deadline is DEADLINE_EXCEEDED, and the connection stays', async () => {
      const error = await failureOf(client.call('sendMessage', send(message('tck-long-running')), { timeoutMs: 30 }));
      expect(error.code).toBe(Code.DeadlineExceeded);
      expect((await task('after it')).status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
    });

    test('metadata goes both ways', async () => {
      let head = new Headers();
      let trailer = new Headers();
      await client.call('sendMessage', send(message('hi')), {
        headers: { [extensions]: trace },
        onHeader: (came) => {
          head = came;
        },
        onTrailer: (came) => {
          trailer = came;
        },
      });
      expect(head.get('content-type')).toBe('application/grpc');
      expect(head.get(extensions)).toBe(trace);
      expect(trailer.get('grpc-status')).toBe('0');
    });
  },
);
