import { type Fault, fault } from '../../../fixtures/faults/shared/fault.js';
import type { Patch } from '../../../src/reference/patching.js';

const profiles = ['xpr', 'xpr-v2'] as const;

/** Carries out the operation for any caller as for the owner of the task. */
const unasked =
  (op: 'get' | 'send' | 'cancel'): Patch =>
  (inner, { store }) => ({
    execute(command, call) {
      if (command.op !== op) return inner.execute(command, call);
      const id = command.op === 'send' ? command.params.message?.taskId : command.params.id;
      const caller = (id === undefined ? undefined : store.owner(id)) ?? call.request.caller;
      return inner.execute(command, { ...call, request: { ...call.request, caller } });
    },
  });

export const faults: readonly Fault[] = [
  fault('xpr-get-foreign', {
    about: 'Every account can read all tasks.',
    breaks: ['get.foreign-refused'],
    profiles,
    patch: unasked('get'),
  }),
  fault('xpr-send-foreign', {
    about: 'Every account can send messages to all tasks.',
    breaks: ['send.foreign-refused'],
    profiles,
    patch: unasked('send'),
  }),
  fault('xpr-cancel-foreign', {
    about: 'Every account can cancel all tasks.',
    breaks: ['cancel.foreign-refused'],
    profiles,
    patch: unasked('cancel'),
  }),
];
