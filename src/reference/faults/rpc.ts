import { mistaking, onEnvelope } from '../edits.js';
import { fault } from '../fault.js';

export const rpcFaults = [
  fault('rpc-fixed-id', {
    about: 'Every response has the id 1.',
    breaks: ['rpc.string-id-echoed', 'rpc.integer-id-echoed', 'rpc.concurrent-ids'],
    patch: onEnvelope((response) => ({ ...response, id: 1 })),
  }),
  fault('rpc-unknown-method-is-internal-error', {
    about: 'An unknown method is answered with -32603.',
    breaks: ['rpc.unknown-method'],
    patch: mistaking('MethodNotFound', 'InternalError'),
  }),
];
