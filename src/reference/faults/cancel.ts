import { methodOf } from '../../dialect/index.js';
import { isSettled, isTerminal, member, type TaskState } from '../../model/index.js';
import type { Reply } from '../calls.js';
import { behindRefusal, lacking, mistaking, moved, onResult, overlooking, seeingStrangers, set } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { peek } from '../http.js';
import { type Patch, together } from '../seams.js';
import { allBut, streamers } from '../variant.js';
import { page, reset } from './rpc-replies.js';

/** All profiles but XPR, whose document has no rejected tasks. */
const rejecting = allBut('xpr', 'xpr-v2');

/** All profiles but XPR, where every task has ended, or waits, when the client first sees it. */
const seenAtWork = allBut('xpr', 'xpr-v2');

const nowhere = '00000000-0000-4000-8000-00000000ffff';

/** Tasks in this terminal state can be canceled. */
const canceling =
  (state: TaskState): Patch =>
  (inner) => ({
    refusal: (command, task) =>
      command.op === 'cancel' && task.status.state === state ? undefined : inner.refusal(command, task),
    transition: (task, event) =>
      task.status.state === state && event.type === 'status' && event.status.state === 'canceled'
        ? { ...task, status: event.status }
        : inner.transition(task, event),
  });

const failingAgain: Patch = (inner) => ({
  refusal: (command, task) =>
    command.op === 'cancel' && task.status.state === 'canceled'
      ? new RpcFailure('InternalError')
      : inner.refusal(command, task),
});

/** The work of a canceled task goes on; when it completes, the task gets the state `end`. */
const workingOn =
  (end: TaskState): Patch =>
  (inner) => ({
    transition: (task, event) =>
      task.status.state === 'canceled' && event.type === 'status' && event.status.state === 'completed'
        ? { ...task, status: { ...event.status, state: end } }
        : inner.transition(task, event),
  });

/** From the cancel of an open task on, each call is answered so. */
const canceledInto =
  (last: Reply): Patch =>
  (inner, { store, dialect }) => {
    let isDead = false;
    const idOf = (sent: unknown): unknown => {
      const params = member(sent, 'params');
      return member(params, 'id') ?? member(params, 'taskId');
    };
    const isDeadly = (sent: unknown): boolean => {
      if (methodOf(dialect, 'cancel') !== member(sent, 'method')) return false;
      const id = idOf(sent);
      const task = typeof id === 'string' ? store.get(id) : undefined;
      return task !== undefined && !isTerminal(task.status.state);
    };
    return {
      async serveRpc(request) {
        isDead ||= isDeadly(peek(request));
        return isDead ? last : inner.serveRpc(request);
      },
    };
  };

