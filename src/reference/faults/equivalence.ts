import type { BindingId, Dialect, ProfileId } from '../../dialect/index.js';
import type { Part, Task } from '../../model/index.js';
import { isObject } from '../../model/index.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import {
  asking,
  cameOver,
  doing,
  misnaming,
  saying,
  showing,
  showingHistory,
  showingParts,
  showingTasks,
} from '../one-side.js';
import type { Patch } from '../seams.js';
import { broken } from './streaming.js';

// Agents of several bindings whose sides do not agree in what they read and show. The one side is HTTP+JSON, unless a
// fault says otherwise.

const on = 'all-bindings';
const rest: BindingId = 'http+json';

/** A side that is not the one of the profile. */
const otherThan = ({ binding }: Dialect): BindingId => (binding.id === rest ? 'jsonrpc' : rest);

/** A patch of the side that is not the one of the profile. */
export const elsewhere =
  (patch: (binding: BindingId) => Patch): Patch =>
  (inner, world, whole) =>
    patch(otherThan(world.dialect))(inner, world, whole);

/** The versions whose errors have names that are the same in every binding. */
const named: readonly ProfileId[] = ['a2a-1.0'];

/** Each side knows only the tasks that it made. */
const ownTasksOnly: Patch = (inner) => {
  const made = new Map<string, BindingId>();
  const sideOf = (over: BindingId | undefined): BindingId => over ?? 'jsonrpc';
  return {
    async execute(command, call) {
      const side = sideOf(call.request.over);
      if (command.op === 'get' || command.op === 'cancel') {
        const of = made.get(command.params.id);
        if (of !== undefined && of !== side) throw new RpcFailure('TaskNotFound');
      }
      const outcome = await inner.execute(command, call);
      if (outcome.op === 'send' && outcome.result.type === 'task' && !made.has(outcome.result.task.id)) {
        made.set(outcome.result.task.id, side);
      }
      return outcome;
    },
  };
};

const shifted = (time: string): string => new Date(Date.parse(time) + 2 * 3_600_000).toISOString();

const withTime = (task: Task, edit: (time: string) => string): Task => {
  const { timestamp } = task.status;
  return timestamp === undefined ? task : { ...task, status: { ...task.status, timestamp: edit(timestamp) } };
};

const withLength = (edit: (length: number | undefined) => number | undefined): Patch =>
  asking(rest, (command) => {
    if (command.op !== 'get') return command;
    const { historyLength, ...params } = command.params;
    const length = edit(historyLength);
    return { ...command, params: { ...params, ...(length === undefined ? {} : { historyLength: length }) } };
  });

const withoutFilter = (name: 'state' | 'updatedAfter' | 'includeArtifacts'): Patch =>
  asking(rest, (command) => {
    if (command.op !== 'list') return command;
    const { [name]: _, ...params } = command.params;
    return { ...command, params };
  });

/** Values of metadata and data with every leaf changed; undefined: it is left out. */
function leaves(value: unknown, edit: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => leaves(one, edit));
  if (!isObject(value)) return edit(value);
  const entries = Object.entries(value).map(([name, one]) => [name, leaves(one, edit)] as const);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined));
}

const onData = (binding: BindingId, edit: (leaf: unknown) => unknown): Patch =>
  showingParts(binding, (part) => (part.kind === 'data' ? { ...part, data: leaves(part.data, edit) } : part));

const onFiles = (edit: (part: Extract<Part, { kind: 'file' }>) => Part): Patch =>
  showingParts(rest, (part) => (part.kind === 'file' ? edit(part) : part));

