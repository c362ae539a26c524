import {
  check,
  describe,
  difference,
  eachPair,
  endedTask,
  isSameInstant,
  type Judgement,
  type Message,
  type Outcome,
  type Pair,
  type Side,
  type Task,
  taskWithHistory,
  told,
} from '../../src/kit/index.js';
import { isGone } from '../task/answers.js';
import { probes, readsOf } from './probes.js';
import { asJudged, interfaces, onBoth, readAlike, sameFate, unseenOver } from './sides.js';

// A2A 1.0 §5.1, §3.2.4, §5.6.1; 0.3 §3.4.1: one task read over two bindings.

const titles = ({ own, peer }: Pair): readonly [string, string] => [own.title, peer.title];

const idsOf = (history: readonly Message[] = []): readonly string[] => history.map(({ messageId }) => messageId);

// In our words (1.0, 5.1 Functional Equivalence Requirements): A task made over one binding is readable over each other
//   one.
// In our words (1.0, 5.1 Functional Equivalence Requirements): GetTask gives the same task on each binding.
export const readable = check(
  'equivalence/readable-elsewhere',
  'equivalence.readable-elsewhere',
  'equivalence.same-task',
)
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when('the client reads each task over another interface', async (scene) =>
    eachPair(scene.interfaces, (pair): Judgement => {
      const reads = readsOf(scene.probes, pair);
      const lost = reads.find(({ reader, probe, outcome }) => reader !== probe.sender && isGone(outcome));
      const { probe } = lost ?? {};
      const own = reads.find((read) => read.probe === probe && read.reader === probe?.sender)?.outcome;
      if (lost !== undefined && own?.kind === 'result') {
        return `the task that was made over ${lost.probe.sender} is not found over ${lost.reader}: ${describe(lost.outcome)}`;
      }
      const unread = reads.find(({ outcome }) => outcome.kind !== 'result');
      if (unread !== undefined) return unseenOver({ title: unread.reader } as Side, unread.outcome);
      const silent = scene.probes.find(({ taskId }) => taskId === undefined);
      return silent === undefined ? undefined : unseenOver({ title: silent.sender } as Side, silent.sent);
    }),
  )
  .expects('find the task', asJudged)
  .advice('Put one task store behind all bindings.');

/** The time of the status has a check of its own. */
const timeless = ({ status: { timestamp: _, ...status }, ...task }: Task) => ({ ...task, status });

const reading =
  (id: string, historyLength?: number) =>
  ({ client }: Side): Promise<Outcome<Task>> =>
    client.call('get', { id, ...(historyLength === undefined ? {} : { historyLength }) });

// In our words (1.0, 5.1 Functional Equivalence Requirements): GetTask gives the same task on each binding.
export const sameTask = check('equivalence/same-task', 'equivalence.same-task')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client reads a task over each interface', async ({ interfaces, task }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, reading(task.id, 100), (own, there) => {
        const [left, other] = [timeless(own), timeless(there)];
        // Which messages are shown has a check of its own.
        const isSame = difference(idsOf(own.history), idsOf(there.history)) === undefined;
        const deviation = isSame
          ? difference(left, other)
          : difference({ ...left, history: [] }, { ...other, history: [] });
        return deviation && told(deviation, titles(pair));
      }),
    ),
  )
  .expects('show the same task', asJudged)
  .advice('Make the answer of every binding from one object, with every member in the code of each.');

// In our words (1.0, 5.6.1 Timestamps): Timestamps of a status denote the same instant on each binding.
// In our words (1.0, 5.1 Functional Equivalence Requirements): GetTask gives the same task on each binding.
export const timestamps = check('equivalence/timestamps', 'equivalence.timestamps', 'equivalence.same-task')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client reads a timestamp over each interface', async ({ interfaces, task }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, reading(task.id), (own, there) => {
        const [left, other] = [own.status.timestamp, there.status.timestamp];
        if (left === other || (left !== undefined && other !== undefined && isSameInstant(left, other)))
          return undefined;
        return told({ path: 'status.timestamp', left, right: other }, titles(pair));
      }),
    ),
  )
  .expects('show the same instant', asJudged)
  .advice('Keep times in UTC, and write them with Z: a local time without its zone is another instant.');

const sameHistory = (pair: Pair, id: string, length?: number): Promise<Judgement> =>
  readAlike(pair, reading(id, length), (own, there) => {
    const deviation = difference(idsOf(own.history), idsOf(there.history));
    const count = (task: Task): number => task.history?.length ?? 0;
    return (
      deviation &&
      `${told({ ...deviation, path: `history${deviation.path}` }, titles(pair))} (${count(own)} and ${count(there)} messages)`
    );
  });

// In our words (1.0, 3.2.4 History Length Semantics): historyLength 1, and one above the size of the history, give the
//   same history on each binding.
export const historyLength = check('equivalence/history-length', 'equivalence.history-length')
  .given('interfaces', interfaces)
  .given('task', taskWithHistory)
  .when('the client asks each interface for 1 and 100 messages', async ({ interfaces, task }) =>
    eachPair(
      interfaces,
      async (pair) => (await sameHistory(pair, task.id, 1)) ?? (await sameHistory(pair, task.id, 100)),
    ),
  )
  .expects('show the same messages in the same order', asJudged)
  .advice('Hand historyLength on from every binding, and cut the history in one place.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): Without historyLength the history is the same on each
//   binding.
export const historyDefault = check('equivalence/history-default', 'equivalence.history-default')
  .given('interfaces', interfaces)
  .given('task', taskWithHistory)
  .when('the client reads a task over each interface without historyLength', async ({ interfaces, task }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, reading(task.id), ({ history: own = [] }, { history: there = [] }) =>
        own.length > 0 === there.length > 0
          ? undefined
          : `${own.length} messages over ${pair.own.title}, ${there.length} over ${pair.peer.title}`,
      ),
    ),
  )
  .expects('show a history on each or on none', asJudged)
  .advice('Set the default of historyLength in one place, behind all bindings.');

// In our words (1.0, 3.2.4 History Length Semantics): historyLength 0 has the same effect on each binding.
export const historyZero = check('equivalence/history-zero', 'equivalence.history-zero')
  .given('interfaces', interfaces)
  .given('task', taskWithHistory)
  .when('the client asks each interface for 0 messages', async ({ interfaces, task }) =>
    eachPair(interfaces, (pair) =>
      readAlike(pair, reading(task.id, 0), ({ history: own = [] }, { history: there = [] }) =>
        own.length > 0 === there.length > 0
          ? undefined
          : `${own.length} messages over ${pair.own.title}, ${there.length} over ${pair.peer.title}; 0 asks for none`,
      ),
    ),
  )
  .expects('answer alike', asJudged)
  .advice('Keep 0 apart from unset in the code of each binding: queries are texts, and protobuf fields have presence.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): A negative historyLength is treated alike.
export const historyInvalid = check('equivalence/history-invalid', 'equivalence.history-invalid')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client asks each interface for -1 messages', async ({ interfaces, task }) =>
    eachPair(interfaces, async (pair) => {
      const [own, there] = await onBoth(pair, ({ client }) =>
        client.call('get', { id: task.id, historyLength: -1 }, { invalid: true }),
      );
      return sameFate(pair, { about: 'a historyLength of -1', own, there });
    }),
  )
  .expects('answer alike', asJudged)
  .advice('Validate historyLength in one place, behind all bindings.');
