import {
  brief,
  check,
  codesOfReason,
  describe,
  errorInfoIn,
  type GrpcReading,
  header,
  inconclusive,
  isObject,
  type Judgement,
  type LawJudgement,
  law,
  type Operation,
  reasonFault,
  refused,
  rpcCodes,
  statusText,
  stringMember,
  withJson,
} from '../../src/kit/index.js';
import { ask, wellFormed } from '../rpc/calls.js';
import { eachAnswer, failed } from './calls.js';

// A2A 1.0 §10.6 Error Handling, §5.4 Error Code Mappings, §3.3.2 Error Handling; 0.3 §3.2.2 (AMB03-17).

const noError = { otherwise: 'the agent answered no call with an error' };
const noDetails = {
  otherwise: 'no error of the agent had details',
  advice:
    'grpc-status-details-bin is a google.rpc.Status in base64, with the code of grpc-status; each detail is a google.protobuf.Any with type.googleapis.com/ and the full name of its message.',
};
const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);

/** Judges the status in `grpc-status-details-bin`. */
const eachDetails = (judge: (status: NonNullable<GrpcReading['end']['status']>, answer: GrpcReading) => LawJudgement) =>
  eachAnswer((answer) => {
    const { status } = answer.end;
    return !answer.isWhole || status === undefined ? 'not-concerned' : judge(status, answer);
  });

/** Base64 with or without padding (grpc/doc/PROTOCOL-HTTP2.md). */
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

// In our words (1.0, 10.6 Error Handling): The status details decode as a google.rpc.Status whose code is that of the
//   call.
export const statusDetails = law(
  'grpc/status-details',
  'grpc.status-details',
  'have a google.rpc.Status with the code of grpc-status in grpc-status-details-bin, when a call fails with details',
  noDetails,
  eachDetails((status, { end, last }) => {
    const value = header(last, 'grpc-status-details-bin') ?? '';
    if (!base64.test(value)) return `the value is not base64: ${brief(value, 60)}`;
    if ('fault' in status) return `the value is not a google.rpc.Status: ${status.fault}`;
    return end.code === undefined || status.code === end.code
      ? 'holds'
      : `its code is ${status.code}, grpc-status is ${end.rawStatus}`;
  }),
);

/** A URL of a type: anything, a slash, and the full name of a message. */
const typeUrl = /\/[\w.]+$/;

// In our words (1.0, 3.3.2 Error Handling): Each detail of a status names its type.
export const detailsTyped = law(
  'grpc/details-typed',
  'grpc.details-typed',
  'name the type of each detail, when a call fails with details',
  noDetails,
  eachDetails((status) => {
    if ('fault' in status || status.details.length === 0) return 'not-concerned';
    const at = status.details.findIndex((detail) => !typeUrl.test(stringMember(detail, '@type') ?? ''));
    if (at >= 0) return `the type of detail ${at + 1} is ${brief(status.details[at]?.['@type'])}`;
    // The bytes of a detail that cannot be read stay bytes.
    const info = errorInfoIn(status.details);
    return info !== undefined && Object.hasOwn(info, 'value') ? 'the google.rpc.ErrorInfo cannot be read' : 'holds';
  }),
);

/** Operations that refuse a valid request with one of these statuses only for an error of A2A. */
const ofTasks: ReadonlySet<Operation | undefined> = new Set(['get', 'cancel', 'subscribe'] as const);
const ofA2a: ReadonlySet<number | undefined> = new Set([codeOf('NOT_FOUND'), codeOf('FAILED_PRECONDITION')]);

/** Judges the errors that can only be of A2A. */
const eachOfA2a = (judge: (answer: GrpcReading) => LawJudgement) =>
  eachAnswer((answer, reading) => {
    const isOfA2a = ofTasks.has(reading.operation) && ofA2a.has(answer.end.code);
    return isOfA2a && failed(answer, reading) !== undefined ? judge(answer) : 'not-concerned';
  });

const infoOf = ({ end: { status } }: GrpcReading): Record<string, unknown> | undefined =>
  status === undefined || 'fault' in status ? undefined : errorInfoIn(status.details);

