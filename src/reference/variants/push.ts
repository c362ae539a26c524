import { isObject, isTerminal, member, type Task, type TaskPushConfig } from '../../model/index.js';
import { onResult } from '../edits.js';
import { attempt, refusingPush, resulting, underWay } from '../pushing.js';
import { type Patch, together } from '../seams.js';
import { a2a, variant } from '../variant.js';
import { able } from './declaring.js';

const pushing = (...patches: readonly Patch[]): Patch => together(able({ push: true }), ...patches);
/** Sends notifications with this body. */
const noticing = (bodyOf: (task: Task) => unknown): Patch =>
  pushing((inner) => ({
    notification(event, task, config) {
      const request = inner.notification(event, task, config);
      return request && { ...request, body: new TextEncoder().encode(JSON.stringify(bodyOf(task))) };
    },
  }));
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function withoutSecrets({ taskId, config: { token: _, authentication, ...config } }: TaskPushConfig): TaskPushConfig {
  if (authentication === undefined) return { taskId, config };
  const { credentials: __, ...scheme } = authentication;
  return { taskId, config: { ...config, authentication: scheme } };
}

/** Unusual ways to send push notifications that the specification allows. */
export const pushVariants = [
  variant('push-list-in-pages', {
    about: 'Lists the configs of a task in pages of the size that is asked for (1.0 §3.1.9).',
    patch: pushing(
      onResult('pushList', (wire, _, { params }) => {
        const configs = member(wire, 'configs');
        const size = Number(member(params, 'pageSize') ?? 0);
        if (!isObject(wire) || !Array.isArray(configs) || size < 1) return wire;
        const from = Number(member(params, 'pageToken') ?? 0);
        const nextPageToken = from + size < configs.length ? `${from + size}` : '';
        return { ...wire, configs: configs.slice(from, from + size), nextPageToken };
      }),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('push-retries', {
    about: 'A notification that is not taken is sent again after half a second and after two (1.0 §4.3.3).',
    patch: pushing((_, world) => ({
      async deliver(request) {
        for (const pauseMs of [500, 2000, 0]) {
          const { status } = await attempt(world, request);
          if ((status > 0 && status < 500) || pauseMs === 0) return;
          await new Promise<void>((resolve) => void world.clock.after(pauseMs, resolve));
        }
      },
    })),
    profiles: a2a,
  }),
  variant('push-guarded', {
    about: 'Refuses webhooks on the loopback interface, that of the kit too (0.3 §10.2, 1.0 §13.2).',
    patch: pushing((inner) => ({ permitsWebhook: (url) => !loopback.test(url.hostname) && inner.permitsWebhook(url) })),
    profiles: a2a,
  }),
  variant('push-guarded-offline', {
    about: 'Refuses every webhook: its guard resolves names, and has no DNS (1.0 §13.2).',
    patch: pushing(() => ({ permitsWebhook: () => false })),
    profiles: a2a,
  }),
  variant('push-checks-late', {
    about:
      'Accepts any webhook; where it is at an address that is not to be called, it never is (0.3 §10.2, 1.0 §13.2).',
    patch: pushing((inner) => ({
      permitsWebhook: () => true,
      async deliver(request, config) {
        if (inner.permitsWebhook(new URL(request.url))) await inner.deliver(request, config);
      },
    })),
    profiles: a2a,
  }),
  variant('push-asks-first', {
    about: 'Before a webhook is called it must repeat a token (0.3, topics/streaming-and-async).',
    patch: pushing((inner, world) => ({
      async deliver(request, config) {
        const url = new URL(request.url);
        url.searchParams.set('validationToken', 'is-anybody-there');
        const { status } = await attempt(world, { method: 'GET', url: url.href, headers: [] });
        if (status === 200) await inner.deliver(request, config);
      },
    })),
    profiles: a2a,
  }),
  variant('push-open-tasks-only', {
    about: 'Webhooks can be set for tasks that have not ended; when they have, their configs are gone (1.0 §3.1.7).',
    patch: pushing(
      refusingPush('pushSet', 'UnsupportedOperation', ({ op, params }, { store }) => {
        const task = op === 'pushSet' ? store.get(params.taskId) : undefined;
        return task !== undefined && isTerminal(task.status.state);
      }),
      refusingPush('pushGet', 'TaskNotFound', ({ op, params }, { store }) => {
        const task = op === 'pushGet' ? store.get(params.taskId) : undefined;
        return task !== undefined && isTerminal(task.status.state);
      }),
    ),
    profiles: a2a,
  }),
  variant('push-bearer-only', {
    about: 'A webhook with a scheme that the agent does not speak is refused.',
    patch: pushing(
      refusingPush('pushSet', 'UnsupportedOperation', ({ op, params }) => {
        const schemes = op === 'pushSet' ? params.config.authentication?.schemes : undefined;
        return schemes !== undefined && !schemes.some((scheme) => scheme.toLowerCase() === 'bearer');
      }),
    ),
    profiles: a2a,
  }),
  variant('push-waits-15-seconds', {
    about: 'A task goes on when its webhook has answered, or after 15 seconds: 10 to 30 are recommended (1.0 §4.3.3).',
    patch: pushing((inner, world, whole) => {
      const { store, clock } = world;
      const patient: Patch = (before) => ({
        deliver: (request, config) =>
          Promise.race([
            before.deliver(request, config),
            new Promise<void>((resolve) => void clock.after(15_000, resolve)),
          ]),
      });
      const { patch, of } = underWay(world);
      const meanwhile: { readonly taskId: string; readonly happen: () => void }[] = [];
      const queueing: Patch = (before) => ({
        transition(task, event) {
          if (!of(task.id)) return before.transition(task, event);
          meanwhile.push({
            taskId: task.id,
            happen() {
              const now = store.get(task.id);
              if (now !== undefined) store.publish(whole.transition(now, event), event);
            },
          });
          return task;
        },
        async deliver(request, config) {
          await before.deliver(request, config);
          for (let at = meanwhile.findIndex(({ taskId }) => !of(taskId)); at >= 0; ) {
            const [next] = meanwhile.splice(at, 1);
            next?.happen();
            at = meanwhile.findIndex(({ taskId }) => !of(taskId));
          }
        },
      });
      return together(patient, patch, queueing)(inner, world, whole);
    }),
    profiles: ['a2a-1.0'],
  }),
  variant('push-of-everything', {
    about: 'Notifies webhooks of every event of a task, of artifacts too.',
    patch: pushing((inner, { store }) => ({
      recipients: (event, task) => (event.type === 'message' ? inner.recipients(event, task) : store.configs(task.id)),
    })),
    profiles: a2a,
  }),
  variant('push-secrets-unshown', {
    about: 'Shows a config without its token and its credentials: no sentence says that they come back.',
    patch: pushing(
      resulting('pushSet', (found) => withoutSecrets(found)),
      resulting('pushGet', (found) => withoutSecrets(found)),
      resulting('pushList', (found) => found.map(withoutSecrets)),
    ),
    profiles: a2a,
  }),
  variant('push-of-settled-tasks', {
    about: 'Notifies webhooks when a task has ended or waits for the client, and of nothing in between.',
    patch: pushing((inner) => ({
      recipients: (event, task) =>
        event.type === 'status' && event.status.state !== 'working' ? inner.recipients(event, task) : [],
    })),
    profiles: a2a,
  }),
  variant('push-in-later-words', {
    about: 'Sends webhooks what 1.0 sends, with the states as 1.0 spells them (0.3, topics/streaming-and-async).',
    patch: noticing(({ id: taskId, contextId, status: { state, timestamp } }) => ({
      statusUpdate: {
        taskId,
        contextId,
        status: { state: `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`, timestamp },
      },
    })),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('push-in-own-words', {
    about: 'Sends webhooks the id of the task and what happened to it, and no more (0.3, topics/streaming-and-async).',
    patch: noticing(({ id: task, status: { state } }) => ({ event: `task.${state}`, task })),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
];
