import type { Operation } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { RpcFailure, Unauthorized } from '../failure.js';
import { jsonHeaders, pathBelow } from '../http.js';
import type { Patch } from '../seams.js';

interface Target {
  readonly op: Operation;
  readonly params: unknown;
}

/**
 * Serves HTTP+JSON below `prefix`: send, get and cancel, without streams and push (0.3 §3.5.3; 1.0 §11, without the
 * prefix). Members are spelled as in JSON-RPC (AMB03-15).
 */
export const rest =
  (prefix: string): Patch =>
  (inner, { baseUrl }, whole) => {
    const base = `${new URL(baseUrl).pathname.replace(/\/$/, '')}${prefix}`;

    function target(request: Incoming, path: string): Target | undefined {
      const { method, url, body } = request;
      const [, id, verb] = /^(?:\/v1)?\/tasks\/([^/:]+)(:cancel)?$/.exec(path) ?? [];
      if (method === 'POST' && /^(\/v1)?\/message:send$/.test(path))
        return { op: 'send', params: inner.parse(body ?? new Uint8Array()) };
      if (id === undefined) return undefined;
      const task = { id: decodeURIComponent(id) };
      if (method === 'POST' && verb !== undefined) return { op: 'cancel', params: task };
      const length = new URL(url).searchParams.get('historyLength');
      if (method !== 'GET' || verb !== undefined) return undefined;
      return { op: 'get', params: length === null ? task : { ...task, historyLength: Number(length) } };
    }

    async function serve(request: Incoming, path: string): Promise<Reply> {
      const answer = (status: number, value: unknown): Reply => ({
        status,
        headers: jsonHeaders,
        body: whole.print(value),
      });
      try {
        const found = target(request, path);
        if (found === undefined) return answer(404, { error: { message: 'No such resource' } });
        const known = { ...request, caller: await whole.authenticate(request) };
        const call = { id: null, method: '', params: found.params, request: known };
        return answer(200, whole.encode(await whole.execute(whole.command(found.op, found.params), call), call));
      } catch (cause) {
        if (cause instanceof Unauthorized) return whole.challenge();
        if (!(cause instanceof RpcFailure)) throw cause;
        const status = cause.failure === 'TaskNotFound' ? 404 : 400;
        const { data: details, message, ...error } = inner.error(cause, undefined);
        // 1.0 §11.6: google.rpc.Status.
        const known = status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT';
        return answer(status, {
          error: details === undefined ? { ...error, message } : { code: status, status: known, message, details },
        });
      }
    }

    return {
      async serve(request) {
        const path = pathBelow(base, request.url);
        return path === undefined ? inner.serve(request) : serve(request, path);
      },
    };
  };
