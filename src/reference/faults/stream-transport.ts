import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onStreamOf } from './streaming.js';

const on = 'streaming';
const created = (op: 'stream' | 'subscribe'): Patch => onStreamOf(op, (reply) => ({ ...reply, status: 201 }));

export const streamTransportFaults = [
  fault('stream-answers-created', {
    about: 'Streams have the HTTP status 201.',
    breaks: ['stream.http-status'],
    on,
    patch: created('stream'),
  }),
  fault('stream-is-buffered', {
    about: 'Streams are held back until they have ended.',
    breaks: ['stream.immediate'],
    on,
    patch: onStreamOf('stream', (reply, body) => {
      async function* atLast(): AsyncGenerator<Uint8Array> {
        const held: Uint8Array[] = [];
        for await (const chunk of body) held.push(chunk);
        yield* held;
      }
      return { ...reply, body: atLast() };
    }),
  }),
];
