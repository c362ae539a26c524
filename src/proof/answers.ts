import { framed, framesIn, grpcCodec, isGrpc, methodAt, writeStatus } from '../binding/index.js';
import type { Value } from '../fuzz/index.js';
import { isObject, repliesOf } from '../kit/index.js';
import { bodyText, type Exchange, type Header, mediaType } from '../wire/index.js';

// Recorded answers, and the same with one thing changed.

/** One JSON value of an answer. */
export interface AnswerValue {
  readonly value: Value;
  /** Where it stands: the only value, or which event of how many. */
  readonly where: '' | 'first event' | 'event' | 'last event';
  /** The exchange with another JSON text in its place; undefined: the binding has no form for it. */
  put(json: string): Exchange | undefined;
}

type Response = NonNullable<Exchange['response']>;

/** The exchange with something of its answer replaced. */
export const withResponse = (exchange: Exchange, change: Partial<Response>): Exchange => {
  const { response } = exchange;
  if (response === undefined) return exchange;
  const body = change.body ?? response.body;
  const chunks =
    change.body === undefined ? response.chunks : [{ atMs: response.chunks.at(-1)?.atMs ?? 0, bytes: body }];
  return { ...exchange, response: { ...response, ...change, body, chunks } };
};
export const withBody = (exchange: Exchange, body: Uint8Array): Exchange => withResponse(exchange, { body });

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const pathOf = ({ request }: Exchange): string => new URL(request.url).pathname;

/** The method of an answer of gRPC; undefined: it is none. */
export const grpcMethodOf = (exchange: Exchange) =>
  exchange.response !== undefined && isGrpc(exchange.response.headers) ? methodAt(pathOf(exchange)) : undefined;

/** The exchange with other messages, each with its prefix. */
export const withFrames = (exchange: Exchange, frames: readonly Uint8Array[]): Exchange =>
  withBody(exchange, new Uint8Array(Buffer.concat(frames)));

/** The messages of an answer of gRPC, each with its prefix. */
export const framesOf = ({ response }: Exchange): readonly Uint8Array[] =>
  framesIn(response?.body ?? new Uint8Array(0)).frames.map(({ data, flag }) => framed(data, { flag }));

function withStatus(exchange: Exchange, json: unknown): Exchange | undefined {
  const { response } = exchange;
  if (response === undefined || !isObject(json)) return undefined;
  const { details, 'grpc-status': code, 'grpc-message': message } = json;
  const own: Header[] = [];
  if (code !== undefined) own.push(['grpc-status', String(code)]);
  if (message !== undefined) own.push(['grpc-message', encodeURIComponent(String(message))]);
  try {
    if (Array.isArray(details)) {
      const bytes = writeStatus({ code: Number(code), message: String(message ?? ''), details });
      own.push(['grpc-status-details-bin', Buffer.from(bytes).toString('base64')]);
    }
  } catch {
    return undefined;
  }
  const kept = (headers: readonly Header[]): readonly Header[] => [
    ...headers.filter(([name]) => !/^grpc-(status|message|status-details-bin)$/i.test(name)),
    ...own,
  ];
  return withResponse(
    exchange,
    response.trailers === undefined ? { headers: kept(response.headers) } : { trailers: kept(response.trailers) },
  );
}

function inMessages(exchange: Exchange): readonly AnswerValue[] {
  const method = grpcMethodOf(exchange);
  if (method === undefined) return [];
  const frames = framesOf(exchange);
  let at = -1;
  return repliesOf(exchange).flatMap((reply): readonly AnswerValue[] => {
    if (reply.type !== 'json') return [];
    const value = reply.value as Value;
    if (isObject(value) && Object.hasOwn(value, 'grpc-status'))
      return [{ value, where: '', put: (json) => withStatus(exchange, JSON.parse(json)) }];
    const index = ++at;
    return [
      {
        value,
        where: whereOf(index, frames.length),
        put(json) {
          const bytes = grpcCodec(method.table).encode(method.method[1], JSON.parse(json));
          return 'fault' in bytes ? undefined : withFrames(exchange, frames.with(index, framed(bytes)));
        },
      },
    ];
  });
}

const whereOf = (at: number, of: number): AnswerValue['where'] => {
  if (of <= 1) return '';
  return at === 0 ? 'first event' : at === of - 1 ? 'last event' : 'event';
};

export const isEvents = ({ response }: Exchange): boolean =>
  response !== undefined && mediaType(response.headers) === 'text/event-stream';

/** The text of an event stream, event by event; comments and other blocks are among them. */
export const blocksOf = ({ response }: Exchange): readonly string[] =>
  bodyText(response?.body)
    .split(/(?<=\n\r?\n)/)
    .filter((block) => block !== '');

/** Where the events with data are among the blocks. */
export const eventsAmong = (blocks: readonly string[]): readonly number[] =>
  blocks.flatMap((block, at) => (/^data:/m.test(block) ? [at] : []));

function inEvents(exchange: Exchange): readonly AnswerValue[] {
  const blocks = blocksOf(exchange);
  const events = eventsAmong(blocks);
  const replies = repliesOf(exchange);
  if (replies.length !== events.length) return [];
  return replies.flatMap((reply, index): readonly AnswerValue[] => {
    const block = events[index];
    if (reply.type !== 'json' || block === undefined) return [];
    return [
      {
        value: reply.value as Value,
        where: whereOf(index, events.length),
        put: (json) => withBody(exchange, bytesOf(blocks.with(block, `data: ${json}\n\n`).join(''))),
      },
    ];
  });
}

/** The content of an answer, value by value. */
export function toldIn(exchange: Exchange): readonly AnswerValue[] {
  const { response, failure } = exchange;
  if (response === undefined || failure !== undefined || response.cut === true) return [];
  if (isGrpc(response.headers)) return inMessages(exchange);
  if (isEvents(exchange) && response.status < 400) return inEvents(exchange);
  const [reply] = repliesOf(exchange);
  if (reply?.type !== 'json') return [];
  return [{ value: reply.value as Value, where: '', put: (json) => withBody(exchange, bytesOf(json)) }];
}
