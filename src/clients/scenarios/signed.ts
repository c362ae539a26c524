import type { Patch } from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';

// Agents whose callers sign their requests.

const profiles = ['xpr', 'xpr-v2'] as const;
const taskId = 'task-to-cancel';

/** A task of the client that is at work. */
const working: Patch = (_, { store, clock }) => {
  const timestamp = new Date(clock.now()).toISOString();
  store.put({ id: taskId, contextId: 'context', status: { state: 'working', timestamp } }, 'alice');
  return {};
};

/** Seconds by which the clock of the agent is off: twice as much as a timestamp may be. */
const clockOff = 600;
const ahead: Patch = (inner) => ({
  xpr: { ...inner.xpr, fresh: (seconds) => inner.xpr.fresh(seconds - clockOff) },
});

export const signedScenarios: readonly Scenario[] = [
  scenario('signed-scripts', {
    about: 'the message is written in several scripts, and the task works for a while',
    errand: { do: 'send', text: 'Hello, 世界, привет, 🙂' },
    profiles,
    patch: () => (inner) => ({ patience: (configuration) => Math.min(inner.patience(configuration), 0) }),
    expected: { state: 'completed', text: 'You said: Hello, 世界, привет, 🙂' },
  }),
  scenario('signed-cancel', {
    about: 'a task is canceled',
    errand: { do: 'cancel', taskId },
    profiles,
    patch: () => working,
    expected: { state: 'canceled' },
  }),
  scenario('signed-clock-off', {
    about: 'the clock of the agent is ten minutes ahead',
    errand: { do: 'send', text: 'Hello' },
    profiles,
    patch: () => ahead,
    expected: { error: 'AuthenticationError' },
  }),
];
