import { framed, loadGrpc, rpcCodes } from '../../binding/index.js';
import type { BindingId } from '../../dialect/index.js';
import type { JsonObject, Operation } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { type Impostor, type ImpostorContext, impostor } from '../impostor.js';
import type { Seams } from '../seams.js';
import { type Answer, behindCard } from './answers.js';
import { exampleOf } from './http-json.js';

// Perfect cards of gRPC with no agent behind them: what stands on a port of HTTP/2 where no A2A is spoken, but the forms
// of gRPC are right, or nearly.

const binding: BindingId = 'grpc';

const typed: Reply['headers'] = [['content-type', 'application/grpc']];
const nothing = new Uint8Array(0);

const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);

const ok = (body: Reply['body']): Reply => ({
  status: 200,
  headers: typed,
  body,
  trailers: () => [['grpc-status', '0']],
});

/** An answer that has messages of gRPC, or details of a status: they are loaded first. */
const withMessages = (answer: Answer): Impostor['carrier'] =>
  behindCard(async (...given) => {
    await loadGrpc();
    return answer(...given);
  });

/** The same status for every call. */
const refusing = (
  id: string,
  name: (typeof rpcCodes)[number],
  message: string,
  details?: readonly JsonObject[],
): Impostor =>
  impostor(id, {
    about: `A perfect card, and ${name} for every call.`,
    binding,
    carrier: withMessages((_, __, { seams }) => ({
      status: 200,
      headers: [
        ...typed,
        ...seams.grpcTrailers({ code: codeOf(name), message, ...(details === undefined ? {} : { details }) }),
      ],
      body: nothing,
    })),
  });

/** The operation that a path names; undefined: none. */
function operationOf({ url }: Incoming, { dialect }: ImpostorContext): Operation | undefined {
  const { pathname } = new URL(url);
  const [found] = Object.entries(dialect.operations).find(([, { grpc }]) => grpc === pathname) ?? [];
  return found as Operation | undefined;
}

/** A result of the right form for the operation of a path. */
function exampleFor(request: Incoming, context: ImpostorContext, seams: Seams): Uint8Array {
  const op = operationOf(request, context);
  const path = new URL(request.url).pathname;
  return op === undefined ? nothing : seams.grpcMessage(exampleOf(op, context), { op, path, params: {} });
}

async function* endless(): AsyncGenerator<Uint8Array> {
  const many = Uint8Array.from(Buffer.concat(Array.from({ length: 1000 }, () => Buffer.from(framed(nothing)))));
  for (;;) yield many;
}

/** Servers of HTTP/2 behind the card of an agent. */
export const grpcMasks: readonly Impostor[] = [
  impostor('card-and-no-trailers', {
    about: 'A perfect card, and HTTP 200 with the content type of gRPC, and nothing else, for every call.',
    binding,
    carrier: behindCard(() => ({ status: 200, headers: typed, body: nothing })),
  }),
  impostor('card-and-message-without-trailers', {
    about: 'A perfect card, and an empty message without trailers for every call.',
    binding,
    carrier: behindCard(() => ({ status: 200, headers: typed, body: framed(nothing) })),
  }),
  impostor('card-and-ok-without-message', {
    about: 'A perfect card, and the status OK without a message for every call.',
    binding,
    carrier: behindCard(() => ok(nothing)),
  }),
  impostor('card-and-empty-messages', {
    about: 'A perfect card, and the status OK with an empty message for every call.',
    binding,
    carrier: behindCard(() => ok(framed(nothing))),
  }),
  impostor('card-and-endless-messages', {
    about: 'A perfect card, and messages without end for every call.',
    binding,
    carrier: behindCard(() => ok(endless())),
  }),
  impostor('card-and-false-compression', {
    about: 'A perfect card, and a message for every call that is marked as compressed, and is not.',
    binding,
    carrier: withMessages((request, context, { seams }) =>
      ok(framed(exampleFor(request, context, seams), { flag: 1 })),
    ),
  }),
  impostor('card-and-mirrored-messages', {
    about: 'A perfect card, and the message of each call sent back with the status OK.',
    binding,
    carrier: behindCard(({ body = nothing }) => ok(body)),
  }),
  impostor('card-and-example-messages', {
    about: 'A perfect card, and an example of the right form for every operation, always the same.',
    binding,
    carrier: withMessages((request, context, { seams }) => ok(framed(exampleFor(request, context, seams)))),
  }),
  impostor('card-and-reset-streams', {
    about: 'A perfect card, and every call reset, as by a server that goes away.',
    binding,
    carrier: behindCard(() => ({ status: 200, headers: [], body: '', fate: 'reset' })),
  }),
  impostor('card-and-reset-after-headers', {
    about: 'A perfect card, and the headers of gRPC for every call, after which it is reset.',
    binding,
    carrier: behindCard(() => ({ ...ok(nothing), fate: 'cut' })),
  }),
  impostor('card-and-status-200', {
    about: 'A perfect card, and a status for every call that is one of HTTP.',
    binding,
    carrier: behindCard(() => ({ status: 200, headers: [...typed, ['grpc-status', '200']], body: nothing })),
  }),
  refusing('card-and-unimplemented', 'UNIMPLEMENTED', 'unknown service'),
  refusing('card-and-internal', 'INTERNAL', 'Internal error'),
  refusing('card-and-unauthenticated', 'UNAUTHENTICATED', 'Unauthenticated'),
  refusing('card-and-unavailable-backend', 'UNAVAILABLE', 'no healthy upstream'),
  refusing('card-and-not-found-status', 'NOT_FOUND', 'Task not found', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'TASK_NOT_FOUND',
      domain: 'a2a-protocol.org',
      metadata: {},
    },
  ]),
];
