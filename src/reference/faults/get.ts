import { methodOf } from '../../dialect/index.js';
import { isObject, isSettled, isTerminal, member, type Task } from '../../model/index.js';
import type { Incoming, Reply } from '../calls.js';
import { edited, lacking, mistaking, onReply, onResult, overlooking, seeingStrangers, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { methodIn, plainReply } from '../http.js';
import { type Patch, together } from '../seams.js';
import { allBut, streamers } from '../variant.js';
import { spelledLike } from '../words.js';

const nowhere = '00000000-0000-4000-8000-00000000ffff';
const nobodys = (id: string): Task => ({ id, contextId: nowhere, status: { state: 'unknown' } });
const isNobodys = ({ contextId }: Task): boolean => contextId === nowhere;
const ended = (task: Task): boolean => isTerminal(task.status.state);

/** tasks/get does not find a task at work while its age is in the range of `isHidden`. */
const hidingWork =
  (isHidden: (ageMs: number) => boolean): Patch =>
  (inner, { clock, store }) => ({
    find(id, op) {
      const task = inner.find(id, op);
      if (op !== 'get' || task === undefined || isSettled(task.status.state)) return task;
      return isHidden(clock.now() - (store.createdAt(id) ?? 0)) ? undefined : task;
    },
  });

/** Changes every reading of a finished task; `count` numbers the readings from 1. */
const eachTime =
  (change: (task: unknown, count: number) => unknown): Patch =>
  (inner, world, whole) => {
    let count = 0;
    const patch = onResult('get', (wire, outcome) =>
      outcome.op === 'get' && ended(outcome.result) ? change(wire, ++count) : wire,
    );
    return patch(inner, world, whole);
  };

export const getFaults = [
  fault('get-not-implemented', {
    about: 'There is no tasks/get.',
    breaks: ['get.implemented', 'get.same-task'],
    notOver: ['a2a-0.3-grpc'],
    patch: lacking('get'),
  }),
  fault('get-unsupported', {
    about: 'tasks/get is not supported.',
    breaks: ['get.implemented'],
    notOver: ['a2a-0.3-grpc'],
    profiles: streamers,
    patch: lacking('get', 'UnsupportedOperation'),
  }),
  fault('get-answers-another-id', {
    about: 'tasks/get answers with a task of another id.',
    breaks: ['get.same-task'],
    patch: onResult('get', (task) => set(task, 'id', nowhere)),
  }),
  fault('get-answers-wrapped', {
    about: 'tasks/get answers with an object around the task.',
    breaks: ['get.same-task', 'data.task-kind', 'data.task-id', 'data.task-status'],
    binding: 'jsonrpc',
    patch: onResult('get', (task) => ({ task })),
  }),
  fault('get-answers-null', {
    about: 'tasks/get answers with null.',
    breaks: ['get.same-task'],
    patch: onResult('get', () => null),
  }),
  fault('get-finds-nothing', {
    about: 'tasks/get finds no task, not even one that is at work.',
    breaks: ['get.same-task'],
    // In XPR every task has ended when the client first sees it.
    profiles: allBut('xpr', 'xpr-v2'),
    patch: (inner) => ({ find: (id, op) => (op === 'get' ? undefined : inner.find(id, op)) }),
  }),
  fault('get-unknown-while-at-work', {
    about: 'tasks/get does not find a task that has been at work for a while, and finds it again when it has ended.',
    breaks: ['get.known-at-work'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: hidingWork((ageMs) => ageMs > 150),
  }),
  fault('get-unknown-at-first', {
    about: 'tasks/get does not find a task in the first twentieth of a second, where its work takes longer.',
    breaks: ['get.known-at-work'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: hidingWork((ageMs) => ageMs < 50),
  }),
  fault('get-shows-old-state', {
    about: 'tasks/get shows a finished task at work.',
    breaks: ['get.state-not-older', 'life.terminal-final'],
    patch: eachTime((task) => edited(task, 'status.state', (state) => spelledLike(state, 'working'))),
  }),
  fault('get-drops-artifacts', {
    about: 'tasks/get shows no artifacts.',
    breaks: ['get.artifacts-kept'],
    patch: onResult('get', (task) => without(task, 'artifacts')),
  }),
  fault('get-drops-artifacts-asked-for', {
    about: 'tasks/get shows no artifacts, at an agent that makes some only when it is asked for them.',
    breaks: ['get.artifacts-kept'],
    on: 'artifacts-when-asked',
    patch: onResult('get', (task) => without(task, 'artifacts')),
  }),
  fault('get-shows-artifacts-once', {
    about: 'From the second reading of a finished task on, its artifacts are gone.',
    breaks: ['get.artifacts-kept', 'get.stable'],
    patch(inner, world, whole) {
      const read = new Set<string>();
      const patch = onResult('get', (wire, outcome) => {
        if (outcome.op !== 'get' || !ended(outcome.result)) return wire;
        if (read.has(outcome.result.id)) return without(wire, 'artifacts');
        read.add(outcome.result.id);
        return wire;
      });
      return patch(inner, world, whole);
    },
  }),
  fault('get-empties-artifacts-once-read', {
    about: 'From the second reading of a finished task on, its artifacts have no parts.',
    breaks: ['get.artifacts-kept', 'get.stable'],
    patch(inner, world, whole) {
      const read = new Set<string>();
      const patch = onResult('get', (wire, outcome) => {
        if (outcome.op !== 'get' || !ended(outcome.result)) return wire;
        if (read.has(outcome.result.id)) return edited(wire, 'artifacts.*.parts', () => []);
        read.add(outcome.result.id);
        return wire;
      });
      return patch(inner, world, whole);
    },
  }),
  fault('get-renames-artifacts', {
    about: 'Artifacts get new ids with every reading.',
    breaks: ['get.artifacts-kept', 'get.stable'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: eachTime((task, count) =>
      edited(task, 'artifacts.*', (artifact) => {
        const name = isObject(artifact) && Object.hasOwn(artifact, 'artifactId') ? 'artifactId' : 'name';
        return edited(artifact, name, (id) => `${String(id)}-${count}`);
      }),
    ),
  }),
  fault('get-restamps-status', {
    about: 'The timestamp of a finished task is that of its reading.',
    breaks: ['get.stable'],
    patch: eachTime((task, count) => set(task, 'status.timestamp', new Date(1e12 + count).toISOString())),
  }),
  fault('get-new-context-each-time', {
    about: 'Every reading names another context.',
    breaks: ['get.stable'],
    patch: eachTime((task, count) => set(task, 'contextId', `context-${count}`)),
  }),
  fault('get-unknown-answers-empty-task', {
    about: 'An unknown task id gives a task that nobody made.',
    breaks: ['get.unknown-refused', 'get.unknown-code'],
    patch: together(seeingStrangers, (inner) => ({
      find: (id, op) =>
        inner.find(id, op) ?? (op === 'get' ? { id, contextId: id, status: { state: 'unknown' } } : undefined),
    })),
  }),
  fault('get-unknown-answers-null', {
    about: 'An unknown task id gives null.',
    breaks: ['get.unknown-refused', 'get.unknown-code'],
    patch: together(
      seeingStrangers,
      (inner) => ({ find: (id, op) => inner.find(id, op) ?? (op === 'get' ? nobodys(id) : undefined) }),
      onResult('get', (wire, outcome) => (outcome.op === 'get' && isNobodys(outcome.result) ? null : wire)),
    ),
  }),
  fault('get-unknown-is-html-500', {
    about: 'An unknown task id gives HTTP 500 and a web page.',
    breaks: ['get.unknown-refused', 'get.unknown-code'],
    patch: (inner, world, whole) => {
      const isLost = (reply: Reply, request: Incoming): boolean =>
        methodIn(request) === methodOf(world.dialect, 'get') && String(reply.body).includes('-32001');
      return onReply('endpoint', (reply, request) =>
        isLost(reply, request) ? plainReply(500, '<h1>Internal Server Error</h1>') : reply,
      )(inner, world, whole);
    },
  }),
  fault('get-unknown-is-internal-error', {
    about: 'An unknown task id is answered with -32603.',
    breaks: ['get.unknown-code'],
    patch: mistaking('TaskNotFound', 'InternalError', 'get'),
  }),
  fault('get-is-internal-error', {
    about: 'A task cannot be read: an internal error.',
    breaks: ['get.same-task'],
    patch: (inner) => ({
      execute(command, call) {
        if (command.op === 'get' && inner.find(command.params.id, 'get') !== undefined)
          throw new RpcFailure('InternalError');
        return inner.execute(command, call);
      },
    }),
  }),
  fault('get-without-id-shows-newest-task', {
    about: 'tasks/get without a readable id shows the newest task.',
    breaks: ['get.id-required', 'get.id-required-code', 'get.id-type'],
    patch: together(seeingStrangers, (inner, world, whole) => ({
      ...overlooking('get', 'id')(inner, world, whole),
      find: (id, op) => inner.find(id, op) ?? (op === 'get' && id === '' ? world.store.all().at(-1) : undefined),
    })),
  }),
  fault('get-without-id-is-not-found', {
    about: 'tasks/get without an id is answered as if the task did not exist.',
    breaks: ['get.id-required-code'],
    patch: overlooking('get', 'id'),
  }),
  fault('get-bad-params-are-internal-errors', {
    about: 'Wrong params of tasks/get are answered with -32603.',
    breaks: ['get.id-required-code', 'get.id-type', 'get.history-invalid', 'get.history-negative'],
    patch: mistaking('InvalidParams', 'InternalError', 'get'),
  }),
  fault('get-ignores-history-length', {
    about: 'historyLength does nothing in tasks/get.',
    breaks: ['get.history-length', 'get.history-zero-limit'],
    patch: (inner) => ({ view: (task) => inner.view(task, undefined) }),
  }),
  fault('get-shows-oldest-history', {
    about: 'historyLength counts from the oldest message.',
    breaks: ['get.history-length'],
    patch: (inner) => ({
      view: (task, length) =>
        length === undefined || task.history === undefined
          ? inner.view(task, length)
          : { ...task, history: task.history.slice(0, length) },
    }),
  }),
  fault('get-shows-oldest-client-message', {
    about: 'historyLength counts from the oldest message, where a history has messages of the client only.',
    breaks: ['get.history-length'],
    on: 'keeps-client-messages',
    patch: (inner) => ({
      view(task, length) {
        const seen = inner.view(task, undefined);
        if (!length || seen.history === undefined) return inner.view(task, length);
        return { ...seen, history: seen.history.slice(0, length) };
      },
    }),
  }),
  fault('get-cuts-stored-history', {
    about: 'Reading a part of a history deletes the rest of it.',
    breaks: ['get.reads-change-nothing'],
    profiles: allBut('xpr', 'xpr-v2'),
    patch: (inner, { store }) => ({
      view(task, length) {
        const seen = inner.view(task, length);
        const known = store.get(task.id);
        if (length !== undefined && known !== undefined) store.put({ ...known, history: seen.history ?? [] });
        return seen;
      },
    }),
  }),
  fault('get-takes-any-history-length', {
    about: 'A negative historyLength, or one that is no number, is accepted.',
    breaks: ['get.history-invalid'],
    patch: overlooking('get', 'historyLength'),
  }),
  fault('get-takes-negative-history-length', {
    about: 'A negative historyLength is accepted; what is no number is not.',
    breaks: ['get.history-negative'],
    patch: (inner) => ({
      problems(op, wire) {
        const isNegative = op === 'get' && Number(member(wire, 'historyLength')) < 0;
        return inner.problems(op, wire).filter(({ path }) => !isNegative || path !== 'historyLength');
      },
    }),
  }),
  fault('get-refuses-metadata', {
    about: 'tasks/get refuses metadata.',
    breaks: ['get.metadata-accepted'],
    patch: (inner) => ({
      problems(op, wire) {
        const found = inner.problems(op, wire);
        if (op !== 'get' || !Object.hasOwn(Object(wire), 'metadata')) return found;
        return [...found, { path: 'metadata', about: 'metadata is unknown', failure: 'InvalidParams' }];
      },
    }),
  }),
  fault('get-finds-every-second-time', {
    about: 'Every second request for a task does not find it: it is at another replica, with a store of its own.',
    breaks: ['get.known-at-work'],
    patch(inner) {
      const counts = new Map<string, number>();
      return {
        find(taskId, op) {
          const count = counts.get(taskId) ?? 0;
          counts.set(taskId, count + 1);
          return count % 2 === 1 ? undefined : inner.find(taskId, op);
        },
      };
    },
  }),
];
