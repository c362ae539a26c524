import type { Binding, OperationNames } from '../../binding/index.js';
import {
  describe,
  type Outcome,
  type Parameter,
  readOutcome,
  repliesOf,
  type Signer,
  withQuery,
} from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import { neutralPrompt } from '../../kit/index.js';
import { type ErrorName, member, TckError } from '../../model/index.js';
import type { Exchange, Header, Wire, WireRequest } from '../../wire/index.js';

export interface ProbeOptions {
  readonly wire: Wire;
  readonly credentials: readonly Header[];
  readonly query?: readonly Parameter[];
  readonly uuid: () => string;
}

/**
 * The meaning of the answer to a probe. `spoken`: the agent looked for the task; `answered`: another JSON-RPC answer;
 * `denied`: the agent wants credentials first; `other`: another dialect or version is spoken there; `no`: no JSON-RPC.
 */
export type Understood = 'spoken' | 'answered' | 'denied' | 'other' | 'no';

export interface Probe {
  readonly understood: Understood;
  readonly seen: string;
  /** The answer was JSON-RPC. */
  readonly enveloped: boolean;
  /** It was refused by an error that names no cause: some agents say so of an unknown task and of an unknown method. */
  readonly isVague: boolean;
  readonly exchange: Exchange;
}

type Refusal = Extract<Outcome<unknown>, { kind: 'refusal' }>;

/** The same code in every version that defines it: the agent speaks A2A, but not this version. */
const versionNotSupported = -32009;

/**
 * Over HTTP+JSON: the answer says that it is one of A2A, by a reason of A2A or by speaking of a task. Any server has a
 * 404, most with a JSON object.
 */
const isOfHttpJson = ({ error }: Refusal): boolean => error !== undefined && error !== 'MethodNotFound';

/** An error object alone may belong to another protocol: HTTP+JSON has `{ error: { code: 404 } }` (1.0 §11.6). */
function isOfJsonRpc({ code, exchange }: Refusal): boolean {
  const [reply] = repliesOf(exchange);
  const names = reply?.type === 'json' && member(reply.value, 'jsonrpc') !== undefined;
  return code !== undefined && (names || (code <= -32000 && code >= -32768));
}

/** Every status of gRPC is an answer of gRPC; which messages are spoken there, another one than UNIMPLEMENTED tells. */
const isOfGrpc = ({ code }: Refusal): boolean => code !== undefined;

const answers = { envelopes: isOfJsonRpc, paths: isOfHttpJson, messages: isOfGrpc };
const isOf = ({ requests }: Binding, outcome: Refusal): boolean => answers[requests](outcome);

function understand(outcome: Outcome<unknown>, binding: Binding): Understood {
  switch (outcome.kind) {
    case 'result':
      return 'spoken';
    case 'denied':
      return 'denied';
    case 'busy':
      return 'answered';
    case 'refusal':
      if (!isOf(binding, outcome)) return 'no';
      if (outcome.error === 'TaskNotFound') return 'spoken';
      return outcome.error === 'MethodNotFound' ||
        outcome.fits?.includes('MethodNotFound') === true ||
        outcome.error === 'VersionNotSupported' ||
        outcome.code === versionNotSupported
        ? 'other'
        : 'answered';
    default:
      return 'no';
  }
}

/** A call of detection: it reads a task, or calls another method by giving its name. */
interface Knock {
  readonly id: string;
  readonly names: OperationNames;
  readonly params?: unknown;
}

/** The request as a client of the dialect sends it. */
function requestOf(dialect: Dialect, endpoint: string, { id, names, params }: Knock): WireRequest {
  const request = dialect.binding.request({ operation: 'get', endpoint, names, params, id });
  if ('inexpressible' in request) throw new TckError('internal', request.inexpressible);
  const { contentType, accept, headers = [], ...bare } = request;
  const type = contentType === undefined ? [] : [['content-type', contentType] as const];
  const accepts = accept === undefined ? [] : [['accept', accept] as const];
  return { ...bare, headers: [...type, ...accepts, ...headers, ...dialect.headers] };
}

/** Sends one request of detection; it tells the target no more than any client does. */
async function knock(
  { wire, credentials, query = [] }: ProbeOptions,
  endpoint: string,
  dialect: Dialect,
  what: Knock,
  valid: boolean,
): Promise<Exchange> {
  const request = requestOf(dialect, endpoint, what);
  return wire.exchange(
    { ...request, url: withQuery(request.url, query), headers: [...request.headers, ...credentials] },
    {
      purpose: 'detection',
      call: { ...(valid ? { operation: 'get' as const } : {}), rpcId: what.id, valid },
    },
  );
}

