import type { StreamEvent, Task } from '../../model/index.js';
import { type Patch, together } from '../../reference/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';
import { artifactOf, made, now, streaming, whole } from './plots.js';

/** The updates that a stream brings of its task; `word` is that of the run. */
export type Updates = (task: Task, stage: Stage) => readonly StreamEvent[];

/** Each brings something that no other one does, so that a client that loses one tells something else. */
export const usualUpdates: Updates = (task, { word }) => [
  whole(task, 'submitted', artifactOf('first', `${word} begins, `)),
  now(task, 'working'),
  made(task, artifactOf('second', `${word} ends`)),
  now(task, 'completed'),
];

interface Streamed extends Omit<Partial<Scenario>, 'id' | 'about'> {
  readonly updates?: Updates;
  /** What a client reads that reads everything. */
  readonly text?: (word: string) => string;
}

/** A stream that is all that can be known of its task. */
export const streamedScenario = (
  id: Scenario['id'],
  about: string,
  { updates = usualUpdates, text = (word) => `${word} begins, ${word} ends`, patch, ...more }: Streamed = {},
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
