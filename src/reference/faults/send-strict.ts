import { isObject, member, type Part } from '../../model/index.js';
import { edited, mistaking, onError, onResult, onSentTask, onTask, set, without } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { spelledLike } from '../words.js';
import { messageOf, partsOf, refusingSend } from './send-refusals.js';
import { named, resending, withoutTask } from './send-tasks.js';

const contents = ['text', 'raw', 'url', 'data'];
const isEmptyList = (wire: unknown): boolean => {
  const parts = member(messageOf(wire), 'parts');
  return Array.isArray(parts) && parts.length === 0;
};
const hasTwoContents = (wire: unknown): boolean =>
  partsOf(wire).some((part) => isObject(part) && contents.filter((name) => Object.hasOwn(part, name)).length > 1);
/** The agent overlooks problems at this path of a send for which `when` holds. */
const missing =
  (path: string, when: (wire: unknown) => boolean): Patch =>
  (inner) => ({
    problems: (op, wire) => inner.problems(op, wire).filter((one) => op !== 'send' || one.path !== path || !when(wire)),
  });
const lists = (wire: unknown): boolean => partsOf(wire).some((part) => Array.isArray(member(part, 'data')));
const scalars = (wire: unknown): boolean =>
  partsOf(wire).some((part) => isObject(part) && Object.hasOwn(part, 'data') && !isObject(part['data']));

/** Accepts a message with another contextId than its task; `refuses` also stores that contextId in the task. */
const mismatching =
  (then: 'continues' | 'refuses'): Patch =>
  (inner, { store }) => ({
    refusal(command, task) {
      const mine = command.op === 'send' ? command.params.message.contextId : undefined;
      if (mine === undefined || mine === task.contextId) return inner.refusal(command, task);
      if (then === 'continues') return undefined;
      store.put({ ...task, contextId: mine });
      return undefined;
    },
  });

/** Breaks demands on a send that 1.0 adds to 0.3, or makes stricter. */
const flattened = (metadata: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(metadata)).map(([name, value]) => [name, String(value)]));

/** Each part of a new message, as it is stored. */
const keeping =
  (edit: (part: Part) => Part): Patch =>
  (inner) => ({
    create(message) {
      const task = inner.create(message);
      const history = task.history?.map((one) => ({ ...one, parts: one.parts.map(edit) }));
      return { ...task, ...(history === undefined ? {} : { history }) };
    },
  });

