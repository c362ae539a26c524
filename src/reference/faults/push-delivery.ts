import { isTerminal, type PushConfig, type TaskState } from '../../model/index.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { attempt, executing, telling, underWay } from '../pushing.js';
import { type Patch, type Seams, together } from '../seams.js';

const on = 'push';
type Event = Parameters<Seams['recipients']>[0];
const stateOf = (event: Event): TaskState | undefined => (event.type === 'status' ? event.status.state : undefined);

/** Sends notifications only for these states. */
const tellingOf = (keeps: (state: TaskState) => boolean): Patch =>
  telling((event) => {
    const state = stateOf(event);
    return state !== undefined && keeps(state);
  });

/** Sends notifications by the origin of the config: whether it came with a message, and whether that one blocks. */
const byOrigin =
  (keeps: (origin: { readonly isInline: boolean; readonly waits: boolean }) => boolean): Patch =>
  (inner, world, whole) => {
    const waits = new Map<string | undefined, boolean>();
    const noting: Patch = (before) => ({
      execute(command, call) {
        if (command.op === 'send') {
          const { push, blocking } = command.params.configuration ?? {};
          if (push !== undefined) waits.set(push.id, blocking === true);
        }
        return before.execute(command, call);
      },
    });
    const told = telling((_, id) => keeps({ isInline: waits.has(id), waits: waits.get(id) === true }));
    return together(noting, told)(inner, world, whole);
  };

const ignoringInline: Patch = (inner) => ({
  execute(command, call) {
    if (command.op !== 'send') return inner.execute(command, call);
    const { push: _, ...configuration } = command.params.configuration ?? {};
    return inner.execute({ op: 'send', params: { ...command.params, configuration } }, call);
  },
});

/** The webhook of a message is stored when the message is answered; short work is done by then. */
const storingLate =
  (isLate: (count: number) => boolean): Patch =>
  (inner, world, whole) => {
    let count = 0;
    const late: Patch = (before) => ({
      async execute(command, call) {
        const push = command.op === 'send' ? command.params.configuration?.push : undefined;
        if (command.op !== 'send' || push === undefined || !isLate(count++)) return before.execute(command, call);
        const { push: _, ...configuration } = command.params.configuration ?? {};
        const outcome = await before.execute({ op: 'send', params: { ...command.params, configuration } }, call);
        if (outcome.op === 'send' && outcome.result.type === 'task')
          world.store.putConfig(outcome.result.task.id, push);
        return outcome;
      },
    });
    const slow: Patch = (before) => ({
      patience: (configuration) => Math.max(200, before.patience(configuration)),
    });
    return together(slow, late)(inner, world, whole);
  };

const success: readonly TaskState[] = ['failed', 'rejected', 'canceled'];

