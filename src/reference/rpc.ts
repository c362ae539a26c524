import { isObject, type JsonObject, type Operation, stringMember } from '../model/index.js';
import { header } from '../wire/index.js';
import type { Command, Incoming, Outcome, Problem, RpcCall } from './calls.js';
import { errorObject } from './error-object.js';
import { RpcFailure, Unauthorized } from './failure.js';
import type { Seams, World } from './seams.js';
import { isStreamCommand, Streamed, type Streams } from './streams.js';
import { webhookProblems } from './webhooks.js';

const deepest = 128;
const decoder = new TextDecoder('utf-8', { fatal: true });

export type RpcSeams = Pick<
  Seams,
  | 'parse'
  | 'answer'
  | 'admit'
  | 'negotiate'
  | 'operation'
  | 'activated'
  | 'demandExtensions'
  | 'error'
  | 'envelope'
  | 'problems'
  | 'command'
  | 'encode'
>;

/**
 * JSON-RPC 2.0 over HTTP, 0.3 §6.11, §7, §8.1. Order: JSON, envelope, signature of the caller, version, method,
 * extensions, params, task, state of the task.
 */
export function rpc(world: World, whole: Seams, streams: Streams, crashed: (cause: unknown) => void): RpcSeams {
  const { dialect, spelling, store } = world;

  function refused(cause: unknown, call: RpcCall | undefined, id: unknown): unknown {
    // This does not answer the call: the HTTP layer answers it.
    if (cause instanceof Unauthorized) throw cause;
    if (!(cause instanceof RpcFailure)) crashed(cause);
    const failure = cause instanceof RpcFailure ? cause : new RpcFailure('InternalError');
    return whole.envelope({ jsonrpc: '2.0', id, error: whole.error(failure, call) }, call);
  }

  return {
    parse(body) {
      try {
        return JSON.parse(decoder.decode(body));
      } catch {
        throw new RpcFailure('ParseError');
      }
    },
    async answer(value, request) {
      let call: RpcCall;
      try {
        call = whole.admit(value, request);
      } catch (cause) {
        return refused(cause, undefined, readableId(value));
      }
      // A notification (JSON-RPC 2.0 §4.1) gets no answer, so it is not carried out either (AMB03-18).
      if (call.id === undefined) return undefined;
      try {
        if (spelling.authenticates === 'calls') {
          call = { ...call, request: { ...request, caller: await whole.authenticate(request) } };
        }
        whole.negotiate(call);
        const op = whole.operation(call.method);
        // An operation of a plain GET is not a method.
        if (dialect.operations[op]?.url !== undefined) throw new RpcFailure('MethodNotFound');
        whole.demandExtensions(call, op);
        const command = whole.command(op, call.params);
        if (isStreamCommand(command)) {
          return new Streamed(streams.body(command.op, await whole.stream(command, call), call));
        }
        const outcome = await whole.execute(command, call);
        return whole.envelope({ jsonrpc: '2.0', id: call.id, result: whole.encode(outcome, call) }, call);
      } catch (cause) {
        return refused(cause, call, call.id);
      }
    },
    admit(value, request) {
      // Batches are refused as a whole: the body must be one request (0.3 §7, AMB03-18).
      if (!isObject(value)) throw new RpcFailure('InvalidRequest', 'the body must be one object');
      if (isDeep(value)) throw new RpcFailure('InvalidRequest', 'nested too deeply');
      const { jsonrpc, id, method, params } = value;
      if (jsonrpc !== '2.0') throw new RpcFailure('InvalidRequest', 'jsonrpc must be "2.0"');
      if (!isId(id)) throw new RpcFailure('InvalidRequest', 'id must be a string, a number or null');
      if (typeof method !== 'string') throw new RpcFailure('InvalidRequest', 'method must be a string');
      return { method, params, request, ...(id === undefined ? {} : { id }) };
    },
    negotiate({ request }) {
      const { versions } = spelling;
      if (versions === undefined) return;
      const asked = versionOf(request);
      // 1.0 §3.6.2: no version means 0.3. The patch number is ignored (§3.6).
      const version = asked === '' ? '0.3' : (/^(\d+\.\d+)(\.\d+)?$/.exec(asked)?.[1] ?? asked);
      if (versions.includes(version)) return;
      throw new RpcFailure('VersionNotSupported', `"${version.slice(0, 40)}"; supported: ${versions.join(', ')}`);
    },
    activated({ headers }) {
      const asked = headers
        .filter(([name]) =>
          spelling.extensionHeaders.some((extensionHeader) => extensionHeader.toLowerCase() === name.toLowerCase()),
        )
        .flatMap(([, value]) => value.split(',').map((uri) => uri.trim()));
      return whole
        .card()
        .capabilities.extensions.map(({ uri }) => uri)
        .filter((uri) => asked.includes(uri));
    },
    demandExtensions({ request }) {
      const activated = whole.activated(request);
      const missing = whole
        .card()
        .capabilities.extensions.find(({ uri, required }) => required && !activated.includes(uri));
      if (missing !== undefined) throw new RpcFailure('ExtensionSupportRequired', missing.uri);
    },
    operation(method) {
      const found = Object.entries(dialect.operations).find(([, codec]) => codec.rpc === method);
      const op = found?.[0] as Operation | undefined;
      if (op === undefined || spelling.absent.includes(op)) throw new RpcFailure('MethodNotFound');
      const { streaming, push, extendedCard } = whole.card().capabilities;
      const { undeclared } = spelling;
      if ((op === 'stream' || op === 'subscribe') && !streaming) throw new RpcFailure(undeclared.streaming);
      if (op.startsWith('push') && !push) throw new RpcFailure(undeclared.push);
      if (op === 'extendedCard' && !extendedCard) throw new RpcFailure(undeclared.extendedCard);
      return op;
    },
    error: (failure) => errorObject(world, failure),
    envelope: (response) => response,
    problems(op, wire) {
      const shape = spelling.problems(op, wire, dialect);
      const params = dialect.operations[op]?.params.decode(wire);
      return [
        ...shape,
        ...(op === 'send' || op === 'stream' ? mediaProblems(whole.card().inputModes, spelling.mediaTypes(wire)) : []),
        ...(shape.length === 0 ? webhookProblems(whole, { op, params } as Partial<Command>) : []),
      ];
    },
    command(op, params) {
      const wire = spelling.given(params);
      const [first] = whole.problems(op, wire);
      if (first !== undefined) throw new RpcFailure(first.failure, first.about, first.field ?? first.path);
      return { op, params: dialect.operations[op]?.params.decode(wire) ?? {} } as Command;
    },
    encode(outcome) {
      const wire = dialect.operations[outcome.op]?.result.encode(outcome.result as never);
      const task = taskOf(outcome);
      const createdAt = new Date((task && store.createdAt(task.id)) ?? 0).toISOString();
      return spelling.result(task === undefined ? wire : spelling.task(wire, createdAt), outcome);
    },
  };
}