export const sendStrictFaults = [
  fault('send-replaces-invented-context', {
    about: 'A contextId that the agent did not give out is replaced by one that it makes.',
    breaks: ['send.unknown-context-id'],
    patch: (inner, { store }) => ({
      create(message) {
        const known = store.all().some(({ contextId }) => contextId === message.contextId);
        if (message.contextId === undefined || known) return inner.create(message);
        const { contextId: _, ...rest } = message;
        return inner.create(rest);
      },
    }),
  }),
  fault('send-context-mismatch-ignored', {
    about: 'The contextId of a message that names a task is not looked at.',
    breaks: ['send.context-mismatch-refused'],
    patch: mismatching('continues'),
  }),
  fault('send-context-mismatch-moves-task', {
    about: 'A message that names a task and another context takes the task there.',
    breaks: ['send.context-mismatch-refused'],
    patch: mismatching('refuses'),
  }),
  fault('send-accepts-empty-parts', {
    about: 'A message with no part in parts starts a task.',
    breaks: ['send.empty-parts-refused'],
    patch: missing('message.parts', isEmptyList),
  }),
  fault('send-takes-first-content', {
    about: 'Of several contents of a part the first one counts.',
    breaks: ['send.part-two-contents'],
    patch: missing('message.parts.kind', hasTwoContents),
  }),
  fault('send-data-must-be-object', {
    about: 'Data that are no object are invalid.',
    breaks: ['send.data-any-json'],
    patch: refusingSend(scalars),
  }),
  fault('send-data-list-is-internal-error', {
    about: 'Data that are an array break the agent.',
    breaks: ['send.data-any-json'],
    patch: refusingSend(lists, 'InternalError'),
  }),
  fault('err-params-error-says-nothing', {
    about: 'A refusal for the params does not say for which.',
    breaks: ['err.names-parameter', 'err.bad-request'],
    patch: onError(({ data, ...error }, failure) =>
      failure === 'InvalidParams'
        ? { ...error, message: 'Invalid method parameters' }
        : { ...error, ...(data === undefined ? {} : { data }) },
    ),
  }),
  fault('send-finished-as-invalid-params', {
    about: 'A message to a finished task is refused as if the params were broken.',
    breaks: ['send.terminal-code'],
    patch: mistaking('UnsupportedOperation', 'InvalidParams', 'send'),
  }),
  fault('send-finished-as-internal-error', {
    about: 'A message to a finished task breaks the agent.',
    breaks: ['send.terminal-code'],
    patch: mistaking('UnsupportedOperation', 'InternalError', 'send'),
  }),
  fault('send-unknown-task-starts-new-one', {
    about: 'A message that names an unknown task starts another one.',
    breaks: ['send.unknown-task-refused'],
    patch: resending((send, world) => (named(world, send) === undefined ? withoutTask(send) : send)),
  }),
  fault('send-never-waits', {
    about: 'Every send is answered at once.',
    breaks: ['send.blocking-by-default'],
    patch: () => ({ patience: () => 0 }),
  }),
  fault('send-never-waits-for-short-work', {
    about: 'Every send is answered at once. Short work ends a moment later, and long work takes very long.',
    breaks: ['send.blocking-by-default', 'send.blocking-complete'],
    patch: (inner) => ({
      patience: () => 0,
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        const isLong = plot.reply === 'task' && plot.steps.some(({ afterMs }) => afterMs >= 500);
        return isLong ? { ...plot, steps: plot.steps.slice(0, 1) } : plot;
      },
    }),
  }),
  fault('send-waits-only-when-told-to', {
    about: 'A send waits for the work only when returnImmediately is false in so many words.',
    breaks: ['send.blocking-by-default'],
    patch: (inner) => ({
      patience: (configuration) => (configuration?.blocking === undefined ? 0 : inner.patience(configuration)),
    }),
  }),
  fault('send-blocking-answer-lacks-artifacts', {
    about: 'The answer to a send never shows artifacts.',
    breaks: ['send.blocking-complete'],
    patch: onSentTask((task) => without(task, 'artifacts')),
  }),
  fault('send-blocking-answer-of-another-state', {
    about: 'The answer to a send calls a completed task failed.',
    breaks: ['send.blocking-complete', 'life.terminal-final'],
    patch: onSentTask((task) =>
      edited(task, 'status.state', (state) =>
        state === spelledLike(state, 'completed') ? spelledLike(state, 'failed') : state,
      ),
    ),
  }),
  fault('send-ignores-history-zero', {
    about: 'historyLength 0 does nothing in a send.',
    breaks: ['send.history-zero', 'send.history-zero-limit'],
    patch: (inner) => ({
      execute(command, call) {
        if (command.op !== 'send' || command.params.configuration?.historyLength !== 0) {
          return inner.execute(command, call);
        }
        const { historyLength: _, ...configuration } = command.params.configuration;
        return inner.execute({ op: 'send', params: { ...command.params, configuration } }, call);
      },
    }),
  }),
  fault('send-history-zero-as-empty-list', {
    about: 'With historyLength 0 a send is answered with an empty history.',
    breaks: ['send.history-zero'],
    notOver: ['grpc'],
    patch: onSentTask((task, call) =>
      member(member(call.params, 'configuration'), 'historyLength') === 0 ? set(task, 'history', []) : task,
    ),
  }),
  fault('get-ignores-history-zero', {
    about: 'historyLength 0 does nothing in a reading.',
    breaks: ['get.history-zero-none', 'get.history-zero-limit'],
    patch: (inner) => ({ view: (task, length) => inner.view(task, length === 0 ? undefined : length) }),
  }),
  fault('get-history-zero-as-empty-list', {
    about: 'With historyLength 0 a reading shows an empty history.',
    breaks: ['get.history-zero-none'],
    notOver: ['grpc'],
    patch: onResult('get', (task, _, call) =>
      member(call.params, 'historyLength') === 0 ? set(task, 'history', []) : task,
    ),
  }),
  fault('send-answer-answered-by-message', {
    about: 'An answer to a waiting task is answered by a message.',
    breaks: ['send.task-answers-task'],
    patch: (inner) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (command.op !== 'send' || command.params.message.taskId === undefined) return outcome;
        if (outcome.op !== 'send' || outcome.result.type !== 'task') return outcome;
        const { id: taskId, contextId } = outcome.result.task;
        const message = {
          messageId: `reply-to-${taskId}`,
          role: 'agent',
          parts: [{ kind: 'text', text: 'Noted.' }],
        } as const;
        const named = { ...message, taskId, ...(contextId === undefined ? {} : { contextId }) };
        return { op: 'send', result: { type: 'message', message: named } };
      },
    }),
  }),
  fault('data-metadata-flattened', {
    about: 'What stands in metadata is shown as text.',
    breaks: ['data.metadata-values'],
    patch: onTask((task) => edited(task, 'history.*.metadata', flattened)),
  }),
  fault('get-shows-flat-metadata', {
    about: 'A read shows as text what stands in the metadata of messages.',
    breaks: ['data.metadata-values'],
    patch: onResult('get', (task) => edited(task, 'history.*.metadata', flattened)),
  }),
  fault('send-keeps-latin-1-only', {
    about: 'Letters beyond Latin-1 become question marks in the stored message.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) => (part.kind === 'text' ? { ...part, text: part.text.replace(/[^\0-\xff]/gu, '?') } : part)),
  }),
  fault('send-keeps-composed-letters', {
    about: 'Letters in two pieces are composed in the stored message.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) => (part.kind === 'text' ? { ...part, text: part.text.normalize('NFC') } : part)),
  }),
  fault('send-keeps-escaped-markup', {
    about: 'The stored message has its markup escaped.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) =>
      part.kind === 'text' ? { ...part, text: part.text.replace(/&/g, '&amp;').replace(/</g, '&lt;') } : part,
    ),
  }),
  fault('send-keeps-no-nulls', {
    about: 'The stored data of a message have no null.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) =>
      part.kind === 'data' && isObject(part.data)
        ? { ...part, data: Object.fromEntries(Object.entries(part.data).filter(([, value]) => value !== null)) }
        : part,
    ),
  }),
  fault('send-keeps-data-as-text', {
    about: 'Data of a message are stored as texts.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) =>
      part.kind === 'data' && isObject(part.data)
        ? {
            ...part,
            data: Object.fromEntries(Object.entries(part.data).map(([name, value]) => [name, JSON.stringify(value)])),
          }
        : part,
    ),
  }),
  fault('send-keeps-base64-twice', {
    about: 'The stored octets of a file are those of their base64.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) => (part.kind === 'file' && part.bytes ? { ...part, bytes: btoa(part.bytes) } : part)),
  }),
  fault('send-keeps-no-media-types', {
    about: 'Stored files have no media type.',
    breaks: ['send.shown-as-sent'],
    patch: keeping((part) => {
      if (part.kind !== 'file') return part;
      const { mediaType: _, ...file } = part;
      return file;
    }),
  }),
  fault('send-keeps-no-file-names', {
    about: 'Stored files have no name.',
    breaks: ['send.file-name-shown'],
    patch: keeping((part) => {
      if (part.kind !== 'file') return part;
      const { name: _, ...file } = part;
      return file;
    }),
  }),
];
