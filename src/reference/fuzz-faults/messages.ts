import { framesIn, isWhole, methodAt, rpcCodes } from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import { exactText, header, mediaType } from '../../wire/index.js';
import type { GrpcEnd, Incoming, Reply } from '../calls.js';
import type { Patch, Seams } from '../seams.js';
import { dying, hung, page, reset } from './breaking.js';
import { type FuzzFault, fuzzFault } from './fuzz-fault.js';

const profiles: readonly [ProfileId, ...ProfileId[]] = ['a2a-1.0-grpc', 'a2a-0.3-grpc'];

type When = (request: Incoming) => boolean;

const isCall: When = ({ http2, method }) => http2 === true && method === 'POST';
const framesOf = ({ body = new Uint8Array(0) }: Incoming) => framesIn(body);
/** The bytes of the first message, whole or not. */
const messageOf = (request: Incoming): Uint8Array => framesOf(request).frames[0]?.data ?? new Uint8Array(0);
const isMisframed: When = (request) => {
  const { frames, rest } = framesOf(request);
  return rest > 0 || frames.some((one) => !isWhole(one));
};

/** What a reader finds in the bytes of a message. */
interface Scan {
  /** Why it goes no further; undefined: it came to the end. */
  readonly flaw: 'number' | 'length' | 'wire type' | 'group' | undefined;
  readonly fields: readonly {
    readonly number: number;
    readonly content: Uint8Array | undefined;
    /** Of a varint. */
    readonly value: number | undefined;
  }[];
}
/** Most fields that are looked at. */
const mostFields = 100_000;

