import type { Incoming, Patch, Reply } from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';

// The agent cannot answer, or its answer is lost.

/** Another answer for the first call; `serve` is the agent. */
const firstCall =
  (answer: (request: Incoming, serve: (request: Incoming) => Promise<Reply>) => Promise<Reply> | Reply): Patch =>
  (inner, _, whole) => {
    let isFirst = true;
    return {
      serve(request) {
        const route = whole.route(request);
        const isCall = route === 'endpoint' || route === 'http-json' || route === 'grpc';
        if (!isFirst || !isCall) return inner.serve(request);
        isFirst = false;
        return Promise.resolve(answer(request, inner.serve));
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
      return firstCall(() => ({
        status: 503,
        headers: [
          ['content-type', 'text/plain'],
          ['retry-after', String(busySeconds)],
        ],
        body: 'The agent is busy.\n',
      }));
    },
  }),
  scenario('lost-answer', {
    about: 'the connection is cut when the agent has begun the task, before it has answered',
    errand: { do: 'send', text: 'Hello' },
    patch: () =>
      firstCall(async (request, serve) => {
        const reply = await serve(request);
        return { ...reply, fate: 'reset' };
      }),
  }),
];
