import { framed, framesIn, grpcCodec, isWhole, methodAt, type NativeRequest, rpcCodes } from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import { member } from '../../model/index.js';
import { header, sleep } from '../../wire/index.js';
import type { Incoming, Reply } from '../calls.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { plainReply } from '../replies.js';
import { type Patch, type Seams, together } from '../seams.js';
import { declaring } from '../variants/declaring.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-grpc', 'a2a-0.3-grpc'];
const newer: readonly ProfileId[] = ['a2a-1.0-grpc'];
const older: readonly ProfileId[] = ['a2a-0.3-grpc'];

type When = (request: Incoming) => boolean;

const pathOf = ({ url }: Pick<NativeRequest, 'url'>): string => new URL(url).pathname;
const isTo =
  (method: string): When =>
  (request) =>
    pathOf(request).endsWith(`/${method}`);
const isElsewhere: When = (request) => methodAt(pathOf(request)) === undefined;
const isOfService: When = (request) => pathOf(request).includes('.A2AService/');
const all =
  (...some: readonly When[]): When =>
  (request) =>
    some.every((one) => one(request));
const not =
  (when: When): When =>
  (request) =>
    !when(request);

/** What the message of a request says; undefined: it is none. */
const readOf = (request: Incoming) => {
  const at = methodAt(pathOf(request));
  const [frame] = framesIn(request.body ?? new Uint8Array(0)).frames;
  const read = at && frame && grpcCodec(at.table).decode(at.method[0], frame.data);
  return read !== undefined && 'json' in read ? read : undefined;
};

const framesOf = (request: Incoming) => framesIn(request.body ?? new Uint8Array(0));
const isEmpty: When = ({ body }) => body === undefined || body.length === 0;
const isDouble: When = (request) => framesOf(request).frames.length > 1;
const isMisframed: When = (request) => {
  const { frames, rest } = framesOf(request);
  return rest > 0 || frames.some((one) => !isWhole(one));
};
const isFlagged: When = (request) => framesOf(request).frames.some(({ flag }) => flag !== 0);
const isWellFramed: When = (request) => !isEmpty(request) && !isDouble(request) && !isMisframed(request);
const isMalformed = all(
  isWellFramed,
  (request) => methodAt(pathOf(request)) !== undefined && readOf(request) === undefined,
);

const ends = (whole: Seams, name: (typeof rpcCodes)[number]): Reply => ({
  status: 200,
  headers: [...whole.grpcHead([]), ...whole.grpcTrailers({ code: rpcCodes.indexOf(name), message: 'No' })],
  body: new Uint8Array(0),
});
const emptyResult = (whole: Seams): Reply => ({
  status: 200,
  headers: whole.grpcHead([]),
  body: framed(new Uint8Array(0)),
  trailers: () => whole.grpcTrailers({ code: 0, message: '' }),
});
const silence: Reply = { status: 200, headers: [], body: '', fate: 'hang' };

/** Another answer to some requests. */
const answering =
  (when: When, reply: (whole: Seams) => Reply): Patch =>
  (inner, _, whole) => ({
    serveGrpc: async (request) => (when(request) ? reply(whole) : inner.serveGrpc(request)),
  });
const saying = (when: When, name: (typeof rpcCodes)[number]): Patch => answering(when, (whole) => ends(whole, name));
const hanging = (when: When): Patch => answering(when, () => silence);
const accepting = (when: When): Patch => answering(when, emptyResult);

/** Another request in the place of some. */
const reading =
  (when: When, as: (request: Incoming) => Incoming): Patch =>
  (inner) => ({ serveGrpc: (request) => inner.serveGrpc(when(request) ? as(request) : request) });

/** After such a request, no call is answered. */
const dyingOf =
  (when: When): Patch =>
  (inner) => {
    let isOver = false;
    return {
      async serveGrpc(request) {
        isOver ||= when(request);
        return isOver ? { ...silence, fate: 'reset' } : inner.serveGrpc(request);
      },
    };
  };

