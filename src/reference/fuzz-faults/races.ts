import { isObject, isTerminal, type Task } from '../../model/index.js';
import { sleep } from '../../wire/index.js';
import type { Command, RpcCall } from '../calls.js';
import { hung } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';

/** Pause between reading and writing, ms. */
const gapMs = 4;
/** The task that a message continues. */
const goneOnWith = (command: Command): string | undefined =>
  command.op === 'send' ? command.params.message?.taskId : undefined;

/** What goes wrong when two things happen at once, or one after the other too soon. */
export const raceFaults = [
  fuzzFault('fuzz-lost-update', {
    about: 'Of two messages that come at once to one task the history keeps one.',
    seenBy: ['history', 'life-cycle'],
    patch: (inner, { store, clock }) => ({
      async execute(command, call) {
        const id = goneOnWith(command);
        const before = id === undefined ? undefined : store.get(id);
        if (before === undefined) return inner.execute(command, call);
        await sleep(clock, gapMs);
        const now = store.get(before.id);
        if (now !== undefined && !isTerminal(now.status.state) && before.history !== undefined) {
          store.put({ ...now, history: before.history });
        }
        return inner.execute(command, call);
      },
    }),
  }),
  fuzzFault('fuzz-resurrected-task', {
    about: 'A message that comes while its task is being canceled sets it to work again.',
    seenBy: ['history', 'life-cycle'],
    patch: (inner, { store, clock }) => ({
      async execute(command, call) {
        const id = goneOnWith(command);
        const before = id === undefined ? undefined : store.get(id);
        if (before === undefined || isTerminal(before.status.state)) return inner.execute(command, call);
        await sleep(clock, gapMs);
        const now = store.get(before.id);
        if (now?.status.state === 'canceled') store.put({ ...now, status: before.status });
        return inner.execute(command, call);
      },
    }),
  }),
  fuzzFault('fuzz-cancel-overwrites-end', {
    about: 'A cancel takes effect a little later, whatever has become of the task in the meantime.',
    // Streams show the end that is overwritten.
    on: 'streaming-and-push',
    seenBy: ['history', 'life-cycle', 'streams', 'law'],
    patch: (inner, { store, clock }) => ({
      async execute(command, call) {
        const before = command.op === 'cancel' ? store.get(command.params.id) : undefined;
        if (before === undefined || isTerminal(before.status.state)) return inner.execute(command, call);
        await sleep(clock, 25);
        const now = store.get(before.id);
        if (now !== undefined && isTerminal(now.status.state)) store.put({ ...now, status: before.status });
        return inner.execute(command, call);
      },
    }),
  }),
  fuzzFault('fuzz-stale-read', {
    about: 'For a fifth of a second reading a task shows what the last reading showed.',
    seenBy: ['history', 'life-cycle', 'unchanged'],
    patch: (inner, { clock }) => {
      const seen = new Map<string, { readonly task: Task; readonly until: number }>();
      return {
        find(taskId, op) {
          const task = inner.find(taskId, op);
          if (op !== 'get' || task === undefined) return task;
          const kept = seen.get(taskId);
          if (kept !== undefined && clock.now() < kept.until) return kept.task;
          seen.set(taskId, { task, until: clock.now() + 200 });
          return task;
        },
      };
    },
  }),
  fuzzFault('fuzz-read-during-cancel-hangs', {
    about: 'A task that is read while it is canceled is locked for ever.',
    seenBy: ['alive', 'law', 'history'],
    patch: (inner, { store, clock }) => {
      const canceling = new Set<string>();
      const locked = new Set<string>();
      return {
        async execute(command, call) {
          if (command.op !== 'cancel' || store.get(command.params.id) === undefined)
            return inner.execute(command, call);
          canceling.add(command.params.id);
          await sleep(clock, gapMs);
          canceling.delete(command.params.id);
          return inner.execute(command, call);
        },
        find(taskId, op) {
          if (op === 'get' && canceling.has(taskId)) locked.add(taskId);
          return inner.find(taskId, op);
        },
        async serveRpc(request) {
          const reply = await inner.serveRpc(request);
          return [...locked].some((id) => Buffer.from(request.body ?? []).includes(id)) ? hung : reply;
        },
      };
    },
  }),
  fuzzFault('fuzz-answers-swapped', {
    about: 'Of three calls at once one is answered with the id of another.',
    seenBy: ['law', 'history'],
    patch: (inner, { clock }) => {
      const open: RpcCall[] = [];
      return {
        async execute(command, call) {
          open.push(call);
          try {
            await sleep(clock, 1);
            return await inner.execute(command, call);
          } finally {
            open.splice(open.indexOf(call), 1);
          }
        },
        envelope(response, call) {
          const made = inner.envelope(response, call);
          const [first] = open;
          return isObject(made) && open.length > 1 && first !== undefined && call !== undefined && 'result' in made
            ? { ...made, id: first.id }
            : made;
        },
      };
    },
  }),
  fuzzFault('fuzz-configs-lost-in-race', {
    about: 'Of two configurations that are set at once the task keeps one.',
    seenBy: ['history', 'life-cycle', 'law'],
    on: 'streaming-and-push',
    patch: (inner, { store, clock }) => ({
      async execute(command, call) {
        if (command.op !== 'pushSet') return inner.execute(command, call);
        const { taskId } = command.params;
        const before = store.configs(taskId);
        await sleep(clock, gapMs);
        for (const { id = '' } of store.configs(taskId)) {
          if (!before.some((one) => one.id === id)) store.removeConfig(taskId, id);
        }
        return inner.execute(command, call);
      },
    }),
  }),
];
