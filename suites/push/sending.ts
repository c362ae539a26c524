import {
  collectStream,
  describe,
  type Exchange,
  ifMet,
  isServerError,
  isSettled,
  lastState,
  type Message,
  modes,
  NotApplicable,
  type Notification,
  type Outcome,
  openStream,
  PreconditionUnmet,
  type PushConfig,
  promptFor,
  type Receiver,
  type Scene,
  type SendReply,
  sendForTask,
  settle,
  source,
  stateIn,
  type Task,
  type TaskPushConfig,
  type TaskState,
} from '../../src/kit/index.js';
import { notified, taskNamed, tells } from './calls.js';
import { authentication, type Extras, isGone, isRefused, listConfigs, outfits, stateNow } from './stored.js';

// Messages with a webhook of the kit, and the notifications that came to it.

/** The webhooks of the kit. Throws `PreconditionUnmet` when it has none. */
export function hooks(scene: Scene): Receiver {
  if (scene.webhook === undefined) throw new PreconditionUnmet(scene.webhookOff);
  return scene.webhook;
}

/** The reason to give up: the agent seems not to have accepted a webhook of the kit, since no notification came. */
export function guarded(outcome: Outcome<unknown>): PreconditionUnmet {
  const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
  return new PreconditionUnmet(whyGuarded(outcome), exchange);
}

function whyGuarded(outcome: Outcome<unknown>): string {
  const seen = describe(outcome);
  if (isServerError(outcome)) return `the agent fails on a webhook of the kit: ${seen}`;
  if (outcome.kind !== 'refusal')
    return `the answer does not show whether the agent accepted a webhook of the kit: ${seen}`;
  // This error is about the parts of the message, whatever webhook comes with it.
  return outcome.error === 'ContentTypeNotSupported'
    ? `set behaviours.completed to parts that the agent takes: ${seen}`
    : `give --webhook and --webhook-url: the agent refused a webhook of the kit (${seen}) and may call no such address`;
}

/**
 * Waits for a notification of this state, or of any, for at most the patience; after the first notification, for at
 * most `moreFor` ms.
 */
async function gather(
  scene: Scene,
  path: string,
  state: TaskState | 'any',
  moreFor: number,
): Promise<readonly Notification[]> {
  const webhook = hooks(scene);
  const here = () => notified(webhook.received(path));
  let until = scene.clock.now() + scene.patienceMs;
  let isFirst = true;
  while (!here().some((call) => state === 'any' || tells(call, state))) {
    if (isFirst && here().length > 0) {
      isFirst = false;
      until = scene.clock.now() + moreFor;
    }
    const left = until - scene.clock.now();
    if (left <= 0) break;
    const next = await webhook.next(path, left);
    if (next === undefined) break;
  }
  return here();
}

/**
 * Collects the notifications of a webhook, waiting as long as this agent needs: ten times the delay of its notification
 * of a task's end.
 */
export async function come(scene: Scene, path: string, state: TaskState | 'any'): Promise<readonly Notification[]> {
  return gather(scene, path, state, await scene.use(lateness));
}

export interface WebhookTask {
  readonly config: PushConfig;
  /** The task of the answer. */
  readonly first: Task;
  /** The task after it had settled. */
  readonly task: Task;
  readonly listed: Outcome<readonly TaskPushConfig[]> | undefined;
  /** The task had ended, or was purged, when the configurations had been listed. */
  readonly isOver: boolean;
  /** The exchange that gave the webhook to the agent. */
  readonly exhibit: Exchange;
  readonly calls: readonly Notification[];
  /** The message was answered with a task; otherwise the task is known from a notification. */
  readonly answered: boolean;
  /**
   * Times when the message was sent, when its answer came or was given up, and when the task was seen settled or was
   * given up.
   */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly settledAt: number;
}

export interface Sending {
  readonly message?: Message;
  readonly blocking?: boolean;
  /** Also lists the configurations. */
  readonly lists?: boolean;
  /** Waits for one notification only. */
  readonly any?: boolean;
  /** Added to the URL of the webhook. */
  readonly query?: string;
  /** The schemes of the config, where the agent accepted credentials in one. */
  readonly schemes?: readonly string[];
  /** Called with the task before the kit waits for it. */
  readonly meanwhile?: (task: Task) => Promise<unknown>;
  /** How long the answer may take, ms. */
  readonly timeoutMs?: number;
  /** How long more notifications are waited for after the first, ms; else as long as this agent needs. */
  readonly moreMs?: number;
}

