import { framed, framesIn, grpcCodec, isWhole, methodAt, rawBytes, rawNumber, rpcCodes } from '../../binding/index.js';
import { isObject, type JsonObject, stringMember } from '../../model/index.js';
import { type Header, header } from '../../wire/index.js';
import type { GrpcEnd, Incoming, Reply } from '../calls.js';
import { chunksOf } from '../carrier.js';
import { onResult, set } from '../edits.js';
import { plainReply } from '../replies.js';
import { type Patch, together } from '../seams.js';
import { type Variant, variant } from '../variant.js';
import { able } from './declaring.js';

// What agents do over gRPC where the text leaves it open, mostly as the official libraries do it.

const binding = 'grpc';
const newer = ['a2a-1.0-grpc'] as const;
const older = ['a2a-0.3-grpc'] as const;

const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);
const pathOf = ({ url }: Incoming): string => new URL(url).pathname;

const onReplies =
  (edit: (reply: Reply, request: Incoming) => Reply): Patch =>
  (inner) => ({ serveGrpc: async (request) => edit(await inner.serveGrpc(request), request) });

/** How calls end that failed; `error`: as JSON-RPC has it. */
const onEnds =
  (edit: (end: GrpcEnd) => GrpcEnd): Patch =>
  (inner) => ({ grpcRefusal: (error) => edit(inner.grpcRefusal(error)) });

const infoType = 'type.googleapis.com/google.rpc.ErrorInfo';
const reasonIn = ({ details = [] }: GrpcEnd): string | undefined =>
  stringMember(
    details.find((detail) => detail['@type'] === infoType),
    'reason',
  );
const onInfo = (edit: (info: JsonObject) => JsonObject): Patch =>
  onEnds((end) => ({
    ...end,
    ...(end.details === undefined
      ? {}
      : { details: end.details.map((detail) => (detail['@type'] === infoType ? edit(detail) : detail)) }),
  }));

const onTrailers =
  (edit: (trailers: readonly Header[], end: GrpcEnd) => readonly Header[]): Patch =>
  (inner) => ({ grpcTrailers: (end) => edit(inner.grpcTrailers(end), end) });

const withHeaders = (more: readonly Header[]): Patch => {
  const names = new Set(more.map(([name]) => name));
  return (inner) => ({
    grpcHead: (headers) => [...inner.grpcHead(headers).filter(([name]) => !names.has(name)), ...more],
  });
};

/** Names of headers that belong to the end of a call. */
const isOfEnd = ([name]: Header): boolean => /^grpc-(status|message|status-details-bin)$/.test(name);

/** An error with a header block before the trailers, as a server sends it that has begun to answer. */
const inTwoBlocks = onReplies((reply) =>
  reply.trailers !== undefined || header(reply.headers, 'grpc-status') === undefined
    ? reply
    : {
        ...reply,
        headers: reply.headers.filter((header) => !isOfEnd(header)),
        trailers: () => reply.headers.filter(isOfEnd),
      },
);

/** The headers with these names come behind the answer. */
const behind = (...names: readonly string[]): Patch =>
  onReplies((reply) => {
    const isOne = ([name]: Header): boolean => names.includes(name.toLowerCase());
    const { trailers } = reply;
    if (trailers === undefined) return reply;
    const moved = reply.headers.filter(isOne);
    return {
      ...reply,
      headers: reply.headers.filter((header) => !isOne(header)),
      trailers: () => [...moved, ...trailers()],
    };
  });

/** Each byte of an answer by itself. */
const dripping = onReplies((reply) => {
  if (reply.trailers === undefined) return reply;
  async function* drops(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(reply.body)) for (const byte of chunk) yield Uint8Array.of(byte);
  }
  return { ...reply, body: drops() };
});

/** Fields that a later version may have: a number, a text and a message, in the answer and in the status of a task. */
const later = Buffer.concat([
  rawNumber(900, 1),
  rawBytes(901, new TextEncoder().encode('later')),
  rawBytes(902, rawNumber(1, 1)),
]);
const withLaterFields: Patch = (inner) => ({
  grpcMessage(result, call) {
    const message = inner.grpcMessage(result, call);
    const inStatus = call.op === 'get' || call.op === 'cancel' ? rawBytes(3, later) : new Uint8Array(0);
    return Uint8Array.from(Buffer.concat([message, later, inStatus]));
  },
});

