import type { Incoming, Reply } from './calls.js';
import type { Patch } from './seams.js';

/** Whether a route serves calls. */
export const isCall = (route: string | undefined): boolean =>
  route === 'endpoint' || route === 'http-json' || route === 'grpc';

type Serve = (request: Incoming) => Promise<Reply>;

/** Another answer for the first call for which there is one; `serve` is the agent, undefined what it says itself. */
export const onCall =
  (answer: (request: Incoming, serve: Serve) => Promise<Reply | undefined> | Reply | undefined): Patch =>
  (inner, _, whole) => {
    let isOver = false;
    return {
      async serve(request) {
        if (isOver || !isCall(whole.route(request))) return inner.serve(request);
        let said: Promise<Reply> | undefined;
        const serve: Serve = (item) => {
          said ??= inner.serve(item);
          return said;
        };
        const other = await answer(request, serve);
        isOver ||= other !== undefined;
        return other ?? serve(request);
      },
    };
  };
