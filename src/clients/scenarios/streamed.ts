import type { StreamEvent, Task } from '../../model/index.js';
import { type Patch, together } from '../../reference/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';
import { artifactOf, made, now, streaming, whole } from './plots.js';

/** The updates that a stream brings of its task; `word` is that of the run. */
export type Updates = (task: Task, stage: Stage) => readonly StreamEvent[];

/** Nothing is difficult: one artifact, in an update of its own. */
export const usualUpdates: Updates = (task, { word }) => [
  whole(task, 'submitted'),
  now(task, 'working'),
  made(task, artifactOf('only', `${word} was made`)),
  now(task, 'completed'),
];

/** Each event brings something that no other one does, the first one too. */
export const updatesFromTheFirst: Updates = (task, { word }) => [
  whole(task, 'submitted', artifactOf('only', `${word} begins, `)),
  now(task, 'working'),
  made(task, artifactOf('only', `and ${word} ends`), { append: true }),
  now(task, 'completed'),
];
export const textFromTheFirst = (word: string): string => `${word} begins, and ${word} ends`;

interface Streamed extends Omit<Partial<Scenario>, 'id' | 'about'> {
  readonly updates?: Updates;
  /** What a client reads that reads everything. */
  readonly text?: (word: string) => string;
}

/** A stream whose task takes these updates. */
export const streamedScenario = (
  id: Scenario['id'],
  about: string,
  { updates = usualUpdates, text = (word) => `${word} was made`, patch, ...more }: Streamed = {},
): Scenario =>
  scenario(id, {
    about,
    errand: { do: 'stream', text: 'Hello' },
    patch: (stage) => {
      const plot: Patch = streaming((task) => updates(task, stage));
      return patch === undefined ? plot : together(plot, patch(stage));
    },
    expected: ({ word }) => ({ state: 'completed', text: text(word) }),
    ...more,
  });