const refusing =
  (when: When, failure: 'InvalidParams' | 'InternalError'): Patch =>
  (inner) => ({
    grpcCall(request, op) {
      if (when(request)) throw new RpcFailure(failure);
      return inner.grpcCall(request, op);
    },
  });

const hasUnknown =
  (at: RegExp): When =>
  (request) =>
    readOf(request)?.unknownFields.some((path) => at.test(path)) === true;

/** The first message of a body, and nothing else. */
const firstOnly = (request: Incoming): Incoming => {
  const [frame] = framesOf(request).frames;
  return frame === undefined ? request : { ...request, body: framed(frame.data) };
};
/** All bytes behind the first prefix as one message. */
const asOne = (request: Incoming): Incoming => ({
  ...request,
  body: framed((request.body ?? new Uint8Array(5)).subarray(5)),
});

/** The bytes before those that cannot be read. */
function readableOf(request: Incoming): Incoming {
  const [frame] = framesOf(request).frames;
  const data = frame?.data ?? new Uint8Array(0);
  for (let left = data.length; left > 0; left--) {
    const shorter = { ...request, body: framed(data.subarray(0, left)) };
    if (readOf(shorter) !== undefined) return shorter;
  }
  return request;
}

const withHeader = (request: Incoming, name: string, value: string): Incoming => ({
  ...request,
  headers: request.headers.map(([found, was]) => [found, found.toLowerCase() === name ? value : was] as const),
});

const hasBadTime: When = (request) => (readOf(request)?.badTimes.length ?? 0) > 0;
const asksFor99: When = (request) => member(readOf(request)?.json, 'status') === 99;

/** The card declares HTTP+JSON as well, this far below the interface of gRPC. */
const declaringRest = (below: string): Patch =>
  declaring(({ interfaces }) => ({
    interfaces: [
      ...interfaces,
      ...interfaces.map((one) => ({ ...one, url: `${one.url}${below}`, transport: 'HTTP+JSON' })),
    ],
  }));

