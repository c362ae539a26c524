import { isObject } from '../../model/index.js';
import { header } from '../../wire/index.js';
import { headerNames } from '../../xpr/index.js';
import type { Incoming } from '../calls.js';
import { onSentTask } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { methodIn } from '../http.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';

const accountIn = ({ headers }: Incoming): string | undefined => header(headers, headerNames.account)?.trim();
const signatureIn = ({ headers }: Incoming): string | undefined => header(headers, headerNames.signature)?.trim();

/** Treats a request with a wrong signature as unsigned if `when` holds for the failure. */
const excusing =
  (when: (failure: RpcFailure) => boolean): Patch =>
  (inner) => ({
    async authenticate(request) {
      try {
        return await inner.authenticate(request);
      } catch (cause) {
        if (!(cause instanceof RpcFailure) || cause.failure !== 'AuthenticationError' || !when(cause)) throw cause;
        return undefined;
      }
    },
  });

/** Agents that accept unsigned requests, and mistake their senders. */
export const xprUnsignedFaults: readonly Fault[] = [
  fault('xpr-unsigned-account-believed', {
    about: 'An unsigned request is of the account in its header.',
    breaks: ['xpr.unsigned-identity', 'xpr.unsigned-owner'],
    on: 'xpr-optional',
    patch: onXpr(() => ({ anonymous: accountIn })),
  }),
  fault('xpr-unsigned-account-cancels', {
    about: 'An unsigned request that cancels is of the account in its header.',
    breaks: ['xpr.unsigned-identity'],
    on: 'xpr-optional',
    patch: onXpr((inner) => ({
      anonymous: (request) => (methodIn(request) === 'tasks/cancel' ? accountIn(request) : inner.anonymous(request)),
    })),
  }),
  fault('xpr-empty-signature-is-identity', {
    about: 'A request with an empty signature is of the account in its header.',
    breaks: ['xpr.unsigned-identity'],
    on: 'xpr-optional',
    patch: onXpr((inner) => ({
      isAnonymous: (request) => inner.isAnonymous(request) || signatureIn(request) === '',
      anonymous: (request) => (signatureIn(request) === '' ? accountIn(request) : inner.anonymous(request)),
    })),
  }),
  fault('xpr-unsigned-owner-shown', {
    about: 'Tasks of unsigned requests show the account of the header as their owner.',
    breaks: ['xpr.unsigned-owner'],
    on: 'xpr-optional',
    patch: onSentTask((task, { request }) =>
      isObject(task) && request.caller === undefined ? { ...task, owner: accountIn(request) ?? 'anonymous' } : task,
    ),
  }),
  fault('xpr-unsigned-task-given-away', {
    about: 'Tasks of unsigned requests belong to the account of the header.',
    breaks: ['xpr.unsigned-owner'],
    on: 'xpr-optional',
    patch: (inner) => ({
      execute(command, call) {
        const caller = call.request.caller ?? (command.op === 'send' ? accountIn(call.request) : undefined);
        return inner.execute(command, { ...call, request: { ...call.request, caller } });
      },
    }),
  }),
  fault('xpr-wrong-key-is-nobody', {
    about: 'A signature of another key is taken for none, where none is needed.',
    breaks: ['xpr.no-downgrade'],
    on: 'xpr-optional',
    patch: excusing(({ message }) => message.includes('key of the account')),
  }),
  fault('xpr-unreadable-signature-is-nobody', {
    about: 'A signature that cannot be read is taken for none, where none is needed.',
    breaks: ['xpr.no-downgrade'],
    on: 'xpr-optional',
    patch: excusing(({ message }) => message.includes('is no signature')),
  }),
];
