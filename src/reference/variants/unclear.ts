import { lacking, onResult, onStatus, onTask, overlooking, without } from '../edits.js';
import { refusingPush } from '../pushing.js';
import { together } from '../seams.js';
import { variant } from '../variant.js';
import { able } from './declaring.js';

/** Agents that use points the specification leaves open: no agent fails there (schemas/ambiguities.yaml). */
export const unclearVariants = [
  variant('nested-messages-bare', {
    about: 'Messages inside of tasks have neither kind nor messageId, as in examples of the text (AMB03-05).',
    patch: together(
      onTask((task) => without(without(task, 'history.*.kind'), 'history.*.messageId')),
      onStatus((status) => without(without(status, 'message.kind'), 'message.messageId')),
    ),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('takes-messages-without-id', {
    about: 'Takes messages without a messageId, as examples of the text send them (AMB03-05).',
    patch: overlooking('send', 'message.messageId'),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('no-resubscribe', {
    about: 'Has streams and no tasks/resubscribe, which is an optional method (AMB03-10).',
    notOver: ['a2a-0.3-grpc'],
    patch: together(able({ streaming: true }), lacking('subscribe')),
    profiles: ['a2a-0.3'],
  }),
  variant('tasks-without-context', {
    about: 'Makes no contexts: no task names one (AMB10-10).',
    patch: onTask((task) => without(task, 'contextId')),
    profiles: ['a2a-1.0'],
  }),
  variant('zero-sizes-left-out', {
    about: 'Leaves out sizes of an empty listing, as serializers of ProtoJSON do (AMB10-13).',
    patch: onResult('list', (page) => {
      const entries = Object.entries(Object(page)).filter(([name, value]) => !/Size$/.test(name) || value !== 0);
      return Object.fromEntries(entries);
    }),
    profiles: ['a2a-1.0'],
  }),
  variant('push-delete-again-not-found', {
    about: 'Answers deleting a config again with TaskNotFound (AMB10-21).',
    patch: together(
      able({ push: true }),
      refusingPush('pushDelete', 'TaskNotFound', ({ op, params }, { store }) =>
        op === 'pushDelete' ? !store.configs(params.taskId).some(({ id }) => id === params.configId) : false,
      ),
    ),
    profiles: ['a2a-1.0'],
  }),
];
