import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import { onEvent, RpcFailure } from '../../../src/reference/patching.js';
import { onSeller, onX402 } from '../agent/index.js';
import { metadataKeys, readStatus } from '../payments/index.js';

const on = 'x402-streaming';

export const faults: readonly Fault[] = [
  fault('x402-stream-out-of-order', {
    about: 'On a stream a payment that was completed is verified once more.',
    breaks: ['x402.streamed-payment'],
    on,
    patch: onEvent((event) => {
      if (event.type !== 'status' || readStatus(event.status.message?.metadata) !== 'payment-completed') return event;
      const { status } = event;
      if (status.message === undefined || status.state !== 'working') return event;
      const metadata = { ...status.message.metadata, [metadataKeys.status]: 'payment-verified' };
      return [event, { ...event, status: { ...status, message: { ...status.message, metadata } } }];
    }),
  }),
  fault('x402-stream-without-receipts', {
    about: 'Events of streams have no receipts.',
    breaks: ['x402.streamed-payment'],
    on,
    patch: onEvent((event) => {
      if (event.type !== 'status' || event.status.message === undefined) return event;
      const { message } = event.status;
      const { [metadataKeys.receipts]: _, ...metadata } = message.metadata ?? {};
      return { ...event, status: { ...event.status, message: { ...message, metadata } } };
    }),
  }),
  fault('x402-stream-payments-refused', {
    about: 'Payments that are sent for a stream are refused.',
    breaks: ['x402.streamed-payment'],
    on,
    patch: onSeller((inner, _, whole) => ({
      async stream(command, call) {
        if (command.op === 'stream' && whole.x402.intent(command.params.message) === 'pay') {
          throw new RpcFailure('UnsupportedOperation');
        }
        return inner.stream(command, call);
      },
    })),
  }),
  fault('x402-streams-for-free', {
    about: 'Paid work that is requested by a stream is done for free.',
    breaks: ['x402.offer-made'],
    on,
    patch(inner, world, whole) {
      const streamed = new Set<string>();
      const free = onX402((x402) => ({
        skill: (message) => (streamed.has(message.messageId) ? undefined : x402.skill(message)),
      }));
      return {
        ...free(inner, world, whole),
        stream(command, call) {
          if (command.op === 'stream') streamed.add(command.params.message.messageId);
          return inner.stream(command, call);
        },
      };
    },
  }),
];