// In our words (1.0, 10.6 Error Handling): A2A errors carry a google.rpc.ErrorInfo with reason and domain
//   a2a-protocol.org.
export const errorInfo = law(
  'grpc/error-info',
  'grpc.error-info',
  'carry a google.rpc.ErrorInfo with reason and domain, when a call fails with an error of A2A',
  {
    otherwise: 'no error of A2A came',
    advice:
      'grpc-status-details-bin is a google.rpc.Status whose details have an ErrorInfo: reason TASK_NOT_FOUND, domain a2a-protocol.org. Several errors share one status.',
  },
  eachOfA2a((answer) => {
    const info = infoOf(answer);
    if (info === undefined) return `${statusText(answer.end.code)} without an ErrorInfo`;
    const { reason, domain } = info;
    const fault = reasonFault(reason);
    if (fault !== undefined) return fault;
    return domain === 'a2a-protocol.org' ? 'holds' : `domain is ${brief(domain)}`;
  }),
);

// In our words (1.0, 3.3.2 Error Handling): An A2A error has a message.
export const errorMessage = law(
  'grpc/error-message',
  'grpc.error-message',
  'have a message, when a call fails with an error of A2A',
  {
    otherwise: 'no error of A2A came',
    advice: 'Say in grpc-message, for people, what is wrong.',
  },
  eachOfA2a(({ end }) => (end.message === '' ? `${statusText(end.code)} without grpc-message` : 'holds')),
);

/** Printable ASCII, in which a percent sign begins an escape (grpc/doc/PROTOCOL-HTTP2.md). */
const encoded = /^(?:[ -$&-~]|%[0-9a-fA-F]{2})*$/;

// In our words (1.0, 10.1 Protocol Requirements): grpc-message is percent-encoded.
export const messageEncoding = law(
  'grpc/message-encoding',
  'grpc.message-encoding',
  'have grpc-message percent-encoded, when a call fails',
  {
    ...noError,
    advice:
      'Percent-encode all but printable ASCII in grpc-message, and the percent sign itself; libraries of gRPC do so.',
  },
  eachAnswer((answer, reading) => {
    const text = failed(answer, reading) && header(answer.last, 'grpc-message');
    if (text === undefined) return 'not-concerned';
    return encoded.test(text) ? 'holds' : `grpc-message is ${brief(text, 80)}`;
  }),
);

// In our words (1.0, 5.4 Error Code Mappings): The status follows the mapping table.
/** AMB10-05: the statuses of both texts of 1.0 pass. 0.3 names no reasons; an agent that does has those of 1.0. */
export const statusTable = law(
  'grpc/status-table',
  'grpc.status-table',
  'have the status of its error, when a call fails with a reason of A2A',
  {
    otherwise: 'no error with a reason of A2A came',
    advice: 'Clients that do not read the details know the error by its status: take that of the table in 5.4.',
  },
  eachAnswer((answer) => {
    const reason = infoOf(answer)?.['reason'];
    const { code } = answer.end;
    if (!answer.isWhole || typeof reason !== 'string' || code === undefined) return 'not-concerned';
    const right = codesOfReason(reason);
    if (right === undefined) return 'not-concerned';
    return right.includes(code)
      ? 'holds'
      : `${reason} came with ${statusText(code)}, not ${right.map(statusText).join(' or ')}`;
  }),
);

// In our words (1.0, 5.4 Error Code Mappings): The status follows the mapping table.
export const unknownTask = check('grpc/unknown-task', 'grpc.status-table')
  .when('the client reads a task that does not exist', (scene) => ask(scene))
  .expects('refuse it with NOT_FOUND', (outcome): Judgement => {
    const other = refused(outcome);
    if (other !== undefined || outcome.kind !== 'refusal') return other;
    return outcome.code === codeOf('NOT_FOUND') ? undefined : describe(outcome);
  })
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer NOT_FOUND, 5: clients distinguish a missing task from a failing agent by the status.');

// In our words (1.0, 10.6 Error Handling): Validation errors carry a google.rpc.BadRequest.
export const badRequest = check('grpc/bad-request', 'grpc.bad-request')
  .when('the client sends a request without a message', (scene) =>
    scene.client.call('send', { message: scene.say() }, { invalid: true, native: withJson({}) }),
  )
  .expects('name the fault in a google.rpc.BadRequest or an ErrorInfo', (outcome): Judgement => {
    if (outcome.kind !== 'refusal') return inconclusive(`the agent did not refuse the call: ${describe(outcome)}`);
    const details: readonly unknown[] = Array.isArray(outcome.data) ? outcome.data : [];
    const found = details
      .filter(isObject)
      .find((detail) => detail['@type'] === 'type.googleapis.com/google.rpc.BadRequest');
    const fields = found?.['fieldViolations'];
    return (Array.isArray(fields) && fields.length > 0) || errorInfoIn(details) !== undefined
      ? undefined
      : `it has neither: ${describe(outcome)}`;
  })
  .advice('Put a google.rpc.BadRequest with field_violations into the details of INVALID_ARGUMENT.');
