import {
  deadlineMs,
  framed,
  framesIn,
  grpc,
  grpcCodec,
  isWhole,
  loadGrpc,
  type MethodPlace,
  methodAt,
  rpcCodes,
  writeStatus,
} from '../binding/index.js';
import { type Dialect, grpcParamsFrom, grpcResultTo, profileOver } from '../dialect/index.js';
import { type ErrorName, isObject, type JsonObject, member, type Operation, stringMember } from '../model/index.js';
import { bodyText, type Header, header, mediaType } from '../wire/index.js';
import { bodyLimit } from './body-limit.js';
import type { GrpcCall, GrpcEnd, Incoming, Reply } from './calls.js';
import { RpcFailure } from './failure.js';
import { dataIn, gathered, innerCalls, parsed, streamed } from './inner-calls.js';
import { plainReply } from './replies.js';
import type { Seams, World } from './seams.js';

// gRPC (1.0 §10, 0.3 §3.2.2) in front of the same operations: a message becomes a call, and the response to the call
// becomes messages and a status.

export type GrpcSeams = Pick<
  Seams,
  'grpcServed' | 'serveGrpc' | 'grpcCall' | 'grpcMessage' | 'grpcFrame' | 'grpcRefusal' | 'grpcHead' | 'grpcTrailers'
>;

const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);

/** The call ends here. */
class Ended extends Error {
  readonly end: GrpcEnd;
  constructor(code: (typeof rpcCodes)[number], message: string) {
    super(message);
    this.end = { code: codeOf(code), message };
  }
}

/** What an answer of HTTP itself means (grpc/doc/http-grpc-status-mapping.md, and what this agent answers besides). */
const codesOfStatuses: Readonly<Record<number, (typeof rpcCodes)[number]>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  413: 'RESOURCE_EXHAUSTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};

function timeoutIn(headers: readonly Header[]): number | undefined {
  const value = header(headers, 'grpc-timeout');
  const timeout = value === undefined ? undefined : deadlineMs(value);
  if (value !== undefined && timeout === undefined) throw new Ended('INTERNAL', 'grpc-timeout cannot be read');
  return timeout;
}

/** `grpc-message`: UTF-8 in which all but printable ASCII is percent-encoded, and the percent sign too. */
const encodedMessage = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte),
    )
    .join('');

function nameOf({ errors }: Dialect, code: unknown): ErrorName | undefined {
  for (const [name, known] of Object.entries(errors)) if (known.rpc === code) return name as ErrorName;
  return undefined;
}

const validation: ReadonlySet<ErrorName | undefined> = new Set<ErrorName>([
  'InvalidParams',
  'InvalidRequest',
  'ParseError',
]);

/** A signal that another one, or its own `abort`, ends. */
function within(outer: Incoming['signal']): AbortController {
  const own = new AbortController();
  if (outer.aborted) own.abort();
  else outer.addEventListener('abort', () => own.abort(), { once: true });
  return own;
}

