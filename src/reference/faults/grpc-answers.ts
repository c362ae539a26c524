import {
  changedWithin,
  framed,
  grpcCodec,
  methodAt,
  rawBytes,
  rawNumber,
  rawTag,
  wireTypes,
} from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import { member, type Operation } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-grpc', 'a2a-0.3-grpc'];
const older: readonly ProfileId[] = ['a2a-0.3-grpc'];

/** Answers to calls of this method. */
const onReplies =
  (method: string, edit: (reply: Reply) => Reply): Patch =>
  (inner) => ({
    async serveGrpc(request: Incoming) {
      const reply = await inner.serveGrpc(request);
      return new URL(request.url).pathname.endsWith(`/${method}`) ? edit(reply) : reply;
    },
  });

/** Results, which have trailers. */
const onResults = (method: string, edit: (reply: Reply) => Reply): Patch =>
  onReplies(method, (reply) => (reply.trailers === undefined ? reply : edit(reply)));
const onBodies = (edit: (body: Uint8Array) => Uint8Array): Patch =>
  onResults('GetTask', (reply) => (reply.body instanceof Uint8Array ? { ...reply, body: edit(reply.body) } : reply));

/** Errors, which have only headers. */
const onErrors = (method: string, edit: (reply: Reply) => Reply): Patch =>
  onReplies(method, (reply) => (reply.trailers === undefined ? edit(reply) : reply));

/** The messages of results. */
const onMessages =
  (ops: readonly Operation[], edit: (message: Uint8Array) => Uint8Array): Patch =>
  (inner) => ({
    grpcMessage(result, call) {
      const message = inner.grpcMessage(result, call);
      return ops.includes(call.op) ? edit(message) : message;
    },
  });

const withHeader = (reply: Reply, name: string, value: string | undefined): Reply => ({
  ...reply,
  headers: [
    ...reply.headers.filter(([found]) => found !== name),
    ...(value === undefined ? [] : ([[name, value]] as const)),
  ],
});

/** More of a message: fields that come later are merged into those before. */
const adding = (more: Uint8Array) => (message: Uint8Array) => Uint8Array.from(Buffer.concat([message, more]));

/** In both versions: status = 3 of a Task, state = 1 and timestamp = 3 of a status. */
const inStatus = (more: Uint8Array) => adding(rawBytes(3, more));
const inTime = (more: Uint8Array) => inStatus(rawBytes(3, more));

/** An artifact of 0.3 with the field numbers of 1.0. */
function as10(artifact: Uint8Array): Uint8Array {
  const [own, other] = ['/a2a.v1.A2AService/GetTask', '/lf.a2a.v1.A2AService/GetTask'].map(
    (path) => methodAt(path)?.table,
  );
  if (own === undefined || other === undefined) return artifact;
  const read = grpcCodec(own).decode('Artifact', artifact);
  const written = 'json' in read ? grpcCodec(other).encode('Artifact', read.json, { lenient: true }) : artifact;
  return 'fault' in written ? artifact : written;
}

const encoder = new TextEncoder();