const framesOf = ({ body }: Incoming) => framesIn(body ?? new Uint8Array(0));
const isMisframed = (request: Incoming): boolean => {
  const { frames, rest } = framesOf(request);
  return frames.length !== 1 || rest > 0 || frames.some((frame) => !isWhole(frame));
};
const isMalformed = (request: Incoming): boolean => {
  const at = methodAt(pathOf(request));
  const [frame] = framesOf(request).frames;
  return at !== undefined && frame !== undefined && 'fault' in grpcCodec(at.table).decode(at.method[0], frame.data);
};

const answering =
  (when: (request: Incoming) => boolean, reply: (ending: (end: GrpcEnd) => Reply) => Reply): Patch =>
  (inner, _, whole) => ({
    async serveGrpc(request) {
      if (!when(request)) return inner.serveGrpc(request);
      return reply((end) => ({
        status: 200,
        headers: [...whole.grpcHead([]), ...whole.grpcTrailers(end)],
        body: new Uint8Array(0),
      }));
    },
  });
const ending = (when: (request: Incoming) => boolean, code: (typeof rpcCodes)[number], message: string): Patch =>
  answering(when, (end) => end({ code: codeOf(code), message }));

const malformedAs = (code: (typeof rpcCodes)[number]): Patch =>
  ending((request) => !isMisframed(request) && isMalformed(request), code, 'the request cannot be read');

/** A flag that says that a message is compressed is not looked at. */
const flagsOverlooked: Patch = (inner) => ({
  grpcCall(request, op) {
    const [frame] = framesOf(request).frames;
    const isFlagged = frame !== undefined && frame.flag !== 0 && !isMisframed(request);
    return inner.grpcCall(isFlagged ? { ...request, body: framed(frame.data) } : request, op);
  },
});

/** Another content type than that of gRPC. */
const httpRefusesTypes: Patch = (inner) => ({
  route: (request) => (request.http2 === true ? 'grpc' : inner.route(request)),
  serveGrpc: async (request) =>
    /^application\/grpc/.test(header(request.headers, 'content-type') ?? '')
      ? inner.serveGrpc(request)
      : plainReply(415, 'Unsupported Media Type'),
});

/** A state that the version does not have filters like one that no task is in. */
const unknownStatesTaken: Patch = (inner) => ({
  grpcCall(request, op) {
    const call = inner.grpcCall(request, op);
    return typeof call.params['status'] === 'number'
      ? { ...call, params: { ...call.params, status: 'TASK_STATE_AUTH_REQUIRED' } }
      : call;
  },
});

/** What a validation error says: only the reason that the official library for JavaScript has. */
const validationByReason = onEnds((end) =>
  end.code === codeOf('INVALID_ARGUMENT') && reasonIn(end) === undefined
    ? { ...end, details: [{ '@type': infoType, reason: 'INVALID_PARAMS', domain: 'a2a-protocol.org' }] }
    : end,
);

const withProto = withHeaders([['content-type', 'application/grpc+proto']]);

