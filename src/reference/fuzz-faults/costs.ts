import { isObject, isString, member, type Task } from '../../model/index.js';
import { onTask } from '../edits.js';
import { costing } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { messageIn, partsIn, textsIn } from './looking.js';

const longest = (texts: readonly unknown[]): number =>
  texts.reduce<number>((most, text) => Math.max(most, isString(text) ? text.length : 0), 0);

/** Faults with more time or longer answers than the size of the request accounts for. */
export const costFaults = [
  fuzzFault('fuzz-cost-quadratic-in-parts', {
    about: 'What a message costs grows with the square of the number of its parts.',
    seenBy: ['cost', 'alive', 'law'],
    patch: costing((sent) => partsIn(sent).length ** 2 / 20),
  }),
  fuzzFault('fuzz-cost-quadratic-in-text', {
    about: 'What a message costs grows with the square of the length of its text.',
    seenBy: ['cost', 'alive', 'law'],
    patch: costing((sent) => (longest(textsIn(sent)) / 500) ** 2),
  }),
  fuzzFault('fuzz-cost-quadratic-in-metadata', {
    about: 'What a message costs grows with the square of the number of members of its metadata.',
    seenBy: ['cost', 'alive', 'law'],
    patch: costing((sent) => {
      const metadata = member(messageIn(sent), 'metadata');
      return isObject(metadata) ? Object.keys(metadata).length ** 2 / 20 : 0;
    }),
  }),
  fuzzFault('fuzz-answer-repeats-parts', {
    about: 'An artifact says everything once for each part of the message.',
    seenBy: ['cost'],
    patch: (inner) => ({
      stamp(act, task) {
        if (act.type !== 'artifact') return inner.stamp(act, task);
        const times = task.history?.[0]?.parts.length ?? 1;
        return inner.stamp({ ...act, parts: Array.from({ length: times }, () => act.parts).flat() }, task);
      },
    }),
  }),
  fuzzFault('fuzz-long-history-shows-strangers', {
    about: 'Where fewer messages are there than were asked for, those of other tasks fill the history.',
    seenBy: ['leak', 'law', 'life-cycle'],
    patch: (inner, { store }) => ({
      view(task, length) {
        const seen = inner.view(task, length);
        const missing = (length ?? 0) - (seen.history?.length ?? 0);
        if (length === undefined || length > 1000 || missing <= 0) return seen;
        const others = store.all().filter(({ id }) => id !== task.id);
        const strangers = others.flatMap(({ history = [] }) => history).slice(-missing);
        return { ...seen, history: [...strangers, ...(seen.history ?? [])] } satisfies Task;
      },
    }),
  }),
  fuzzFault('fuzz-nested-metadata-show-environment', {
    about: 'A task whose message has an object among its metadata shows the environment of the agent.',
    seenBy: ['leak'],
    patch: onTask((task) => {
      const history = member(task, 'history');
      const isNested = (message: unknown): boolean => {
        const metadata = member(message, 'metadata');
        return isObject(metadata) && Object.values(metadata).some(isObject);
      };
      const environment = 'PATH=/usr/bin\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY\nHOME=/root';
      return Array.isArray(history) && history.some(isNested) ? { ...task, metadata: { environment } } : task;
    }),
  }),
];
