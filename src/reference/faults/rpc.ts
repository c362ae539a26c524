import type { Reply } from '../calls.js';
import { onEnvelope, onReply, without } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const onText = (change: (text: string) => Reply['body']): Patch =>
  onReply('endpoint', (reply) => (typeof reply.body === 'string' ? { ...reply, body: change(reply.body) } : reply));

export const rpcFaults = [
  fault('rpc-no-version-member', {
    about: 'Responses lack the member jsonrpc.',
    breaks: ['rpc.version-member'],
    patch: onEnvelope((response) => without(response, 'jsonrpc')),
  }),
  fault('rpc-latin-1', {
    about: 'Responses are written in ISO 8859-1.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => new Uint8Array(Buffer.from(text, 'latin1'))),
  }),
  fault('rpc-ascii-only', {
    about: 'Letters that are not ASCII become question marks.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => text.replaceAll(/[^\0-\x7f]/gu, '?')),
  }),
  fault('rpc-trailing-comma', {
    about: 'Responses end in a comma that JSON does not allow.',
    breaks: ['rpc.utf8'],
    patch: onText((text) => text.replace(/\}$/, ',}')),
  }),
];