export function grpcPort(world: World, whole: Seams): GrpcSeams {
  const { dialect, spelling, clock } = world;
  const spoken = profileOver(dialect, grpc);
  const { inner, unread } = innerCalls(world, 'grpc');
  const operations = new Map(
    Object.entries(spoken?.operations ?? {}).flatMap(([op, { grpc: path }]): [string, Operation][] =>
      path === undefined ? [] : [[path, op as Operation]],
    ),
  );

  const ending = (end: GrpcEnd, headers: readonly Header[] = []): Reply => ({
    status: 200,
    headers: [...whole.grpcHead(headers), ...whole.grpcTrailers(end)],
    body: new Uint8Array(0),
  });
  const good: GrpcEnd = { code: 0, message: '' };

  /** What a response of JSON-RPC says here. */
  function said(response: unknown, call: GrpcCall): Uint8Array | GrpcEnd | undefined {
    if (!isObject(response)) return undefined;
    if (isObject(response['error'])) return whole.grpcRefusal(response['error']);
    return Object.hasOwn(response, 'result')
      ? whole.grpcFrame(whole.grpcMessage(response['result'], call), call)
      : undefined;
  }

  const failed = (cause: unknown): GrpcEnd => {
    if (cause instanceof Ended) return cause.end;
    if (cause instanceof RpcFailure) return whole.grpcRefusal(whole.error(cause, undefined));
    throw cause;
  };

  function streaming(reply: Reply, body: AsyncIterable<Uint8Array>, call: GrpcCall, late: () => boolean): Reply {
    let end = good;
    async function* messages(): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        const event = dataIn(chunk);
        // Comments of server-sent events keep a connection alive, and are not messages.
        const isComment = event === undefined && chunk[0] === 0x3a;
        const item = isComment ? undefined : event === undefined ? chunk : said(parsed(event.data), call);
        if (item === undefined) continue;
        if (!(item instanceof Uint8Array)) {
          end = item;
          return;
        }
        yield item;
      }
      if (late()) end = new Ended('DEADLINE_EXCEEDED', 'the deadline is over').end;
    }
    return {
      ...reply,
      headers: whole.grpcHead(reply.headers),
      body: messages(),
      trailers: () => whole.grpcTrailers(end),
    };
  }

  async function outer(reply: Reply, call: GrpcCall, late: () => boolean): Promise<Reply> {
    let { body } = reply;
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      if (streamed.has(call.op)) return streaming(reply, body, call, late);
      body = await gathered(body);
    }
    const text = typeof body === 'string' ? body : bodyText(body);
    const event = mediaType(reply.headers) === 'text/event-stream' ? dataIn(Buffer.from(body)) : undefined;
    const item = said(parsed(event?.data ?? text), call);
    if (item instanceof Uint8Array) {
      return { ...reply, headers: whole.grpcHead(reply.headers), body: item, trailers: () => whole.grpcTrailers(good) };
    }
    const code = codesOfStatuses[reply.status];
    // A body that is not an answer of the operation stays unchanged: a page, an empty body, nothing.
    if (item === undefined && (code === undefined || reply.fate !== undefined)) return reply;
    if (item === undefined) return ending({ code: codeOf(code ?? 'UNKNOWN'), message: text.trim() }, reply.headers);
    // A refusal under a status of its own, such as 413, is one of the transport.
    const end = reply.status === 200 || code === undefined ? item : { ...item, code: codeOf(code) };
    return { ...ending(end, reply.headers), ...(reply.fate === undefined ? {} : { fate: reply.fate }) };
  }

  async function answer(request: Incoming): Promise<Reply> {
    const timeout = timeoutIn(request.headers);
    const { pathname } = new URL(request.url);
    const op = operations.get(pathname);
    if (op === undefined) throw new Ended('UNIMPLEMENTED', `unknown method ${pathname}`);
    if ((request.body?.byteLength ?? 0) > bodyLimit) {
      const unreadCall = { op, path: pathname, params: {} };
      return outer(await whole.serveRpc(unread(request)), unreadCall, () => false);
    }
    const call = whole.grpcCall(request, op);
    if (timeout === undefined) return outer(await whole.serveRpc(inner(request, call)), call, () => false);
    const own = within(request.signal);
    let isLate = false;
    let over = (): void => {};
    const passed = new Promise<Reply>((resolve) => {
      over = () => resolve(ending(new Ended('DEADLINE_EXCEEDED', 'the deadline is over').end));
    });
    const stop = clock.after(timeout, () => {
      isLate = true;
      over();
      own.abort();
    });
    own.signal.addEventListener('abort', stop, { once: true });
    const served = whole.serveRpc(inner({ ...request, signal: own.signal }, call));
    const reply = await Promise.race([served.then((reply) => outer(reply, call, () => isLate)), passed]);
    if (!streamed.has(op)) stop();
    return reply;
  }

  return {
    grpcServed: () => dialect.binding.id === 'grpc',
    async serveGrpc(request) {
      await loadGrpc();
      if (request.method !== 'POST') return plainReply(405, 'gRPC is called by POST', [['allow', 'POST']]);
      try {
        return await answer(request);
      } catch (cause) {
        return ending(failed(cause));
      }
    },
    grpcCall(request, op) {
      const { pathname } = new URL(request.url);
      const at = methodAt(pathname) as MethodPlace;
      const { frames, rest } = framesIn(request.body ?? new Uint8Array(0));
      const [frame] = frames;
      if (rest > 0 || frames.some((frame) => !isWhole(frame))) throw new Ended('INTERNAL', 'a message is cut off');
      if (frame === undefined || frames.length > 1) throw new Ended('UNIMPLEMENTED', 'one message is expected');
      if (frame.flag !== 0) throw new Ended('UNIMPLEMENTED', 'the message is compressed');
      const read = grpcCodec(at.table).decode(at.method[0], frame.data, { deepest: 1000, mostFields: 200_000 });
      if ('fault' in read) throw new Ended('INTERNAL', `the message cannot be read: ${read.fault}`);
      const [time] = read.badTimes;
      if (time !== undefined) throw new RpcFailure('InvalidParams', `${time} is not a time`, time);
      const json = isObject(read.json) ? read.json : {};
      return { op, path: pathname, params: spoken === undefined ? json : grpcParamsFrom(spoken, json, op) };
    },
    grpcMessage(result, { op, path }) {
      const at = methodAt(path) as MethodPlace;
      const json = spoken === undefined ? result : grpcResultTo(spoken, result, op);
      const bytes = grpcCodec(at.table).encode(at.method[1], json ?? {}, { lenient: true });
      if ('fault' in bytes) throw new Ended('INTERNAL', 'the result has no form as a message');
      return bytes;
    },
    grpcFrame: (message) => framed(message),
    grpcRefusal(error) {
      const name = nameOf(dialect, error['code']);
      const numbers = name === undefined ? undefined : spoken?.errors[name];
      const code = numbers?.grpc?.[0] ?? (validation.has(name) ? codeOf('INVALID_ARGUMENT') : codeOf('INTERNAL'));
      const data: unknown = error['data'];
      const typed = Array.isArray(data)
        ? data.filter(isObject).filter((members) => typeof member(members, '@type') === 'string')
        : [];
      const isInvalid = validation.has(name) && spelling.httpErrors === 'status' && typed.length === 0;
      const details = isInvalid ? [{ '@type': 'type.googleapis.com/google.rpc.BadRequest' }] : typed;
      return {
        code,
        message: stringMember(error, 'message') ?? '',
        ...(details.length > 0 ? { details: details as readonly JsonObject[] } : {}),
      };
    },
    grpcHead: (headers) => [
      ...headers.filter(([name]) => !/^(content-type|cache-control|content-length)$/i.test(name)),
      ['content-type', 'application/grpc'],
    ],
    grpcTrailers: ({ code, message, details }) => [
      ['grpc-status', String(code)],
      ...(message === '' ? [] : ([['grpc-message', encodedMessage(message)]] as const)),
      ...(details === undefined
        ? []
        : ([
            ['grpc-status-details-bin', Buffer.from(writeStatus({ code, message, details })).toString('base64')],
          ] as const)),
    ],
  };
}
