import type { Artifact } from '../../model/index.js';
import type { Scenario } from '../scenario.js';
import { artifactOf, framing, made, now, saying, whole } from './plots.js';
import { streamedScenario, textFromTheFirst, updatesFromTheFirst } from './streamed.js';

// Streams whose bytes are unusual and right (WHATWG HTML §9.2).

type Framed = Partial<Parameters<typeof streamedScenario>[2]> & { readonly edit: Parameters<typeof framing>[0] };

const framedScenario = (id: Scenario['id'], about: string, { edit, ...more }: Framed): Scenario =>
  streamedScenario(id, about, { notOver: ['grpc'], patch: () => framing(edit), ...more });

const byteOrderMark = '\uFEFF';

/** One event with its data on several lines. */
const spread = (event: string): string => {
  const data: unknown = JSON.parse(event.replace(/^data: /, ''));
  const lines = JSON.stringify(data, undefined, 1).split('\n');
  return `${lines.map((line) => `data: ${line}\n`).join('')}\n`;
};

/** Characters of two, three and four bytes. */
const manyBytes = (word: string): string => `${word}: \u00e9, \u20ac, \u5b57, \u{1f600}`;

/** Two events, each on one line of data; of the second the text is small, so that a client can tell all texts. */
const large = (word: string): readonly [Artifact, Artifact] => [
  artifactOf('first', `${word} ${'a'.repeat(70 << 10)} `),
  { ...artifactOf('second', `${word} ends`), metadata: { padding: 'b'.repeat(1 << 20) } },
];

export const framingScenarios = [
  streamedScenario('stream-alone', 'the agent streams an ordinary task'),
  streamedScenario('stream-first-artifact', 'the task that begins a stream has an artifact', {
    updates: updatesFromTheFirst,
    text: textFromTheFirst,
  }),
  streamedScenario('stream-two-artifacts', 'a stream brings two artifacts', {
    updates: (task, { word }) => [
      whole(task, 'submitted'),
      now(task, 'working'),
      made(task, artifactOf('first', `${word} begins, `)),
      made(task, artifactOf('second', `${word} ends`)),
      now(task, 'completed'),
    ],
    text: (word) => `${word} begins, ${word} ends`,
  }),
  streamedScenario('stream-last-words', 'the status in which a streamed task ends has a message', {
    updates: (task, { word }) => [
      whole(task, 'submitted'),
      now(task, 'working'),
      saying(task, 'completed', `${word} ends`),
    ],
    text: (word) => `${word} ends`,
  }),
  framedScenario('stream-crlf', 'the lines of the stream end in CRLF', {
    edit: (event) => event.replaceAll('\n', '\r\n'),
  }),
  framedScenario('stream-cr', 'the lines of the stream end in CR alone', {
    edit: (event) => event.replaceAll('\n', '\r'),
  }),
  framedScenario('stream-bom', 'the stream begins with a byte order mark', {
    updates: updatesFromTheFirst,
    text: textFromTheFirst,
    edit: (event, index) => (index === 0 ? `${byteOrderMark}${event}` : event),
  }),
  framedScenario('stream-comments', 'comments stand between the events of a stream, and inside them', {
    edit: (event) => `: keep-alive\n\n: before\n${event.replace(/\n\n$/, '\n: after\n\n')}`,
  }),
  framedScenario('stream-fields', 'the events of a stream have other fields too, and no space after their colons', {
    edit: (event, index) =>
      `id:${index}\nretry:3000\nevent:update\nfuture:1\nnothing\n${event.replace(/^data: /, 'data:')}`,
  }),
  framedScenario('stream-data-lines', 'the JSON of an event is spread over several lines of data', { edit: spread }),
  framedScenario('stream-bytes', 'the stream comes byte by byte, with pauses inside characters of several bytes', {
    updates: (task, { word }) => [
      whole(task, 'working'),
      made(task, artifactOf('first', manyBytes(word))),
      now(task, 'completed'),
    ],
    text: manyBytes,
    edit: (event) => {
      const bytes = Buffer.from(event);
      return Array.from(bytes, (_, at) => new Uint8Array(bytes.subarray(at, at + 1)));
    },
  }),
  framedScenario('stream-large', 'the events of a stream are large: one of 70 KiB, and one of 1 MiB', {
    updates: (task, { word }) => [
      whole(task, 'working'),
      ...large(word).map((artifact) => made(task, artifact)),
      now(task, 'completed'),
    ],
    text: (word) => `${word} ${'a'.repeat(70 << 10)} ${word} ends`,
    edit: (event) => event,
  }),
  framedScenario('stream-cut', 'the stream ends inside the JSON of an event', {
    updates: (task, { word }) => [
      whole(task, 'working', artifactOf('first', `${word} begins, `)),
      made(task, artifactOf('second', `${word} ends`)),
      now(task, 'completed'),
    ],
    expected: ({ word }) => ({ text: `${word} ends` }),
    // The text stands there whole, the objects around it do not. Nothing comes after it.
    edit: (event, index) => (index === 0 ? event : index === 1 ? event.replace(/\}\s*$/, '') : ''),
  }),
];
