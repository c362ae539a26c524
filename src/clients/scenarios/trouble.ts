import { isCall, onCall, type Reply } from '../../reference/patching.js';
import { type Scenario, scenario } from '../scenario.js';

// The agent cannot answer, or its answer is lost.

/** The agent has no time for a call. */
const busy = (status: 429 | 503, seconds: number): Reply => ({
  status,
  headers: [
    ['content-type', 'text/plain'],
    ['retry-after', String(seconds)],
  ],
  body: 'The agent is busy.\n',
});

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
