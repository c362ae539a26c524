import { type GrpcEnd, grpcRequest, loadGrpc, rpcCodes } from '../grpc/index.js';
import {
  canParseUrl,
  type ErrorName,
  isLoopback,
  isObject,
  type JsonObject,
  member,
  stringMember,
} from '../model/index.js';
import { type Binding, type ErrorTable, errorOfReason, type NativeError } from './binding.js';

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
    ? details.find((detail) => stringMember(detail, '@type') === `type.googleapis.com/google.rpc.${type}`)
    : undefined;

/** The error of a google.rpc.ErrorInfo (1.0 §10.6). */
const withReason = (details: unknown, errors: ErrorTable): ErrorName | undefined =>
  errorOfReason(stringMember(detailOf(details, 'ErrorInfo'), 'reason'), errors);

/** Errors whose status says something else unless a reason names them. */
const byReasonOnly: ReadonlySet<ErrorName> = new Set<ErrorName>(['InvalidAgentResponse']);

function read(reply: JsonObject, errors: ErrorTable): NativeError {
  const code = Number(reply[statusMember]);
  const { details } = reply;
  const named =
    withReason(details, errors) ?? (detailOf(details, 'BadRequest') === undefined ? undefined : 'InvalidParams');
  const fits =
    named === undefined
      ? (Object.keys(errors) as ErrorName[]).filter(
          (name) => errors[name]?.grpc?.includes(code) === true && !byReasonOnly.has(name),
        )
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

/**
 * The place that an address means (AMB10-43): `grpc://host:port` and `http://…` are without TLS, `grpcs://…` and
 * `https://…` with it; `host:port` and `dns:///host:port` with it, but on this machine without. A path means nothing.
 * Undefined: no address.
 */
export function grpcUrl(text: string): string | undefined {
  const [, scheme = '', rest = ''] = /^(?:([a-z]{3,5}):\/\/\/?)?([^/]{1,300})(?:\/.*)?$/i.exec(text.trim()) ?? [];
  const bare = `http://${rest}`;
  if (rest === '' || !canParseUrl(bare)) return undefined;
  const { hostname, port } = new URL(bare);
  const lower = scheme.toLowerCase();
  if (!['', 'http', 'https', 'grpc', 'grpcs', 'dns'].includes(lower)) return undefined;
  if ((lower === '' || lower === 'dns') && port === '') return undefined;
  const isOpen = lower === 'http' || lower === 'grpc' || ((lower === '' || lower === 'dns') && isLoopback(hostname));
  return new URL(`${isOpen ? 'http' : 'https'}://${rest}`).origin;
}

/** The place where the methods of an interface are called: gRPC ignores the path of its URL. */
const originOf = (endpoint: string): string => new URL(endpoint).origin;

/** The agent gives up later than the kit, so that its deadline never stands for an answer that came late, ms. */
const deadlineMarginMs = 1000;
/** grpc/doc/PROTOCOL-HTTP2.md: at most eight digits, and a unit. */
const deadlineOf = (timeoutMs: number): string => {
  const ms = Math.ceil(timeoutMs + deadlineMarginMs);
  return ms < 1e8 ? `${ms}m` : `${Math.min(Math.ceil(ms / 1000), 99_999_999)}S`;
};

const unitsMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };
/** The milliseconds of a grpc-timeout; undefined: it cannot be read. */
export function deadlineMs(value: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(value) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitsMs[unit] ?? 1);
}

/** gRPC over HTTP/2 (A2A 1.0 §10, 0.3 §3.2.2). */
export const grpc: Binding = {
  id: 'grpc',
  title: 'gRPC',
  transport: 'GRPC',
  letters: /^grpc/,
  nameOf: ({ grpc: path }) => path,
  typed: () => true,
  load: loadGrpc,
  urlOf: grpcUrl,
  hasOwnPort: true,
  requests: 'messages',
  emptyIsResult: false,
  verbs: new Set(['POST']),
  hasErrorSchema: false,
  hasEnvelope: true,
  missing: new Set(),
  request({ operation, endpoint, names, params, edit, timeoutMs }) {
    const path = names?.grpc;
    if (path === undefined) return { inexpressible: `the version has no ${operation} over gRPC` };
    const given: unknown = params ?? {};
    const body = grpcRequest(path, edit === undefined || !isObject(given) ? given : edit({ ...given }));
    if ('fault' in body) return { inexpressible: body.fault };
    return {
      method: 'POST',
      url: `${originOf(endpoint)}${path}`,
      contentType: 'application/grpc',
      headers: [
        ['te', 'trailers'],
        ...(timeoutMs === undefined ? [] : ([['grpc-timeout', deadlineOf(timeoutMs)]] as const)),
      ],
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