export const cancelFaults = [
  fault('cancel-not-implemented', {
    about: 'There is no tasks/cancel.',
    breaks: ['cancel.implemented'],
    notOver: ['a2a-0.3-grpc'],
    patch: lacking('cancel'),
  }),
  fault('cancel-unsupported', {
    about: 'tasks/cancel is not supported, whichever task it names.',
    breaks: ['cancel.implemented'],
    notOver: ['a2a-0.3-grpc'],
    profiles: streamers,
    patch: lacking('cancel', 'UnsupportedOperation'),
  }),
  fault('cancel-kills-agent', {
    about: 'An open task that is canceled takes the agent with it: the connection is lost, and each later one.',
    breaks: ['rpc.response-object'],
    patch: canceledInto(reset),
  }),
  fault('cancel-kills-worker', {
    about: 'An open task that is canceled takes the work behind the server with it: each later call gets the page 500.',
    breaks: ['rpc.response-object'],
    binding: 'jsonrpc',
    patch: canceledInto(page(500)),
  }),
  fault('cancel-answers-another-id', {
    about: 'tasks/cancel answers with a task of another id.',
    breaks: ['cancel.returns-task'],
    patch: onResult('cancel', (task) => set(task, 'id', nowhere)),
  }),
  fault('cancel-answers-wrapped', {
    about: 'tasks/cancel answers with an object around the task.',
    breaks: ['cancel.returns-task'],
    binding: 'jsonrpc',
    patch: onResult('cancel', (task) => ({ task })),
  }),
  fault('cancel-answers-null', {
    about: 'tasks/cancel answers with null.',
    breaks: ['cancel.returns-task'],
    patch: onResult('cancel', () => null),
  }),
  fault('cancel-answers-failed', {
    about: 'tasks/cancel answers that the task has failed, and keeps it as canceled.',
    breaks: ['cancel.state-canceled', 'life.terminal-final'],
    patch: (inner) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (outcome.op !== 'cancel') return outcome;
        const { status } = outcome.result;
        return { op: 'cancel', result: { ...outcome.result, status: { ...status, state: 'failed' } } };
      },
    }),
  }),
  fault('cancel-only-says-so', {
    about: 'tasks/cancel answers with a canceled task and lets it go on.',
    breaks: ['cancel.stays-canceled', 'life.terminal-final'],
    patch: (inner) => ({
      async execute(command, call) {
        if (command.op !== 'cancel') return inner.execute(command, call);
        const task = inner.find(command.params.id, 'cancel');
        if (task === undefined) throw new RpcFailure('TaskNotFound');
        const refused = inner.refusal(command, task);
        if (refused !== undefined) throw refused;
        return { op: 'cancel', result: { ...task, status: { ...task.status, state: 'canceled' } } };
      },
    }),
  }),
  fault('cancel-completes-later', {
    about: 'A canceled task is completed half a second later.',
    breaks: ['cancel.stays-canceled', 'life.terminal-final'],
    patch: (inner, { clock, store }) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (outcome.op === 'cancel') {
          const task = outcome.result;
          clock.after(500, () => store.put({ ...task, status: { ...task.status, state: 'completed' } }));
        }
        return outcome;
      },
    }),
  }),
  fault('cancel-hides-a-waiting-task-and-completes-it', {
    about: 'A task that waited for input is not found when it has been canceled, and is completed half a second later.',
    breaks: ['cancel.stays-canceled'],
    on: 'completes-at-once',
    patch(inner, { clock, store }) {
      const hidden = new Set<string>();
      return {
        find: (id, op) => (op === 'get' && hidden.has(id) ? undefined : inner.find(id, op)),
        async execute(command, call) {
          const before = command.op === 'cancel' ? inner.find(command.params.id, 'cancel') : undefined;
          const outcome = await inner.execute(command, call);
          if (outcome.op === 'cancel' && before?.status.state === 'input-required') {
            const task = outcome.result;
            hidden.add(task.id);
            clock.after(500, () => {
              hidden.delete(task.id);
              store.put(moved(task, 'completed'));
            });
          }
          return outcome;
        },
      };
    },
  }),
  fault('cancel-completes-with-the-work', {
    about: 'A canceled task is completed when its work is done, however long that takes.',
    breaks: ['cancel.stays-canceled', 'life.terminal-final'],
    profiles: seenAtWork,
    patch: workingOn('completed'),
  }),
  fault('cancel-asks-when-work-is-done', {
    about: 'A canceled task asks for input when its work is done.',
    breaks: ['cancel.stays-canceled', 'life.terminal-final'],
    profiles: seenAtWork,
    patch: workingOn('input-required'),
  }),
  fault('cancel-artifacts-go-on', {
    about: 'A canceled task stays canceled, and still gets the artifacts that its work makes.',
    breaks: ['life.artifacts-final'],
    patch: (inner) => ({
      transition(task, event) {
        if (task.status.state !== 'canceled' || event.type !== 'artifact') return inner.transition(task, event);
        const { artifacts } = inner.transition(moved(task, 'working'), event);
        return { ...task, ...(artifacts === undefined ? {} : { artifacts }) };
      },
    }),
  }),
  fault('cancel-unknown-while-at-work', {
    about: 'tasks/cancel does not find a task that is at work.',
    breaks: ['cancel.known'],
    profiles: seenAtWork,
    patch: (inner) => ({
      find(id, op) {
        const task = inner.find(id, op);
        return op === 'cancel' && task !== undefined && !isSettled(task.status.state) ? undefined : task;
      },
    }),
  }),
  fault('cancel-open-is-internal-error', {
    about: 'A task at work cannot be canceled: -32603.',
    breaks: ['cancel.may-refuse'],
    patch: (inner) => ({
      refusal: (command, task) =>
        inner.refusal(command, task) ?? (command.op === 'cancel' ? new RpcFailure('InternalError') : undefined),
    }),
  }),
  fault('cancel-again-is-internal-error', {
    about: 'Canceling a canceled task is answered with -32603.',
    breaks: ['cancel.again'],
    patch: failingAgain,
  }),
  fault('cancel-later-again-is-internal-error', {
    about: 'Canceling a task whose canceling took its time is answered with -32603.',
    breaks: ['cancel.again'],
    on: 'cancels-later',
    profiles: streamers,
    patch: failingAgain,
  }),
  fault('cancel-again-revives', {
    about: 'Canceling a canceled task sets it to work again.',
    breaks: ['cancel.again', 'cancel.stays-canceled', 'life.terminal-final'],
    patch: (inner, { store }) => ({
      async execute(command, call) {
        const task = command.op === 'cancel' ? inner.find(command.params.id, 'cancel') : undefined;
        if (task?.status.state !== 'canceled') return inner.execute(command, call);
        const revived = { ...task, status: { ...task.status, state: 'working' as const } };
        store.put(revived);
        return { op: 'cancel', result: revived };
      },
    }),
  }),
  fault('cancel-accepts-terminal', {
    about: 'A finished task can be canceled.',
    breaks: ['cancel.terminal-refused', 'cancel.terminal-code', 'life.terminal-final'],
    patch: (inner) => ({
      refusal: (command, task) => (command.op === 'cancel' ? undefined : inner.refusal(command, task)),
      transition: (task, event) =>
        event.type === 'status' && event.status.state === 'canceled'
          ? { ...task, status: event.status }
          : inner.transition(task, event),
    }),
  }),
  fault('cancel-accepts-failed', {
    about: 'A failed task can be canceled.',
    breaks: ['cancel.terminal-refused', 'life.terminal-final'],
    patch: canceling('failed'),
  }),
  fault('cancel-accepts-rejected', {
    about: 'A rejected task can be canceled.',
    breaks: ['cancel.terminal-refused', 'life.terminal-final'],
    patch: canceling('rejected'),
    profiles: rejecting,
  }),
  fault('cancel-refuses-and-cancels-rejected', {
    about: 'Canceling a rejected task is refused, and the task is canceled all the same.',
    breaks: ['cancel.terminal-refused', 'life.terminal-final'],
    patch: behindRefusal('cancel', (task) => (task.status.state === 'rejected' ? moved(task, 'canceled') : undefined)),
    profiles: rejecting,
  }),
  fault('cancel-refuses-and-cancels', {
    about: 'Canceling a finished task is refused, and the task is canceled all the same.',
    breaks: ['cancel.terminal-refused', 'life.terminal-final'],
    patch: behindRefusal('cancel', (task) => moved(task, 'canceled')),
  }),
  fault('cancel-answers-finished-task', {
    about: 'Canceling a finished task is answered with that task.',
    breaks: ['cancel.terminal-code'],
    patch: (inner) => ({
      refusal: (command, task) => (command.op === 'cancel' ? undefined : inner.refusal(command, task)),
    }),
  }),
  fault('cancel-wrong-code', {
    about: 'A finished task is refused as an internal error.',
    breaks: ['cancel.terminal-code'],
    patch: mistaking('TaskNotCancelable', 'InternalError'),
  }),
  fault('cancel-unknown-answers-task', {
    about: 'An unknown task can be canceled.',
    breaks: ['cancel.unknown-refused', 'cancel.unknown-code'],
    patch: together(seeingStrangers, (inner) => ({
      find: (id, op) =>
        inner.find(id, op) ?? (op === 'cancel' ? { id, contextId: id, status: { state: 'working' } } : undefined),
    })),
  }),
  fault('cancel-unknown-answers-null', {
    about: 'Canceling an unknown task is answered with null.',
    breaks: ['cancel.unknown-refused', 'cancel.unknown-code'],
    patch: together(
      seeingStrangers,
      (inner) => ({
        find: (id, op) =>
          inner.find(id, op) ??
          (op === 'cancel' ? { id, contextId: nowhere, status: { state: 'working' } } : undefined),
      }),
      onResult('cancel', (wire, outcome) =>
        outcome.op === 'cancel' && outcome.result.contextId === nowhere ? null : wire,
      ),
    ),
  }),
  fault('cancel-unknown-is-not-cancelable', {
    about: 'Canceling an unknown task is refused as not cancelable.',
    breaks: ['cancel.unknown-code'],
    patch: mistaking('TaskNotFound', 'TaskNotCancelable', 'cancel'),
  }),
  fault('cancel-without-id-cancels-newest-task', {
    about: 'tasks/cancel without an id takes the newest task.',
    breaks: ['cancel.id-required', 'cancel.id-required-code'],
    patch: together(seeingStrangers, (inner, world, whole) => ({
      ...overlooking('cancel', 'id')(inner, world, whole),
      find: (id, op) => inner.find(id, op) ?? (op === 'cancel' && id === '' ? world.store.all().at(-1) : undefined),
      refusal: (command, task) =>
        command.op === 'cancel' && command.params.id === '' ? undefined : inner.refusal(command, task),
    })),
  }),
  fault('cancel-without-id-is-not-found', {
    about: 'tasks/cancel without an id is answered as if the task did not exist.',
    breaks: ['cancel.id-required-code'],
    patch: overlooking('cancel', 'id'),
  }),
  fault('cancel-bad-params-are-internal-errors', {
    about: 'Wrong params of tasks/cancel are answered with -32603.',
    breaks: ['cancel.id-required-code'],
    patch: mistaking('InvalidParams', 'InternalError', 'cancel'),
  }),
  fault('cancel-refuses-metadata', {
    about: 'tasks/cancel refuses metadata.',
    breaks: ['cancel.metadata-accepted'],
    patch: (inner) => ({
      problems(op, wire) {
        const found = inner.problems(op, wire);
        if (op !== 'cancel' || !Object.hasOwn(Object(wire), 'metadata')) return found;
        return [...found, { path: 'metadata', about: 'metadata is unknown', failure: 'InvalidParams' }];
      },
    }),
  }),
];
