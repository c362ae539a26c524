import { member, stringMember, type TaskPushConfig } from '../../model/index.js';
import { mistaking, onReply, onResult, set } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { peek, plainReply } from '../http.js';
import { executing, refusingPush, resulting } from '../pushing.js';
import { together } from '../seams.js';

const on = 'push';
const nowhere = '00000000-0000-4000-8000-00000000ffff';
const elsewhere = (result: TaskPushConfig) => ({
  ...result,
  config: { ...result.config, url: `${result.config.url}/x` },
});

export const pushConfigFaults = [
  fault('push-set-not-implemented', {
    about: 'There is no method to set a config, though the card declares push notifications.',
    breaks: ['push.implemented'],
    on,
    patch: refusingPush('pushSet', 'MethodNotFound'),
  }),
  fault('push-set-unsupported', {
    about: 'The card declares push notifications, and the agent says that it has none.',
    breaks: ['push.implemented'],
    on,
    patch: refusingPush('pushSet', 'PushNotificationNotSupported'),
  }),
  fault('push-set-is-internal-error', {
    about: 'Setting a config breaks the agent.',
    breaks: ['push.implemented'],
    on,
    patch: refusingPush('pushSet', 'InternalError'),
  }),
  fault('push-set-is-status-500', {
    about: 'Setting a config gets the status 500 of the framework, with a word of its own.',
    breaks: ['push.implemented'],
    on,
    binding: 'http+json',
    patch: (inner) => ({
      async serveHttp(request) {
        const reply = await inner.serveHttp(request);
        return request.method === 'POST' && /ushNotificationConfigs$/.test(new URL(request.url).pathname)
          ? { ...reply, status: 500, body: '{"detail":"Internal Server Error"}' }
          : reply;
      },
    }),
  }),
  fault('push-set-names-another-task', {
    about: 'The config that was set comes back with another taskId.',
    breaks: ['push.set-result'],
    on,
    patch: onResult('pushSet', (wire) => set(wire, 'taskId', nowhere)),
  }),
  fault('push-set-without-config', {
    about: 'The result of setting a config has no config.',
    breaks: ['push.set-result', 'push.url-kept', 'data.push-config'],
    on,
    patch: onResult('pushSet', (wire) => ({ taskId: member(wire, 'taskId') })),
  }),
  fault('push-set-shows-another-url', {
    about: 'The config that was set comes back with another url.',
    breaks: ['push.url-kept'],
    on,
    patch: resulting('pushSet', elsewhere),
  }),
  fault('push-get-shows-another-url', {
    about: 'The config that is read has another url than the one that was set.',
    breaks: ['push.url-kept', 'push.config-kept'],
    on,
    patch: resulting('pushGet', elsewhere),
  }),
  fault('push-get-shows-another-id', {
    about: 'The config that is read has another id than the one by which it was asked for.',
    breaks: ['push.config-kept'],
    on,
    patch: resulting('pushGet', (result) => ({
      ...result,
      config: { ...result.config, id: `${result.config.id}-read` },
    })),
  }),
  fault('push-id-replaced', {
    about: 'The agent gives a config another id than the client.',
    breaks: ['push.id-kept'],
    on,
    patch: (inner) => ({
      execute(command, call) {
        if (command.op !== 'pushSet') return inner.execute(command, call);
        const { id: _, ...config } = command.params.config;
        return inner.execute({ op: 'pushSet', params: { ...command.params, config } }, call);
      },
    }),
  }),
  fault('push-list-shows-other-ids', {
    about: 'Listed configs have other ids than those that were set.',
    breaks: ['push.id-kept'],
    on,
    patch: resulting('pushList', (configs) =>
      configs.map((one) => ({ ...one, config: { ...one.config, id: `${one.config.id}-listed` } })),
    ),
  }),
  fault('push-id-demanded', {
    about: 'A config without an id is refused.',
    breaks: ['push.id-optional', 'push.id-made'],
    on,
    patch: refusingPush(
      'pushSet',
      'InvalidParams',
      ({ op, params }) => op === 'pushSet' && params.config.id === undefined,
    ),
  }),
  fault('push-id-not-made', {
    about: 'A config that comes without an id is given none.',
    breaks: ['push.id-made'],
    on,
    patch: resulting('pushSet', (result, { params }) => {
      const { id: _, ...config } = result.config;
      return params.config.id === undefined ? { ...result, config } : result;
    }),
  }),
  fault('push-unnamed-replaces', {
    about: 'A config that comes without an id takes the place of the one before that came without one.',
    breaks: ['push.config-persists'],
    on,
    profiles: ['a2a-1.0'],
    patch: (inner, world, whole) => {
      const unnamed = new Map<string, string>();
      return executing('pushSet', async ({ params: { taskId, config } }, usual, { store }) => {
        const before = unnamed.get(taskId);
        if (config.id || before === undefined) {
          const outcome = await usual();
          if (!config.id && outcome.op === 'pushSet') unnamed.set(taskId, outcome.result.config.id ?? '');
          return outcome;
        }
        store.removeConfig(taskId, before);
        return usual();
      })(inner, world, whole);
    },
  }),
  fault('push-id-of-its-task', {
    about: 'A config that comes without an id gets that of its task.',
    breaks: ['push.id-unique', 'push.config-persists'],
    on,
    profiles: ['a2a-1.0'],
    patch: (inner) => ({
      execute(command, call) {
        if (command.op !== 'pushSet') return inner.execute(command, call);
        const { config, taskId } = command.params;
        const named = { ...config, id: config.id || taskId };
        return inner.execute({ op: 'pushSet', params: { ...command.params, config: named } }, call);
      },
    }),
  }),
  fault('push-set-again-adds', {
    about: 'Setting an id again leaves the old config beside the new one.',
    breaks: ['push.config-replaced'],
    on,
    patch: (inner, world, whole) => {
      const old: TaskPushConfig[] = [];
      const adding = executing('pushSet', ({ params: { taskId, config } }, usual, { store }) => {
        const before = store.configs(taskId).find(({ id }) => id === config.id);
        if (before !== undefined) old.push({ taskId, config: before });
        return usual();
      });
      const listing = resulting('pushList', (found, { params }) => [
        ...old.filter(({ taskId }) => taskId === params.taskId),
        ...found,
      ]);
      return together(adding, listing)(inner, world, whole);
    },
  }),
  fault('push-set-again-ignored', {
    about: 'Setting an id again changes nothing.',
    breaks: ['push.config-replaced'],
    on,
    patch: executing('pushSet', ({ params: { taskId, config } }, usual, { store }) => {
      const before = store.configs(taskId).find(({ id }) => id === config.id);
      return before === undefined ? usual() : { op: 'pushSet', result: { taskId, config: before } };
    }),
  }),
  fault('push-set-again-refused', {
    about: 'An id cannot be set again.',
    breaks: ['push.config-replaced'],
    on,
    patch: refusingPush('pushSet', 'InvalidParams', ({ op, params }, { store }) =>
      op === 'pushSet' ? store.configs(params.taskId).some(({ id }) => id === params.config.id) : false,
    ),
  }),
  fault('push-id-of-one-task-only', {
    about: 'A config takes the place of one with its id, of whatever task.',
    breaks: ['push.config-persists'],
    on,
    patch: executing('pushSet', ({ params: { config } }, usual, { store }) => {
      for (const { id } of store.all()) store.removeConfig(id, config.id ?? '');
      return usual();
    }),
  }),
  fault('push-get-forgets', {
    about: 'A config that was set cannot be found.',
    breaks: ['push.config-kept'],
    on,
    patch: refusingPush('pushGet', 'TaskNotFound'),
  }),
  fault('push-get-not-implemented', {
    about: 'There is no method to read a config.',
    breaks: ['push.config-kept'],
    on,
    patch: refusingPush('pushGet', 'MethodNotFound'),
  }),
  fault('push-get-without-id-crashes', {
    about: 'Reading a config without its id is answered with HTTP 500 and no JSON.',
    breaks: ['push.get-without-id'],
    on,
    patch: (inner, world, whole) =>
      onReply('endpoint', (reply, request) => {
        const asked = peek(request);
        if (stringMember(asked, 'method') !== world.dialect.operations.pushGet?.rpc) return reply;
        const named = member(member(asked, 'params'), 'pushNotificationConfigId');
        return named === undefined ? plainReply(500, 'Internal Server Error') : reply;
      })(inner, world, whole),
  }),
  fault('push-unknown-config-answers-any', {
    about: 'For an unknown config id the agent gives some other config.',
    breaks: ['push.unknown-config-refused'],
    on,
    patch: executing('pushGet', async ({ params: { taskId } }, usual, { store }) => {
      const [config] = store.configs(taskId);
      return usual().catch((cause) => {
        if (config === undefined) throw cause;
        return { op: 'pushGet', result: { taskId, config } };
      });
    }),
  }),
  fault('push-get-shows-the-newest', {
    about: 'Whatever the id, the config of the task that was set last is read.',
    breaks: ['push.config-kept', 'push.unknown-config-refused'],
    on,
    patch: executing('pushGet', async ({ params: { taskId } }, usual, { store }) => {
      const config = store.configs(taskId).at(-1);
      return config === undefined ? usual() : { op: 'pushGet', result: { taskId, config } };
    }),
  }),
  fault('push-get-shows-the-oldest', {
    about: 'Whatever the id, the config of the task that was set first is read.',
    breaks: ['push.config-kept', 'push.unknown-config-refused'],
    on,
    patch: executing('pushGet', async ({ params: { taskId } }, usual, { store }) => {
      const config = store.configs(taskId).at(0);
      return config === undefined ? usual() : { op: 'pushGet', result: { taskId, config } };
    }),
  }),
  fault('push-unknown-config-answers-null', {
    about: 'For an unknown config id the result is null.',
    breaks: ['push.unknown-config-refused'],
    on,
    patch: executing('pushGet', (_, usual) => usual().catch(() => ({ op: 'pushGet', result: null as never }))),
  }),
  fault('push-unknown-config-is-internal-error', {
    about: 'An unknown config id is answered with -32603.',
    breaks: ['push.unknown-config-code'],
    on,
    patch: mistaking('TaskNotFound', 'InternalError', 'pushGet'),
  }),
  fault('push-authentication-refused', {
    about: 'A config with authentication is refused.',
    breaks: ['push.authentication'],
    on,
    patch: refusingPush(
      'pushSet',
      'InvalidParams',
      ({ op, params }) => op === 'pushSet' && params.config.authentication !== undefined,
    ),
  }),
  fault('push-inline-authentication-refused', {
    about: 'A message whose webhook has authentication is refused.',
    breaks: ['push.authentication'],
    on,
    patch: (inner) => ({
      execute(command, call) {
        if (command.op === 'send' && command.params.configuration?.push?.authentication !== undefined)
          throw new RpcFailure('InvalidParams', 'authentication of webhooks is not supported');
        return inner.execute(command, call);
      },
    }),
  }),
];
