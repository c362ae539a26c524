import {
  aTask,
  type Exchange,
  ifReached,
  isInterrupted,
  isTerminal,
  type Notification,
  type Outcome,
  openTask,
  type PushConfig,
  type Scene,
  sendQuick,
  settle,
  sleep,
  source,
  type Task,
  type TaskPushConfig,
  type TaskState,
  Unreached,
} from '../../src/kit/index.js';
import { notified } from './calls.js';
import { gather, guarded, hooks, inline, moreMs, token } from './sending.js';
import { authentication, basic, isGone, readConfig, setConfig, stateNow } from './stored.js';

// An open task with webhooks of the kit, and all that the agent sent to them.

export interface Registered {
  readonly task: Task;
  readonly first: { readonly config: PushConfig; readonly calls: readonly Notification[] };
  readonly second: { readonly config: PushConfig; readonly calls: readonly Notification[] };
  /** Read while the task was open. */
  readonly read: Outcome<TaskPushConfig>;
  /** The task had ended, or was purged, when that had been read. */
  readonly isOver: boolean;
  /** What came to a webhook that had been deleted before anything happened to the task. */
  readonly removed: { readonly outcome: Outcome<null>; readonly calls: readonly Notification[] };
  readonly exhibit: Exchange;
  /** Why nothing was to be told; undefined: the task has changed. */
  readonly still: string | undefined;
}

/** An open task with two webhooks and a third that is deleted again; then it goes on. */
export const registered = source('an open task with webhooks', async (scene): Promise<Registered> => {
  const webhook = hooks(scene);
  const before = await asking(scene);
  const make = (path: string, more: Partial<PushConfig> = {}) => ({
    id: scene.uuid(),
    url: webhook.url(path),
    ...more,
  });
  const configs = { first: make('first', { token, authentication }), gone: make('removed') };
  const set = await setConfig(scene, before.id, configs.first);
  if (set.kind !== 'result') throw guarded(set);
  const other = await setSecond(scene, before.id, make('second'));
  const gone = await setConfig(scene, before.id, configs.gone);
  const goneId = (gone.kind === 'result' && gone.value.config.id) || configs.gone.id;
  const outcome = await scene.client.call('pushDelete', { taskId: before.id, configId: goneId });
  const read = await readConfig(scene, before.id, set.value.config.id ?? configs.first.id);
  const now = await stateNow(scene, before);
  const state = now ?? before.status.state;
  const since = scene.clock.now();
  const task = await settle(scene, await goOn(scene, { ...before, status: { state } }));
  const moved = task.status.state !== state;
  // What asks for input again may have worked in between.
  if (!moved) await sleep(scene.clock, moreMs);
  const calls = async (path: string) =>
    moved ? gather(scene, path, task.status.state) : notified(webhook.received(path));
  const [toFirst, toSecond] = await Promise.all([calls('first'), calls('second')]);
  const first = { config: configs.first, calls: toFirst };
  const second = { config: other, calls: toSecond };
  if (moved) await sleep(scene.clock, 300);
  const late = notified(webhook.received('removed')).filter(({ at }) => at > since);
  const isTold = first.calls.length + second.calls.length > 0;
  const still = isTold ? undefined : whyStill(state, moved);
  const removed = { outcome, calls: late };
  return { task, first, second, read, isOver: isGone(now), removed, exhibit: set.exchange, still };
});

/** With other credentials than the first; without any where the agent does not take a webhook with those. */
async function setSecond(scene: Scene, taskId: string, config: PushConfig): Promise<PushConfig> {
  const guardedBy = { ...config, authentication: basic };
  const set = await setConfig(scene, taskId, guardedBy);
  if (set.kind === 'result') return guardedBy;
  await setConfig(scene, taskId, config);
  return config;
}

const whyStill = (state: TaskState, moved: boolean): string | undefined =>
  isTerminal(state)
    ? 'the task had ended before all webhooks were set'
    : moved
      ? undefined
      : `the task stayed ${state}, so there was nothing to be told`;

/** A task that waits for the client can be made to go on at a time of our choice. */
const asking = async (scene: Scene): Promise<Task> =>
  (await ifReached(scene.use(aTask('input-required')))) ?? scene.use(openTask);

/** The task as it is then answered; as it was where it cannot be made to go on. */
async function goOn(scene: Scene, task: Task): Promise<Task> {
  if (!isInterrupted(task.status.state)) {
    const canceled = await scene.client.call('cancel', { id: task.id });
    return canceled.kind === 'result' ? canceled.value : task;
  }
  const { id: taskId, contextId } = task;
  const answer = { ...scene.say('Blue, please.'), taskId, ...(contextId === undefined ? {} : { contextId }) };
  const outcome = await sendQuick(scene, answer);
  return outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : task;
}

/** Why silence proves nothing; undefined once the agent is known to reach the webhooks of the kit. */
export const silence = source('whether the agent reaches the kit', async (scene): Promise<string | undefined> => {
  const webhook = hooks(scene);
  for (const one of [inline, registered]) {
    if (webhook.assured || webhook.received().length > 0) return undefined;
    // Why not is told by the checks of that source.
    await ifReached(scene.use<unknown>(one));
  }
  if (webhook.assured || webhook.received().length > 0) return undefined;
  return `nothing at all came to ${new URL(webhook.url('')).origin}: the agent may not reach it, or call no such address; give --webhook and --webhook-url`;
});

/** Without any notification there is nothing more to be learned, and each task costs money. */
export async function demandCalls(scene: Scene): Promise<void> {
  const why = await scene.use(silence);
  if (why !== undefined) throw new Unreached(why);
}

export interface Came {
  readonly task: Task;
  readonly config: PushConfig;
  readonly call: Notification;
  readonly exhibit: Exchange;
}
/** Everything that came to the webhooks of two tasks. Throws `Unreached` when that is nothing. */
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
      if (!(error instanceof Unreached)) throw error;
      why ??= error;
    }
  }
  if (found.length > 0) return found;
  throw why ?? new Unreached((await scene.use(silence)) ?? 'no notification came');
});