/** Reads fields without their types; messages inside stay bytes. */
function scanned(bytes: Uint8Array): Scan {
  const fields: Scan['fields'][number][] = [];
  const stop = (flaw: Scan['flaw']): Scan => ({ flaw, fields });
  let at = 0;
  let open = 0;
  const number = (): number | undefined => {
    let value = 0;
    for (let factor = 1, count = 0; count < 10 && at < bytes.length; factor *= 128, count++) {
      const byte = bytes[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    return undefined;
  };
  while (at < bytes.length && fields.length < mostFields) {
    const tag = number();
    if (tag === undefined) return stop('number');
    const wireType = tag % 8;
    let content: Uint8Array | undefined;
    let value: number | undefined;
    if (wireType === 0) {
      value = number();
      if (value === undefined) return stop('number');
    } else if (wireType === 2) {
      const length = number();
      if (length === undefined) return stop('number');
      if (at + length > bytes.length) return stop('length');
      content = bytes.subarray(at, at + length);
      at += length;
    } else if (wireType === 1 || wireType === 5) {
      at += wireType === 1 ? 8 : 4;
      if (at > bytes.length) return stop('length');
    } else if (wireType === 3 || wireType === 4) {
      open += wireType === 3 ? 1 : -1;
      if (open < 0) return stop('group');
    } else return stop('wire type');
    fields.push({ number: Math.floor(tag / 8), content, value });
  }
  return stop(undefined);
}
const flawIn = (request: Incoming): Scan['flaw'] =>
  isMisframed(request) ? undefined : scanned(messageOf(request)).flaw;

/** Levels of bytes within bytes, by the first field of each; a text may look like a few. */
function depthIn(bytes: Uint8Array): number {
  let depth = 0;
  for (let level: Uint8Array | undefined = bytes; level !== undefined && depth < 100_000; depth++) {
    const next: Scan = scanned(level);
    level = next.flaw === undefined ? next.fields.findLast(({ content }) => content !== undefined)?.content : undefined;
  }
  return depth;
}

/** Bytes that are neither a text nor a message. */
const isBadText = (content: Uint8Array): boolean =>
  exactText(content) === undefined && scanned(content).flaw !== undefined;

/** Whether a text of the message is no UTF-8. */
const isNoText: When = (request) =>
  flawIn(request) === undefined &&
  scanned(messageOf(request)).fields.some(({ content }) => content !== undefined && isBadText(content));

/** More than a thousand fields with bytes. */
const manyTexts = (message: Uint8Array): boolean =>
  scanned(message).fields.filter(({ content }) => content !== undefined).length > 1000;

const answering =
  (when: When, reply: (whole: Seams) => Reply): Patch =>
  (inner, _, whole) => ({
    serveGrpc: async (request) => (isCall(request) && when(request) ? reply(whole) : inner.serveGrpc(request)),
  });
const replying = (when: When, reply: Reply): Patch => answering(when, () => reply);
const ending = (when: When, name: (typeof rpcCodes)[number], message: string, more: Partial<GrpcEnd> = {}): Patch =>
  answering(when, (whole) => ({
    status: 200,
    headers: [...whole.grpcHead([]), ...whole.grpcTrailers({ code: rpcCodes.indexOf(name), message, ...more })],
    body: new Uint8Array(0),
  }));

const pathOf = ({ url }: Incoming): string => new URL(url).pathname;
const headerOf = ({ headers }: Incoming, name: string): string | undefined => header(headers, name);

const of10: readonly [ProfileId] = ['a2a-1.0-grpc'];
/** The fields of the message that a request of 1.0 sends. */
function sentMessage(request: Incoming): Scan | undefined {
  if (!/Send(Streaming)?Message$/.test(pathOf(request))) return undefined;
  const content = scanned(messageOf(request)).fields.find(({ number }) => number === 2)?.content;
  return content && scanned(content);
}
const latinOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

const stackLine = 'at decode (/srv/agent/node_modules/protobufjs/src/reader.js:401:19)';

const overGrpc = (id: `fuzz-grpc-${string}`, definition: Omit<FuzzFault, 'id' | 'profiles'>): FuzzFault =>
  fuzzFault(id, { ...definition, profiles });

/** Faults of gRPC: the bytes of a message, its frame, its metadata and the connection. */
export const messageFaults = [
  overGrpc('fuzz-grpc-cut-number-kills', {
    about: 'A number that is cut short ends the agent: nothing is answered any more.',
    seenBy: ['alive'],
    patch: dying((_, request) => isCall(request) && flawIn(request) === 'number', reset),
  }),
  overGrpc('fuzz-grpc-length-past-end-resets', {
    about: 'A length inside the message that goes past its end resets the connection.',
    seenBy: ['alive'],
    patch: replying((request) => flawIn(request) === 'length', reset),
  }),
  overGrpc('fuzz-grpc-wire-type-leaks', {
    about: 'A wire type that there is not is refused with a stack trace in grpc-message.',
    seenBy: ['leak'],
    patch: ending(
      (request) => flawIn(request) === 'wire type',
      'INTERNAL',
      'invalid wire type\n    at Reader.skipType (/srv/agent/node_modules/protobufjs/src/reader.js:361:19)',
    ),
  }),
  overGrpc('fuzz-grpc-group-debug-info-leaks', {
    about: 'The end of a group that did not begin is refused with a stack trace in the details.',
    seenBy: ['leak'],
    patch: ending((request) => flawIn(request) === 'group', 'INVALID_ARGUMENT', 'malformed request', {
      details: [{ '@type': 'type.googleapis.com/google.rpc.DebugInfo', stackEntries: [stackLine] }],
    }),
  }),
  overGrpc('fuzz-grpc-bad-utf8-crashes', {
    about: 'A text that is no UTF-8 is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: replying(isNoText, page(500)),
  }),
  overGrpc('fuzz-grpc-deep-struct-hangs', {
    about: 'A Struct that nests 60 messages deep is never answered.',
    seenBy: ['alive'],
    patch: replying((request) => depthIn(messageOf(request)) > 60, hung),
  }),
  overGrpc('fuzz-grpc-many-fields-hang', {
    about: 'A message with more than a thousand fields is never answered.',
    seenBy: ['alive'],
    patch: replying((request) => {
      const { fields } = scanned(messageOf(request));
      return fields.length > 1000 || fields.some(({ content }) => content && manyTexts(content));
    }, hung),
  }),
  overGrpc('fuzz-grpc-large-field-number-crashes', {
    about: 'A field with a number above a million is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: replying((request) => scanned(messageOf(request)).fields.some((one) => one.number > 1e6), page(500)),
  }),
  overGrpc('fuzz-grpc-compressed-hangs', {
    about: 'A flag that says that a message is compressed, without an encoding, is never answered.',
    seenBy: ['alive'],
    patch: replying(
      (request) => framesOf(request).frames.some(({ flag }) => flag === 1) && !headerOf(request, 'grpc-encoding'),
      hung,
    ),
  }),
  overGrpc('fuzz-grpc-misframed-is-page', {
    about: 'A message that is shorter than its prefix says is answered with HTTP 200 and a page.',
    seenBy: ['alive', 'law'],
    patch: replying(isMisframed, page(200)),
  }),
  overGrpc('fuzz-grpc-second-message-hangs', {
    about: 'After a second message the agent waits for ever.',
    seenBy: ['alive'],
    patch: replying((request) => framesOf(request).frames.length > 1, hung),
  }),
  overGrpc('fuzz-grpc-no-message-crashes', {
    about: 'A call without a message is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: replying(({ body, manner }) => (body?.length ?? 0) === 0 && manner?.resets === undefined, page(500)),
  }),
  overGrpc('fuzz-grpc-bad-base64-crashes', {
    about: 'Metadata with a binary key whose value is no base64 is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: replying(
      ({ headers }) => headers.some(([name, value]) => name.endsWith('-bin') && !/^[\w+/-]*={0,2}$/.test(value)),
      page(500),
    ),
  }),
  overGrpc('fuzz-grpc-bad-timeout-leaks', {
    about: 'A grpc-timeout that cannot be read is refused with the path of a file.',
    seenBy: ['leak'],
    patch: ending(
      (request) => !/^\d{1,8}[HMSmun]$/.test(headerOf(request, 'grpc-timeout') ?? '1S'),
      'INTERNAL',
      'no such unit, see /home/deploy/agent/src/deadline.py',
    ),
  }),
  overGrpc('fuzz-grpc-no-te-hangs', {
    about: 'A call without te: trailers is never answered.',
    seenBy: ['alive'],
    patch: replying((request) => headerOf(request, 'te') === undefined, hung),
  }),
  overGrpc('fuzz-grpc-other-codec-leaks', {
    about: 'Messages of another codec are refused with the path of a file.',
    seenBy: ['leak'],
    patch: ending(
      ({ headers }) => /\+(?!proto)/.test(mediaType(headers) ?? ''),
      'UNIMPLEMENTED',
      'no codec in /srv/agent/codecs/registry.go',
    ),
  }),
  overGrpc('fuzz-grpc-unknown-method-kills', {
    about: 'A method that there is not is refused, and then nothing is answered any more.',
    seenBy: ['alive'],
    patch: dying((_, request) => isCall(request) && methodAt(pathOf(request)) === undefined, hung),
  }),
  overGrpc('fuzz-grpc-reset-ends-tasks', {
    about: 'A stream that its client resets ends all tasks that wait for input.',
    seenBy: ['unchanged', 'life-cycle', 'law'],
    patch: (inner, { store }) => ({
      async serveGrpc(request) {
        if (request.signal.aborted)
          for (const task of store.all())
            if (task.status.state === 'input-required')
              store.put({ ...task, status: { ...task.status, state: 'canceled' } });
        return inner.serveGrpc(request);
      },
    }),
  }),
  overGrpc('fuzz-grpc-small-window-hangs', {
    about: 'An answer that may be sent only byte by byte is never finished.',
    seenBy: ['alive'],
    patch: replying(({ manner }) => (manner?.window ?? 16) < 16, hung),
  }),
  overGrpc('fuzz-grpc-pieces-crash', {
    about: 'A prefix that does not come in one piece is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    patch: replying(({ manner }) => (manner?.pieces ?? 5) < 5, page(500)),
  }),
  overGrpc('fuzz-grpc-huge-id-hangs', {
    about: 'A reading with a text of more than 10,000 letters is never answered.',
    seenBy: ['alive'],
    patch: replying(
      (request) =>
        !/SendMessage|SendStreamingMessage/.test(pathOf(request)) &&
        scanned(messageOf(request)).fields.some(({ content }) => content !== undefined && content.length > 10_000),
      hung,
    ),
  }),
  overGrpc('fuzz-grpc-deep-struct-leaks', {
    about: 'A Struct that nests 40 messages deep is refused with a stack trace in the details.',
    seenBy: ['leak'],
    patch: ending((request) => depthIn(messageOf(request)) > 40, 'INTERNAL', 'Internal error', {
      details: [{ '@type': 'type.googleapis.com/google.rpc.DebugInfo', stackEntries: [stackLine] }],
    }),
  }),
  fuzzFault('fuzz-grpc-null-in-struct-crashes', {
    about: 'null in a Struct is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    profiles: of10,
    patch: replying((request) => latinOf(messageOf(request)).includes('\x12\x02\x08\x00'), page(500)),
  }),
  fuzzFault('fuzz-grpc-unknown-role-is-internal', {
    about: 'A number for the role that no role has is an internal error.',
    seenBy: ['error-class', 'alive', 'law'],
    profiles: of10,
    patch: ending(
      (request) => sentMessage(request)?.fields.some(({ number, value = 0 }) => number === 4 && value > 2) === true,
      'INTERNAL',
      'Internal error',
    ),
  }),
  fuzzFault('fuzz-grpc-two-contents-crash', {
    about: 'A part with two of the contents of which it has one is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    profiles: of10,
    patch: replying((request) => {
      const parts = sentMessage(request)?.fields.filter(({ number }) => number === 5) ?? [];
      return parts.some(({ content = new Uint8Array(0) }) => {
        const contents = scanned(content).fields.filter(({ number }) => number <= 4);
        return new Set(contents.map(({ number }) => number)).size > 1;
      });
    }, page(500)),
  }),
  fuzzFault('fuzz-grpc-field-twice-crashes', {
    about: 'A single field of a request that comes twice is answered with HTTP 500 and a page.',
    seenBy: ['alive'],
    profiles: of10,
    patch: replying((request) => {
      const numbers = scanned(messageOf(request)).fields.map(({ number }) => number);
      return new Set(numbers).size < numbers.length;
    }, page(500)),
  }),
];
