import { changedWithin, grpcCodec, methodAt, rawBytes, rawNumber } from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-grpc', 'a2a-0.3-grpc'];
const older: readonly ProfileId[] = ['a2a-0.3-grpc'];

/** The messages of results. */
const onMessages =
  (ops: readonly Operation[], edit: (message: Uint8Array) => Uint8Array): Patch =>
  (inner) => ({
    grpcMessage(result, call) {
      const message = inner.grpcMessage(result, call);
      return ops.includes(call.op) ? edit(message) : message;
    },
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

export const grpcAnswersFaults = [
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
  fault('grpc-empty-replies', {
    about: 'The answer to a message has neither a task nor a message.',
    breaks: ['send.task-or-message', 'send.part-forms', 'grpc.unknown-fields'],
    profiles,
    patch: onMessages(['send'], () => new Uint8Array(0)),
  }),
];
