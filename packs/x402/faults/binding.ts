import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, isTerminal, type Message, member, stringMember, type Task } from '../../../src/model/index.js';
import { type Command, type Patch, RpcFailure, together, type World } from '../../../src/reference/patching.js';
import {
  type Account,
  authorizationIn,
  onSeller,
  onX402,
  PaymentRefusal,
  payloadOf,
  reading,
  type X402Whole,
} from '../agent/index.js';
import { identified, type Offer, readOffer } from '../payments/index.js';

const pays = ({ op, params }: Command, { x402 }: X402Whole): boolean =>
  op === 'send' && x402.intent(params.message) === 'pay';

/** Gives a payment to the unpaid task that `find` returns, whatever task it names. */
const guessing = (find: (message: Message, unpaid: readonly Task[]) => Task | undefined): Patch =>
  onSeller((inner, { store }, whole) => ({
    async execute(command, call) {
      if (command.op !== 'send' || !pays(command, whole)) return inner.execute(command, call);
      const { message, ...params } = command.params;
      const unpaid = store.all().filter(({ status }) => status.state === 'input-required');
      const task = find(message, unpaid);
      if (task === undefined) return inner.execute(command, call);
      const { contextId: _, ...rest } = message;
      return inner.execute({ ...command, params: { ...params, message: { ...rest, taskId: task.id } } }, call);
    },
  }));

/** A task that has ended, shown as working. */
const revived = (task: Task): Task =>
  isTerminal(task.status.state) ? { ...task, status: { ...task.status, state: 'working' } } : task;

/** Handles a payment to a task that has ended unpaid; undefined: not refused. */
const onClosed = (then: (account: Account, message: Message, whole: X402Whole) => RpcFailure | undefined): Patch =>
  onSeller((inner, _, whole) => ({
    refusal(command, task) {
      const found = inner.refusal(command, task);
      const account = isTerminal(task.status.state) ? whole.x402.account(task) : undefined;
      const isPaid = account?.receipts.some((receipt) => member(receipt, 'success') === true);
      if (command.op !== 'send' || account === undefined || isPaid || !pays(command, whole)) return found;
      return then(account, command.params.message, whole);
    },
  }));

/** Settles a payment without checking the task. */
async function charge(account: Account, message: Message, { x402 }: X402Whole): Promise<void> {
  const offer = readOffer(account.offer);
  if (offer === undefined) return;
  const payment = x402.payment(message, offer);
  await x402.settle({ account, offer, payment, option: x402.match(offer, payment) });
}

const offersOf = ({ x402 }: X402Whole): readonly Offer[] =>
  x402
    .settings()
    .skills.map((skill) => readOffer(x402.offer(skill, 0)))
    .filter((offer) => offer !== undefined);

/** The skill whose resource a payment names. */
const skillNamed = (message: Message, { x402 }: X402Whole) => {
  const url = stringMember(member(payloadOf(message), 'resource'), 'url');
  return x402.settings().skills.find((skill) => stringMember(member(x402.offer(skill, 0), 'resource'), 'url') === url);
};

