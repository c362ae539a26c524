import { isObject, type JsonObject, type Operation, stringMember } from '../model/index.js';
import { errorObject, RpcFailure } from './failure.js';
import type { Command, Outcome, RpcCall, Seams, World } from './seams.js';
import { mediaProblems, shapeProblems } from './validation.js';

const deepest = 128;
const decoder = new TextDecoder('utf-8', { fatal: true });

export type RpcSeams = Pick<
  Seams,
  'parse' | 'answer' | 'admit' | 'operation' | 'error' | 'envelope' | 'problems' | 'command' | 'encode'
>;

/** JSON-RPC 2.0 over HTTP, 0.3 §6.11, §7, §8.1. Order: JSON, envelope, method, params, task, state of the task. */
export function rpc(world: World, whole: Seams, crashed: (cause: unknown) => void): RpcSeams {
  const { dialect, spelling, store } = world;

  function refused(cause: unknown, call: RpcCall | undefined, id: unknown): unknown {
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
      // A notification (JSON-RPC 2.0 §4.1) is answered to nobody, so it is not carried out either (AMB03-18).
      if (call.id === undefined) return undefined;
      try {
        const op = whole.operation(call.method);
        const outcome = await whole.execute(whole.command(op, call.params), call);
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
    operation(method) {
      const found = Object.entries(dialect.operations).find(([, codec]) => codec.method === method);
      const op = found?.[0] as Operation | undefined;
      if (op === undefined || spelling.absent.includes(op)) throw new RpcFailure('MethodNotFound');
      const { streaming, push, extendedCard } = whole.card().capabilities;
      if ((op === 'stream' || op === 'subscribe') && !streaming) throw new RpcFailure('UnsupportedOperation');
      if (op.startsWith('push') && !push) throw new RpcFailure('PushNotificationNotSupported');
      if (op === 'extendedCard' && !extendedCard) throw new RpcFailure('ExtendedCardNotConfigured');
      return op;
    },
    error: (failure) => errorObject(dialect, failure),
    envelope: (response) => response,
    problems(op, wire) {
      const shape = shapeProblems(world, op, wire);
      return op === 'send' || op === 'stream' ? [...shape, ...mediaProblems(whole.card().inputModes, wire)] : shape;
    },
    command(op, wire) {
      const [first] = whole.problems(op, wire);
      if (first !== undefined) throw new RpcFailure(first.failure, first.about);
      return { op, params: dialect.operations[op]?.params.decode(wire) ?? {} } as Command;
    },
    encode(outcome) {
      const wire = dialect.operations[outcome.op]?.result.encode(outcome.result as never);
      const task = taskOf(outcome);
      return task === undefined ? wire : spelling.task(wire, new Date(store.createdAt(task.id) ?? 0).toISOString());
    },
  };
}

/** The task that an outcome shows, if it shows one. */
export function taskOf(outcome: Outcome) {
  if (outcome.op === 'get' || outcome.op === 'cancel') return outcome.result;
  return outcome.op === 'send' && outcome.result.type === 'task' ? outcome.result.task : undefined;
}

const isId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === 'string' || typeof id === 'number';

/** The id of an invalid request where one can be read, else null (JSON-RPC 2.0 §5, AMB03-20). */
function readableId(value: unknown): string | number | null {
  const id = isObject(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  return stringMember(value, 'id') ?? (typeof id === 'number' ? id : null);
}

/** What cannot be nested cannot break whoever prints it again. */
function isDeep(value: JsonObject): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
