import type { Operation } from '../../model/index.js';
import { RpcFailure } from '../failure.js';
import { jsonHeaders, pathBelow } from '../http.js';
import type { Incoming, Patch, Reply } from '../seams.js';

interface Target {
  readonly op: Operation;
  readonly params: unknown;
}

/** 0.3 §3.5.3, as far as it goes without streams and push: the same operations below `prefix`, JSON-RPC spelling (AMB03-15). */
export const rest =
  (prefix: string): Patch =>
  (inner, { baseUrl }, whole) => {
    const base = `${new URL(baseUrl).pathname.replace(/\/$/, '')}${prefix}`;

    function target(request: Incoming, path: string): Target | undefined {
      const { method, url, body } = request;
      const [, id, verb] = /^\/v1\/tasks\/([^/:]+)(:cancel)?$/.exec(path) ?? [];
      if (method === 'POST' && path === '/v1/message:send')
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
        const call = { id: null, method: '', params: found.params, request };
        return answer(200, whole.encode(await whole.execute(whole.command(found.op, found.params), call), call));
      } catch (cause) {
        if (!(cause instanceof RpcFailure)) throw cause;
        return answer(cause.failure === 'TaskNotFound' ? 404 : 400, { error: inner.error(cause, undefined) });
      }
    }

    return {
      async serve(request) {
        const path = pathBelow(base, request.url);
        return path === undefined ? inner.serve(request) : serve(request, path);
      },
    };
  };