/** A message with a webhook, and its answer. */
export interface Sent {
  readonly config: PushConfig;
  readonly outcome: Outcome<SendReply>;
  /** Listed at once, since an ended task need not keep its configurations. */
  readonly listed: WebhookTask['listed'];
  /** The task had ended, or was purged, when the configurations had been listed. */
  readonly isOver: boolean;
  readonly sentAt: number;
  readonly answeredAt: number;
}

export async function send(scene: Scene, path: string, extras: Extras, sending: Sending = {}): Promise<Sent> {
  const config = { id: scene.uuid(), url: `${hooks(scene).url(path)}${sending.query ?? ''}`, ...extras };
  const sentAt = scene.clock.now();
  const { timeoutMs } = sending;
  const once = () =>
    scene.client.call(
      'send',
      {
        message: sending.message ?? scene.say(),
        configuration: { ...modes(scene), blocking: sending.blocking ?? false, push: config },
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  const outcome = await (sending.message === undefined ? sendForTask(scene, once) : once());
  const sent = { config, outcome, sentAt, answeredAt: scene.clock.now() };
  const first = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  if (first === undefined) return { ...sent, listed: undefined, isOver: false };
  if (sending.lists !== true) return { ...sent, listed: undefined, isOver: isGone(first.status.state) };
  const listed = await listConfigs(scene, first.id);
  return { ...sent, listed, isOver: isGone(await stateNow(scene, first)) };
}

/** Waits for the task of a message and for the notifications to its webhook. */
async function follow(scene: Scene, path: string, sent: Sent, sending: Sending, more?: number): Promise<WebhookTask> {
  const { outcome, ...rest } = sent;
  if (outcome.kind === 'not-sent') throw guarded(outcome);
  const first = await taskSent(scene, path, sent);
  await sending.meanwhile?.(first);
  const task = await settle(scene, first);
  const settledAt = scene.clock.now();
  const until = sending.any === true ? 'any' : task.status.state;
  const calls = await gather(scene, path, until, more ?? (await scene.use(lateness)));
  const answered = outcome.kind === 'result';
  const made = { ...rest, answered, first, task, exhibit: outcome.exchange, calls, settledAt };
  const known = byState.get(scene.target) ?? new Map<TaskState, WebhookTask>();
  byState.set(scene.target, known);
  // What was canceled on the way says nothing of other prompts; one notification is not all, but may be what is looked for.
  const isWhole = sending.any !== true || calls.some((call) => tells(call, task.status.state));
  if (sending.meanwhile === undefined && isWhole && !known.has(task.status.state)) known.set(task.status.state, made);
  return made;
}

/** The first task with a webhook in each state to which any prompt brought it, for each run. */
const byState = new WeakMap<Scene['target'], Map<TaskState, WebhookTask>>();

/** A task with a webhook that some other prompt brought to this state by chance. */
export const webhookTaskByChance = ({ target }: Scene, state: TaskState): WebhookTask | undefined =>
  byState.get(target)?.get(state);

/** The task that the calls of a webhook name; undefined: they name none that can be read. */
export async function taskCalledFor(scene: Scene, path: string): Promise<Task | undefined> {
  const calls = notified(hooks(scene).received(path));
  for (const id of new Set(calls.slice(0, 3).map(taskNamed))) {
    const read = id === undefined ? undefined : await scene.client.call('get', { id });
    if (read?.kind === 'result') return read.value;
  }
  return undefined;
}

/**
 * An agent that calls a webhook has accepted it, however it answered the message. Returns the task that the calls name.
 */
async function calledFor(
  scene: Scene,
  path: string,
  outcome: Exclude<Outcome<SendReply>, { kind: 'result' | 'not-sent' }>,
): Promise<Task> {
  if (notified(hooks(scene).received(path)).length === 0) throw guarded(outcome);
  const task = await taskCalledFor(scene, path);
  if (task !== undefined) return task;
  throw new PreconditionUnmet(
    `the agent called the webhook, and the kit does not know its task: the answer to the message: ${describe(outcome)}`,
    outcome.exchange,
  );
}

/** The task of a message that was sent with a webhook at `path`. Throws `PreconditionUnmet` where there is none. */
export async function taskSent(scene: Scene, path: string, { outcome }: Sent): Promise<Task> {
  if (outcome.kind === 'not-sent') throw guarded(outcome);
  return outcome.kind === 'result' ? taskOf(outcome.value) : calledFor(scene, path, outcome);
}

/** The first message with a webhook, and the extras of a configuration with which the agent accepted it. */
export interface FirstSent {
  readonly sent: Sent;
  readonly extras: Extras;
  /** The refusal of the message with all extras, where the agent accepted it only with fewer. */
  readonly refused: Outcome<SendReply> | undefined;
}
export const firstSent = source('a message with a webhook', async (scene): Promise<FirstSent> => {
  const [all, ...less] = outfits;
  const sent = await send(scene, 'inline', all, { lists: true });
  if (!isRefused(sent.outcome) || notified(hooks(scene).received('inline')).length > 0)
    return { sent, extras: all, refused: undefined };
  for (const extras of less) {
    const again = await send(scene, 'inline', extras, { lists: true });
    if (!isRefused(again.outcome)) return { sent: again, extras, refused: sent.outcome };
  }
  return { sent, extras: all, refused: undefined };
});

/** Sends a message with a webhook at `path`, and waits for the task and its notifications. */
export async function sendWith(scene: Scene, path: string, sending: Sending = {}): Promise<WebhookTask> {
  const { extras } = await scene.use(firstSent);
  const { schemes } = sending;
  const renamed =
    schemes === undefined || extras.authentication === undefined
      ? extras
      : { ...extras, authentication: { ...extras.authentication, schemes } };
  return follow(scene, path, await send(scene, path, renamed, sending), sending, sending.moreMs);
}

function taskOf(reply: SendReply): Task {
  if (reply.type === 'task') return reply.task;
  throw new PreconditionUnmet(
    'set behaviours.completed to a prompt that becomes a task: the agent answered with a message',
  );
}

/** A plain message with a webhook. */
export const inline = source('a message with a webhook', async (scene) =>
  follow(scene, 'inline', (await scene.use(firstSent)).sent, {}, scene.patienceMs),
);

export const blocking = source('a message with a webhook that waits for the end', (scene) =>
  sendWith(scene, 'blocking', { blocking: true }),
);

/** How many more messages with webhooks are sent: one that ends at once may be notified now and then. */
const more = 3;

export const several = source('plain messages with webhooks', async (scene): Promise<readonly WebhookTask[]> => {
  const first = [await scene.use(inline), await ifMet(scene.use(blocking))];
  // One of them names its scheme in lower case, and one has a query in its URL.
  const odd: readonly Sending[] = [
    { schemes: authentication.schemes.map((scheme) => scheme.toLowerCase()) },
    { query: '?tck=a%20b&tck=2' },
  ];
  const again = Array.from({ length: more }, (_, at) =>
    ifMet(sendWith(scene, `inline-${at}`, { any: true, ...odd[at] })),
  );
  return [...first, ...(await Promise.all(again))].filter((task) => task !== undefined);
});

/** Shortest time to wait for more notifications after the first, ms. */
const leastMs = 1500;

/**
 * Ten times the delay of the notification about the end of a plain task, ms; `leastMs` where no such notification came.
 */
export const lateness = source('how soon notifications come', async (scene): Promise<number> => {
  const webhookTask = await ifMet(scene.use(inline));
  if (webhookTask === undefined) return leastMs;
  const first = webhookTask.calls.find((call) => tells(call, webhookTask.task.status.state));
  const tookMs = first === undefined ? 0 : first.at - webhookTask.settledAt;
  return Math.min(scene.patienceMs, Math.max(leastMs, 10 * tookMs));
});

/** The same with long-running work. Throws `PreconditionUnmet` unless the task settled after the answer. */
export const lasting = source('a message with a webhook', async (scene): Promise<WebhookTask> => {
  const webhookTask = await sendWith(scene, 'inline-lasting', {
    message: promptFor(scene, 'long-running'),
    lists: true,
  });
  const [first, last] = [webhookTask.first.status.state, webhookTask.task.status.state];
  if (isSettled(first)) throw new PreconditionUnmet(`set behaviours.long-running: the task was ${first} at once`);
  if (!isSettled(last))
    throw new PreconditionUnmet(`raise --timeout: the task was still ${last} when the kit stopped to wait`);
  return webhookTask;
});

/** A streamed message with a webhook, read to the end of its stream, and the notifications to the webhook. */
export const streamed = source('a streamed message with a webhook', async (scene) => {
  if (!scene.card.capabilities.streaming) throw new NotApplicable('the card declares no streaming');
  const { extras } = await scene.use(firstSent);
  const config = { id: scene.uuid(), url: hooks(scene).url('inline-streamed'), ...extras };
  const opened = await openStream(scene, 'stream', {
    message: scene.say(),
    configuration: { ...modes(scene), push: config },
  });
  if (opened.kind !== 'stream') throw guarded(opened);
  const { events } = await collectStream(scene, opened);
  const first = stateIn(events[0]);
  const last = lastState(events);
  if (first === undefined || last === undefined) throw new PreconditionUnmet('the stream began with no task');
  if (first === last || !isSettled(last))
    throw new PreconditionUnmet(`the task was ${first} at first, and ${last} in the end`);
  return { config, calls: await come(scene, 'inline-streamed', 'any') };
});