export const grpcAnswersFaults = [
  fault('grpc-results-as-json', {
    about: 'Results come as application/json.',
    breaks: ['grpc.content-type'],
    profiles,
    patch: onResults('GetTask', (reply) => withHeader(reply, 'content-type', 'application/json')),
  }),
  fault('grpc-results-without-type', {
    about: 'Results come without a content type.',
    breaks: ['grpc.content-type'],
    profiles,
    patch: onResults('GetTask', (reply) => withHeader(reply, 'content-type', undefined)),
  }),
  fault('grpc-errors-under-404', {
    about: 'Errors come under HTTP 404.',
    breaks: ['grpc.content-type'],
    profiles,
    patch: onErrors('CancelTask', (reply) => ({ ...reply, status: 404 })),
  }),
  fault('grpc-ok-without-message', {
    about: 'The status of a call is OK, and no message came.',
    breaks: ['grpc.one-message'],
    profiles,
    patch: onBodies(() => new Uint8Array(0)),
  }),
  fault('grpc-result-twice', {
    about: 'A call without a stream is answered with two messages.',
    breaks: ['grpc.one-message'],
    profiles,
    patch: onBodies((body) => adding(body)(body)),
  }),
  fault('grpc-result-cut-short', {
    about: 'The last bytes of a result are missing.',
    breaks: ['grpc.one-message'],
    profiles,
    patch: onBodies((body) => body.subarray(0, -2)),
  }),
  fault('grpc-no-status', {
    about: 'Results end without trailers.',
    breaks: ['grpc.status'],
    profiles,
    patch: onResults('GetTask', ({ trailers: _, ...reply }) => reply),
  }),
  fault('grpc-status-as-name', {
    about: 'grpc-status is the name of the status.',
    breaks: ['grpc.status'],
    profiles,
    patch: onErrors('CancelTask', (reply) => withHeader(reply, 'grpc-status', 'NOT_FOUND')),
  }),
  fault('grpc-status-99', {
    about: 'grpc-status is a number that no status has.',
    breaks: ['grpc.status'],
    profiles,
    patch: onErrors('CancelTask', (reply) => withHeader(reply, 'grpc-status', '99')),
  }),
  fault('grpc-status-in-headers', {
    about: 'grpc-status comes in the headers, before the message.',
    breaks: ['grpc.status'],
    profiles,
    patch: onResults('GetTask', ({ trailers: _, ...reply }) => withHeader(reply, 'grpc-status', '0')),
  }),
  fault('grpc-wrong-wire-type', {
    about: 'The status of a task is a number on the wire.',
    breaks: ['grpc.decodes'],
    profiles,
    patch: onMessages(['get'], adding(rawNumber(3, 2 ** 21))),
  }),
  fault('grpc-broken-text', {
    about: 'The context of a task is no UTF-8.',
    breaks: ['grpc.decodes'],
    profiles,
    patch: onMessages(['get'], adding(rawBytes(2, Uint8Array.of(0x66, 0xff, 0xfe)))),
  }),
  fault('grpc-field-past-end', {
    about: 'The last field of a result is longer than the message.',
    breaks: ['grpc.decodes'],
    profiles,
    patch: onMessages(['get'], adding(Uint8Array.from([...rawTag(2, wireTypes.bytes), 100]))),
  }),
  fault('grpc-flag-without-encoding', {
    about: 'Results are marked as compressed, and are not.',
    breaks: ['grpc.decodes'],
    profiles,
    patch: (inner) => ({
      grpcFrame: (message, call) => (call.op === 'get' ? framed(message, { flag: 1 }) : inner.grpcFrame(message, call)),
    }),
  }),
  fault('grpc-nanos-of-two-seconds', {
    about: 'Times have two billion nanoseconds.',
    breaks: ['grpc.timestamps'],
    profiles,
    patch: onMessages(['get'], inTime(rawNumber(2, 2_000_000_000))),
  }),
  fault('grpc-times-of-year-12000', {
    about: 'Times are in milliseconds where seconds belong.',
    breaks: ['grpc.timestamps'],
    profiles,
    patch: onMessages(['get'], inTime(rawNumber(1, 1_700_000_000_000))),
  }),
  fault('grpc-artifacts-of-1-0', {
    about: 'Artifacts have the field numbers of 1.0.',
    breaks: ['grpc.own-messages'],
    profiles: older,
    patch: onMessages(['get'], (task) => changedWithin(task, [4], as10)),
  }),
  fault('grpc-config-named-by-id', {
    about: 'The name of a push config is its id.',
    breaks: ['grpc.config-name'],
    on: 'push',
    profiles: older,
    patch: onMessages(['pushSet', 'pushGet'], adding(rawBytes(1, encoder.encode('config-1')))),
  }),
  fault('grpc-config-without-name', {
    about: 'A push config comes back without its name.',
    breaks: ['grpc.config-name'],
    on: 'push',
    profiles: older,
    patch: onMessages(['pushSet', 'pushGet'], adding(rawBytes(1, new Uint8Array(0)))),
  }),
  fault('grpc-state-unset', {
    about: 'The state of a task is not set: the number 0.',
    breaks: ['data.task-state'],
    profiles: older,
    patch: onMessages(['get'], inStatus(rawNumber(1, 0))),
  }),
  fault('grpc-state-undefined', {
    about: 'The state of a task is a number that the version does not have.',
    breaks: ['data.task-state'],
    profiles,
    patch: onMessages(['get'], inStatus(rawNumber(1, 42))),
  }),
  fault('grpc-empty-items', {
    about: 'Status updates of a stream come without a payload.',
    breaks: ['stream.event-types'],
    on: 'streaming',
    profiles,
    patch: (inner) => ({
      grpcMessage: (result, call) =>
        member(result, 'kind') === 'status-update' || member(result, 'statusUpdate') !== undefined
          ? new Uint8Array(0)
          : inner.grpcMessage(result, call),
    }),
  }),
  fault('grpc-empty-replies', {
    about: 'The answer to a message has neither a task nor a message.',
    breaks: ['send.task-or-message', 'send.part-forms', 'grpc.unknown-fields'],
    profiles,
    patch: onMessages(['send'], () => new Uint8Array(0)),
  }),
];
