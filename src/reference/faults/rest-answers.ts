import type { ProfileId } from '../../dialect/index.js';
import { isObject, type Operation } from '../../model/index.js';
import { fault } from '../fault.js';
import { streamReply } from '../http-json.js';
import type { Patch } from '../seams.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-rest', 'a2a-0.3-rest'];
const streaming: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);

/** The JSON text of each result. */
const onResults =
  (edit: (text: string) => string): Patch =>
  (inner) => ({
    httpResult(result, call) {
      const reply = inner.httpResult(result, call);
      return { ...reply, value: JSON.parse(edit(JSON.stringify(reply.value))) };
    },
  });

const onUpdates =
  (edit: (value: unknown) => unknown): Patch =>
  (inner) => ({
    httpResult(result, call) {
      const reply = inner.httpResult(result, call);
      return streaming.has(call.op) ? { ...reply, value: edit(reply.value) } : reply;
    },
  });

/** The content type of results. */
const typed =
  (type: string | undefined): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      if (reply.status >= 300 || typeof reply.body !== 'string') return reply;
      const others = reply.headers.filter(([name]) => name !== 'content-type');
      return { ...reply, headers: type === undefined ? others : [...others, ['content-type', type]] };
    },
  });

/** Refusals of streaming operations come as an event of a stream with this error. */
const refusesInStream =
  (error: unknown): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      const streams = /:(stream|subscribe)$/.test(new URL(request.url).pathname);
      return streams && reply.status >= 400 ? streamReply([{ error }]) : reply;
    },
  });

export const restAnswersFaults = [
  fault('rest-results-as-text', {
    about: 'Results come as text/plain.',
    breaks: ['rest.media-type'],
    profiles,
    patch: typed('text/plain'),
  }),
  fault('rest-results-without-type', {
    about: 'Results come without a content type.',
    breaks: ['rest.media-type'],
    profiles,
    patch: typed(undefined),
  }),
  fault('rest-byte-order-mark', {
    about: 'Bodies begin with a byte order mark.',
    breaks: ['rest.utf8'],
    profiles,
    patch: (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        const { body } = reply;
        return typeof body === 'string' && body !== '' ? { ...reply, body: `\ufeff${body}` } : reply;
      },
    }),
  }),
  fault('rest-mixed-spelling', {
    about: 'Roles are spelled as in the proto, all else as in the schema.',
    breaks: ['rest.one-spelling'],
    profiles: ['a2a-0.3-rest'],
    patch: onResults((text) => text.replaceAll('"role":"user"', '"role":"ROLE_USER"')),
  }),
  fault('rest-text-lost', {
    about: 'Messages of the client are kept without their parts.',
    breaks: ['rest.text-arrives'],
    profiles: ['a2a-0.3-rest'],
    patch: onResults((text) =>
      JSON.stringify(
        JSON.parse(text, (_, value) =>
          isObject(value) && value['role'] === 'user' && Array.isArray(value['parts'])
            ? { ...value, parts: [] }
            : value,
        ),
      ),
    ),
  }),
  fault('rest-stream-in-envelopes', {
    about: 'Each event of a stream is a JSON-RPC response.',
    breaks: ['rest.stream-data'],
    on: 'streaming',
    profiles: ['a2a-1.0-rest'],
    patch: onUpdates((result) => ({ jsonrpc: '2.0', id: '1', result })),
  }),
  fault('rest-stream-bare-objects', {
    about: 'The events of a stream are the objects themselves, without the member that tells what they are.',
    breaks: ['rest.stream-data'],
    on: 'streaming',
    profiles: ['a2a-1.0-rest'],
    patch: onUpdates((value) => (isObject(value) ? Object.values(value)[0] : value)),
  }),
  fault('rest-stream-as-list', {
    about: 'Each event of a stream is a list with one update.',
    breaks: ['rest.stream-data', 'rest.stream-objects'],
    on: 'streaming',
    profiles,
    patch: onUpdates((value) => [value]),
  }),
  fault('rest-stream-error-text', {
    about: 'The error of a stream is a text.',
    breaks: ['rest.stream-error'],
    on: 'streaming',
    profiles,
    patch: refusesInStream('No such task'),
  }),
  fault('rest-stream-error-empty', {
    about: 'The error of a stream is an empty object.',
    breaks: ['rest.stream-error'],
    on: 'streaming',
    profiles,
    patch: refusesInStream({}),
  }),
];