/** Asks for a task that cannot exist: nothing is created, and the answer shows whether the dialect is understood. */
export async function probe(options: ProbeOptions, endpoint: string, dialect: Dialect): Promise<Probe> {
  const { get } = dialect.operations;
  const { params, result } = get;
  const what = { id: 'tck-probe', names: get, params: params.encode({ id: options.uuid() }) };
  const exchange = await knock(options, endpoint, dialect, what, true);
  const outcome = readOutcome(exchange, dialect, (wire) => result.decode(wire));
  return {
    understood: understand(outcome, dialect.binding),
    seen: `${dialect.binding.requests === 'envelopes' ? get.rpc : 'a task'} with a random id: ${describe(outcome)}`,
    enveloped: outcome.kind === 'result' || (outcome.kind === 'refusal' && isOf(dialect.binding, outcome)),
    isVague: isVague(outcome),
    exchange,
  };
}

/** Asks for a task that cannot exist, with the headers that `sign` returns. */
export async function askSigned(
  { wire, uuid }: Pick<ProbeOptions, 'wire' | 'uuid'>,
  { dialect, target }: { readonly dialect: Dialect; readonly target: { readonly endpoint: string } },
  sign: Signer['headers'],
): Promise<Outcome<unknown>> {
  const { get } = dialect.operations;
  const { params, result } = get;
  const id = uuid();
  const bare = requestOf(dialect, target.endpoint, { id, names: get, params: params.encode({ id: uuid() }) });
  const request = { ...bare, headers: [...bare.headers, ...sign(bare)] };
  const call = { operation: 'get' as const, rpcId: id, valid: false };
  return readOutcome(await wire.exchange(request, { purpose: 'detection', call }), dialect, (found) =>
    result.decode(found),
  );
}

/** Whether a message to a task that cannot exist was read: it was looked for, or the message was taken. */
const isRead = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'result' ||
  (outcome.kind === 'refusal' &&
    outcome.code !== undefined &&
    outcome.error !== undefined &&
    !unread.has(outcome.error) &&
    outcome.code !== versionNotSupported);
const unread: ReadonlySet<ErrorName> = new Set(['ParseError', 'InvalidRequest', 'InvalidParams', 'MethodNotFound']);

/** An internal error, or a code that A2A does not have. */
const isVague = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' &&
  outcome.code !== undefined &&
  outcome.code !== versionNotSupported &&
  (outcome.error === undefined || outcome.error === 'InternalError');

/** Whether the agent reads messages of a dialect under a name. */
export interface MessageProbe {
  readonly isRead: boolean;
  readonly isRefused: boolean;
  /** What it answered. */
  readonly said: string;
  readonly seen: string;
  readonly exchange: Exchange;
}

/**
 * Sends a message to a task that cannot exist: whether the agent reads such messages under this name. If the error
 * names no cause, a message of a new task tells: it is read if it is taken.
 */
export async function probeMessage(
  options: ProbeOptions,
  endpoint: string,
  dialect: Dialect,
): Promise<MessageProbe | undefined> {
  const { send } = dialect.operations;
  if (send === undefined) return undefined;
  const say = async (to: { readonly taskId?: string }): Promise<[Exchange, Outcome<unknown>]> => {
    const parts = [{ kind: 'text' as const, text: neutralPrompt }];
    const message = { messageId: options.uuid(), role: 'user' as const, parts, ...to };
    const params = send.params.encode({ message, configuration: { blocking: false } });
    const what = { id: 'tck-probe-message', names: send, params };
    const exchange = await knock(options, endpoint, dialect, what, false);
    return [exchange, readOutcome<unknown>(exchange, dialect, (wire) => send.result.decode(wire))];
  };
  const probed = (what: string, [exchange, outcome]: [Exchange, Outcome<unknown>], read: boolean): MessageProbe => {
    const said = describe(outcome);
    return {
      isRead: read,
      isRefused: outcome.kind === 'refusal',
      said,
      seen: `${send.rpc} ${what}: ${said}`,
      exchange,
    };
  };
  const toOld = await say({ taskId: options.uuid() });
  if (!isVague(toOld[1])) return probed('to a random task', toOld, isRead(toOld[1]));
  const toNew = await say({});
  return probed('of a new task', toNew, toNew[1].kind === 'result');
}

/** Calls a method without params, so that the agent does not carry it out. */
export async function ask(
  options: ProbeOptions,
  endpoint: string,
  dialect: Dialect,
  method: string,
): Promise<{ readonly outcome: Outcome<unknown>; readonly seen: string }> {
  const exchange = await knock(options, endpoint, dialect, { id: 'tck-probe-method', names: { rpc: method } }, false);
  const outcome = readOutcome(exchange, dialect, (wire) => wire ?? null);
  return { outcome, seen: `${method} without params: ${describe(outcome)}` };
}