export const grpcVariants: readonly Variant[] = [
  variant('grpc-deadline-as-canceled', {
    about: 'A call that is over at its deadline ends with CANCELLED, as tonic does it.',
    binding,
    patch: onReplies((reply) => ({
      ...reply,
      headers: reply.headers.map(
        ([name, value]): Header => [
          name,
          name === 'grpc-status' && value === String(codeOf('DEADLINE_EXCEEDED')) ? String(codeOf('CANCELLED')) : value,
        ],
      ),
    })),
  }),
  variant('grpc-statuses-of-1-0-0', {
    about: 'Errors have the statuses of 1.0.0: UNIMPLEMENTED for what is not supported (AMB10-05).',
    binding,
    profiles: newer,
    patch: onEnds((end) =>
      ['PUSH_NOTIFICATION_NOT_SUPPORTED', 'UNSUPPORTED_OPERATION', 'VERSION_NOT_SUPPORTED'].includes(
        reasonIn(end) ?? '',
      )
        ? { ...end, code: codeOf('UNIMPLEMENTED') }
        : end,
    ),
  }),
  variant('grpc-errors-in-two-blocks', {
    about: 'Errors come as headers and trailers, not as one block.',
    binding,
    patch: inTwoBlocks,
  }),
  variant('grpc-details-unpadded', {
    about: 'The base64 of details has no padding (grpc/doc/PROTOCOL-HTTP2.md).',
    binding,
    profiles: newer,
    patch: onTrailers((trailers) =>
      trailers.map(([name, value]) => [name, name.endsWith('-bin') ? value.replace(/=+$/, '') : value] as const),
    ),
  }),
  variant('grpc-shows-its-card', {
    about:
      'GetAgentCard gives the card of the agent, as the proto has it, and none is declared as extended (AMB03-14).',
    binding,
    profiles: older,
    patch: (inner, { dialect }) => ({
      operation: (method) =>
        method === dialect.operations.extendedCard?.rpc ? 'extendedCard' : inner.operation(method),
      execute: async (command, call) =>
        command.op === 'extendedCard' ? { op: 'extendedCard', result: inner.card() } : inner.execute(command, call),
    }),
  }),
  variant('grpc-with-proto', {
    about: 'The content type is application/grpc+proto.',
    binding,
    patch: withProto,
  }),
  variant('grpc-type-with-parameter', {
    about: 'The content type of answers has a parameter, and is not in lower case.',
    binding,
    patch: withHeaders([['content-type', 'application/gRPC; charset=utf-8']]),
  }),
  variant('grpc-more-headers', {
    about: 'Answers name encodings that the server reads, and itself.',
    binding,
    patch: withHeaders([
      ['grpc-encoding', 'identity'],
      ['grpc-accept-encoding', 'identity,deflate,gzip'],
      ['server', 'example'],
    ]),
  }),
  variant('grpc-ok-with-message', {
    about: 'Calls that succeed end with a message too.',
    binding,
    patch: onTrailers((trailers, { code }) => (code === 0 ? [...trailers, ['grpc-message', 'OK']] : trailers)),
  }),
  variant('grpc-message-wholly-encoded', {
    about: 'Each byte of grpc-message is percent-encoded.',
    binding,
    patch: onTrailers((trailers, { message }) =>
      trailers.map(([name, value]) => [
        name,
        name === 'grpc-message'
          ? [...Buffer.from(message)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
          : value,
      ]),
    ),
  }),
  variant('grpc-extensions-in-trailers', {
    about: 'The extensions that are active are named behind the answer, as the official library for Go does.',
    binding,
    patch: together(
      able({
        extensions: [
          { uri: 'https://vendor.example/extensions/trace/v1', required: false },
          { uri: 'https://vendor.example/extensions/notes/v2', required: false },
        ],
      }),
      behind('a2a-extensions', 'x-a2a-extensions'),
    ),
  }),
  variant('grpc-in-drips', {
    about: 'Answers come byte by byte.',
    binding,
    patch: together(able({ streaming: true }), dripping),
  }),
  variant('grpc-later-fields', {
    about: 'Answers have fields of a later version.',
    binding,
    patch: together(able({ streaming: true, push: true }), withLaterFields),
  }),
  variant('grpc-info-with-metadata', {
    about: 'An ErrorInfo has metadata, and stands behind a detail of another type.',
    binding,
    profiles: newer,
    patch: together(
      onInfo((info) => ({
        ...info,
        metadata: { ...(isObject(info['metadata']) ? info['metadata'] : {}), service: 'agent.example', version: '1.0' },
      })),
      onEnds((end) =>
        end.details === undefined
          ? end
          : { ...end, details: [{ '@type': 'type.googleapis.com/google.rpc.Help', value: 'CgA=' }, ...end.details] },
      ),
    ),
  }),
  variant('grpc-malformed-is-invalid', {
    about: 'Refuses bytes that are not a message with INVALID_ARGUMENT (AMB10-49).',
    binding,
    patch: malformedAs('INVALID_ARGUMENT'),
  }),
  variant('grpc-malformed-is-unimplemented', {
    about: 'Refuses bytes that are not a message with UNIMPLEMENTED (AMB10-49).',
    binding,
    patch: malformedAs('UNIMPLEMENTED'),
  }),
  variant('grpc-resets-misframed', {
    about: 'The stream of a call whose messages are framed wrong is reset (AMB10-49).',
    binding,
    patch: answering(isMisframed, () => ({ status: 200, headers: [], body: '', fate: 'reset' })),
  }),
  variant('grpc-resets-at-deadlines', {
    about:
      'The stream of a call whose deadline is over is reset, and a call without a DATA frame is never answered (grpc/doc/PROTOCOL-HTTP2.md).',
    binding,
    patch: together(
      answering(
        ({ body }) => body === undefined,
        () => ({ status: 200, headers: [], body: '', fate: 'hang' }),
      ),
      onReplies((reply) =>
        header(reply.headers, 'grpc-status') === String(codeOf('DEADLINE_EXCEEDED'))
          ? { ...reply, fate: 'reset' }
          : reply,
      ),
    ),
  }),
  variant('grpc-large-answers', {
    about: 'Answers to sends have metadata with 30,000 numbers, more than the kit reads.',
    binding,
    patch: onResult('send', (result) =>
      set(result, 'task.metadata', { 'https://vendor.example/numbers': Array.from({ length: 30_000 }, (_, at) => at) }),
    ),
  }),
  variant('grpc-misframed-over-http', {
    about: 'A call whose messages are framed wrong gets HTTP 400 (AMB10-49).',
    binding,
    patch: answering(isMisframed, () => plainReply(400, 'Bad Request')),
  }),
  variant('grpc-flag-overlooked', {
    about: 'Accepts a message that is marked as compressed, but has no encoding (AMB10-49).',
    binding,
    patch: flagsOverlooked,
  }),
  variant('grpc-unknown-states-taken', {
    about: 'A state with a number that the version does not have filters like any other (AMB10-47).',
    binding,
    profiles: newer,
    patch: unknownStatesTaken,
  }),
  variant('grpc-with-reflection', {
    about: 'Offers reflection and health on the same port.',
    binding,
    patch: answering(
      (request) => pathOf(request).startsWith('/grpc.'),
      () => ({
        status: 200,
        headers: [['content-type', 'application/grpc']],
        body: framed(rawNumber(1, 1)),
        trailers: () => [['grpc-status', '0']],
      }),
    ),
  }),
  variant('grpc-both-packages', {
    about: 'Serves the package of the other version on the same port.',
    binding,
    patch: (inner, { dialect }, whole) => ({
      async serveGrpc(request) {
        const at = methodAt(pathOf(request));
        const [own] = Object.values(dialect.operations).flatMap(({ grpc }) => grpc ?? []);
        if (at === undefined || own === undefined || methodAt(own)?.table === at.table) return inner.serveGrpc(request);
        const end: GrpcEnd = { code: codeOf('NOT_FOUND'), message: 'Task not found' };
        return {
          status: 200,
          headers: [...whole.grpcHead([]), ...whole.grpcTrailers(end)],
          body: new Uint8Array(0),
        };
      },
    }),
  }),
  variant('grpc-other-statuses-of-0-3', {
    about: 'What cannot be canceled, and what is not supported, is UNIMPLEMENTED (AMB03-17).',
    binding,
    profiles: older,
    patch: onEnds((end) =>
      end.code === codeOf('FAILED_PRECONDITION') ? { ...end, code: codeOf('UNIMPLEMENTED') } : end,
    ),
  }),
  variant('grpc-like-js', {
    about: 'What the official library for JavaScript does: on framing, malformed bytes, content types, validation.',
    binding,
    profiles: newer,
    patch: together(
      withProto,
      validationByReason,
      unknownStatesTaken,
      httpRefusesTypes,
      flagsOverlooked,
      ending(isMisframed, 'UNIMPLEMENTED', 'Too many responses'),
      malformedAs('INTERNAL'),
    ),
  }),
  variant('grpc-like-js-0-3', {
    about: 'What the official library of 0.3 for JavaScript does: no details, and HTTP 415 for other content types.',
    binding,
    profiles: older,
    patch: together(
      withProto,
      httpRefusesTypes,
      flagsOverlooked,
      ending(isMisframed, 'UNIMPLEMENTED', 'Too many responses'),
      malformedAs('INTERNAL'),
    ),
  }),
];
