import {
  failureOf,
  framesIn,
  type GrpcAnswer,
  grpcAnswer,
  grpcCodec,
  grpcLoad,
  isGrpc,
  methodAt,
  type ReplyPlace,
} from '../binding/index.js';
import { brief, canParseUrl, lruMemo, type MemoBudget, weakMemo } from '../model/index.js';
import { bodyText, type Exchange, header, mediaType } from '../wire/index.js';

/** One JSON text that came back: the whole body, or the data of one server-sent event. */
export type Reply =
  | { readonly type: 'json'; readonly value: unknown; readonly text: string }
  | {
      readonly type: 'text';
      readonly text: string;
      readonly problem: string;
      /** A limit of the kit stopped its reading: it may be right. */
      readonly isLimit?: true;
    };

/**
 * Most levels of nesting: no A2A document has nearly as many, and deeply nested JSON costs many times its text once
 * parsed.
 */
const deepest = 1000;

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) most = Math.max(most, ++depth);
    else if (code === 0x5d || code === 0x7d) depth--;
  }
  return most;
}

function parse(text: string): Reply {
  const problem =
    text.length > 2 * deepest && depthOf(text) > deepest ? `nested more than ${deepest} levels deep` : undefined;
  if (problem !== undefined) return { type: 'text', text, problem, isLimit: true };
  try {
    return { type: 'json', value: JSON.parse(text) as unknown, text };
  } catch (problem) {
    return { type: 'text', text, problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** Most events that are read of one body or stream: no work needs more, and an event may have ten bytes. */
export const mostEvents = 10_000;
/** Most lines, those of comments and other fields too. */
const mostLines = 20 * mostEvents;

/** Data of the events in a server-sent event stream (WHATWG HTML §9.2.6): lines of one event joined by a newline. */
function eventData(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/, mostLines)) {
    if (line === '') {
      if (data.length > 0 && events.push(data.join('\n')) >= mostEvents) break;
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  return events;
}

/**
 * An answer that comes as events. A refusal may come as the only event, under no media type: that is another fault. A
 * server that has promised events may refuse all the same, with a plain body under an error status.
 */
const isStreamed = ({ response }: Exchange, text: string): boolean => {
  const type = response && mediaType(response.headers);
  if (type === 'text/event-stream') return (response?.status ?? 0) < 400 || !/^\s*[{[]/.test(text);
  return type === undefined && text.startsWith('data:');
};

/** Where the JSON values of an answer stand. */
export const placeOf = (exchange: Exchange): ReplyPlace => ({
  status: exchange.response?.status ?? 0,
  isEvent: isStreamed(exchange, bodyText(exchange.response?.body.subarray(0, 16))),
});

const pathOf = ({ url }: Exchange['request']): string => (canParseUrl(url) ? new URL(url).pathname : '');

function decode({ request, response }: Exchange): GrpcAnswer | undefined {
  if (response === undefined) return undefined;
  const { status, headers, trailers, body } = response;
  return grpcAnswer(pathOf(request), { status, headers, trailers, body });
}

/** The messages of an answer of gRPC as JSON values, and after them the end of the call, if it failed. */
function readGrpc(exchange: Exchange): readonly Reply[] {
  const { request, response, failure } = exchange;
  if (response === undefined) return [];
  const answer = grpcAnswerOf(exchange);
  const problem = (what: string): Reply => ({ type: 'text', text: '', problem: what });
  const json = (value: unknown): Reply => ({ type: 'json', value, text: JSON.stringify(value) });
  if (answer === undefined) return [problem('the kit has not loaded the messages of gRPC')];
  const messages = answer.messages.map(
    (message): Reply =>
      'fault' in message
        ? { ...problem(message.fault), ...(message.isLimit === true ? { isLimit: true } : {}) }
        : json(message.json),
  );
  if (failure !== undefined || response.cut === true) return messages;
  if (answer.isTruncated) return [...messages, problem('the last message is cut off')];
  const { code, rawStatus } = answer.end;
  if (code === undefined)
    return [
      ...messages,
      problem(rawStatus === undefined ? 'no grpc-status came' : `grpc-status is ${brief(rawStatus)}`),
    ];
  if (code === 0) return messages;
  // What a failed call has sent before its status does not count as a result, except in a stream.
  const failed = json(failureOf(answer.end));
  return streams(pathOf(request)) ? [...messages, failed] : [failed, ...messages];
}

/**
 * All that an answer says, as text: its body; over gRPC its messages and how it ended, as JSON, since their bytes are
 * not text, and the words of an error stand in the trailers.
 */
export const answeredText = (exchange: Exchange, most: number): string => {
  const { response } = exchange;
  if (response === undefined) return '';
  if (isGrpc(response.headers) && response.body.length <= most)
    return repliesOf(exchange)
      .map(({ text }) => text)
      .join('\n')
      .slice(0, most);
  return bodyText(response.body.subarray(0, most));
};

/** The body of a request as text: over gRPC its message as ProtoJSON. Empty: there is none, or it cannot be read. */
export const sentText = weakMemo(({ request }: Pick<Exchange, 'request'>): string => {
  const { url, headers, body } = request;
  if (body === undefined || !isGrpc(headers) || !canParseUrl(url)) return bodyText(body);
  const at = methodAt(new URL(url).pathname);
  const [frame] = framesIn(body).frames;
  const read =
    at !== undefined && frame !== undefined ? grpcCodec(at.table).decode(at.method[0], frame.data) : undefined;
  return read !== undefined && 'json' in read ? JSON.stringify(read.json) : '';
});

const streams = (path: string): boolean => methodAt(path)?.method[2] === true;

/** Whether a request of gRPC asks for a stream of messages. */
export const asksForStream = (request: Exchange['request']): boolean => streams(pathOf(request));

function read(exchange: Exchange): readonly Reply[] {
  if (exchange.response !== undefined && isGrpc(exchange.response.headers)) return readGrpc(exchange);
  const text = bodyText(exchange.response?.body);
  if (exchange.request.http2 === true && exchange.response !== undefined)
    return text.trim() === '' ? [] : [{ type: 'text', text, problem: 'it has no content type of gRPC' }];
  return isStreamed(exchange, text) ? eventData(text).map(parse) : text.trim() === '' ? [] : [parse(text)];
}

/**
 * Parsed once per exchange, because many laws look at each. Of large answers only the last few are kept, so that an
 * agent that gives only large ones does not fill the memory; other large ones are parsed again when needed.
 */
const repliesOfSmall = weakMemo(read);
/** A text is kept as bytes, as a text, and as the parsed value. */
const perByte = 3;
/**
 * Memory for each object or list, and for each member, as received and as decoded, bytes; their text may have only two.
 */
const perValue = 128;
const perMember = 64;
/** Memory for each field of gRPC, bytes: it may have two, and an object of a few members as its form. */
const perField = perValue + perMember;
/** Memory for each message of gRPC beside its fields, bytes: a message without fields is kept as an object of lists, too. */
const perMessage = 6 * perValue;
/** Details of an error do not count as fields: each byte may be half of one. */
const perByteOfDetails = perField / 2;

/** About how much memory an answer takes once it has been read, bytes. */
export const weightOf = weakMemo(({ request, response }: Exchange): number => {
  const body = response?.body ?? new Uint8Array();
  if (response !== undefined && isGrpc(response.headers)) {
    const details = header(response.trailers ?? response.headers, 'grpc-status-details-bin') ?? '';
    // Four characters of base64 are three bytes.
    const ofDetails = perByteOfDetails * details.length * 0.75;
    const { messages, fields } = grpcLoad(pathOf(request), body);
    return perByte * body.length + perMessage * messages + perField * fields + ofDetails;
  }
  let weight = perByte * body.length;
  for (const byte of body) {
    if (byte === 0x7b || byte === 0x5b) weight += perValue;
    else if (byte === 0x2c) weight += perMember;
  }
  return weight;
});

/** Whether an answer is too large to keep its parsed form as long as the exchange. */
export const isLarge = (exchange: Exchange): boolean => weightOf(exchange) > 512 * 1024;
/**
 * Room for the parsed forms of large answers: those of a case of the fuzzer, which all oracles judge, and a few more.
 */
export const roomForLarge: MemoBudget<Exchange> = { weightOf, most: 24 * 1024 * 1024 };

const repliesOfLarge = lruMemo(roomForLarge, read);

const answerOfSmall = weakMemo(decode);
const answerOfLarge = lruMemo(roomForLarge, decode);

/**
 * The answer of an exchange of gRPC, whose messages `repliesOf` shares; undefined: none came, or `loadGrpc` has not been
 * awaited.
 */
export const grpcAnswerOf = (exchange: Exchange): GrpcAnswer | undefined =>
  isLarge(exchange) ? answerOfLarge(exchange) : answerOfSmall(exchange);

/** The JSON texts of an answer; none for an empty body or when no answer came. */
export const repliesOf = (exchange: Exchange): readonly Reply[] =>
  isLarge(exchange) ? repliesOfLarge(exchange) : repliesOfSmall(exchange);
