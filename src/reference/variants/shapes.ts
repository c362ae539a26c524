import { type ErrorName, isInterrupted, isObject, type JsonObject, type TaskState } from '../../model/index.js';
import {
  edited,
  mistaking,
  onArtifact,
  onCard,
  onEnvelope,
  onMessage,
  onPart,
  onStatus,
  onTask,
  without,
} from '../edits.js';
import { type Patch, together } from '../seams.js';
import { a2a, allBut, before10, signers, variant } from '../variant.js';
import { plainWord } from '../words.js';
import { able } from './declaring.js';

const noted = (value: JsonObject): JsonObject => ({ ...value, vendorNote: { reviewed: true, tags: ['a', 1] } });
const described = (value: JsonObject): JsonObject => ({
  ...value,
  metadata: { 'https://vendor.example/trace': { hops: [1, 2], ok: true } },
});

/** Refuses every file, of whatever type. */
const withoutFiles =
  (failure: ErrorName): Patch =>
  (inner, { dialect }) => ({
    card: () => ({ ...inner.card(), inputModes: ['text/plain', 'application/json'] }),
    problems(op, wire) {
      const found = inner.problems(op, wire);
      if (op !== 'send' && op !== 'stream') return found;
      const parts = dialect.operations.send?.params.decode(wire)?.message?.parts ?? [];
      const files = parts.some(({ kind }) => kind === 'file');
      return files ? [...found, { path: 'message.parts.mimeType', about: 'no files', failure }] : found;
    },
  });

export const shapeVariants = [
  variant('extra-members', {
    about: 'Unknown members everywhere (data.no-unknown-members, rpc.extra-envelope-members).',
    patch: together(
      onCard(noted),
      onEnvelope(noted),
      onTask(noted),
      onStatus(noted),
      onArtifact(noted),
      onMessage(noted),
      onPart(noted),
    ),
  }),
  variant('every-optional-member', {
    about: 'All that may be there is there: metadata, extensions, references, descriptions.',
    patch: together(
      onTask(described),
      onPart(described),
      onArtifact((artifact) =>
        described({ ...artifact, description: 'What was asked for.', extensions: ['https://vendor.example/ext'] }),
      ),
      onMessage((message) =>
        described({ ...message, referenceTaskIds: [], extensions: ['https://vendor.example/ext'] }),
      ),
    ),
  }),
  variant('no-optional-member', {
    about: 'Nothing that may be left out is there. A waiting task still says what it waits for.',
    patch: together(
      onTask((task) => without(without(task, 'history'), 'metadata')),
      (inner, world, whole) =>
        onStatus((status) => {
          const bare = edited(without(status, 'timestamp'), 'message', (message) =>
            without(without(message, 'taskId'), 'contextId'),
          );
          const state = plainWord(status['state']) as TaskState;
          // In OpenClaw the answer is read from the message of the completed status.
          const says = isInterrupted(state) || (state === 'completed' && world.spelling.answerInHistory);
          return says ? bare : without(bare, 'message');
        })(inner, world, whole),
      onArtifact((artifact) => without(artifact, 'description')),
      onPart((part) => edited(part, 'file', (file) => without(file, 'name'))),
      onCard((card) => edited(card, 'skills.*', (skill) => without(without(skill, 'inputModes'), 'outputModes'))),
    ),
  }),
  variant('unset-ids-written-out', {
    about:
      'Messages of a history name neither task nor context, and have empty strings there (ProtoJSON, unset values).',
    patch: onTask((task) =>
      edited(task, 'history.*', (message) => (isObject(message) ? { ...message, taskId: '', contextId: '' } : message)),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('nameless-artifacts', {
    about: 'Artifacts have an id and no name.',
    patch: onArtifact((artifact) => without(artifact, 'name')),
    // The other dialects require a name.
    profiles: a2a,
  }),
  variant('odd-ids', {
    about: 'Ids are long and full of odd characters; an id is a string, nothing more.',
    patch: (inner) => ({
      id: (kind) => `${kind}:${inner.id(kind)}/?a=b&c#d%20"'\\<>{}[] é🙂:${'0123456789'.repeat(20)}`,
    }),
  }),
  variant('short-ids', {
    about: 'Ids are short decimal numbers, as strings.',
    patch: (inner) => ({ id: (kind) => String(Number.parseInt(inner.id(kind).slice(-12), 16)) }),
  }),
  variant('base64-ids', {
    about: 'Ids are base64 with padding; an id is a string, nothing more.',
    patch: (inner) => ({ id: (kind) => Buffer.from(inner.id(kind).replaceAll('-', ''), 'hex').toString('base64') }),
  }),
  variant('timestamps-without-zone', {
    about: 'Timestamps name no zone, as in the examples of the specification (AMB03-23).',
    patch: onStatus((status) =>
      edited(status, 'timestamp', (time) => (typeof time === 'string' ? time.replace(/\.\d+Z$/, '') : time)),
    ),
    profiles: before10,
    // A time of a message is a number of seconds.
    notOver: ['grpc'],
  }),
  variant('timestamps-with-offset', {
    about: 'Timestamps have another offset than Z, and microseconds.',
    patch: onStatus((status) =>
      edited(status, 'timestamp', (time) => {
        if (typeof time !== 'string') return time;
        const local = new Date(Date.parse(time) + 19_800_000).toISOString();
        return local.replace('Z', '123+05:30');
      }),
    ),
    profiles: before10,
  }),
  variant('mixed-artifact', {
    about: 'Every artifact also holds a link and structured data.',
    patch: onArtifact((artifact) =>
      edited(artifact, 'parts', (parts) => [
        ...(Array.isArray(parts) ? parts : []),
        { kind: 'file', file: { uri: 'https://example.com/report.pdf', mimeType: 'application/pdf' } },
        { kind: 'data', data: {} },
      ]),
    ),
    profiles: ['a2a-0.3', 'terminal-bench'],
  }),
  variant('text-only', {
    about: 'Takes no file of any type: -32005 for each (send.part-forms).',
    patch: withoutFiles('ContentTypeNotSupported'),
    profiles: allBut(...signers),
  }),
  variant('text-only-unsupported', {
    about: 'Streams, and takes no file of any type: each is an operation that it does not support.',
    patch: together(able({ streaming: true }), withoutFiles('UnsupportedOperation')),
    profiles: a2a,
  }),
  variant('takes-any-media', {
    about: 'Accepts files of types that the card does not list (send.unsupported-media).',
    patch: (inner) => ({
      problems: (op, wire) =>
        inner.problems(op, wire).filter((problem) => problem.failure !== 'ContentTypeNotSupported'),
    }),
  }),
  variant('shape-errors-are-invalid-requests', {
    about: 'Refuses params of the wrong shape with -32600 (AMB03-21).',
    patch: mistaking('InvalidParams', 'InvalidRequest'),
    profiles: before10,
  }),
  variant('error-data-of-any-type', {
    about: 'error.data is any JSON value, another one each time (rpc.error-data-free).',
    patch(inner) {
      const kinds: readonly unknown[] = ['text', 42, true, null, { reason: 'because' }, ['a', 1], 0, '', {}, []];
      let next = 0;
      return { error: (failure, call) => ({ ...inner.error(failure, call), data: kinds[next++ % kinds.length] }) };
    },
    profiles: before10,
  }),
];
