import type { Incoming, Patch, Reply } from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';

// The agent cannot answer, or its answer is lost.

const isCall = (route: string | undefined): boolean =>
  route === 'endpoint' || route === 'http-json' || route === 'grpc';

/** The agent has no time for a call. */
const busy = (status: 429 | 503, seconds: number): Reply => ({
  status,
  headers: [
    ['content-type', 'text/plain'],
    ['retry-after', String(seconds)],
  ],
  body: 'The agent is busy.\n',
});

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

/** Seconds of Retry-After. */
export const busySeconds = 2;

export const troubleScenarios: readonly Scenario[] = [
  scenario('busy', {
    about: 'the first call is answered with 503 and Retry-After',
    errand: { do: 'send', text: 'Hello' },
    // A client of gRPC reads no HTTP status.
    notOver: ['grpc'],
    patch: (stage) => {
      stage.note('retry-after', String(busySeconds));
      return onCall(() => busy(503, busySeconds));
    },
  }),
  scenario('always-busy', {
    about: 'every call is answered with 429 and Retry-After',
    errand: { do: 'send', text: 'Hello' },
    notOver: ['grpc'],
    patch: () => (inner, _, whole) => ({
      async serve(request) {
        return isCall(whole.route(request)) ? busy(429, 1) : inner.serve(request);
      },
    }),
  }),
  scenario('lost-answer', {
    about: 'the connection is cut when the agent has begun the task, before it has answered',
    errand: { do: 'send', text: 'Hello' },
    patch: () =>
      onCall(async (request, serve) => {
        const reply = await serve(request);
        return { ...reply, fate: 'reset' };
      }),
  }),
];
