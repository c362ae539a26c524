import {
  isInterrupted,
  isObject,
  isString,
  isTerminal,
  type Message,
  member,
  type Task,
  type TaskState,
} from '../../model/index.js';
import { peek } from '../http.js';
import type { Patch, World } from '../seams.js';
import { crashing, onBadParams, page } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { messageIn, paramsIn, taskIn } from './looking.js';

const nobody: Message = { messageId: 'ghost', role: 'user', parts: [{ kind: 'text', text: '' }] };
const named = ({ store }: World, params: unknown): Task | undefined => {
  const id = taskIn({ params });
  return isString(id) ? store.get(id) : undefined;
};

const move = ({ store }: World, task: Task | undefined, state: TaskState): void => {
  if (task !== undefined) store.put({ ...task, status: { ...task.status, state } });
};

/** Something happens to a task although the message to it is refused. */
const spoiling =
  (spoil: (task: Task, message: Message) => Task): Patch =>
  (inner, { store }) => ({
    refusal(command, task) {
      const refused = inner.refusal(command, task);
      if (refused !== undefined && (command.op === 'send' || command.op === 'stream')) {
        store.put(spoil(task, command.params.message));
      }
      return refused;
    },
  });

/** Faults of stored state: refused requests and reads that leave something behind, and tasks that cannot be read. */
export const stateFaults = [
  fuzzFault('fuzz-bad-message-fails-newest-task', {
    about: 'A message whose params are refused turns the newest task into a failed one.',
    seenBy: ['unchanged', 'life-cycle', 'law'],
    patch: onBadParams(['send'], (_, world) => move(world, world.store.all().at(-1), 'failed')),
  }),
  fuzzFault('fuzz-bad-message-fails-its-task', {
    about: 'A message whose params are refused turns the task that it names into a failed one.',
    seenBy: ['unchanged', 'life-cycle', 'law'],
    patch: onBadParams(['send'], (params, world) => move(world, named(world, params), 'failed')),
  }),
  fuzzFault('fuzz-refused-message-enters-history', {
    about: 'A message that its task refuses is in the history all the same.',
    seenBy: ['unchanged', 'life-cycle', 'history'],
    patch: spoiling((task, message) => ({ ...task, history: [...(task.history ?? []), message] })),
  }),
  fuzzFault('fuzz-refused-message-moves-task', {
    about: 'A message with the wrong context is refused, and its task is in that context from then on.',
    seenBy: ['unchanged', 'life-cycle'],
    patch: spoiling((task, { contextId }) => (contextId === undefined ? task : { ...task, contextId })),
  }),
  fuzzFault('fuzz-refused-message-empties-artifacts', {
    about: 'A message to a finished task is refused, and takes its artifacts away.',
    seenBy: ['unchanged', 'life-cycle'],
    patch: spoiling((task) => (isTerminal(task.status.state) ? { ...task, artifacts: [] } : task)),
  }),
  fuzzFault('fuzz-bad-cancel-cancels', {
    about: 'A cancel whose params are refused ends the task all the same.',
    seenBy: ['unchanged', 'life-cycle'],
    patch: onBadParams(['cancel'], (params, world) => move(world, named(world, params), 'canceled')),
  }),
  fuzzFault('fuzz-refused-message-leaves-ghost', {
    about: 'A message whose params are refused leaves a task in the list, in the context that it names.',
    seenBy: ['unchanged', 'law', 'life-cycle'],
    profiles: ['a2a-1.0'],
    patch: onBadParams(['send'], (params, { store }, whole) => {
      const contextId = member(member(params, 'message'), 'contextId');
      store.put(whole.create(isString(contextId) ? { ...nobody, contextId } : nobody));
    }),
  }),
  fuzzFault('fuzz-unknown-read-leaves-ghost', {
    about: 'Reading a task that is unknown leaves one in the list, with the unknown id as its context.',
    seenBy: ['unchanged', 'law', 'life-cycle'],
    profiles: ['a2a-1.0'],
    patch: (inner, { store }, whole) => ({
      find(taskId, op) {
        const task = inner.find(taskId, op);
        if (task === undefined && op === 'get') store.put(whole.create({ ...nobody, contextId: taskId }));
        return task;
      },
    }),
  }),
  fuzzFault('fuzz-refused-config-kept', {
    about: 'A configuration whose params are refused is kept.',
    seenBy: ['unchanged', 'life-cycle', 'law'],
    on: 'streaming-and-push',
    patch: onBadParams(['pushSet'], (params, world) => {
      const task = named(world, params);
      if (task !== undefined) world.store.putConfig(task.id, { id: 'draft', url: 'http://127.0.0.1:9/draft' });
    }),
  }),
  fuzzFault('fuzz-configs-shared-by-id', {
    about: 'Configurations of two tasks that have the same id are one.',
    seenBy: ['life-cycle', 'law', 'history', 'leak', 'unchanged'],
    on: 'streaming-and-push',
    patch: (inner, { store }) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (outcome.op !== 'pushSet') return outcome;
        const { config } = outcome.result;
        for (const { id } of store.all()) {
          if (store.configs(id).some((one) => one.id === config.id)) store.putConfig(id, config);
        }
        return outcome;
      },
    }),
  }),
  fuzzFault('fuzz-second-delete-crashes', {
    about: 'Deleting what was deleted before ends in HTTP 500 and a page.',
    seenBy: ['alive', 'law'],
    on: 'streaming-and-push',
    patch(inner, world, whole) {
      const gone = new Set<string>();
      const isSecond = (sent: unknown): boolean => {
        if (!/delete/i.test(String(member(sent, 'method')))) return false;
        const key = JSON.stringify(paramsIn(sent));
        if (gone.has(key)) return true;
        gone.add(key);
        return false;
      };
      return crashing(isSecond)(inner, world, whole);
    },
  }),
  fuzzFault('fuzz-waiting-task-with-webhook-crashes', {
    about: 'Reading a task that waits for input and has a webhook, with a history length, ends in HTTP 500.',
    seenBy: ['alive', 'law'],
    on: 'streaming-and-push',
    patch: (inner, { store }) => ({
      async serveRpc(request) {
        const reply = await inner.serveRpc(request);
        const sent: unknown = typeof reply.body === 'string' ? peek(request) : undefined;
        const id = taskIn(sent);
        const asked =
          /get$/i.test(String(member(sent, 'method'))) && member(paramsIn(sent), 'historyLength') !== undefined;
        const task = asked && isString(id) ? store.get(id) : undefined;
        const isWaiting = task !== undefined && isInterrupted(task.status.state);
        return isWaiting && store.configs(task.id).length > 0 ? page(500) : reply;
      },
    }),
  }),
  fuzzFault('fuzz-canceled-question-unreadable', {
    about: 'Reading a task that was canceled while it waited for the client ends in HTTP 500.',
    seenBy: ['alive', 'law'],
    patch: (inner, world, whole) => {
      const asked = new Set<unknown>();
      const broken = crashing((sent) => /get$/i.test(String(member(sent, 'method'))) && asked.has(taskIn(sent)));
      return {
        ...broken(inner, world, whole),
        refusal(command, task) {
          if (command.op === 'cancel' && isInterrupted(task.status.state)) asked.add(task.id);
          return inner.refusal(command, task);
        },
      };
    },
  }),
  fuzzFault('fuzz-every-seventh-call-fails', {
    about: 'Every seventh message is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law'],
    patch(inner, world, whole) {
      let count = 0;
      return crashing((sent) => isObject(messageIn(sent)) && ++count % 7 === 0)(inner, world, whole);
    },
  }),
  fuzzFault('fuzz-data-part-crashes-one-in-two', {
    about: 'Every other message with a data part is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law'],
    patch(inner, world, whole) {
      let count = 0;
      const hasData = (sent: unknown): boolean => {
        const parts = member(messageIn(sent), 'parts');
        return Array.isArray(parts) && parts.some((part) => isObject(member(part, 'data')));
      };
      return crashing((sent) => hasData(sent) && ++count % 2 === 0)(inner, world, whole);
    },
  }),
];
