import type { Operation } from '../../model/index.js';
import { mistaking, overlooking } from '../edits.js';
import { fault } from '../fault.js';
import { executing } from '../pushing.js';
import { type Patch, together } from '../seams.js';

const on = 'push';

/** These operations are carried out whatever the card declares. */
const undeclared =
  (...ops: readonly Operation[]): Patch =>
  (inner, { dialect }) => ({
    operation: (method) => ops.find((op) => dialect.operations[op]?.rpc === method) ?? inner.operation(method),
  });

/** These operations treat every caller as the owner of the task. */
const blindly =
  (...ops: readonly Operation[]): Patch =>
  (inner, { store }) => ({
    execute(command, call) {
      if (!ops.includes(command.op)) return inner.execute(command, call);
      const { taskId } = command.params as { readonly taskId: string };
      return inner.execute(command, { ...call, request: { ...call.request, caller: store.owner(taskId) } });
    },
  });
const toEverybody = 'bearer-required-everywhere';

/** The agent accepts webhooks at these hosts. */
const taking =
  (hosts: RegExp): Patch =>
  (inner) => ({ permitsWebhook: (url) => hosts.test(url.hostname) || inner.permitsWebhook(url) });

export const pushRefusalFaults = [
  fault('push-unknown-task-stored', {
    about: 'A config can be set for a task that does not exist.',
    breaks: ['push.unknown-task-refused'],
    on,
    patch: executing('pushSet', ({ op, params }, usual, { store }) =>
      store.get(params.taskId) === undefined ? { op, result: params } : usual(),
    ),
  }),
  fault('push-unknown-task-lists-nothing', {
    about: 'A task that does not exist has an empty list of configs.',
    breaks: ['push.unknown-task-refused'],
    on,
    patch: executing('pushList', ({ op, params }, usual, { store }) =>
      store.get(params.taskId) === undefined ? { op, result: [] } : usual(),
    ),
  }),
  fault('push-unknown-task-is-invalid-params', {
    about: 'A config for a task that does not exist is refused with -32602.',
    breaks: ['push.unknown-task-code'],
    on,
    patch: mistaking('TaskNotFound', 'InvalidParams', 'pushSet'),
  }),
  fault('push-undeclared-works', {
    about: 'Configs can be set, though the card declares no push notifications.',
    breaks: ['push.unsupported-refused'],
    patch: undeclared('pushSet', 'pushGet', 'pushList', 'pushDelete'),
  }),
  fault('push-undeclared-delete-works', {
    about: 'Configs can be deleted, though the card declares no push notifications.',
    breaks: ['push.unsupported-refused'],
    patch: undeclared('pushDelete'),
  }),
  fault('push-undeclared-is-unknown-method', {
    about: 'Without push notifications their methods are refused with -32601.',
    breaks: ['push.unsupported-code'],
    notOver: ['grpc'],
    patch: mistaking('PushNotificationNotSupported', 'MethodNotFound'),
  }),
  fault('push-undeclared-is-task-not-found', {
    about: 'Without push notifications their methods are refused with -32001.',
    breaks: ['push.unsupported-code'],
    patch: mistaking('PushNotificationNotSupported', 'TaskNotFound'),
  }),
  fault('push-url-optional', {
    about: 'A config without a url is taken.',
    breaks: ['push.url-required', 'push.url-checked'],
    on,
    patch: overlooking('pushSet', 'config.url'),
  }),
  fault('push-task-id-optional', {
    about: 'Without a taskId an empty list of configs comes.',
    breaks: ['push.task-id-required'],
    on,
    patch: together(
      overlooking('pushList', 'taskId'),
      executing('pushList', ({ op, params }, usual) => (params.taskId === '' ? { op, result: [] } : usual())),
    ),
  }),
  fault('push-config-id-optional', {
    about: 'Without an id the first config comes.',
    breaks: ['push.config-id-required'],
    on,
    patch: overlooking('pushGet', 'configId'),
  }),
  fault('push-config-optional', {
    about: 'A config that is not there is taken.',
    breaks: ['push.config-required'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: overlooking('pushSet', 'config'),
  }),
  fault('push-url-unchecked', {
    about: 'A config may have any text for a url.',
    breaks: ['push.url-checked'],
    on,
    patch: (inner) => ({
      problems: (op, wire) =>
        inner.problems(op, wire).filter(({ about }) => !about.startsWith('url must be an absolute')),
    }),
  }),
  fault('push-foreign-read', {
    about: "Everybody can read everybody's configs.",
    breaks: ['push.foreign-refused'],
    on: toEverybody,
    patch: blindly('pushGet', 'pushList'),
  }),
  fault('push-foreign-set', {
    about: "Everybody can set configs for everybody's tasks.",
    breaks: ['push.foreign-refused'],
    on: toEverybody,
    patch: blindly('pushSet'),
  }),
  fault('push-foreign-deleted', {
    about: "Everybody can delete everybody's configs.",
    breaks: ['push.foreign-refused'],
    on: toEverybody,
    patch: blindly('pushDelete'),
  }),
  fault('push-takes-loopback', {
    about: 'A webhook may be at localhost.',
    breaks: ['sec.webhook-checked', 'sec.private-webhook'],
    on,
    patch: taking(/^localhost$/),
  }),
];
