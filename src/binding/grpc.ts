import { type GrpcEnd, grpcRequest, rpcCodes } from '../grpc/index.js';
import { type ErrorName, isObject, type JsonObject, member, stringMember } from '../model/index.js';
import type { Binding, ErrorTable, NativeError } from './binding.js';

const codeOf = (name: (typeof rpcCodes)[number]): number => rpcCodes.indexOf(name);

/** The member of a value that stands for the end of a call that failed; no message has a member of this name. */
const statusMember = 'grpc-status';

/** The value that stands for the end of a call that failed, as the values before it stand for messages. */
export function failureOf({ code, message, status }: GrpcEnd): JsonObject {
  const details = status !== undefined && 'details' in status ? status.details : undefined;
  return {
    [statusMember]: code,
    ...(message === '' ? {} : { 'grpc-message': message }),
    ...(details === undefined ? {} : { details }),
  };
}

const detailOf = (details: unknown, type: 'ErrorInfo' | 'BadRequest'): unknown =>
  Array.isArray(details)
    ? details.find((one) => stringMember(one, '@type') === `type.googleapis.com/google.rpc.${type}`)
    : undefined;

/** The error of a google.rpc.ErrorInfo (1.0 §10.6). */
function withReason(details: unknown, errors: ErrorTable): ErrorName | undefined {
  const reason = stringMember(detailOf(details, 'ErrorInfo'), 'reason');
  if (reason === undefined) return undefined;
  return (Object.keys(errors) as ErrorName[]).find((name) => {
    const { reason: own, usualReason } = errors[name]?.http ?? {};
    return own === reason || usualReason === reason;
  });
}

function read(reply: JsonObject, errors: ErrorTable): NativeError {
  const code = Number(reply[statusMember]);
  const { details } = reply;
  const named =
    withReason(details, errors) ?? (detailOf(details, 'BadRequest') === undefined ? undefined : 'InvalidParams');
  const fits =
    named === undefined
      ? (Object.keys(errors) as ErrorName[]).filter((name) => errors[name]?.grpc?.includes(code))
      : [];
  const byStatus = fits.filter((name) => errors[name]?.http?.reason === undefined);
  const name = named ?? (fits.length === 1 ? fits[0] : undefined);
  const statuses = name === undefined ? undefined : errors[name]?.grpc;
  const denied =
    code === codeOf('UNAUTHENTICATED')
      ? 'credentials'
      : code === codeOf('PERMISSION_DENIED')
        ? 'permission'
        : undefined;
  const isBusy = named === undefined && (code === codeOf('RESOURCE_EXHAUSTED') || code === codeOf('UNAVAILABLE'));
  return {
    code,
    inForm: true,
    name,
    ...(statuses === undefined ? {} : { statuses }),
    ...(named === undefined && fits.length > 1 ? { fits, byStatus } : {}),
    ...(denied === undefined ? {} : { denied }),
    ...(isBusy ? { isBusy } : {}),
    message: reply['grpc-message'] ?? '',
    data: details,
    id: undefined,
    wire: reply,
  };
}

/** The place where the methods of an interface are called: gRPC ignores the path of its URL. */
const originOf = (endpoint: string): string => new URL(endpoint).origin;

/** gRPC over HTTP/2 (A2A 1.0 §10, 0.3 §3.2.2). `loadGrpc` has to be awaited before the first call. */
export const grpc: Binding = {
  id: 'grpc',
  title: 'gRPC',
  transport: 'GRPC',
  has: ({ grpc: path }) => path !== undefined,
  typed: () => true,
  emptyIsResult: false,
  verbs: new Set(['POST']),
  hasErrorSchema: false,
  hasEnvelope: true,
  missing: new Set(),
  request({ operation, endpoint, names, params, edit }) {
    const path = names?.grpc;
    if (path === undefined) return { inexpressible: `the version has no ${operation} over gRPC` };
    const given: unknown = params ?? {};
    const body = grpcRequest(path, edit === undefined || !isObject(given) ? given : edit({ ...given }));
    if ('fault' in body) return { inexpressible: body.fault };
    return {
      method: 'POST',
      url: `${originOf(endpoint)}${path}`,
      contentType: 'application/grpc',
      headers: [['te', 'trailers']],
      body,
      http2: true,
    };
  },
  said(reply, errors) {
    if (!isObject(reply)) return undefined;
    return member(reply, statusMember) === undefined
      ? { type: 'result', wire: reply }
      : { type: 'error', error: read(reply, errors) };
  },
};
