import type { Operation } from '../../model/index.js';
import type { Command, RpcCall, StreamCommand } from '../calls.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import type { Patch, World } from '../seams.js';

const on = 'bearer-required';
const everywhere = 'bearer-required-everywhere';

function taskIdOf(command: Command | StreamCommand): string | undefined {
  switch (command.op) {
    case 'send':
    case 'stream':
      return command.params.message.taskId;
    case 'get':
    case 'cancel':
    case 'subscribe':
      return command.params.id;
    case 'list':
    case 'extendedCard':
      return undefined;
    default:
      return command.params.taskId;
  }
}

/** The call as if the owner of its task had made it. */
const asOwner = ({ store }: World, command: Command, call: RpcCall): RpcCall => {
  const id = taskIdOf(command);
  const owner = id === undefined ? undefined : store.owner(id);
  return owner === undefined ? call : { ...call, request: { ...call.request, caller: owner } };
};

/** The operation skips the check of ownership. */
const unasked =
  (op: Operation): Patch =>
  (inner, world) => ({
    execute: (command, call) => inner.execute(command, command.op === op ? asOwner(world, command, call) : call),
    stream: (command, call) => inner.stream(command, command.op === op ? asOwner(world, command, call) : call),
  });

/** The operation is carried out on a foreign task, and then refused. */
const doneYetRefused =
  (op: Operation): Patch =>
  (inner, world) => ({
    async execute(command, call) {
      const mine = asOwner(world, command, call);
      if (command.op !== op || mine.request.caller === call.request.caller) return inner.execute(command, call);
      await inner.execute(command, mine);
      throw new RpcFailure('TaskNotFound');
    },
  });

/** Refuses a get of a foreign task with this text. */
const telling =
  (say: (contextId: string | undefined) => string): Patch =>
  (inner, { store }) => ({
    execute(command, call) {
      const id = taskIdOf(command);
      const owner = id === undefined ? undefined : store.owner(id);
      const isForeign = owner !== undefined && owner !== call.request.caller;
      if (command.op === 'get' && isForeign) {
        throw new RpcFailure('TaskNotFound', say(id === undefined ? undefined : store.get(id)?.contextId));
      }
      return inner.execute(command, call);
    },
  });

/** Access of one caller to the tasks of another. */
export const authForeignFaults: readonly Fault[] = [
  fault('auth-get-foreign', {
    about: 'Whoever is known can read all tasks.',
    breaks: ['get.foreign-refused', 'auth.unpermitted-refused'],
    on,
    patch: unasked('get'),
  }),
  fault('auth-send-foreign', {
    about: 'Whoever is known can send messages to all tasks.',
    breaks: ['send.foreign-refused'],
    on,
    patch: unasked('send'),
  }),
  fault('auth-stream-foreign', {
    about: 'Whoever is known can stream messages to all tasks.',
    breaks: ['send.foreign-refused'],
    on: everywhere,
    patch: unasked('stream'),
  }),
  fault('auth-send-foreign-noted', {
    about: 'Messages of others are refused, and reach the task all the same.',
    breaks: ['send.foreign-refused'],
    on,
    patch: doneYetRefused('send'),
  }),
  fault('auth-cancel-foreign', {
    about: 'Whoever is known can cancel all tasks.',
    breaks: ['cancel.foreign-refused'],
    on,
    patch: unasked('cancel'),
  }),
  fault('auth-cancel-foreign-later', {
    about: 'A cancel by another caller is refused, but the task is canceled.',
    breaks: ['cancel.foreign-refused'],
    on,
    patch: doneYetRefused('cancel'),
  }),
  fault('auth-subscribe-foreign', {
    about: 'Whoever is known can subscribe to all tasks.',
    breaks: ['sub.foreign-refused'],
    on: everywhere,
    patch: unasked('subscribe'),
  }),
  fault('auth-push-get-foreign', {
    about: 'Whoever is known can read the webhooks of all tasks.',
    breaks: ['push.foreign-refused'],
    on: everywhere,
    patch: unasked('pushGet'),
  }),
  fault('auth-push-list-foreign', {
    about: 'Whoever is known can list the webhooks of all tasks.',
    breaks: ['push.foreign-refused'],
    on: everywhere,
    patch: unasked('pushList'),
  }),
  fault('auth-push-set-foreign', {
    about: 'Whoever is known can set webhooks for all tasks.',
    breaks: ['push.foreign-refused'],
    on: everywhere,
    patch: unasked('pushSet'),
  }),
  fault('auth-push-delete-foreign', {
    about: 'Whoever is known can delete the webhooks of all tasks.',
    breaks: ['push.foreign-refused'],
    on: everywhere,
    patch: unasked('pushDelete'),
  }),
  fault('auth-list-foreign', {
    about: 'Any authenticated caller can list all tasks.',
    breaks: ['list.foreign-hidden'],
    on,
    patch: (inner, { store }) => ({ page: (_, query) => inner.page(store.all(), query) }),
  }),
  fault('auth-existence-told', {
    about: 'Of a task of others the agent says that it belongs to them.',
    breaks: ['auth.existence-hidden'],
    on,
    patch: telling(() => 'it belongs to another user'),
  }),
  fault('auth-existence-shown', {
    about: 'Of a task of others the agent names the context.',
    breaks: ['auth.existence-hidden'],
    on,
    patch: telling((contextId) => `not in your contexts: ${contextId}`),
  }),
];
