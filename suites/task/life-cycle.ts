import { check, isTerminal, law, type Reading, type Task, type TaskState } from '../../src/kit/index.js';
import { ofTask, sameState } from './answers.js';
import { finishedSpokenTo } from './finished.js';

// A2A 0.3 §6.1: "A task which has reached a terminal state (completed, canceled, rejected, or failed) can't be restarted."

/** The task that an answer shows; a state that cannot be read shows nothing. */
function shown({ outcome, operation }: Reading): Task | undefined {
  if (outcome.kind !== 'result') return undefined;
  if (operation !== 'send' && operation !== 'get' && operation !== 'cancel') return undefined;
  const value = outcome.value as { readonly task?: Task };
  const task = operation === 'send' ? value.task : (value as Task);
  return task === undefined || task.id === '' || task.status.state === 'unknown' ? undefined : task;
}

interface Ending {
  /** Place on the tape, which is in the order in which exchanges ended. */
  readonly at: number;
  readonly untilMs: number;
}
/** Where each task was first shown in a terminal state, by its id and that state. */
type Endings = ReadonlyMap<string, ReadonlyMap<TaskState, Ending>>;
interface Index {
  readonly endings: Endings;
  readonly places: ReadonlyMap<Reading, number>;
}

/** Made once for a tape. */
const indices = new WeakMap<readonly Reading[], Index>();
function indexOf(tape: readonly Reading[]): Index {
  const known = indices.get(tape);
  if (known !== undefined) return known;
  const endings = new Map<string, Map<TaskState, Ending>>();
  for (const [at, reading] of tape.entries()) {
    const task = shown(reading);
    if (task === undefined || !isTerminal(task.status.state)) continue;
    const { startedAt, durationMs } = reading.exchange;
    const states = endings.get(task.id) ?? new Map<TaskState, Ending>();
    endings.set(task.id, states);
    if (!states.has(task.status.state)) states.set(task.status.state, { at, untilMs: startedAt + durationMs });
  }
  const made = { endings, places: new Map(tape.map((reading, at) => [reading, at])) };
  indices.set(tape, made);
  return made;
}

export const legalMoves = law(
  'task/legal-moves',
  'life.terminal-final',
  'show a task that has ended in the state in which it ended',
  { otherwise: 'no finished task was seen twice' },
  (reading, _, tape) => {
    const task = shown(reading);
    if (task === undefined) return 'silent';
    const { endings, places } = indexOf(tape);
    // Of two exchanges at the same time nobody knows which saw the task first.
    const isEarlier = ({ at, untilMs }: Ending): boolean =>
      untilMs <= reading.exchange.startedAt && at < (places.get(reading) ?? 0);
    const before = [...(endings.get(task.id) ?? [])].filter(([, ending]) => isEarlier(ending)).map(([state]) => state);
    const other = before.find((state) => state !== task.status.state);
    if (other !== undefined) return `the task ${task.id} was ${other} and is ${task.status.state}`;
    return before.length > 0 ? 'holds' : 'silent';
  },
).killedBy(
  'life-restarts-completed',
  'get-shows-old-state',
  'cancel-accepts-terminal',
  'cancel-refuses-and-cancels',
  'cancel-completes-later',
  'cancel-again-revives',
);

export const finishedStays = check('task/terminal-takes-no-message', 'life.terminal-final')
  .given('spoken', finishedSpokenTo)
  .when('the client sends a message to it', async ({ spoken }) => spoken.after)
  .expects(
    'stay in the state in which it ended',
    ofTask((after, { spoken: { task } }) => sameState(task.status.state, after.status.state)),
  )
  .advice('Refuse the message; a follow-up is a new task in the same context.')
  .killedBy('life-restarts-completed');