export const equivalenceFaults: readonly Fault[] = [
  fault('equivalence-tasks-not-shared', {
    about: 'Each binding has a task store of its own.',
    breaks: ['equivalence.readable-elsewhere', 'equivalence.same-task'],
    on,
    patch: ownTasksOnly,
  }),
  fault('equivalence-artifact-names-lost', {
    about: 'Over HTTP+JSON artifacts have no names.',
    breaks: ['equivalence.same-task'],
    on,
    patch: showingTasks(rest, ({ artifacts, ...task }) => ({
      ...task,
      ...(artifacts === undefined ? {} : { artifacts: artifacts.map(({ name: _, ...one }) => one) }),
    })),
  }),
  fault('equivalence-task-metadata-lost', {
    about: 'Over HTTP+JSON tasks have no metadata.',
    breaks: ['equivalence.same-task'],
    on,
    patch: showingTasks(rest, ({ metadata: _, ...task }) => task),
  }),
  fault('equivalence-times-in-local-zone', {
    about: 'Over HTTP+JSON times are those of another zone, and are called UTC.',
    breaks: ['equivalence.timestamps', 'equivalence.same-task'],
    on,
    patch: showingTasks(rest, (task) => withTime(task, shifted)),
  }),
  fault('equivalence-history-limit-lost', {
    about: 'Over HTTP+JSON historyLength is not read.',
    breaks: ['equivalence.history-length'],
    on,
    patch: withLength(() => undefined),
  }),
  fault('equivalence-history-reversed', {
    about: 'Over HTTP+JSON the newest message comes first.',
    breaks: ['equivalence.history-length'],
    on,
    patch: showingTasks(rest, (task) =>
      task.history === undefined ? task : { ...task, history: [...task.history].reverse() },
    ),
  }),
  fault('equivalence-history-default-none', {
    about: 'Over HTTP+JSON no history is shown unless the client asks for it.',
    breaks: ['equivalence.history-default'],
    on,
    patch: withLength((length) => length ?? 0),
  }),
  fault('equivalence-history-zero-lost', {
    about: 'Over HTTP+JSON a historyLength of 0 is taken for none.',
    breaks: ['equivalence.history-zero'],
    on,
    patch: withLength((length) => length || undefined),
  }),
  fault('equivalence-history-invalid-taken', {
    about: 'Over HTTP+JSON a negative historyLength is taken for none.',
    breaks: ['equivalence.history-invalid'],
    on,
    patch: (inner) => ({
      httpCall(request) {
        const call = inner.httpCall(request);
        if (call === undefined || Number(call.params['historyLength']) >= 0) return call;
        const { historyLength: _, ...params } = call.params;
        return { ...call, params };
      },
    }),
  }),
  fault('equivalence-list-reversed', {
    about: 'Over HTTP+JSON the oldest task comes first.',
    breaks: ['equivalence.list'],
    on,
    patch: showing(rest, (outcome) =>
      outcome.op === 'list'
        ? { ...outcome, result: { ...outcome.result, tasks: [...outcome.result.tasks].reverse() } }
        : outcome,
    ),
  }),
  fault('equivalence-list-first-missing', {
    about: 'Over HTTP+JSON the newest task is not listed.',
    breaks: ['equivalence.list'],
    on,
    patch: showing(rest, (outcome) =>
      outcome.op === 'list'
        ? { ...outcome, result: { ...outcome.result, tasks: outcome.result.tasks.slice(1) } }
        : outcome,
    ),
  }),
  fault('equivalence-status-filter-lost', {
    about: 'Over HTTP+JSON the filter by status is not read.',
    breaks: ['equivalence.list-filters'],
    on,
    patch: withoutFilter('state'),
  }),
  fault('equivalence-time-filter-lost', {
    about: 'Over HTTP+JSON the filter by time is not read.',
    breaks: ['equivalence.list-filters'],
    on,
    patch: withoutFilter('updatedAfter'),
  }),
  fault('equivalence-artifacts-flag-lost', {
    about: 'Over HTTP+JSON includeArtifacts is not read.',
    breaks: ['equivalence.list-filters'],
    on,
    patch: withoutFilter('includeArtifacts'),
  }),
  fault('equivalence-total-size-of-page', {
    about: 'Over HTTP+JSON totalSize counts the tasks of the page.',
    breaks: ['equivalence.list-sizes'],
    on,
    patch: showing(rest, (outcome) =>
      outcome.op === 'list'
        ? { ...outcome, result: { ...outcome.result, totalSize: outcome.result.tasks.length } }
        : outcome,
    ),
  }),
  fault('equivalence-page-token-breaks', {
    about: 'A page token of another binding breaks the agent over HTTP+JSON.',
    breaks: ['equivalence.page-tokens'],
    on,
    patch: (inner) => ({
      async execute(command, call) {
        if (command.op !== 'list' || !cameOver(call.request, rest)) return inner.execute(command, call);
        const { pageToken } = command.params;
        if (pageToken && !pageToken.startsWith('rest.')) throw new RpcFailure('InternalError');
        const params = pageToken ? { ...command.params, pageToken: pageToken.slice(5) } : command.params;
        const outcome = await inner.execute({ ...command, params }, call);
        if (outcome.op !== 'list' || !outcome.result.nextPageToken) return outcome;
        return { ...outcome, result: { ...outcome.result, nextPageToken: `rest.${outcome.result.nextPageToken}` } };
      },
    }),
  }),
  fault('equivalence-text-composed', {
    about: 'Over HTTP+JSON texts are shown in composed form.',
    breaks: ['equivalence.text'],
    on,
    patch: showingParts(rest, (part) => (part.kind === 'text' ? { ...part, text: part.text.normalize('NFC') } : part)),
  }),
  fault('equivalence-text-cut-on-arrival', {
    about: 'Texts that come over HTTP+JSON end at a control character.',
    breaks: ['equivalence.text'],
    on,
    patch: saying(rest, (message) => ({
      ...message,
      parts: message.parts.map((part) =>
        part.kind === 'text' ? { ...part, text: part.text.split('\u0007')[0] ?? '' } : part,
      ),
    })),
  }),
  fault('equivalence-numbers-as-text', {
    about: 'Over gRPC the numbers of data are texts.',
    breaks: ['equivalence.values'],
    on,
    patch: onData('grpc', (leaf) => (typeof leaf === 'number' ? String(leaf) : leaf)),
  }),
  fault('equivalence-nulls-lost', {
    about: 'Over HTTP+JSON members of data that are null are left out.',
    breaks: ['equivalence.values'],
    on,
    patch: onData(rest, (leaf) => (leaf === null ? undefined : leaf)),
  }),
  fault('equivalence-bytes-encoded-twice', {
    about: 'Over HTTP+JSON files are base64 of base64.',
    breaks: ['equivalence.bytes'],
    on,
    patch: onFiles(({ bytes, ...part }) => ({
      ...part,
      ...(bytes === undefined ? {} : { bytes: Buffer.from(bytes).toString('base64') }),
    })),
  }),
  fault('equivalence-media-type-lost', {
    about: 'Over HTTP+JSON files have no media type.',
    breaks: ['equivalence.message-members', 'equivalence.bytes'],
    on,
    patch: onFiles(({ mediaType: _, ...part }) => part),
  }),
  fault('equivalence-members-lost', {
    about: 'Over HTTP+JSON messages do not name the tasks that they refer to.',
    breaks: ['equivalence.message-members'],
    on,
    profiles: ['a2a-1.0'],
    patch: showingHistory(rest, ({ referenceTaskIds: _, ...message }) => message),
  }),
  fault('equivalence-unknown-task-made-up', {
    about: 'Over HTTP+JSON a task that nobody made is shown as submitted.',
    breaks: ['equivalence.unknown-task'],
    on,
    patch: doing(rest, 'get', async (command, usual, { store }) => {
      const { id } = command.params as { readonly id: string };
      return store.get(id) === undefined ? { op: 'get', result: { id, status: { state: 'submitted' } } } : usual();
    }),
  }),
  fault('equivalence-unknown-task-reset', {
    about: 'Over HTTP+JSON a subscription to an unknown task opens a stream, and the connection is reset.',
    breaks: ['equivalence.unknown-task'],
    on: 'all-bindings-everything',
    patch: (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        return request.url.includes(':subscribe') && typeof reply.body === 'string' ? broken(reply) : reply;
      },
    }),
  }),
  fault('equivalence-unknown-task-misnamed', {
    about: 'Over HTTP+JSON an unknown task gets UnsupportedOperation.',
    breaks: ['equivalence.unknown-task'],
    on,
    profiles: named,
    patch: misnaming(rest, 'TaskNotFound', 'UnsupportedOperation'),
  }),
  fault('equivalence-cancel-finished-misnamed', {
    about: 'Over HTTP+JSON the cancel of a finished task gets UnsupportedOperation.',
    breaks: ['equivalence.cancel-finished'],
    on,
    patch: misnaming(rest, 'TaskNotCancelable', 'UnsupportedOperation'),
  }),
  fault('equivalence-cancel-finished-taken', {
    about: 'Over HTTP+JSON the cancel of a finished task is answered with the task.',
    breaks: ['equivalence.cancel-finished'],
    on,
    patch: doing(rest, 'cancel', async (command, usual, { store }) => {
      try {
        return await usual();
      } catch (cause) {
        const task = store.get((command.params as { readonly id: string }).id);
        if (task === undefined) throw cause;
        return { op: 'cancel', result: task };
      }
    }),
  }),
  fault('equivalence-send-finished-misnamed', {
    about: 'Over gRPC a message to a finished task gets TaskNotFound.',
    breaks: ['equivalence.send-finished'],
    on,
    patch: misnaming('grpc', 'UnsupportedOperation', 'TaskNotFound', 'send'),
  }),
  fault('equivalence-send-finished-taken', {
    about: 'Over HTTP+JSON a message to a finished task is answered with the task, which stays as it was.',
    breaks: ['equivalence.send-finished'],
    on,
    patch: doing(rest, 'send', async (command, usual, { store }) => {
      try {
        return await usual();
      } catch (cause) {
        const { message } = command.params as { readonly message?: { readonly taskId?: string } };
        const task = store.get(message?.taskId ?? '');
        if (task === undefined) throw cause;
        return { op: 'send', result: { type: 'task', task } };
      }
    }),
  }),
];
