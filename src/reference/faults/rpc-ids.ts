import { onEnvelope, without } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const withId = (change: (id: unknown) => unknown): Patch =>
  onEnvelope((response) => ({ ...response, id: change(response['id']) }));

export const rpcIdFaults = [
  fault('rpc-fixed-id', {
    about: 'Every response has the id 1.',
    breaks: ['rpc.string-id-echoed', 'rpc.integer-id-echoed', 'rpc.concurrent-ids'],
    patch: withId(() => 1),
  }),
  fault('rpc-ids-become-strings', {
    about: 'Numbers come back as strings.',
    breaks: ['rpc.integer-id-echoed'],
    patch: withId((id) => (typeof id === 'number' ? String(id) : id)),
  }),
  fault('rpc-digits-become-numbers', {
    about: 'Strings of digits come back as numbers.',
    breaks: ['rpc.string-id-echoed'],
    patch: withId((id) => (typeof id === 'string' && /^[1-9]\d*$/.test(id) ? Number(id) : id)),
  }),
  fault('rpc-ids-of-32-bits', {
    about: 'Ids are cut to 32 bits.',
    breaks: ['rpc.integer-id-echoed'],
    patch: withId((id) => (typeof id === 'number' ? id | 0 : id)),
  }),
  fault('rpc-ids-without-sign', {
    about: 'Negative ids come back as positive ones.',
    breaks: ['rpc.integer-id-echoed'],
    patch: withId((id) => (typeof id === 'number' ? Math.abs(id) : id)),
  }),
  fault('rpc-ids-of-single-precision', {
    about: 'Ids are kept as numbers of single precision.',
    breaks: ['rpc.integer-id-echoed'],
    patch: withId((id) => (typeof id === 'number' ? Math.fround(id) : id)),
  }),
  fault('rpc-falsy-ids-are-null', {
    about: 'The ids 0 and "" are taken for none.',
    breaks: ['rpc.string-id-echoed', 'rpc.integer-id-echoed'],
    patch: withId((id) => id || null),
  }),
  fault('rpc-ids-without-response', {
    about: 'A call with the id "" is taken for a notification and never answered.',
    breaks: ['rpc.string-id-echoed'],
    patch: (inner) => ({
      admit(value, request) {
        const { id, ...call } = inner.admit(value, request);
        return id === '' ? call : { ...call, id };
      },
    }),
  }),
  fault('rpc-errors-with-null-id', {
    about: 'Errors always have the id null.',
    breaks: ['rpc.string-id-echoed', 'rpc.integer-id-echoed'],
    patch: onEnvelope((response) => (Object.hasOwn(response, 'result') ? response : { ...response, id: null })),
  }),
  fault('rpc-errors-without-id', {
    about: 'Errors have no id.',
    breaks: ['rpc.string-id-echoed', 'rpc.integer-id-echoed'],
    patch: onEnvelope((response) => (Object.hasOwn(response, 'result') ? response : without(response, 'id'))),
  }),
  fault('rpc-shared-id', {
    about: 'The id of the newest call is kept in one place for all calls.',
    breaks: ['rpc.concurrent-ids'],
    patch(inner, { clock }) {
      let newest: unknown;
      return {
        admit(value, request) {
          const call = inner.admit(value, request);
          newest = call.id;
          return call;
        },
        async execute(command, call) {
          await new Promise<void>((resolve) => void clock.after(5, resolve));
          return inner.execute(command, call);
        },
        envelope: (response, call) => inner.envelope(call === undefined ? response : { ...response, id: newest }, call),
      };
    },
  }),
];
