import { rpcCodes } from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import type { GrpcEnd } from '../calls.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-grpc', 'a2a-0.3-grpc'];
const older: readonly ProfileId[] = ['a2a-0.3-grpc'];
const newer: readonly ProfileId[] = ['a2a-1.0-grpc'];

const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);

/** How calls end that failed. */
const onEnds =
  (edit: (end: GrpcEnd) => GrpcEnd): Patch =>
  (inner) => ({ grpcRefusal: (error) => edit(inner.grpcRefusal(error)) });

const typeOf = (name: string): string => `type.googleapis.com/google.rpc.${name}`;

export const grpcErrorsFaults = [
  fault('grpc-reasons-with-other-status', {
    about: 'The status of each error with a reason is UNKNOWN.',
    breaks: ['grpc.status-table'],
    profiles: newer,
    patch: onEnds((end) => (end.details === undefined ? end : { ...end, code: codeOf('UNKNOWN') })),
  }),
  fault('grpc-reasons-with-data-loss', {
    about: 'Errors name their reason as later versions do, under the status DATA_LOSS.',
    breaks: ['grpc.status-table'],
    profiles: older,
    patch: onEnds((end) =>
      end.code === codeOf('NOT_FOUND')
        ? {
            ...end,
            code: codeOf('DATA_LOSS'),
            details: [{ '@type': typeOf('ErrorInfo'), reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' }],
          }
        : end,
    ),
  }),
  fault('grpc-not-found-as-unknown', {
    about: 'The status for a task that does not exist is UNKNOWN.',
    breaks: ['grpc.status-table'],
    profiles,
    patch: onEnds((end) => (end.code === codeOf('NOT_FOUND') ? { ...end, code: codeOf('UNKNOWN') } : end)),
  }),
  fault('grpc-errors-without-bad-request', {
    about: 'Validation errors do not say which field is wrong.',
    breaks: ['grpc.bad-request'],
    profiles: newer,
    patch: onEnds((end) => (end.code === codeOf('INVALID_ARGUMENT') ? { code: end.code, message: end.message } : end)),
  }),
];