export const grpcRequestsFaults = [
  fault('grpc-get-task-is-page', {
    about: 'GetTask is answered with 404 and a text, as by a server that does not know gRPC.',
    breaks: ['card.endpoint-answers'],
    profiles,
    patch: answering(isTo('GetTask'), () => plainReply(404, 'Not found')),
  }),
  fault('grpc-interface-dead', {
    about: 'Nothing stands at the URL of a second interface, which is of HTTP+JSON.',
    breaks: ['card.interfaces-answer'],
    profiles,
    patch: together(declaringRest('gone'), (inner) => ({
      serve: async (request) =>
        pathOf(request).startsWith('/gone') ? plainReply(404, 'Not found') : inner.serve(request),
    })),
  }),
  fault('grpc-interface-conflict', {
    about: 'The card declares HTTP+JSON at the URL of gRPC, and it is not there.',
    breaks: ['card.no-transport-conflict'],
    profiles: older,
    patch: declaringRest(''),
  }),
  fault('grpc-get-task-missing', {
    about: 'GetTask is UNIMPLEMENTED.',
    breaks: ['grpc.service', 'grpc.every-rpc'],
    profiles,
    patch: saying(isTo('GetTask'), 'UNIMPLEMENTED'),
  }),
  fault('grpc-unknown-rpc-accepted', {
    about: 'A method that the service does not have is answered with an empty message.',
    breaks: ['grpc.unknown-rpc'],
    profiles,
    patch: accepting(all(isElsewhere, isOfService)),
  }),
  fault('grpc-unknown-rpc-crashes', {
    about: 'A method that the service does not have is answered with INTERNAL.',
    breaks: ['grpc.unknown-rpc'],
    profiles,
    patch: saying(all(isElsewhere, isOfService), 'INTERNAL'),
  }),
  fault('grpc-unknown-service-accepted', {
    about: 'A service that there is not is answered with an empty message.',
    breaks: ['grpc.unknown-rpc'],
    profiles,
    patch: accepting(all(isElsewhere, not(isOfService))),
  }),
  fault('grpc-unknown-service-crashes', {
    about: 'A service that there is not is answered with INTERNAL.',
    breaks: ['grpc.unknown-rpc'],
    profiles,
    patch: saying(all(isElsewhere, not(isOfService)), 'INTERNAL'),
  }),
  fault('grpc-other-package-hangs', {
    about: 'The service of 1.0 is never answered.',
    breaks: ['grpc.both-packages'],
    profiles: older,
    patch: hanging((request) => pathOf(request).startsWith('/lf.a2a.v1.')),
  }),
  fault('grpc-reflection-hangs', {
    about: 'Services of gRPC itself are never answered.',
    breaks: ['grpc.reflection'],
    profiles: newer,
    patch: hanging((request) => pathOf(request).startsWith('/grpc.')),
  }),
  fault('grpc-metadata-not-read', {
    about: 'The version in the metadata is not read.',
    breaks: ['grpc.metadata'],
    profiles: newer,
    patch: reading(
      () => true,
      (request) => withHeader(request, 'a2a-version', '1.0'),
    ),
  }),
  fault('grpc-any-content-type', {
    about: 'The content type of a request is not read.',
    breaks: ['grpc.other-content-type'],
    profiles,
    patch: (inner) => ({ route: (request) => (request.http2 === true ? 'grpc' : inner.route(request)) }),
  }),
  fault('grpc-bare-id-crashes', {
    about: 'A name without tasks/ gives INTERNAL.',
    breaks: ['grpc.bare-id'],
    profiles: older,
    patch: refusing(
      all(isTo('GetTask'), (request) => !String(member(readOf(request)?.json, 'name')).startsWith('tasks/')),
      'InternalError',
    ),
  }),
  fault('grpc-unknown-fields-refused', {
    about: 'Fields of a request that the version does not have are refused.',
    breaks: ['grpc.unknown-fields'],
    profiles,
    patch: refusing(hasUnknown(/^#/), 'InvalidParams'),
  }),
  fault('grpc-unknown-fields-of-messages-refused', {
    about: 'Fields of a Message that the version does not have are refused.',
    breaks: ['grpc.unknown-fields'],
    profiles,
    patch: refusing(hasUnknown(/^message\.#/), 'InvalidParams'),
  }),
  fault('grpc-unknown-fields-of-parts-refused', {
    about: 'Fields of a Part that the version does not have are refused.',
    breaks: ['grpc.unknown-fields'],
    profiles,
    patch: refusing(hasUnknown(/\.0\.#/), 'InvalidParams'),
  }),
  fault('grpc-malformed-accepted', {
    about: 'Bytes that are no message are answered with an empty one.',
    breaks: ['grpc.malformed'],
    profiles,
    patch: accepting(all(isMalformed, isTo('GetTask'))),
  }),
  fault('grpc-malformed-sends-accepted', {
    about: 'Of bytes that are no message, those before the fault are taken.',
    breaks: ['grpc.malformed'],
    profiles,
    patch: reading(isMalformed, readableOf),
  }),
  fault('grpc-malformed-hangs', {
    about: 'Bytes that are no message are never answered.',
    breaks: ['grpc.malformed'],
    profiles,
    patch: hanging(isMalformed),
  }),
  fault('grpc-malformed-ends-the-agent', {
    about: 'Bytes that are no message end the agent.',
    breaks: ['grpc.malformed'],
    profiles,
    // Long ones are those of other checks.
    patch: dyingOf(all(isMalformed, ({ body }) => (body?.byteLength ?? 0) < 512)),
  }),
  fault('grpc-no-message-accepted', {
    about: 'A call without a message is answered with an empty one.',
    breaks: ['grpc.framing'],
    profiles,
    patch: accepting(isEmpty),
  }),
  fault('grpc-no-message-hangs', {
    about: 'A call without a message is never answered.',
    breaks: ['grpc.framing'],
    profiles,
    patch: hanging(isEmpty),
  }),
  fault('grpc-two-messages-accepted', {
    about: 'Of two messages, the first is taken.',
    breaks: ['grpc.framing'],
    profiles,
    patch: reading(all(isDouble, not(isMisframed)), firstOnly),
  }),
  fault('grpc-two-messages-hang', {
    about: 'A call with two messages is never answered.',
    breaks: ['grpc.framing'],
    profiles,
    patch: hanging(all(isDouble, not(isMisframed))),
  }),
  fault('grpc-wrong-length-accepted', {
    about: 'The length before a message is not read.',
    breaks: ['grpc.framing'],
    profiles,
    patch: reading(isMisframed, asOne),
  }),
  fault('grpc-wrong-length-hangs', {
    about: 'The agent waits for the rest of a message that does not come.',
    breaks: ['grpc.framing'],
    profiles,
    patch: hanging(isMisframed),
  }),
  fault('grpc-flag-hangs', {
    about: 'A message that is marked as compressed is never answered.',
    breaks: ['grpc.framing'],
    profiles,
    patch: hanging(isFlagged),
  }),
  fault('grpc-flag-ends-the-agent', {
    about: 'A message that is marked as compressed, and is not, ends the agent.',
    breaks: ['grpc.framing'],
    profiles,
    patch: dyingOf(isFlagged),
  }),
  fault('grpc-unknown-state-crashes', {
    about: 'A state with a number that the version does not have gives INTERNAL.',
    breaks: ['grpc.invalid-filters'],
    profiles: newer,
    patch: refusing(asksFor99, 'InternalError'),
  }),
  fault('grpc-invalid-time-accepted', {
    about: 'A time with too many nanoseconds is left out of the filter.',
    breaks: ['grpc.invalid-filters'],
    profiles: newer,
    patch: reading(hasBadTime, (request) => ({ ...request, body: framed(new Uint8Array(0)) })),
  }),
  fault('grpc-invalid-time-crashes', {
    about: 'A time with too many nanoseconds gives INTERNAL.',
    breaks: ['grpc.invalid-filters'],
    profiles: newer,
    patch: refusing(hasBadTime, 'InternalError'),
  }),
  fault('grpc-deadline-ignored', {
    about: 'grpc-timeout is not read.',
    breaks: ['grpc.deadline'],
    profiles,
    patch: reading(
      () => true,
      (request) => ({ ...request, headers: request.headers.filter(([name]) => name !== 'grpc-timeout') }),
    ),
  }),
  fault('grpc-deadline-late', {
    about: 'A call ends long after its deadline.',
    breaks: ['grpc.deadline'],
    profiles,
    patch: (inner, { clock }) => ({
      async serveGrpc(request) {
        const reply = await inner.serveGrpc(request);
        const isOver = header(reply.headers, 'grpc-status') === String(rpcCodes.indexOf('DEADLINE_EXCEEDED'));
        if (isOver) await sleep(clock, 5000);
        return reply;
      },
    }),
  }),
  fault('grpc-large-message-hangs', {
    about: 'Messages of several megabytes are never answered.',
    breaks: ['grpc.large-message'],
    profiles: newer,
    patch: hanging(({ body }) => (body?.length ?? 0) > 4 * 1024 * 1024),
  }),
  fault('grpc-one-call-at-a-time', {
    about: 'While a stream is open, no other call is answered.',
    breaks: ['grpc.parallel-calls'],
    on: 'streaming',
    profiles,
    patch: (inner) => {
      let open = 0;
      async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
        open++;
        try {
          yield* body;
        } finally {
          open--;
        }
      }
      return {
        async serveGrpc(request) {
          if (open > 0) return silence;
          const reply = await inner.serveGrpc(request);
          const { body } = reply;
          return typeof body === 'string' || body instanceof Uint8Array ? reply : { ...reply, body: counted(body) };
        },
      };
    },
  }),
];
