import { isObject, member } from '../../model/index.js';
import { onEnvelope } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { crashing, empty, failing, hung, on, reset } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';

const idOf = (sent: unknown): unknown => member(sent, 'id');
const methodOf = (sent: unknown): unknown => member(sent, 'method');

/** Faults in the envelope of a call: ids, methods, and the answers to odd ones. */
export const envelopeFaults = [
  fuzzFault('fuzz-long-method-hangs', {
    about: 'A method name of more than 60 letters is never answered.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => String(methodOf(sent)).length > 60, hung),
  }),
  fuzzFault('fuzz-method-of-another-type-crashes', {
    about: 'A method that is no text is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => isObject(sent) && 'method' in sent && typeof methodOf(sent) !== 'string'),
  }),
  fuzzFault('fuzz-inherited-method-leaks', {
    about: 'A method named like a member of every object is answered with an internal error.',
    seenBy: ['leak', 'error-class', 'law', 'alive'],
    patch: failing(
      (sent) => /^(constructor|toString|valueOf|hasOwnProperty|__proto__)$/.test(String(methodOf(sent))),
      "TypeError: Cannot read properties of undefined (reading 'schema')",
    ),
  }),
  fuzzFault('fuzz-fraction-id-cut', {
    about: 'An id that is no whole number comes back without its fraction.',
    seenBy: ['law'],
    patch: onEnvelope((response) => {
      const { id } = response;
      return typeof id === 'number' && Number.isFinite(id) ? { ...response, id: Math.trunc(id) } : response;
    }),
  }),
  fuzzFault('fuzz-long-id-cut', {
    about: 'Of a long id the first 64 letters come back.',
    seenBy: ['law'],
    patch: onEnvelope((response) => {
      const { id } = response;
      return typeof id === 'string' ? { ...response, id: id.slice(0, 64) } : response;
    }),
  }),
  fuzzFault('fuzz-zero-id-lost', {
    about: 'The id 0 comes back as null.',
    seenBy: ['law'],
    patch: onEnvelope((response) => ({ ...response, id: response['id'] || null })),
  }),
  fuzzFault('fuzz-object-id-crashes', {
    about: 'An object for an id is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => isObject(idOf(sent))),
  }),
  fuzzFault('fuzz-true-id-is-internal', {
    about: 'true for an id is an internal error.',
    seenBy: ['error-class', 'law', 'alive'],
    patch: failing((sent) => idOf(sent) === true, 'Internal error'),
  }),
  fuzzFault('fuzz-list-id-resets', {
    about: 'A list for an id ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => Array.isArray(idOf(sent)), reset),
  }),
  fuzzFault('fuzz-params-array-crashes', {
    about: 'Params that are an array give an answer without a body.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: on((sent) => Array.isArray(member(sent, 'params')), empty),
  }),
  fuzzFault('fuzz-no-params-is-internal', {
    about: 'Canceling without params is an internal error.',
    seenBy: ['error-class', 'law'],
    patch: failing(
      (sent) => /cancel/i.test(String(methodOf(sent))) && !isObject(member(sent, 'params')),
      'Internal server error',
    ),
  }),
  fuzzFault('fuzz-missing-member-is-unknown-method', {
    about: 'Params that lack a member which they must have are refused as an unknown method.',
    seenBy: ['error-class', 'law'],
    patch: (inner) => ({
      command(op, wire) {
        const [first] = inner.problems(op, wire);
        const { parts, messageId } = { parts: 'message.parts', messageId: 'message.messageId' };
        const name = first?.path === parts ? 'parts' : first?.path === messageId ? 'messageId' : undefined;
        if (name !== undefined && member(member(wire, 'message'), name) === undefined) {
          throw new RpcFailure('MethodNotFound');
        }
        return inner.command(op, wire);
      },
    }),
  }),
  fuzzFault('fuzz-refused-cancel-is-internal', {
    about: 'Whatever is wrong with the params of a cancel is an internal error; no other operation does so.',
    seenBy: ['error-class', 'law'],
    patch: (inner) => ({
      command(op, wire) {
        try {
          return inner.command(op, wire);
        } catch (cause) {
          if (op === 'cancel') throw new RpcFailure('InternalError');
          throw cause;
        }
      },
    }),
  }),
];