export const faults: readonly Fault[] = [
  fault('x402-identifier-ignored', {
    about: 'Payments need an id, and one without it is taken.',
    breaks: ['x402.identifier-required'],
    on: 'x402-identifier-required',
    patch: reading((payload, offer) =>
      isObject(payload) && offer.extensions !== undefined
        ? { ...payload, extensions: identified(offer.extensions, String(member(authorizationIn(payload), 'nonce'))) }
        : payload,
    ),
  }),
  fault('x402-one-offer-for-all', {
    about: 'The agent keeps one offer, the first that it made, and holds the payments of all tasks against it.',
    breaks: ['x402.bound-to-task'],
    patch: onX402(() => {
      let first: Record<string, unknown> | undefined;
      return {
        offerFor(account) {
          first ??= account.offer;
          return first;
        },
      };
    }),
  }),
  fault('x402-any-price-of-the-agent', {
    about: 'Any price that the agent has for anything pays for a task.',
    breaks: ['x402.bound-to-task'],
    patch: onX402((inner, _, whole) => ({
      match(offer, payment) {
        for (const offered of [offer, ...offersOf(whole)]) {
          try {
            const option = inner.match(offered, payment);
            if (option.amount === payment.payload.authorization.value) return option;
          } catch (cause) {
            if (!(cause instanceof PaymentRefusal)) throw cause;
          }
        }
        return inner.match(offer, payment);
      },
    })),
  }),
  fault('x402-task-id-optional', {
    about: 'The agent takes a payment without taskId for the newest task that waits for one.',
    breaks: ['x402.without-task'],
    patch: guessing((message, unpaid) => (message.taskId === undefined ? unpaid.at(-1) : undefined)),
  }),
  fault('x402-task-by-context', {
    about: 'The agent takes a payment without taskId for the task of its context that waits for one.',
    breaks: ['x402.without-task'],
    patch: guessing(({ taskId, contextId }, unpaid) =>
      taskId === undefined && contextId !== undefined ? unpaid.find((task) => task.contextId === contextId) : undefined,
    ),
  }),
  fault('x402-unknown-task-guessed', {
    about: 'A payment for a task that does not exist is taken for the newest that waits for one.',
    breaks: ['x402.unknown-task'],
    patch: (inner, world: World, whole) =>
      guessing(({ taskId }, unpaid) =>
        taskId !== undefined && world.store.get(taskId) === undefined ? unpaid.at(-1) : undefined,
      )(inner, world, whole),
  }),
  fault('x402-foreign-task-paid', {
    about: 'A caller who pays for a task can see it, even if it belongs to another caller.',
    breaks: ['x402.foreign-task'],
    on: 'x402-callers',
    patch: onSeller((inner, { store }, { x402 }) => ({
      visible(taskId, caller) {
        const task = store.get(taskId);
        return inner.visible(taskId, caller) || (task !== undefined && x402.account(task) !== undefined);
      },
    })),
  }),
  fault('x402-work-by-resource', {
    about: 'The resource in the payment, not the offer, decides which work is done.',
    breaks: ['x402.resource-other'],
    on: 'x402-works-differ',
    patch: onX402((inner, _, whole) => {
      const named = new Map<string, NonNullable<ReturnType<typeof skillNamed>>>();
      return {
        pay(account, message) {
          const skill = skillNamed(message, whole);
          if (skill !== undefined) named.set(account.taskId, skill);
          inner.pay(account, message);
        },
        work: (account) => inner.work({ ...account, skill: named.get(account.taskId) ?? account.skill }),
      };
    }),
  }),
  fault('x402-context-not-compared', {
    about: 'The contextId of a payment is not looked at.',
    breaks: ['x402.context-mismatch'],
    patch: onSeller((inner, _, whole) => ({
      refusal(command, task) {
        if (command.op !== 'send' || !pays(command, whole)) return inner.refusal(command, task);
        const { contextId: __, ...message } = command.params.message;
        return inner.refusal({ ...command, params: { ...command.params, message } }, task);
      },
    })),
  }),
  fault('x402-closed-task-paid', {
    about: 'Tasks that have ended without a payment can still be paid, and are then done.',
    breaks: ['x402.pay-closed-task'],
    patch: together(
      onClosed((account, message, { x402 }) => void x402.pay(account, message)),
      onSeller((inner, _, { x402 }) => ({
        transition: (task, event) => inner.transition(x402.account(task) ? revived(task) : task, event),
      })),
    ),
  }),
  fault('x402-closed-task-charged', {
    about: 'A payment for a task that has ended is refused, and settled all the same.',
    breaks: ['x402.pay-closed-task'],
    patch: onClosed((account, message, whole) => {
      charge(account, message, whole).catch(() => {});
      return new RpcFailure('UnsupportedOperation', 'the task has ended, and the payment is kept');
    }),
  }),
];
