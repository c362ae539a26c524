import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { member } from '../../../src/model/index.js';
import {
  type Incoming,
  type Patch,
  peek,
  plainReply,
  type Reply,
  RpcFailure,
} from '../../../src/reference/patching.js';
import { onX402, payloadOf } from '../agent/index.js';
import { metadataKeys, readPayment } from '../payments/index.js';

const isMalformed = (payload: unknown): boolean => payload !== undefined && readPayment(payload) === undefined;

function isAbout(request: Incoming): boolean {
  const message = member(member(peek(request), 'params'), 'message');
  return isMalformed(member(member(message, 'metadata'), metadataKeys.payload));
}

/** Replaces the answer to a malformed payment. */
const answering =
  (reply: Reply): Patch =>
  (inner) => ({
    serve: async (request) => (isAbout(request) ? reply : inner.serve(request)),
  });

export const faults: readonly Fault[] = [
  fault('x402-malformed-crashes', {
    about: 'Members of a payment are used before it is known whether they are there.',
    breaks: ['x402.robust'],
    binding: 'jsonrpc',
    patch: onX402((inner) => ({
      payment(message, offer) {
        if (isMalformed(payloadOf(message))) throw new RpcFailure('InternalError', "reading 'authorization'");
        return inner.payment(message, offer);
      },
    })),
  }),
  fault('x402-malformed-server-error', {
    about: 'The agent answers a malformed payment with a page of the server.',
    breaks: ['x402.robust'],
    binding: 'jsonrpc',
    patch: answering(plainReply(500, 'Internal Server Error')),
  }),
  fault('x402-malformed-hangs', {
    about: 'The agent never answers a malformed payment.',
    breaks: ['x402.robust'],
    binding: 'jsonrpc',
    patch: answering({ ...plainReply(200, ''), fate: 'hang' }),
  }),
  fault('x402-malformed-resets', {
    about: 'A malformed payment ends the connection.',
    breaks: ['x402.robust'],
    binding: 'jsonrpc',
    patch: answering({ ...plainReply(200, ''), fate: 'reset' }),
  }),
  fault('x402-malformed-sticks', {
    about: 'The task of a malformed payment is at work forever.',
    breaks: ['x402.robust'],
    patch: onX402((inner) => ({
      pay(account, message) {
        if (!isMalformed(payloadOf(message))) return inner.pay(account, message);
        account.status = 'payment-submitted';
        account.underWay = 'verifying';
      },
    })),
  }),
  fault('x402-malformed-ends-offers', {
    about: 'After a malformed payment nothing is offered any more.',
    breaks: ['x402.robust'],
    patch: onX402((inner) => {
      let isOver = false;
      return {
        payment(message, offer) {
          isOver ||= isMalformed(payloadOf(message));
          return inner.payment(message, offer);
        },
        skill: (message) => (isOver ? undefined : inner.skill(message)),
      };
    }),
  }),
];
