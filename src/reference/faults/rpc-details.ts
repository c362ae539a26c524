import { onError } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

/** Changes `error.data`, where it is a list; undefined removes it. */
const details = (change: (data: readonly unknown[]) => unknown, of: 'any' | 'params' | 'others' = 'any'): Patch =>
  onError((error, failure) => {
    const { data, ...bare } = error;
    const isMeant = of === 'any' || (of === 'params') === (failure === 'InvalidParams');
    if (!Array.isArray(data) || !isMeant) return error;
    const changed = change(data);
    return changed === undefined ? bare : { ...bare, data: changed };
  });

export const rpcDetailFaults = [
  fault('err-details-as-object', {
    about: 'The details of an error are one object.',
    breaks: ['err.details-array', 'err.error-info', 'err.bad-request'],
    patch: details(([first]) => first),
  }),
  fault('err-without-error-info', {
    about: 'Errors of A2A have a code and a message only.',
    breaks: ['err.error-info'],
    patch: details(() => undefined, 'others'),
  }),
  fault('err-without-bad-request', {
    about: 'Refusals of params have no details.',
    breaks: ['err.bad-request'],
    patch: details(() => undefined, 'params'),
  }),
  fault('err-http-status-as-code', {
    about: 'An unknown task is refused with the code 404.',
    breaks: ['err.code-range', 'get.unknown-code', 'cancel.unknown-code'],
    notOver: ['a2a-1.0-rest', 'a2a-1.0-grpc'],
    patch: onError((error, failure) => (failure === 'TaskNotFound' ? { ...error, code: 404 } : error)),
  }),
  fault('err-positive-codes', {
    about: 'Canceling a finished task is refused with the code 1002.',
    breaks: ['err.code-range', 'cancel.terminal-code'],
    notOver: ['a2a-1.0-rest', 'a2a-1.0-grpc'],
    patch: onError((error, failure) => (failure === 'TaskNotCancelable' ? { ...error, code: 1002 } : error)),
  }),
  fault('rpc-header-names-with-case', {
    about: 'The header A2A-Version is read in this spelling only.',
    breaks: ['rpc.header-names'],
    patch: (inner) => ({
      negotiate(call) {
        const isSeen = ([name]: readonly [string, string]) =>
          name.toLowerCase() !== 'a2a-version' || name === 'A2A-Version';
        const headers = call.request.headers.filter(isSeen);
        inner.negotiate({ ...call, request: { ...call.request, headers } });
      },
    }),
  }),
  fault('rpc-header-lists-unread', {
    about: 'A header with several extensions is taken for the name of one.',
    breaks: ['rpc.header-lists'],
    on: 'extensions-declared',
    patch: (inner) => ({
      activated: (request) =>
        request.headers.some(([, value]) => /https:.*,.*https:/.test(value)) ? [] : inner.activated(request),
    }),
  }),
  fault('rpc-header-lists-first-only', {
    about: 'Of several extensions in a header the first one counts.',
    breaks: ['rpc.header-lists'],
    on: 'extensions-declared',
    patch: (inner) => ({ activated: (request) => inner.activated(request).slice(0, 1) }),
  }),
];
