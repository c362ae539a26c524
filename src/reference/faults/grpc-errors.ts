import { rawBytes, rawNumber, rpcCodes, writeStatus } from '../../binding/index.js';
import type { ProfileId } from '../../dialect/index.js';
import type { JsonObject } from '../../model/index.js';
import type { Header } from '../../wire/index.js';
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

const onDetails = (edit: (details: readonly JsonObject[]) => readonly JsonObject[]): Patch =>
  onEnds((end) => (end.details === undefined ? end : { ...end, details: edit(end.details) }));

const typeOf = (name: string): string => `type.googleapis.com/google.rpc.${name}`;
const onInfo = (edit: (info: JsonObject) => JsonObject): Patch =>
  onDetails((details) => details.map((one) => (one['@type'] === typeOf('ErrorInfo') ? edit(one) : one)));

/** One header at the end of calls that failed. */
const onTrailer =
  (name: string, edit: (value: string, end: GrpcEnd) => string): Patch =>
  (inner) => ({
    grpcTrailers: (end) =>
      inner.grpcTrailers(end).map(([found, value]): Header => [found, found === name ? edit(value, end) : value]),
  });

const detailsHeader = 'grpc-status-details-bin';
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const encoder = new TextEncoder();

/** A google.rpc.Status with one detail that has these bytes. */
const statusWith = ({ code }: GrpcEnd, type: string, detail: Uint8Array): string =>
  base64(
    Buffer.concat([
      rawNumber(1, code),
      rawBytes(3, Buffer.concat([rawBytes(1, encoder.encode(type)), rawBytes(2, detail)])),
    ]),
  );

export const grpcErrorsFaults = [
  fault('grpc-details-no-base64', {
    about: 'The details of an error are JSON.',
    breaks: ['grpc.status-details'],
    profiles: newer,
    patch: onTrailer(detailsHeader, (_, { code }) => `{"code":${code}}`),
  }),
  fault('grpc-details-garbled', {
    about: 'The details of an error are the bytes of no message.',
    breaks: ['grpc.status-details'],
    profiles: newer,
    patch: onTrailer(detailsHeader, () => base64(Uint8Array.of(0xff, 0xff, 0xff))),
  }),
  fault('grpc-details-of-other-code', {
    about: 'The details of an error have another code than the call.',
    breaks: ['grpc.status-details'],
    profiles: newer,
    patch: onTrailer(detailsHeader, (_, { message, details = [] }) =>
      base64(writeStatus({ code: codeOf('UNKNOWN'), message, details })),
    ),
  }),
  fault('grpc-details-untyped', {
    about: 'The details of an error name no type.',
    breaks: ['grpc.details-typed'],
    profiles: newer,
    patch: onTrailer(detailsHeader, (_, end) => statusWith(end, '', new Uint8Array(0))),
  }),
  fault('grpc-details-named-barely', {
    about: 'The types of details are names, not URLs.',
    breaks: ['grpc.details-typed'],
    profiles: newer,
    patch: onTrailer(detailsHeader, (_, end) => statusWith(end, 'google.rpc.ErrorInfo', new Uint8Array(0))),
  }),
  fault('grpc-info-garbled', {
    about: 'An ErrorInfo has the bytes of no message.',
    breaks: ['grpc.details-typed'],
    profiles: newer,
    patch: onTrailer(detailsHeader, (_, end) => statusWith(end, typeOf('ErrorInfo'), Uint8Array.of(0xff, 0xff))),
  }),
  fault('grpc-errors-without-info', {
    about: 'Errors have a status and a message only.',
    breaks: ['grpc.error-info'],
    profiles: newer,
    patch: onEnds(({ code, message }) => ({ code, message })),
  }),
  fault('grpc-info-without-reason', {
    about: 'The ErrorInfo of an error has no reason.',
    breaks: ['grpc.error-info'],
    profiles: newer,
    patch: onInfo(({ reason: _, ...info }) => info),
  }),
  fault('grpc-reasons-with-suffix', {
    about: 'Reasons end with _ERROR.',
    breaks: ['grpc.error-info'],
    profiles: newer,
    patch: onInfo((info) => ({ ...info, reason: `${info['reason']}_ERROR` })),
  }),
  fault('grpc-info-of-other-domain', {
    about: 'The ErrorInfo of an error has the domain of the agent.',
    breaks: ['grpc.error-info'],
    profiles: newer,
    patch: onInfo((info) => ({ ...info, domain: 'agent.example' })),
  }),
  fault('grpc-errors-without-message', {
    about: 'Errors have no message.',
    breaks: ['grpc.error-message'],
    profiles: newer,
    patch: onEnds((end) => ({ ...end, message: '' })),
  }),
  fault('grpc-message-as-utf8', {
    about: 'The message of an error has letters that are no ASCII.',
    breaks: ['grpc.message-encoding'],
    profiles: newer,
    patch: onTrailer('grpc-message', (value) => `${value} \u00fc`),
  }),
  fault('grpc-message-with-percent', {
    about: 'The message of an error has a percent sign that begins no escape.',
    breaks: ['grpc.message-encoding'],
    profiles: newer,
    patch: onTrailer('grpc-message', (value) => `${value}, 100% sure`),
  }),
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
