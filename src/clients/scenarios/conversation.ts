import type { Part } from '../../model/index.js';
import { type Patch, type Script, type Step, together } from '../../reference/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';
import { pollsUntilTheEnd } from './plots.js';

// Conversations: what the next message says of the one before, and tasks that wait for the client.

const say = (text: string): readonly Part[] => [{ kind: 'text', text }];
const status = (afterMs: number, state: Extract<Step['act'], { type: 'status' }>['state'], words: string): Step => ({
  afterMs,
  act: { type: 'status', state, say: words },
});
const artifact = (text: string): Step => ({ afterMs: 5, act: { type: 'artifact', name: 'answer', parts: say(text) } });
const task = (...steps: readonly Step[]): Script => ({
  reply: 'task',
  steps: [status(5, 'working', 'On it.'), ...steps],
});
const done = status(5, 'completed', 'Done.');

/** What the agent does about a message that begins a task, whatever its text. */
const beginning =
  (plot: () => Script): Patch =>
  (inner) => ({ script: (message, waiting) => (waiting === undefined ? plot() : inner.script(message, waiting)) });

/** Keeps the ids of the tasks that the agent begins: `task-1`, `context-1`, `task-2` … */
const noted =
  (stage: Stage): Patch =>
  (inner) => {
    let count = 0;
    return {
      create(message) {
        const made = inner.create(message);
        count++;
        stage.note(`task-${count}`, made.id);
        stage.note(`context-${count}`, made.contextId ?? '');
        return made;
      },
    };
  };

const asks: Patch = beginning(() => task(status(5, 'input-required', 'Which color shall it be?')));

/** Every message is answered with a Message of one context, which is kept: `context-1`. */
const replying = (stage: Stage): Patch =>
  together(
    beginning(() => ({ reply: 'message', afterMs: 5, parts: say('You are welcome') })),
    (inner) => {
      let isKept = false;
      return {
        id(kind) {
          const made = inner.id(kind);
          if (kind === 'context' && !isKept) stage.note('context-1', made);
          isKept ||= kind === 'context';
          return made;
        },
      };
    },
  );

/** Everything that a URL, a path or a query could change, in 200 characters. */
const oddly = (word: string): string =>
  `${word} a/b%2Fc?d=e&f#g+h;é漢字🙂e\u0301"\\ `.padEnd(199, '0123456789').concat(' ');

/** Ids of tasks and contexts are made from their kind and a number that no other one has. */
const idsFrom =
  (made: (name: string, count: number) => string): Patch =>
  (inner) => {
    let count = 0;
    return { id: (kind) => (kind === 'task' || kind === 'context' ? made(kind, ++count) : inner.id(kind)) };
  };
const oddIds = idsFrom((kind, count) => oddly(`${kind} ${count}`));
/** As numbers they would lose the zero and the last digits. */
const digitIds = idsFrom((_, count) => `0123456789012345678${count}`);

/** The id of the task that the errand of `get-odd-id` names. */
export const oddTask = oddly('task of the errand');

export const conversationScenarios: readonly Scenario[] = [
  scenario('two-messages', {
    about: 'the second message of a conversation comes when the first task has ended',
    errand: { do: 'converse', texts: ['Hello', 'And once more'] },
    patch: noted,
    expected: { state: 'completed' },
  }),
  scenario('two-replies', {
    about: 'the first message of a conversation is answered with a Message, and no task',
    errand: { do: 'converse', texts: ['Hello', 'And once more'] },
    patch: replying,
    expected: { text: 'You are welcome' },
  }),
  scenario('input-required', {
    about: 'the task waits for an answer of the user',
    errand: { do: 'converse', texts: ['Paint it', 'Blue'] },
    patch: (stage) => together(noted(stage), asks),
    expected: { state: 'completed', text: 'You said: Blue' },
  }),
  scenario('odd-ids', {
    about: 'the ids of task and context are long, and full of characters that URLs change',
    errand: { do: 'converse', texts: ['Paint it', 'Blue'] },
    patch: (stage) => together(oddIds, noted(stage), asks),
    expected: { state: 'completed', text: 'You said: Blue' },
  }),
  scenario('digit-ids', {
    about: 'the ids of task and context have digits alone, and more than a number holds',
    errand: { do: 'converse', texts: ['Paint it', 'Blue'] },
    patch: (stage) => together(digitIds, noted(stage), asks),
    expected: { state: 'completed', text: 'You said: Blue' },
  }),
  scenario('get-odd-id', {
    about: 'the id of the task that is asked for is long, and full of characters that URLs change',
    errand: { do: 'get', taskId: oddTask },
    patch:
      () =>
      (_, { clock }) => ({
        find: () => ({
          id: oddTask,
          contextId: 'context',
          status: { state: 'completed', timestamp: new Date(clock.now()).toISOString() },
          artifacts: [{ artifactId: 'artifact', parts: [...say('It was found')] }],
        }),
      }),
    expected: { state: 'completed', text: 'It was found' },
  }),
  scenario('auth-required', {
    about: 'the task waits until the user has signed in elsewhere, and goes on by itself',
    mayFail: true,
    errand: { do: 'send', text: 'Read my calendar' },
    patch: (stage) =>
      together(
        noted(stage),
        beginning(() =>
          task(
            status(5, 'auth-required', 'Sign in to the calendar service.'),
            status(1500, 'working', 'Thank you.'),
            artifact('You are free at noon'),
            done,
          ),
        ),
        pollsUntilTheEnd(stage),
      ),
    expected: { state: 'completed', text: 'You are free at noon' },
  }),
];
