import { isObject, type JsonObject } from '../../model/index.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { isOf, onEventEnvelope, onFrame, onStreamOf, typed } from './streaming.js';

const on = 'streaming';
const created = (op: 'stream' | 'subscribe'): Patch => onStreamOf(op, (reply) => ({ ...reply, status: 201 }));
const asPlainText = (op: 'stream' | 'subscribe'): Patch => onStreamOf(op, (reply) => typed(reply, 'text/plain'));
const unended = (op: 'stream' | 'subscribe'): Patch => onFrame(op, (framed) => framed.replace(/\n\n$/, '\n'));
const bare = (op: 'stream' | 'subscribe'): Patch => onEventEnvelope(op, (response) => response['result'] ?? response);
const nullIds = (op: 'stream' | 'subscribe'): Patch => onEventEnvelope(op, (response) => ({ ...response, id: null }));

const withoutId = ({ id: _, ...response }: JsonObject): JsonObject => response;

export const streamTransportFaults = [
  fault('stream-answers-created', {
    about: 'Streams have the HTTP status 201.',
    breaks: ['stream.http-status'],
    on,
    patch: created('stream'),
  }),
  fault('stream-as-json-type', {
    about: 'Streams come as application/json.',
    breaks: ['stream.content-type'],
    on,
    patch: onStreamOf('stream', (reply) => typed(reply, 'application/json')),
  }),
  fault('stream-as-plain-text', {
    about: 'Streams come as text/plain.',
    breaks: ['stream.content-type'],
    on,
    patch: asPlainText('stream'),
  }),
  fault('stream-answers-one-result', {
    about: 'A call for a stream is answered with its first update as JSON.',
    breaks: ['stream.content-type'],
    on,
    patch: onStreamOf('stream', async (reply, body) => {
      for await (const first of body) {
        const text = Buffer.from(first)
          .toString()
          .replace(/^data: |\n\n$/g, '');
        return typed({ ...reply, body: text }, 'application/json');
      }
      return reply;
    }),
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
  fault('stream-lines-of-json', {
    about: 'Events are lines of JSON without a field.',
    breaks: ['stream.sse'],
    on,
    patch: onFrame('stream', (_, text) => `${text}\n`),
  }),
  fault('stream-without-blank-lines', {
    about: 'Events have no blank line after them.',
    breaks: ['stream.sse'],
    on,
    patch: unended('stream'),
  }),
  fault('stream-splits-json', {
    about: 'Each JSON text is split over two events.',
    breaks: ['stream.sse', 'stream.envelope'],
    on,
    patch: onFrame('stream', (_, text) => `data: ${text.slice(0, 40)}\n\ndata: ${text.slice(40)}\n\n`),
  }),
  fault('stream-in-latin-1', {
    about: 'Streams are written in Latin-1.',
    breaks: ['stream.sse'],
    on,
    patch: onFrame('stream', (framed) => Buffer.from(`: déjà vu\n${framed}`, 'latin1')),
  }),
  fault('stream-fields-in-capitals', {
    about: 'The field is called DATA.',
    breaks: ['stream.sse'],
    on,
    patch: onFrame('stream', (framed) => framed.replace(/^data:/gm, 'DATA:')),
  }),
  fault('stream-bare-results', {
    about: 'Events hold the update, without a JSON-RPC response around it.',
    breaks: ['stream.envelope'],
    on,
    patch: bare('stream'),
  }),
  fault('stream-old-version', {
    about: 'The responses in a stream have no jsonrpc member.',
    breaks: ['stream.envelope'],
    on,
    patch: onEventEnvelope('stream', ({ jsonrpc: _, ...response }) => response),
  }),
  fault('stream-result-and-error', {
    about: 'The responses in a stream have an error that is null beside the result.',
    breaks: ['stream.envelope'],
    on,
    patch: onEventEnvelope('stream', (response) => ({ error: null, ...response })),
  }),
  fault('stream-done-mark', {
    about: 'Streams end with an event that says [DONE].',
    breaks: ['stream.envelope'],
    on,
    patch: onFrame('stream', (framed, text) => (/completed/i.test(text) ? `${framed}data: [DONE]\n\n` : framed)),
  }),
  fault('stream-null-ids', {
    about: 'The responses in a stream have the id null.',
    breaks: ['stream.id-echoed'],
    on,
    patch: nullIds('stream'),
  }),
  fault('stream-numbers-its-events', {
    about: 'The responses in a stream are numbered.',
    breaks: ['stream.id-echoed'],
    on,
    patch: onEventEnvelope('stream', (response, at) => ({ ...response, id: at + 1 })),
  }),
  fault('stream-drops-later-ids', {
    about: 'Only the first response in a stream has an id.',
    breaks: ['stream.id-echoed'],
    on,
    patch: onEventEnvelope('stream', (response, at) => (at === 0 ? response : withoutId(response))),
  }),
  fault('stream-carries-the-newest-id', {
    about: 'The responses in a stream have the id of the stream that was opened last.',
    breaks: ['stream.id-echoed'],
    on,
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
    patch(inner, world) {
      let newest: unknown;
      return {
        streamEvent(event, call, index) {
          if (index === 0 && isOf(world, 'stream', call)) newest = call.id;
          return inner.streamEvent(event, call, index);
        },
        envelope(response, call) {
          const made = inner.envelope(response, call);
          return isOf(world, 'stream', call) && isObject(made) && 'result' in made ? { ...made, id: newest } : made;
        },
      };
    },
  }),
  fault('sub-answers-created', {
    about: 'Subscriptions have the HTTP status 201.',
    breaks: ['sub.transport'],
    on,
    patch: created('subscribe'),
  }),
  fault('sub-as-plain-text', {
    about: 'Subscriptions come as text/plain.',
    breaks: ['sub.transport'],
    on,
    patch: asPlainText('subscribe'),
  }),
  fault('sub-without-blank-lines', {
    about: 'Events of subscriptions have no blank line after them.',
    breaks: ['sub.transport'],
    on,
    patch: unended('subscribe'),
  }),
  fault('sub-bare-results', {
    about: 'Events of subscriptions hold the update, without a JSON-RPC response around it.',
    breaks: ['sub.transport'],
    on,
    patch: bare('subscribe'),
  }),
  fault('sub-null-ids', {
    about: 'The responses in a subscription have the id null.',
    breaks: ['sub.id-echoed'],
    on,
    patch: nullIds('subscribe'),
  }),
  fault('sub-carries-first-id', {
    about: 'The responses in a subscription have the id of the message that began the newest task.',
    breaks: ['sub.id-echoed'],
    on,
    patch(inner, world) {
      let first: unknown;
      return {
        envelope(response, call) {
          if (isOf(world, 'stream', call)) first = call?.id;
          const made = inner.envelope(response, call);
          return isOf(world, 'subscribe', call) && isObject(made) ? { ...made, id: first } : made;
        },
      };
    },
  }),
];
