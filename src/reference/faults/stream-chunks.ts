import type { StreamEvent } from '../../model/index.js';
import type { RpcCall } from '../calls.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { type ArtifactEvent, onEventOf } from './streaming.js';

const on = 'streaming';

const onChunk = (edit: (event: ArtifactEvent, call: RpcCall) => StreamEvent | readonly StreamEvent[] | undefined) =>
  onEventOf('stream', (event, call) => (event.type === 'artifact' ? edit(event, call) : event));

const renamed = (event: ArtifactEvent, artifactId: string): ArtifactEvent => ({
  ...event,
  artifact: { ...event.artifact, artifactId },
});
const holding = (event: ArtifactEvent, { artifact: { parts } }: ArtifactEvent): ArtifactEvent => ({
  ...event,
  artifact: { ...event.artifact, parts },
});

/** tasks/get shows no artifacts. */
const keepingNone: Patch = (inner) => ({
  find(taskId, op) {
    const task = inner.find(taskId, op);
    if (op !== 'get' || task === undefined) return task;
    const { artifacts: _, ...rest } = task;
    return rest;
  },
});

export const streamChunkFaults = [
  fault('stream-appends-from-the-start', {
    about: 'Already the first chunk of an artifact is to be appended.',
    breaks: ['stream.append-known'],
    on,
    patch: onChunk((event) => ({ ...event, append: true })),
  }),
  fault('stream-appends-to-another-artifact', {
    about: 'Chunks are appended to an artifact that nobody has seen.',
    breaks: ['stream.append-known'],
    on,
    patch: onChunk((event) => (event.append === true ? renamed(event, 'unseen') : event)),
  }),
  fault('stream-each-chunk-is-the-last', {
    about: 'Every chunk is called the last.',
    breaks: ['stream.nothing-after-last-chunk'],
    on,
    patch: onChunk((event) => ({ ...event, lastChunk: true })),
  }),
  fault('stream-loses-a-chunk', {
    about: 'All chunks but the first are lost.',
    breaks: ['stream.assembled-artifact'],
    on,
    patch: onChunk((event) => (event.append === true ? undefined : event)),
  }),
  fault('stream-repeats-a-chunk', {
    about: 'Chunks to be appended come twice.',
    breaks: ['stream.assembled-artifact'],
    on,
    patch: onChunk((event) => (event.append === true ? [{ ...event, lastChunk: false }, event] : event)),
  }),
  fault('stream-artifacts-without-names', {
    about: 'Streamed artifacts have no name, which the task shows.',
    breaks: ['stream.assembled-artifact'],
    on,
    patch: onChunk(({ artifact: { name: _, ...artifact }, ...event }) => ({ ...event, artifact })),
  }),
  fault('stream-chunks-without-append', {
    about: 'No chunk is to be appended.',
    breaks: ['stream.assembled-artifact'],
    on,
    patch: onChunk((event) => ({ ...event, append: false })),
  }),
  fault('stream-keeps-no-artifacts', {
    about: 'Artifacts are streamed, and not kept.',
    breaks: ['stream.artifacts-kept'],
    on,
    patch: keepingNone,
  }),
  fault('stream-keeps-no-rare-artifacts', {
    about: 'Artifacts, of which there are few, are streamed, and not kept.',
    breaks: ['stream.artifacts-kept'],
    on: 'artifacts-when-asked-for',
    patch: keepingNone,
  }),
  fault('stream-leaves-artifacts-out', {
    about: 'Artifacts are kept, and not streamed.',
    breaks: ['stream.artifacts'],
    on,
    patch: onChunk(() => undefined),
  }),
  fault('stream-leaves-rare-artifacts-out', {
    about: 'Artifacts, of which there are few, are kept, and not streamed.',
    breaks: ['stream.artifacts'],
    on: 'artifacts-when-asked-for',
    patch: onChunk(() => undefined),
  }),
  fault('stream-swaps-chunks', {
    about: 'The second chunk of an artifact comes before the first.',
    breaks: ['stream.in-order'],
    on,
    patch(inner, world, whole) {
      const held = new WeakMap<RpcCall, ArtifactEvent>();
      return onChunk((event, call) => {
        const first = held.get(call);
        if (first === undefined && event.lastChunk !== false) return event;
        if (first !== undefined) return [holding(first, event), holding(event, first)];
        held.set(call, event);
        return undefined;
      })(inner, world, whole);
    },
  }),
];
