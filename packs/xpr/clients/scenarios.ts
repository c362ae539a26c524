import type { ProfileId } from '../../../src/dialect/index.js';
import type { Patch } from '../../../src/reference/index.js';
import { onXpr } from '../agent/index.js';

// Agents whose callers sign their requests.

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];
const taskId = 'task-to-cancel';

/** Answers wait for no work. */
const atOnce: Patch = (inner) => ({ patience: (configuration) => Math.min(inner.patience(configuration), 0) });

/** A task of the client that is at work. */
const working: Patch = (_, { store, clock }) => {
  const timestamp = new Date(clock.now()).toISOString();
  store.put({ id: taskId, contextId: 'context', status: { state: 'working', timestamp } }, 'alice');
  return {};
};

/** Seconds by which the clock of the agent is off: twice as much as a timestamp may be. */
const clockOff = 600;
const ahead: Patch = onXpr((inner) => ({ fresh: (seconds) => inner.fresh(seconds - clockOff) }));

/** As scenarios of the kit are written. */
const scenario = <const Id extends string, const Definition>(id: Id, definition: Definition) => ({ id, ...definition });

export const xprScenarios = [
  scenario('signed-scripts', {
    about: 'the message is written in several scripts, and the task works for a while',
    errand: { do: 'send', text: 'Hello, 世界, привет, 🙂' },
    profiles,
    patch: () => atOnce,
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