/** The task that an outcome shows, if it shows one. */
export function taskOf(outcome: Outcome) {
  if (outcome.op === 'get' || outcome.op === 'cancel') return outcome.result;
  const shows = outcome.op === 'send' || outcome.op === 'stream' || outcome.op === 'subscribe';
  return shows && outcome.result.type === 'task' ? outcome.result.task : undefined;
}

/** 1.0 §3.6.1: a header, or a request parameter in its place. */
function versionOf({ headers, url }: Incoming): string {
  return (header(headers, 'a2a-version') ?? new URL(url).searchParams.get('A2A-Version') ?? '').trim();
}

/** 0.3 §8.2, 1.0 §3.3.2, -32005: a type that the card does not list. The agent accepts a part that names no type. */
function mediaProblems(inputModes: readonly string[], types: readonly string[]): readonly Problem[] {
  const foreign = types.filter((type) => !inputModes.includes(type.split(';')[0]?.trim().toLowerCase() ?? ''));
  return foreign.map((about) => ({ path: 'message.parts.mimeType', about, failure: 'ContentTypeNotSupported' }));
}

const isId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === 'string' || typeof id === 'number';

/** The id of an invalid request where one can be read, else null (JSON-RPC 2.0 §5, AMB03-20). */
function readableId(value: unknown): string | number | null {
  const id = isObject(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  return stringMember(value, 'id') ?? (typeof id === 'number' ? id : null);
}

/** Whether a value is nested too deeply: the limit protects code that prints it again. */
export function isDeep(value: JsonObject): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
