import {
  describe,
  type Exchange,
  isSettled,
  type Message,
  modes,
  NotClaimed,
  type Notification,
  neutralPrompt,
  type Outcome,
  openStream,
  type PushConfig,
  promptFor,
  type Receiver,
  type Scene,
  type SendReply,
  settle,
  source,
  stateIn,
  type Task,
  type TaskPushConfig,
  type TaskState,
  Unreached,
  watch,
} from '../../src/kit/index.js';
import { notified, tells, wordOf } from './calls.js';
import { authentication, isGone, listConfigs, stateNow } from './stored.js';

// Messages with a webhook of the kit, and what came there.

export const token = 'a2a-tck-webhook-token';

/** After the first notification, how long the others are waited for, ms. */
export const moreMs = 1500;

/** The webhooks of the kit. Throws `Unreached` where there are none. */
export function hooks(scene: Scene): Receiver {
  if (scene.webhook === undefined) throw new Unreached(scene.webhookOff);
  return scene.webhook;
}

export const guarded = (outcome: Outcome<unknown>): Unreached =>
  new Unreached(
    `the agent did not take the webhook of the kit: ${describe(outcome)}. It may call no such address; give --webhook and --webhook-url`,
    outcome.kind === 'withheld' ? undefined : outcome.exchange,
  );

/** Waits for notifications until there is one of this state, or of any; or until none comes any more. */
export async function gather(scene: Scene, path: string, state: TaskState | 'any'): Promise<readonly Notification[]> {
  const webhook = hooks(scene);
  const word = state === 'any' ? undefined : wordOf(scene, state);
  const here = () => notified(webhook.received(path));
  let until = scene.clock.now() + scene.patienceMs;
  let isFirst = true;
  while (!here().some((call) => state === 'any' || tells(call, word))) {
    if (isFirst && here().length > 0) {
      isFirst = false;
      until = scene.clock.now() + moreMs;
    }
    const left = until - scene.clock.now();
    if (left <= 0) break;
    const next = await webhook.next(path, left);
    if (next === undefined) break;
  }
  return here();
}

export interface Told {
  readonly config: PushConfig;
  /** As it was answered. */
  readonly first: Task;
  /** As it was when it had settled. */
  readonly task: Task;
  readonly listed: Outcome<readonly TaskPushConfig[]> | undefined;
  /** The task had ended, or was purged, when they had been listed. */
  readonly isOver: boolean;
  /** What brought the webhook to the agent. */
  readonly exhibit: Exchange;
  readonly calls: readonly Notification[];
}

export interface Sending {
  readonly message?: Message;
  readonly blocking?: boolean;
  /** Asks which configurations there are. */
  readonly lists?: boolean;
  /** One notification is enough. */
  readonly any?: boolean;
  /** What is done with the task before it is waited for. */
  readonly meanwhile?: (task: Task) => Promise<unknown>;
}

/** Sends a message with a webhook at `path`, and waits for the task and for what comes there. */
export async function sendWith(scene: Scene, path: string, sending: Sending = {}): Promise<Told> {
  const config = { id: scene.uuid(), url: hooks(scene).url(path), token, authentication };
  const outcome = await scene.client.call('send', {
    message: sending.message ?? scene.say(neutralPrompt),
    configuration: { ...modes(scene), blocking: sending.blocking ?? false, push: config },
  });
  if (outcome.kind !== 'result') throw guarded(outcome);
  const first = taskOf(outcome.value);
  const listed = sending.lists === true ? await listConfigs(scene, first.id) : undefined;
  const state = listed === undefined ? first.status.state : await stateNow(scene, first);
  await sending.meanwhile?.(first);
  const task = await settle(scene, first);
  const until = sending.any === true ? 'any' : task.status.state;
  const calls = await gather(scene, path, until);
  return { config, first, task, listed, isOver: isGone(state), exhibit: outcome.exchange, calls };
}

function taskOf(reply: SendReply): Task {
  if (reply.type === 'task') return reply.task;
  throw new Unreached('the agent answered with a message, so there is no task to be told of');
}

/** A plain message with a webhook. */
export const inline = source('a message with a webhook', (scene) => sendWith(scene, 'inline', { lists: true }));

/** The same with work that takes its time. Throws `Unreached` where nothing more has come of it than the answer told. */
export const lasting = source('a message with a webhook', async (scene): Promise<Told> => {
  const told = await sendWith(scene, 'inline-lasting', { message: promptFor(scene, 'long-running'), lists: true });
  const [first, last] = [told.first.status.state, told.task.status.state];
  if (isSettled(first)) throw new Unreached(`the task was ${first} at once; set behaviours.long-running`);
  if (!isSettled(last)) throw new Unreached(`the task was still ${last} when it was not waited for any longer`);
  return told;
});

/** A streamed message with a webhook, read to the end of its stream, and what came to the webhook. */
export const streamed = source('a streamed message with a webhook', async (scene) => {
  if (!scene.card.capabilities.streaming) throw new NotClaimed('the card declares no streaming');
  const config = { id: scene.uuid(), url: hooks(scene).url('inline-streamed'), token, authentication };
  const opened = await openStream(scene, 'stream', {
    message: scene.say(neutralPrompt),
    configuration: { ...modes(scene), push: config },
  });
  if (opened.kind !== 'stream') throw guarded(opened);
  const { events } = await watch(scene, opened);
  const first = stateIn(events[0]);
  const last = events.map(stateIn).findLast((state) => state !== undefined);
  if (first === undefined || last === undefined) throw new Unreached('the stream began with no task');
  if (first === last || !isSettled(last)) throw new Unreached(`the task was ${first} at first, and ${last} in the end`);
  return { config, calls: await gather(scene, 'inline-streamed', 'any') };
});