export const pushDeliveryFaults = [
  fault('push-silent', {
    about: 'Webhooks are taken and never called.',
    breaks: ['push.notified', 'push.inline-notified'],
    on,
    patch: telling(() => false),
  }),
  fault('push-first-webhook-only', {
    about: 'Of several webhooks the first one is called.',
    breaks: ['push.notified'],
    on,
    patch: (inner) => ({ recipients: (event, task) => inner.recipients(event, task).slice(0, 1) }),
  }),
  fault('push-set-not-notified', {
    about: 'Only webhooks that came with a message are called.',
    breaks: ['push.notified'],
    on,
    patch: byOrigin(({ isInline }) => isInline),
  }),
  fault('push-inline-not-notified', {
    about: 'A webhook that came with a message is kept and never called.',
    breaks: ['push.inline-notified'],
    on,
    patch: byOrigin(({ isInline }) => !isInline),
  }),
  fault('push-inline-ignored', {
    about: 'The webhook of a message is dropped.',
    breaks: ['send.inline-push', 'push.inline-notified'],
    on,
    patch: ignoringInline,
  }),
  fault('push-inline-ignored-by-the-quick', {
    about: 'The webhook of a message is dropped, and short work is done before its message is answered.',
    breaks: ['send.inline-push', 'push.inline-notified', 'push.any-blocking', 'push.inline-attempted'],
    on,
    patch: together(ignoringInline, (inner) => ({
      patience: (configuration) => Math.max(200, inner.patience(configuration)),
    })),
  }),
  fault('push-inline-late', {
    about: 'The webhook of a message is stored when its task has ended, if that is short.',
    breaks: ['push.inline-attempted'],
    on,
    patch: storingLate(() => true),
  }),
  fault('push-inline-late-at-times', {
    about: 'The webhook of each third message is stored when its task has ended, if that is short.',
    breaks: ['push.inline-attempted'],
    on,
    patch: storingLate((count) => count % 3 === 2),
  }),
  fault('push-inline-of-streams-ignored', {
    about: 'The webhook of a message that is streamed is dropped.',
    breaks: ['push.inline-notified'],
    on: 'streaming-and-push',
    patch: (inner) => ({
      stream(command, call) {
        if (command.op !== 'stream') return inner.stream(command, call);
        const { push: _, ...configuration } = command.params.configuration ?? {};
        return inner.stream({ op: 'stream', params: { ...command.params, configuration } }, call);
      },
    }),
  }),
  fault('push-only-when-not-waiting', {
    about: 'The webhook of a client that waits for the answer is not called.',
    breaks: ['push.any-blocking'],
    notOver: ['grpc'],
    on,
    patch: byOrigin(({ isInline, waits }) => !isInline || !waits),
  }),
  fault('push-only-when-waiting', {
    about: 'The webhook of a client that does not wait for the answer is not called.',
    breaks: ['push.any-blocking', 'push.inline-notified'],
    on,
    patch: byOrigin(({ isInline, waits }) => !isInline || waits),
  }),
  fault('push-config-forgotten', {
    about: 'The config of an open task is soon forgotten.',
    breaks: ['push.config-persists'],
    on,
    patch: executing('pushGet', ({ params }, usual, { store }) => {
      const task = store.get(params.taskId);
      if (task !== undefined && !isTerminal(task.status.state)) throw new RpcFailure('TaskNotFound');
      return usual();
    }),
  }),
  fault('push-deleted-notified', {
    about: 'Deleted webhooks are called as before.',
    breaks: ['push.deleted-silent'],
    on,
    patch: (inner, world, whole) => {
      const gone = new Map<string, readonly PushConfig[]>();
      const deleting = executing('pushDelete', ({ params: { taskId, configId } }, usual, { store }) => {
        const found = store.configs(taskId).filter(({ id }) => id === configId);
        gone.set(taskId, [...(gone.get(taskId) ?? []), ...found]);
        return usual();
      });
      const remembering: Patch = (before) => ({
        recipients: (event, task) =>
          event.type === 'status'
            ? [...before.recipients(event, task), ...(gone.get(task.id) ?? [])]
            : before.recipients(event, task),
      });
      return together(deleting, remembering)(inner, world, whole);
    },
  }),
  fault('push-working-only', {
    about: 'Webhooks are told when a task is taken up, and never how it ends.',
    breaks: ['push.notified-state'],
    on,
    patch: tellingOf((state) => state === 'working'),
  }),
  fault('push-success-only', {
    about: 'Webhooks are not told when a task fails, is rejected or is canceled.',
    breaks: ['push.notified-state'],
    on,
    patch: tellingOf((state) => !success.includes(state)),
  }),
  fault('push-cancel-untold', {
    about: 'Webhooks are not told when a task is canceled.',
    breaks: ['push.notified-state'],
    on,
    patch: tellingOf((state) => state !== 'canceled'),
  }),
  fault('push-waiting-untold', {
    about: 'Webhooks are not told when a task waits for the client.',
    breaks: ['push.notified-state'],
    on,
    patch: tellingOf((state) => state !== 'input-required' && state !== 'auth-required'),
  }),
  fault('push-waits-for-webhook', {
    about: 'While a webhook is called all work stands still, and what happens meanwhile is lost.',
    breaks: ['push.hanging-webhook'],
    on,
    patch: (inner) => {
      let open = 0;
      return {
        async deliver(request, config) {
          open++;
          await inner.deliver(request, config);
          open--;
        },
        transition: (task, event) => (open > 0 ? task : inner.transition(task, event)),
      };
    },
  }),
  fault('push-waits-for-ever', {
    about: 'A task stands still for as long as its webhook does not answer, without any timeout.',
    breaks: ['push.hanging-webhook'],
    on,
    patch: (inner, world, whole) => {
      const patient: Patch = () => ({
        async deliver(request) {
          // No timeout: the delivery ends only when the webhook answers or fails.
          const answer = await world.outbound?.(request, new AbortController().signal);
          for await (const _ of answer?.body ?? []);
        },
      });
      const { patch, of } = underWay(world);
      const still: Patch = (before) => ({
        transition: (task, event) => (of(task.id) ? task : before.transition(task, event)),
      });
      return together(patient, patch, still)(inner, world, whole);
    },
  }),
  fault('push-answer-waits-for-webhook', {
    about: 'A message with returnImmediately is answered when its webhook has answered, or was given up.',
    breaks: ['push.hanging-webhook-answer'],
    on,
    patch: (inner, world, whole) => {
      const { patch, over } = underWay(world);
      const waiting: Patch = (before) => ({
        async execute(command, call) {
          const outcome = await before.execute(command, call);
          if (outcome.op !== 'send' || outcome.result.type !== 'task') return outcome;
          await new Promise<void>((resolve) => void world.clock.after(100, resolve));
          await over(outcome.result.task.id);
          return outcome;
        },
      });
      return together(patch, waiting)(inner, world, whole);
    },
  }),
  fault('push-retries-at-once', {
    about: 'A webhook that fails is called again at once, thirty times.',
    breaks: ['push.retried'],
    on,
    patch: (_, world) => ({
      async deliver(request) {
        for (let times = 0; times < 30; times++) if ((await attempt(world, request)).status < 500) return;
      },
    }),
  }),
  fault('push-failure-fails-task', {
    about: 'A task whose webhook fails is set to failed.',
    breaks: ['push.gives-up'],
    on,
    patch: (_, world) => ({
      async deliver(request, config) {
        const { store } = world;
        if ((await attempt(world, request)).status < 500) return;
        const task = store.all().find(({ id }) => store.configs(id).includes(config));
        if (task !== undefined) store.put({ ...task, status: { ...task.status, state: 'failed' } });
      },
    }),
  }),
  fault('push-follows-redirects', {
    about: 'Redirects of webhooks are followed wherever they lead.',
    breaks: ['sec.webhook-checked', 'sec.private-webhook'],
    on,
    patch: (_, world) => ({
      async deliver(request) {
        const { location } = await attempt(world, request);
        if (location !== undefined) await attempt(world, { ...request, url: location });
      },
    }),
  }),
  fault('push-follows-redirects-late', {
    about: 'Redirects of webhooks are followed wherever they lead, by a queue that comes to them after a second.',
    breaks: ['sec.webhook-checked', 'sec.private-webhook'],
    on,
    patch: (_, world) => ({
      async deliver(request) {
        const { location } = await attempt(world, request);
        if (location !== undefined) {
          world.clock.after(1000, () => void attempt(world, { ...request, url: location }));
        }
      },
    }),
  }),
  fault('push-fetches-file-urls', {
    about: 'The URLs of files are fetched, wherever they lead.',
    breaks: ['sec.file-urls'],
    patch: (inner, world) => ({
      script(message, task) {
        for (const part of message.parts) {
          if (part.kind !== 'file' || part.uri === undefined) continue;
          void attempt(world, { method: 'GET', url: part.uri, headers: [] });
        }
        return inner.script(message, task);
      },
    }),
  }),
];
