import {
  aTask,
  brief,
  check,
  endedTask,
  ifMet,
  isTerminal,
  type Judgement,
  keyOf,
  law,
  noteOf,
  type Outcome,
  PreconditionUnmet,
  type Reading,
  type Recorded,
  sleep,
  source,
  stateIn,
  type Task,
  type TaskState,
  taskIdIn,
  weakMemo,
} from '../../src/kit/index.js';
import { anyKnock } from '../message/ended.js';
import { ofTask, sameState } from './answers.js';
import { cutShort, workMs } from './at-work.js';

// A2A 0.3 §6.1: "A task which has reached a terminal state (completed, canceled, rejected, or failed) can't be
// restarted."

interface Sight {
  readonly id: string;
  readonly state: TaskState;
}

/** The states in which an answer shows tasks, event by event, without states that cannot be read. */
function shown({ outcome, operation, stream }: Reading): readonly Sight[] {
  if (stream !== undefined) {
    return stream.events.flatMap((event) => {
      const [id, state] = [taskIdIn(event), stateIn(event)];
      return id === undefined || state === undefined || state === 'unknown' ? [] : [{ id, state }];
    });
  }
  if (outcome.kind !== 'result') return [];
  if (operation !== 'send' && operation !== 'get' && operation !== 'cancel') return [];
  const value = outcome.value as { readonly task?: Task };
  const task = operation === 'send' ? value.task : (value as Task);
  if (task === undefined || task.id === '' || task.status.state === 'unknown') return [];
  return [{ id: task.id, state: task.status.state }];
}

interface Ending {
  /** Position on the tape, which is ordered by the end of exchanges. */
  readonly at: number;
  readonly untilMs: number;
}
/** Most ends that are noted of one answer. */
const mostEnds = 1000;

/** The ends of tasks that an answer shows, each once; the ids as keys. */
const endsIn = noteOf((reading): readonly Sight[] => {
  const ends = new Map<string, Sight>();
  for (const { id, state } of shown(reading)) {
    if (!isTerminal(state) || ends.size >= mostEnds) continue;
    const key = keyOf(id);
    ends.set(`${state} ${key}`, { id: key, state });
  }
  return [...ends.values()];
});

/** The first exchange that showed each task in each terminal state; tasks by the keys of their ids. */
type Endings = ReadonlyMap<string, ReadonlyMap<TaskState, Ending>>;
interface Index {
  readonly endings: Endings;
  readonly places: ReadonlyMap<Recorded, number>;
}

/** Computed once per tape. */
const indexOf = weakMemo((tape: readonly Recorded[]): Index => {
  const endings = new Map<string, Map<TaskState, Ending>>();
  for (const [at, recorded] of tape.entries()) {
    const { startedAt, durationMs } = recorded.exchange;
    for (const { id, state } of endsIn(recorded)) {
      const states = endings.get(id) ?? new Map<TaskState, Ending>();
      endings.set(id, states);
      if (!states.has(state)) states.set(state, { at, untilMs: startedAt + durationMs });
    }
  }
  return { endings, places: new Map(tape.map((recorded, at) => [recorded, at])) };
});

