import { isTerminal, type StreamEvent } from '../../model/index.js';
import { onEvent } from '../edits.js';
import { fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { allBut } from '../variant.js';
import { type ArtifactEvent, inState, onStreamOf, type StatusEvent } from './streaming.js';

const on = 'streaming';
const before10 = allBut('a2a-1.0');

/** Replaces the last status update of a task. */
const atEnd = (edit: (event: StatusEvent) => readonly StreamEvent[]) =>
  onEvent((event) => (event.type === 'status' && isTerminal(event.status.state) ? edit(event) : event));

const afterthought = ({ taskId, contextId }: StatusEvent): ArtifactEvent => ({
  type: 'artifact',
  taskId,
  ...(contextId === undefined ? {} : { contextId }),
  artifact: { artifactId: 'afterthought', name: 'afterthought', parts: [{ kind: 'text', text: 'One more thing.' }] },
});

const when = (state: string, edit: (event: StatusEvent) => readonly StreamEvent[]) =>
  onEvent((event) => (event.type === 'status' && event.status.state === state ? edit(event) : event));

/** Ends a stream behind the update that shows its task at work. */
const endingAtWork: Patch = (inner) => ({
  closes: (event, call) => (event.type === 'status' && event.status.state === 'working') || inner.closes(event, call),
});

export const streamOrderFaults = [
  fault('stream-status-without-message', {
    about: 'Streamed status updates have no message, which the task shows.',
    breaks: ['stream.status-message'],
    on,
    patch: onEvent((event) => {
      if (event.type !== 'status') return event;
      const { message: _, ...status } = event.status;
      return { ...event, status };
    }),
  }),
  fault('stream-works-after-its-end', {
    about: 'A stream shows an ended task at work again.',
    breaks: ['stream.terminal-final'],
    on,
    patch: atEnd((event) => [event, inState(event, 'working')]),
  }),
  fault('stream-completes-and-fails', {
    about: 'A stream shows a completed task as failed.',
    breaks: ['stream.terminal-final'],
    on,
    patch: when('completed', (event) => [event, inState(event, 'failed')]),
  }),
  fault('stream-never-final', {
    about: 'No status update is final.',
    breaks: ['stream.final-flag'],
    on,
    profiles: before10,
    patch: onEvent((event) => (event.type === 'status' ? { ...event, final: false } : event)),
  }),
  fault('stream-always-final', {
    about: 'Every status update is final.',
    breaks: ['stream.final-state', 'stream.nothing-after-final'],
    on,
    profiles: before10,
    patch: onEvent((event) => (event.type === 'status' ? { ...event, final: true } : event)),
  }),
  fault('stream-artifact-after-final', {
    about: 'An artifact comes after the final status update.',
    breaks: ['stream.nothing-after-final', 'stream.ends-with-status'],
    on,
    profiles: before10,
    patch: atEnd((event) => [event, afterthought(event)]),
  }),
  fault('stream-stays-open', {
    about: 'Streams stay open when nothing more follows.',
    breaks: ['stream.closes', 'sub.closes', 'cancel.stream-ends', 'stream.no-hang'],
    on,
    patch: () => ({ closes: () => false }),
  }),
  fault('stream-ends-at-work', {
    about: 'A stream ends when its task is at work, and no update of it is final: it is relayed until the first one.',
    breaks: ['stream.state-matches-get'],
    on,
    patch: together(endingAtWork, (inner) => ({
      streamEvent: (event, call, index) =>
        inner
          .streamEvent(event, call, index)
          .map((one) => (one.type === 'status' && one.status.state === 'working' ? { ...one, final: false } : one)),
    })),
  }),
  fault('stream-is-final-at-work', {
    about: 'A stream ends when its task is at work, and calls that update final, as it is for this stream.',
    breaks: ['stream.final-state'],
    on,
    profiles: before10,
    patch: endingAtWork,
  }),
  fault('stream-stays-open-after-failure', {
    about: 'The stream of a task that fails stays open.',
    breaks: ['stream.closes'],
    on,
    patch: (inner) => ({
      closes: (event, call) =>
        event.type === 'status' && event.status.state === 'failed' ? false : inner.closes(event, call),
    }),
  }),
  fault('stream-shows-whole-task-between', {
    about: 'A stream shows the whole task again before it shows an artifact.',
    breaks: ['stream.updates-only'],
    on,
    profiles: ['a2a-1.0'],
    patch: (inner, { store }) => ({
      streamEvent(event, call, index) {
        const task = event.type === 'artifact' ? store.get(event.taskId) : undefined;
        const shown = inner.streamEvent(event, call, index);
        return task === undefined ? shown : [{ type: 'task', task }, ...shown];
      },
    }),
  }),
  fault('stream-keeps-alive-for-ever', {
    about: 'Behind its last event a stream brings comments for ever.',
    breaks: ['stream.closes'],
    on,
    patch: onStreamOf('stream', (reply, body, { signal }, { clock }) => {
      async function* endless(): AsyncGenerator<Uint8Array> {
        yield* body;
        while (!signal.aborted) {
          await new Promise<void>((resolve) => void clock.after(500, resolve));
          yield Buffer.from(': still here\n\n');
        }
      }
      return { ...reply, body: endless() };
    }),
  }),
  fault('stream-hides-questions', {
    about: 'A stream ends where its task asks for input, and does not say so.',
    breaks: ['stream.shows-waiting'],
    on,
    patch: when('input-required', () => []),
  }),
  fault('stream-stays-silent-about-questions', {
    about: 'A stream stays open where its task asks for input, and does not say so.',
    breaks: ['stream.shows-waiting'],
    on: 'stream-outlives-interruptions',
    patch: when('input-required', () => []),
  }),
  fault('stream-reports-another-end', {
    about: 'A stream shows a completed task as failed, and tasks/get does not.',
    breaks: ['stream.state-matches-get', 'life.terminal-final'],
    on,
    patch: when('completed', (event) => [inState(event, 'failed')]),
  }),
  fault('stream-ends-before-the-store-knows', {
    about: 'Tasks that have ended are read as if they were at work.',
    breaks: ['stream.state-matches-get'],
    on,
    patch: (inner) => ({
      find(taskId, op) {
        const task = inner.find(taskId, op);
        if (op !== 'get' || task === undefined || !isTerminal(task.status.state)) return task;
        return { ...task, status: { ...task.status, state: 'working' } };
      },
    }),
  }),
  fault('cancel-leaves-stream-open', {
    about: 'The stream of a canceled task stays open.',
    breaks: ['cancel.stream-ends'],
    on,
    patch: (inner) => ({
      closes: (event, call) =>
        event.type === 'status' && event.status.state === 'canceled' ? false : inner.closes(event, call),
    }),
  }),
  fault('cancel-stream-works-on', {
    about: 'The stream of a canceled task shows it at work again.',
    breaks: ['cancel.no-later-events', 'stream.terminal-final'],
    on,
    patch: when('canceled', (event) => [event, inState(event, 'working')]),
  }),
  fault('cancel-stream-brings-artifacts', {
    about: 'The stream of a canceled task brings an artifact.',
    breaks: ['cancel.no-later-events'],
    on,
    patch: when('canceled', (event) => [event, afterthought(event)]),
  }),
  fault('cancel-later-stream-brings-artifacts', {
    about: 'The stream of a task whose canceling took its time brings an artifact after it.',
    breaks: ['cancel.no-later-events'],
    on: 'cancels-later',
    patch: when('canceled', (event) => [event, afterthought(event)]),
  }),
  fault('cancel-stream-completes', {
    about: 'The stream of a canceled task shows it as completed.',
    breaks: ['cancel.no-later-events'],
    on,
    patch: when('canceled', (event) => [inState(event, 'completed')]),
  }),
];
