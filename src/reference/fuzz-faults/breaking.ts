import { isObject, type JsonObject, member, type Operation } from '../../model/index.js';
import { sleep } from '../../wire/index.js';
import type { Incoming, Reply } from '../calls.js';
import { page, replying } from '../faults/rpc-replies.js';
import { peek } from '../http.js';
import { jsonReply } from '../replies.js';
import type { Patch, Seams, World } from '../seams.js';

// Short ways to write an agent that breaks.

export { empty, hung, page, replying, reset } from '../faults/rpc-replies.js';

type When = (sent: unknown, request: Incoming) => boolean;

/** Whether `when` holds. Odd values may throw when they are made texts or numbers: that counts as no. */
const holds = (when: When, sent: unknown, request: Incoming): boolean => {
  try {
    return when(sent, request);
  } catch {
    return false;
  }
};

/** Answers the calls for which `when` holds with `reply`. */
export const on = (when: When, reply: Reply): Patch => replying((request, sent) => holds(when, sent, request), reply);

/** HTTP 500 and a page. */
export const crashing = (when: When): Patch => on(when, page(500));

/** Answers the calls for which `when` holds with an internal error of JSON-RPC, with any message and data. */
export const failing =
  (when: When, message: string, data?: unknown): Patch =>
  (inner) => ({
    async serveRpc(request) {
      const sent = peek(request);
      if (request.method !== 'POST' || !holds(when, sent, request)) return inner.serveRpc(request);
      const error = { code: -32603, message, ...(data === undefined ? {} : { data }) };
      return jsonReply(200, { jsonrpc: '2.0', id: member(sent, 'id') ?? null, error });
    },
  });

/** Answers as usual up to the first call for which `when` holds; every later request gets `after`. */
export const dying =
  (when: When, after: Reply): Patch =>
  (inner) => {
    let dead = false;
    return {
      async serve(request) {
        if (dead) return after;
        dead = request.method === 'POST' && holds(when, peek(request), request);
        return inner.serve(request);
      },
    };
  };

/** The longest extra time, ms. */
const longestMs = 8000;

/** A call costs so many milliseconds more. */
export const costing =
  (msOf: (sent: unknown, request: Incoming) => number): Patch =>
  (inner, { clock }) => ({
    async serveRpc(request) {
      const ms = Math.min(longestMs, Math.floor(msOf(peek(request), request)));
      if (ms > 0) await sleep(clock, ms, request.signal);
      return inner.serveRpc(request);
    },
  });

/** Runs `then` for a call whose params are refused. */
export const onBadParams =
  (ops: readonly Operation[], then: (params: unknown, world: World, whole: Seams) => void): Patch =>
  (inner, world, whole) => ({
    command(op, wire) {
      try {
        return inner.command(op, wire);
      } catch (cause) {
        if (ops.includes(op)) then(wire, world, whole);
        throw cause;
      }
    },
  });

/** The metadata of a task, with a mark added. */
export const marked = (metadata: unknown, mark: JsonObject): JsonObject => ({
  ...(isObject(metadata) ? metadata : {}),
  ...mark,
});
