import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, type JsonObject, type Message, member, type TaskStatus } from '../../../src/model/index.js';
import { edited, onResult, onTask, type Patch, set, without } from '../../../src/reference/patching.js';
import { mandate, onOffer, onPayment, onSeller, onX402, optionsOf, previewing } from '../agent/index.js';
import { metadataKeys } from '../payments/index.js';

const place = 'status.message.metadata';

const metadataOf = (task: unknown): unknown => member(member(member(task, 'status'), 'message'), 'metadata');

const isAsking = (metadata: unknown): boolean => member(metadata, metadataKeys.status) === 'payment-required';

/** Edits tasks that ask to be paid, in their wire form. */
const onAsking = (edit: (task: JsonObject) => unknown): Patch =>
  onTask((task) => (isAsking(metadataOf(task)) ? edit(task) : task));

/** Edits the status that asks to be paid, before it gets its wire form. */
const onRequest =
  (edit: (status: TaskStatus) => TaskStatus): Patch =>
  (inner) => ({
    stamp(act, task) {
      const event = inner.stamp(act, task);
      if (event.type !== 'status' || !isAsking(event.status.message?.metadata)) return event;
      return { ...event, status: edit(event.status) };
    },
  });

/** Edits the metadata of messages that ask to be paid. */
const onRequired = (edit: (metadata: JsonObject) => JsonObject): Patch =>
  onPayment((metadata) => (isAsking(metadata) ? edit(metadata) : metadata));

/** Edits a task that is read while it waits to be paid; `times` counts these readings from 1. */
const onReading =
  (edit: (task: unknown, times: number) => unknown): Patch =>
  (...agent) => {
    const read = new Map<string, number>();
    return onResult('get', (wire, outcome) => {
      if (outcome.op !== 'get' || !isAsking(outcome.result.status.message?.metadata)) return wire;
      const times = (read.get(outcome.result.id) ?? 0) + 1;
      read.set(outcome.result.id, times);
      return edit(wire, times);
    })(...agent);
  };

/** A new request for paid work gets the newest task that still waits to be paid, if there is one. */
const sharing = onSeller((inner, { store }, whole) => ({
  async execute(command, call) {
    const isNew = command.op === 'send' && command.params.message.taskId === undefined;
    if (!isNew || whole.x402.skill(command.params.message) === undefined) return inner.execute(command, call);
    const waiting = store.all().findLast(({ status }) => isAsking(status.message?.metadata));
    if (waiting === undefined) return inner.execute(command, call);
    return { op: 'send', result: { type: 'task', task: waiting } };
  },
}));

/** Whether a message neither pays nor rejects. */
const isTalk = ({ metadata }: Message): boolean => member(metadata, metadataKeys.status) === undefined;

const believingTalk: Patch = onX402((inner, _, whole) => ({
  answer(account, message) {
    if (isTalk(message)) whole.x402.deliver(account, whole.x402.work(account));
    else inner.answer(account, message);
  },
}));

const forgetting: Patch = onX402((inner) => {
  const forgotten = new Set<string>();
  return {
    answer(account, message) {
      if (isTalk(message)) forgotten.add(account.taskId);
      inner.answer(account, message);
    },
    metadata: (account, state) => (forgotten.has(account.taskId) ? undefined : inner.metadata(account, state)),
  };
});

const anotherOption = (more: JsonObject): Patch =>
  onOffer((offer) => {
    const options = optionsOf(offer);
    return { ...offer, accepts: [...options, { ...options[0], ...more }] };
  });

const dearer = (offer: unknown, times: number): unknown =>
  edited(offer, 'accepts.*.amount', (amount) => String(BigInt(String(amount)) + BigInt(times)));

export const faults: readonly Fault[] = [
  fault('x402-offer-other-state', {
    about: 'A task that asks to be paid is in auth-required.',
    breaks: ['x402.offer-made'],
    patch: onRequest((status) => ({ ...status, state: 'auth-required' })),
  }),
  fault('x402-offer-other-status', {
    about: 'The status beside an offer is payment-submitted.',
    breaks: ['x402.offer-made'],
    patch: onRequired((metadata) => ({ ...metadata, [metadataKeys.status]: 'payment-submitted' })),
  }),
  fault('x402-offer-without-status', {
    about: 'An offer comes without a status.',
    breaks: ['x402.offer-made', 'x402.status-carried'],
    patch: onRequired(({ [metadataKeys.status]: _, ...metadata }) => metadata),
  }),
  fault('x402-offer-in-task', {
    about: 'The offer stands in the metadata of the task.',
    breaks: ['x402.offer-made'],
    patch: onAsking((task) => set(without(task, place), 'metadata', metadataOf(task))),
  }),
  fault('x402-offer-by-user', {
    about: 'The offer is in a message of the user.',
    breaks: ['x402.offer-task'],
    patch: onRequest(({ message, ...status }) =>
      message === undefined ? status : { ...status, message: { ...message, role: 'user' } },
    ),
  }),
  fault('x402-offer-with-preview', {
    about: 'A first part of the work is in the task before it is paid.',
    breaks: ['x402.offer-without-work'],
    patch: previewing(() => [{ kind: 'text', text: 'The first half of the answer, as a sample.' }]),
  }),
  fault('x402-offer-shown-once', {
    about: 'The offer is there when a task is read for the first time, and not again.',
    breaks: ['x402.offer-kept'],
    patch: onReading((task, times) => (times > 1 ? without(task, place) : task)),
  }),
  fault('x402-offer-dearer-each-time', {
    about: 'The agent reads the price rises each time that a task.',
    breaks: ['x402.offer-kept'],
    patch: onReading((task, times) =>
      edited(task, place, (metadata) => ({
        ...(isObject(metadata) ? metadata : {}),
        [metadataKeys.required]: dearer(member(metadata, metadataKeys.required), times),
      })),
    ),
  }),
  fault('x402-task-shared', {
    about: 'A new request gets the task that still waits to be paid.',
    breaks: ['x402.task-own'],
    patch: sharing,
  }),
  fault('x402-asking-ends-by-message', {
    about: 'A further message takes the place of the payment.',
    breaks: ['x402.asked-again'],
    patch: believingTalk,
  }),
  fault('x402-asking-forgotten', {
    about: 'After a further message nothing is said of a payment any more.',
    breaks: ['x402.asked-again'],
    patch: forgetting,
  }),
  fault('x402-offer-twice', {
    about: 'The offer is in a cart mandate, and in metadata as well.',
    breaks: ['x402.flows-apart'],
    on: 'x402-extension-v02',
    patch: previewing(mandate),
  }),
  fault('x402-option-on-other-network', {
    about: 'One option is on a network on which the facilitator settles nothing.',
    breaks: ['x402.option-supported'],
    patch: anotherOption({ network: 'eip155:1', asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }),
  }),
];
