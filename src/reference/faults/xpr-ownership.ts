import type { ProfileId } from '../../dialect/index.js';
import { isObject, member, stringMember, type Task } from '../../model/index.js';
import { behindRefusal, moved, onSentTask } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { peek } from '../http.js';
import type { Patch } from '../seams.js';
import { xprUnsignedFaults } from './xpr-unsigned.js';

/** The account that the params of a call name as its caller. */
const namedIn = (sent: unknown): string | undefined => stringMember(member(sent, 'params'), 'xpr:callerAccount');

const isCompleted = ({ status }: Task): boolean => status.state === 'completed';

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];

/** Refuses messages to foreign tasks with this error. */
const tellingOfForeign =
  (failure: () => RpcFailure): Patch =>
  (inner, { store }) => ({
    async execute(command, call) {
      const id = command.op === 'send' ? command.params.message?.taskId : undefined;
      const owner = id === undefined ? undefined : store.owner(id);
      if (owner !== undefined && owner !== call.request.caller) throw failure();
      return inner.execute(command, call);
    },
  });

/** Carries out the operation for any caller as for the owner of the task. */
const unasked =
  (op: 'get' | 'send' | 'cancel'): Patch =>
  (inner, { store }) => ({
    execute(command, call) {
      if (command.op !== op) return inner.execute(command, call);
      const id = command.op === 'send' ? command.params.message?.taskId : command.params.id;
      const caller = (id === undefined ? undefined : store.owner(id)) ?? call.request.caller;
      return inner.execute(command, { ...call, request: { ...call.request, caller } });
    },
  });

/** Faults about who made a request, and who owns its task. */
export const xprOwnershipFaults: readonly Fault[] = [
  fault('xpr-believes-caller-account', {
    about: 'The caller is whom the body names, whoever signed it.',
    breaks: ['xpr.caller-account'],
    patch: (inner) => ({
      async authenticate(request) {
        const caller = await inner.authenticate(request);
        return namedIn(peek(request)) ?? caller;
      },
    }),
  }),
  fault('xpr-owner-as-named', {
    about: 'Tasks show the account as their owner that the body names.',
    breaks: ['xpr.caller-account'],
    on: 'xpr-shows-owner',
    patch: onSentTask((task, { params }) => {
      const owner = stringMember(params, 'xpr:callerAccount');
      return isObject(task) && owner !== undefined ? { ...task, owner } : task;
    }),
  }),
  fault('xpr-shares-with-named', {
    about: 'The account that the body names can read the task too.',
    breaks: ['xpr.caller-account'],
    patch(inner, { store }) {
      const shared = new Map<string, string>();
      return {
        async execute(command, call) {
          const outcome = await inner.execute(command, call);
          const named = stringMember(call.params, 'xpr:callerAccount');
          if (outcome.op === 'send' && outcome.result.type === 'task' && named !== undefined) {
            shared.set(outcome.result.task.id, named);
          }
          return outcome;
        },
        visible: (taskId, caller) =>
          inner.visible(taskId, caller) || (store.get(taskId) !== undefined && shared.get(taskId) === caller),
      };
    },
  }),
  fault('xpr-get-foreign', {
    about: 'Every account can read all tasks.',
    breaks: ['get.foreign-refused'],
    profiles,
    patch: unasked('get'),
  }),
  fault('xpr-send-foreign', {
    about: 'Every account can send messages to all tasks.',
    breaks: ['send.foreign-refused'],
    profiles,
    patch: unasked('send'),
  }),
  fault('xpr-cancel-foreign', {
    about: 'Every account can cancel all tasks.',
    breaks: ['cancel.foreign-refused'],
    profiles,
    patch: unasked('cancel'),
  }),
  fault('xpr-foreign-send-is-denied', {
    about: 'A message to a task of somebody else is answered with an authentication error that says so.',
    breaks: ['xpr.foreign-send-code'],
    patch: tellingOfForeign(() => new RpcFailure('AuthenticationError', 'the task is owned by another account')),
  }),
  fault('xpr-foreign-send-is-invalid', {
    about: 'A message to a task of somebody else is answered with -32602.',
    breaks: ['xpr.foreign-send-code'],
    patch: tellingOfForeign(() => new RpcFailure('InvalidParams')),
  }),
  fault('xpr-unknown-task-begun', {
    about: 'A message to an unknown task begins a new one, and that to a task of somebody else is refused.',
    breaks: ['xpr.foreign-send-code'],
    patch: (inner, { store }) => ({
      execute(command, call) {
        if (command.op !== 'send' || store.get(command.params.message?.taskId ?? '') !== undefined) {
          return inner.execute(command, call);
        }
        const { taskId: _, ...message } = command.params.message;
        return inner.execute({ ...command, params: { ...command.params, message } }, call);
      },
    }),
  }),
  fault('xpr-restarts-completed', {
    about: 'A message to a completed task sets it to work again.',
    breaks: ['xpr.completed-restart'],
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'send' && task.status.state === 'completed' ? undefined : inner.refusal(command, task),
      transition: (task, event) =>
        inner.transition(
          event.type === 'message' && task.status.state === 'completed'
            ? { ...task, status: { ...task.status, state: 'working' } }
            : task,
          event,
        ),
    }),
  }),
  fault('xpr-restarts-completed-behind-refusal', {
    about: 'A message to a completed task is refused, and sets it to work all the same.',
    breaks: ['xpr.completed-restart'],
    patch: behindRefusal('send', (task) => (isCompleted(task) ? moved(task, 'working') : undefined)),
  }),
  fault('xpr-adds-to-completed', {
    about: 'A message to a completed task adds an artifact to it.',
    breaks: ['xpr.completed-restart'],
    patch: behindRefusal('send', (task) => {
      if (!isCompleted(task)) return undefined;
      const parts = [{ kind: 'text', text: 'And once more.' }] as const;
      const more = { artifactId: `${task.id}-more`, name: 'more', parts };
      return { ...task, artifacts: [...(task.artifacts ?? []), more] };
    }),
  }),
  fault('xpr-completes-again', {
    about: 'A message to a completed task does its work again, which comes to the same.',
    breaks: ['xpr.completed-restart'],
    patch: (inner, world, whole) => {
      const later = () => new Date(world.clock.now() + 1000).toISOString();
      const again = (task: Task): Task => ({ ...task, status: { ...task.status, timestamp: later() } });
      return behindRefusal('send', (task) => (isCompleted(task) ? again(task) : undefined))(inner, world, whole);
    },
  }),
  ...xprUnsignedFaults,
];
