import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { isObject, type JsonObject, member, type SendParams } from '../../../src/model/index.js';
import { type Patch, RpcFailure } from '../../../src/reference/patching.js';
import { type Account, onX402 } from '../agent/index.js';
import { isStatus, metadataKeys, readStatus } from '../payments/index.js';

/** Delivers the work without payment if `believed` holds for the metadata of the message. */
const believing = (believed: (metadata: JsonObject) => boolean): Patch =>
  onX402((inner, _, { x402 }) => ({
    answer: (account, message) =>
      believed(message.metadata ?? {}) ? x402.deliver(account, x402.work(account)) : inner.answer(account, message),
  }));

const claiming = (status: string): Patch => believing((metadata) => readStatus(metadata) === status);

/** Keeps receipts that a client sends as if they were the agent's own. */
const adopting = (then: (account: Account) => boolean): Patch =>
  onX402((inner) => {
    const adopted = new Map<string, readonly JsonObject[]>();
    return {
      answer(account, message) {
        const receipts = member(message.metadata, metadataKeys.receipts);
        if (Array.isArray(receipts)) adopted.set(account.taskId, receipts.filter(isObject));
        inner.answer(account, message);
      },
      receiptsFor: (account) => [
        ...(then(account) ? (adopted.get(account.taskId) ?? []) : []),
        ...inner.receiptsFor(account),
      ],
    };
  });

/** Looks for the metadata of messages in another place as well. */
const lookingFor =
  (place: (params: SendParams) => unknown): Patch =>
  (inner) => ({
    async execute(command, call) {
      if (command.op !== 'send') return inner.execute(command, call);
      const { message } = command.params;
      const found = place(command.params);
      const metadata = { ...(isObject(found) ? found : {}), ...message.metadata };
      return inner.execute({ ...command, params: { ...command.params, message: { ...message, metadata } } }, call);
    },
  });

export const faults: readonly Fault[] = [
  fault('x402-no-payload-taken', {
    about: 'A client can say that the payment is submitted without sending one.',
    breaks: ['x402.submitted-without-payload'],
    patch: believing(
      (metadata) =>
        readStatus(metadata) === 'payment-submitted' && member(metadata, metadataKeys.payload) === undefined,
    ),
  }),
  fault('x402-first-message-completes', {
    about: 'A first message that says payment-completed is not asked for money.',
    breaks: ['x402.status-claimed'],
    patch: onX402((inner) => ({
      skill: (message) =>
        message.taskId === undefined && readStatus(message.metadata) === 'payment-completed'
          ? undefined
          : inner.skill(message),
    })),
  }),
  fault('x402-client-completes', {
    about: 'A client that says payment-completed gets the work.',
    breaks: ['x402.status-claimed'],
    patch: claiming('payment-completed'),
  }),
  fault('x402-client-verifies', {
    about: 'A client that says payment-verified gets the work.',
    breaks: ['x402.status-claimed'],
    patch: claiming('payment-verified'),
  }),
  fault('x402-forged-receipt-shown', {
    about: 'Receipts that a client shows are shown as those of the task.',
    breaks: ['x402.status-claimed'],
    patch: adopting(() => true),
  }),
  fault('x402-forged-receipt-kept', {
    about: 'Receipts that a client shows are put before those of its next payment.',
    breaks: ['x402.status-claimed'],
    patch: adopting(({ receipts }) => receipts.length > 0),
  }),
  fault('x402-unknown-status-pays', {
    about: 'Any status but the six gets the work.',
    breaks: ['x402.status-unknown'],
    patch: believing((metadata) => !isStatus(readStatus(metadata)) && readStatus(metadata) !== undefined),
  }),
  fault('x402-odd-status-crashes', {
    about: 'The agent answers a status that is not text with a server error.',
    breaks: ['x402.status-unknown'],
    patch: onX402((inner) => ({
      intent(message) {
        const status = member(message.metadata, metadataKeys.status);
        if (status !== undefined && typeof status !== 'string') throw new RpcFailure('InternalError');
        return inner.intent(message);
      },
    })),
  }),
  fault('x402-metadata-of-params', {
    about: 'A payment in the metadata of the params pays as well.',
    breaks: ['x402.metadata-elsewhere'],
    patch: lookingFor(({ metadata }) => metadata),
  }),
  fault('x402-metadata-of-parts', {
    about: 'A payment in the metadata of a part pays as well.',
    breaks: ['x402.metadata-elsewhere'],
    // The proto of 0.3 has no metadata of a part, nor has its JSON.
    notOver: ['a2a-0.3-grpc', 'a2a-0.3-rest'],
    patch: lookingFor(({ message }) => message.parts?.[0]?.metadata),
  }),
  fault('x402-rejection-delivers', {
    about: 'A client that rejects the offer gets the work.',
    breaks: ['x402.rejected'],
    patch: claiming('payment-rejected'),
  }),
  fault('x402-rejection-charged', {
    about: 'The agent shows a client that rejects the offer a receipt of the payment.',
    breaks: ['x402.rejected'],
    patch: onX402((inner) => ({
      receiptsFor(account) {
        const shown = inner.receiptsFor(account);
        if (account.status !== 'payment-rejected') return shown;
        return [...shown, inner.receipt(account, { transaction: `0x${'ab'.repeat(32)}` }, undefined)];
      },
    })),
  }),
  fault('x402-rejection-leaves-working', {
    about: 'A task whose offer the client rejected stays at work forever.',
    breaks: ['x402.rejected-state'],
    patch: onX402((inner) => ({
      stateAfter: (event) => (event === 'rejection' ? 'working' : inner.stateAfter(event)),
      metadata(account, state) {
        const isOver = account.status === 'payment-rejected' && state === 'working';
        return isOver ? { [metadataKeys.status]: 'payment-rejected' } : inner.metadata(account, state);
      },
    })),
  }),
  fault('x402-rejection-completes', {
    about: 'A task whose offer was rejected is completed.',
    breaks: ['x402.rejected-state'],
    patch: onX402((inner) => ({
      stateAfter: (event) => (event === 'rejection' ? 'completed' : inner.stateAfter(event)),
    })),
  }),
  fault('x402-rejection-called-failure', {
    about: 'The agent reports a rejected offer as a failed payment.',
    breaks: ['x402.rejected-state'],
    patch: onX402((inner) => ({
      metadata(account, state) {
        const metadata = inner.metadata(account, state);
        if (metadata === undefined || readStatus(metadata) !== 'payment-rejected') return metadata;
        return { ...metadata, [metadataKeys.status]: 'payment-failed', [metadataKeys.error]: 'SETTLEMENT_FAILED' };
      },
    })),
  }),
];
