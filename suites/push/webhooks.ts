import {
  answerTo,
  aTask,
  type Exchange,
  ifMet,
  isInterrupted,
  isTerminal,
  type Notification,
  type Outcome,
  openTask,
  PreconditionUnmet,
  type PushConfig,
  type Scene,
  sendQuick,
  settleAfter,
  sleep,
  source,
  type Task,
  type TaskPushConfig,
  type TaskState,
} from '../../src/kit/index.js';
import { notified, tells } from './calls.js';
import { come, guarded, hooks, inline, lateness, streamed } from './sending.js';
import { basic, isGone, readConfig, setConfig, setWith, stateNow } from './stored.js';

// An open task with webhooks of the kit, and all notifications sent to them.

interface Hooked {
  readonly config: PushConfig;
  readonly set: Outcome<TaskPushConfig>;
  readonly calls: readonly Notification[];
}

export interface Registered {
  readonly task: Task;
  readonly first: Hooked;
  readonly second: Hooked;
  /** The configuration read while the task was open. */
  readonly read: Outcome<TaskPushConfig>;
  /** The task had ended, or was purged, when the configuration had been read. */
  readonly isOver: boolean;
  /** Notifications to a webhook that was deleted before the task changed. */
  readonly removed: {
    readonly set: Outcome<TaskPushConfig>;
    readonly outcome: Outcome<null>;
    readonly calls: readonly Notification[];
  };
  readonly exhibit: Exchange;
  /** Why no notification was due; undefined when the task has changed. */
  readonly still: string | undefined;
}

/** An open task with two webhooks and a third one that is deleted; then the task goes on. */
export const registered = source('an open task with webhooks', async (scene): Promise<Registered> => {
  const webhook = hooks(scene);
  const before = await asking(scene);
  const make = (path: string) => ({ id: scene.uuid(), url: webhook.url(path) });
  const gone = make('removed');
  const taken = await setWith(scene, before.id, make('first'));
  const { set } = taken;
  if (set.kind !== 'result') throw guarded(set);
  // Uses other credentials than the first.
  const other = await setWith(scene, before.id, make('second'), [{ authentication: basic }, {}]);
  const setGone = await setConfig(scene, before.id, gone);
  const goneId = (setGone.kind === 'result' && setGone.value.config.id) || gone.id;
  const outcome = await scene.client.call('pushDelete', { taskId: before.id, configId: goneId });
  const read = await readConfig(scene, before.id, set.value.config.id ?? taken.sent.id ?? '');
  const now = await stateNow(scene, before);
  const state = now ?? before.status.state;
  const since = scene.clock.now();
  // An answer may still show the task as it waited: no notification is due before it goes on.
  const waiting = state === before.status.state ? before : { ...before, status: { state } };
  const task = await settleAfter(scene, waiting, await goOn(scene, waiting));
  const moved = task.status.state !== state;
  // A task that asks for input again may have worked in between.
  if (!moved) await sleep(scene.clock, await scene.use(lateness));
  const calls = async (path: string) =>
    moved ? come(scene, path, task.status.state) : notified(webhook.received(path));
  const [toFirst, toSecond] = await Promise.all([calls('first'), calls('second')]);
  const first = { config: taken.sent, set, calls: toFirst };
  const second = { config: other.sent, set: other.set, calls: toSecond };
  if (moved) await sleep(scene.clock, 300);
  // Notifications sent before the webhook was deleted may arrive later; they show the earlier state.
  const late = notified(webhook.received('removed')).filter(
    (call) => call.at > since && !(tells(call, state) && !tells(call, task.status.state)),
  );
  const areTold = first.calls.length > 0 && (second.calls.length > 0 || other.set.kind !== 'result');
  const isAnyTold = first.calls.length > 0 || second.calls.length > 0;
  const wasOver = isTerminal(state);
  const still = areTold || (isAnyTold && !wasOver) ? undefined : whyStill(state, moved);
  const removed = { set: setGone, outcome, calls: late };
  return { task, first, second, read, isOver: isGone(now), removed, exhibit: set.exchange, still };
});

const whyStill = (state: TaskState, moved: boolean): string | undefined =>
  isTerminal(state)
    ? 'set behaviours.working to longer work: the task ended before the kit set all webhooks'
    : moved
      ? undefined
      : `the task stayed ${state}, so the agent had nothing to notify`;

/** A task that waits for the client can be continued when the kit chooses. */
export const asking = async (scene: Scene): Promise<Task> =>
  (await ifMet(scene.use(aTask('input-required')))) ?? scene.use(openTask);

/** The task as answered when it was continued or canceled; unchanged where that failed. */
export async function goOn(scene: Scene, task: Task): Promise<Task> {
  if (!isInterrupted(task.status.state)) {
    const canceled = await scene.client.call('cancel', { id: task.id });
    return canceled.kind === 'result' ? canceled.value : task;
  }
  const outcome = await sendQuick(scene, answerTo(scene, task));
  return outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : task;
}

/** Why silence shows nothing; undefined once the agent is known to reach the kit's webhooks. */
export const silence = source('whether the agent reaches the kit', async (scene): Promise<string | undefined> => {
  const webhook = hooks(scene);
  let isDue = false;
  let why: string | undefined;
  for (const source of scene.card.capabilities.streaming ? [inline, registered, streamed] : [inline, registered]) {
    if (webhook.assured || webhook.received().length > 0) return undefined;
    try {
      await scene.use<unknown>(source);
      isDue = true;
    } catch (error) {
      if (!(error instanceof PreconditionUnmet)) throw error;
      why ??= error.message;
    }
  }
  if (webhook.assured || webhook.received().length > 0) return undefined;
  // Without a task that has a webhook, no notification was due.
  if (!isDue && why !== undefined) return why;
  return `give --webhook and --webhook-url: nothing came to ${new URL(webhook.url('')).origin}, and the agent may not reach it, or call no such address`;
});

/** Without any notification, further tasks would show nothing, and each may cost money. */
export async function demandCalls(scene: Scene): Promise<void> {
  const why = await scene.use(silence);
  if (why !== undefined) throw new PreconditionUnmet(why);
}

export interface Came {
  readonly task: Task;
  readonly config: PushConfig;
  readonly call: Notification;
  readonly exhibit: Exchange;
}
/** All notifications about two tasks. Throws `PreconditionUnmet` when there are none. */
export const came = source('notifications of the agent', async (scene): Promise<readonly Came[]> => {
  const found: Came[] = [];
  let why: unknown;
  for (const look of [
    async () => [await scene.use(inline)],
    async () => {
      const { task, first, second, exhibit } = await scene.use(registered);
      return [
        { task, exhibit, ...first },
        { task, exhibit, ...second },
      ];
    },
  ]) {
    try {
      for (const { calls, task, config, exhibit } of await look()) {
        found.push(...calls.map((call) => ({ task, config, exhibit, call })));
      }
    } catch (error) {
      if (!(error instanceof PreconditionUnmet)) throw error;
      why ??= error;
    }
  }
  if (found.length > 0) return found;
  throw why ?? new PreconditionUnmet((await scene.use(silence)) ?? 'no notification came');
});