// In our words (1.0, 3.1.1 Send Message): A task in COMPLETED, FAILED, CANCELED or REJECTED never changes state.
export const legalMoves = law(
  'task/legal-moves',
  'life.terminal-final',
  'show a task that has ended in the state in which it ended',
  {
    subject: 'the agent',
    otherwise: 'set behaviours.completed: the agent showed no finished task twice',
    notes: [endsIn],
    advice:
      'Change states in one place, and drop every change there once the stored state is terminal: messages, cancels and late results all pass it.',
  },
  (reading, _, tape) => {
    const { endings, places } = indexOf(tape);
    const { startedAt } = reading.exchange;
    const isStream = reading.stream !== undefined;
    // Of two overlapping exchanges, either may have seen the task first.
    const isEarlier = ({ at, untilMs }: Ending): boolean => {
      // A stream ends long after its first events, so its position on the tape does not order them.
      if (isStream) return untilMs < startedAt;
      return untilMs <= startedAt && at < (places.get(reading) ?? 0);
    };
    let compared = false;
    for (const { id, state } of shown(reading)) {
      const before = [...(endings.get(keyOf(id)) ?? [])]
        .filter(([, ending]) => isEarlier(ending))
        .map(([ended]) => ended);
      const other = before.find((ended) => ended !== state);
      if (other !== undefined) return `the task ${id} was ${other} and is ${state}`;
      compared ||= before.length > 0;
    }
    return compared ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 3.1.1 Send Message): A task in COMPLETED, FAILED, CANCELED or REJECTED never changes state.
export const finishedStays = check('task/terminal-takes-no-message', 'life.terminal-final')
  .given('spoken', anyKnock)
  .when('the client sends a message to an ended task', async ({ spoken }) => spoken.after)
  .expects(
    'leave the state of the task unchanged',
    ofTask((after, { spoken: { task } }) => sameState(task.status.state, after.status.state)),
  )
  .advice('Refuse the message; a follow-up is a new task in the same context.');

interface Ended {
  readonly task: Task;
  /** Reads before and after the time in which all work that was started by then should have ended. */
  readonly before: Outcome<Task>;
  readonly later: Outcome<Task>;
}
const endedLater = source('tasks that have ended', async (scene): Promise<readonly [Ended, ...Ended[]]> => {
  const { client, clock } = scene;
  const readAll = (tasks: readonly Task[]) => Promise.all(tasks.map(({ id }) => client.call('get', { id })));
  const watch = async (tasks: readonly Task[]): Promise<readonly Ended[]> => {
    const before = await readAll(tasks);
    const from = clock.now();
    await sleep(clock, (await workMs(scene)) - (clock.now() - from));
    const later = await readAll(tasks);
    return tasks.flatMap((task, i) => {
      const [then, now] = [before[i], later[i]];
      return then === undefined || now === undefined ? [] : [{ task, before: then, later: now }];
    });
  };
  const offered = await scene.sideBySide(
    ...(['completed', 'failed', 'rejected'] as const).map((state) => () => ifMet(scene.use(aTask(state)))),
  );
  const reached = offered.flatMap((task) => (task === undefined || task.id === '' ? [] : task));
  // A canceled task was watched for as long already.
  const [others, cut] = await Promise.all([watch(reached), ifMet(scene.use(cutShort))]);
  const known = [...others];
  if (cut?.canceled !== undefined && cut.later !== undefined) {
    known.push({ task: cut.canceled.value, before: cut.canceled, later: cut.later });
  }
  const [first, ...rest] = known.length > 0 ? known : await watch([await scene.use(endedTask)]);
  if (first === undefined) throw new PreconditionUnmet('set behaviours.completed: no task ended');
  return [first, ...rest];
});

const sameAsBefore = ({ task, later }: Ended): Judgement =>
  ofTask((now) => sameState(task.status.state, now.status.state))(later, undefined);

/** Judges parts of artifacts that were added after the task had ended. */
const grown = ({ task: { status }, before, later }: Ended): Judgement =>
  ofTask((then) =>
    ofTask((now) => {
      const added = (now.artifacts ?? []).find((artifact) => {
        const known = (then.artifacts ?? []).filter(
          (old) => old.artifactId === artifact.artifactId && old.name === artifact.name,
        );
        return !known.some(({ parts }) => parts.length >= artifact.parts.length);
      });
      return added && `the artifact ${brief(added.artifactId || added.name)} came after the task was ${status.state}`;
    })(later, undefined),
  )(before, undefined);

const tellingOf = (ends: readonly [Ended, ...Ended[]], judge: (end: Ended) => Judgement): Ended =>
  ends.find((end) => typeof judge(end) === 'string') ?? ends.find((end) => judge(end) === undefined) ?? ends[0];

// In our words (1.0, 3.1.1 Send Message): A task in COMPLETED, FAILED, CANCELED or REJECTED never changes state.
export const endedStays = check('task/ended-stays', 'life.terminal-final')
  .given('ends', endedLater)
  .when('the client reads ended tasks later', async ({ ends }) => tellingOf(ends, sameAsBefore).later)
  .expects('show the states in which they ended', (_, { ends }) => sameAsBefore(tellingOf(ends, sameAsBefore)))
  .advice('Store the final state once, and drop all later reports of the work.');

// In our words (1.0, 4.1.3 TaskState (rule from topics/life-of-a-task)): A task that has ended gets no more artifacts.
export const endedGainsNothing = check('task/ended-gains-nothing', 'life.artifacts-final')
  .given('ends', endedLater)
  .when('the client reads ended tasks later', async ({ ends }) => tellingOf(ends, grown).later)
  .expects('show no further artifact', (_, { ends }) => grown(tellingOf(ends, grown)))
  .advice('Drop artifacts that the work delivers after the end of the task, as you drop its states.');
