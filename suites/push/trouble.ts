import {
  check,
  comesAgain,
  type Exchange,
  inconclusive,
  isSettled,
  type Judgement,
  type Notification,
  type Scene,
  seconds,
  sleep,
  source,
  type Task,
} from '../../src/kit/index.js';
import { notified } from './calls.js';
import {
  come,
  firstSent,
  guarded,
  hooks,
  inline,
  type Sent,
  send,
  sendWith,
  taskCalledFor,
  taskSent,
  type WebhookTask,
} from './sending.js';
import { demandCalls } from './webhooks.js';

// 1.0 §4.3.3 Server Guarantees, §13.2: webhooks that hang or fail.

/** 1.0 §4.3.3 and §13.2 recommend a timeout of 10 to 30 seconds, for each call. */
const recommendedMs = 30_000;
/** How much longer than `recommendedMs` the kit holds a call, ms. */
const beyondMs = 1000;
/** So many messages that are sent later, and have their answer or their end before, show that one is held up. */
const enoughLater = 3;

const lasted = ({ sentAt, settledAt }: WebhookTask): number => settledAt - sentAt;

/** The task of a message with a webhook, and the calls of the webhook. */
type Trouble = Pick<WebhookTask, 'task' | 'calls' | 'settledAt'>;

/**
 * The task is still open after ten times the usual time, or when tasks that began later have ended; less is unproven.
 * `usual`: a message whose webhook answers. `since`: the time from which nothing keeps the agent from ending the task.
 */
function stuck(trouble: Trouble, usual: WebhookTask, since: number, later = 0): Judgement {
  const [waited, usually] = [trouble.settledAt - since, lasted(usual)];
  const seen = `the task is still ${trouble.task.status.state} after ${seconds(waited)}, and one whose webhook answers ended within ${seconds(usually)}`;
  const isPassed = later === enoughLater;
  if (waited >= 10 * usually || isPassed) return isPassed ? `${seen}, as ${later} did that began since then` : seen;
  return inconclusive(`raise --timeout: ${seen}`);
}

const nothingUp = ({ task, calls }: Trouble, usual: WebhookTask): Judgement => {
  if (calls.length === 0) return inconclusive('no notification came to the webhook, so the webhook delayed no work');
  if (!isSettled(usual.task.status.state))
    return inconclusive('raise --timeout: a plain task did not end in time either');
  return isSettled(task.status.state) ? undefined : 'it has not ended';
};

/** The answer to a message whose webhook hung. */
interface Hung {
  readonly sent: Sent;
  readonly first: Notification | undefined;
  /**
   * Messages that were sent after the webhook was called, and answered while it hung and this one was not. Undefined: no
   * message was answered meanwhile.
   */
  readonly later: number | undefined;
  /** When the first call ended, because the agent gave it up or the kit answered it. */
  readonly endedAt: number;
  /** It had ended when the answer came. */
  readonly wasOver: boolean;
}

/** The same, with the state of the task until the kit let the webhook answer. */
interface Hanging extends Trouble, Hung {
  readonly usual: WebhookTask;
  /** Tasks that began after the first call had ended, and ended while this one was open. */
  readonly passed: number;
  readonly exhibit: Exchange;
}

/** A message on its way whose webhook hangs. */
interface Held {
  /** Resolves when the message was answered. */
  readonly answer: Promise<Sent>;
  sent(): Sent | undefined;
  /** The first call of the webhook. */
  first(): Notification | undefined;
  /** Lets the webhook answer, the calls that hang and later ones. */
  release(): void;
  /** When the first call ended. */
  endedAt(): number | undefined;
  /** Lets the webhook answer, and waits for the answer to the message. */
  end(later: number | undefined): Promise<Hung>;
}

/** Sends a message whose webhook hangs, and waits for its call. */
async function hold(scene: Scene, path: string, timeoutMs: number): Promise<Held> {
  const { clock, patienceMs } = scene;
  const { extras } = await scene.use(firstSent);
  const webhook = hooks(scene);
  webhook.answer(path, 'hang');
  let sent: Sent | undefined;
  let releasedAt: number | undefined;
  let wasOver = false;
  const first = (): Notification | undefined => notified(webhook.received(path))[0];
  const endedAt = (): number | undefined => first()?.givenUpAt ?? releasedAt;
  const answer = send(scene, path, extras, { timeoutMs }).then((outcome) => {
    sent = outcome;
    wasOver = endedAt() !== undefined;
    return outcome;
  });
  const release = (): void => {
    releasedAt ??= clock.now();
    webhook.answer(path, { status: 200 });
  };
  await scene.aside(Promise.race([answer, webhook.next(path, patienceMs)]));
  return {
    answer,
    sent: () => sent,
    first,
    release,
    endedAt,
    async end(later) {
      release();
      const sent = await scene.aside(answer);
      return { sent, first: first(), later, endedAt: endedAt() ?? sent.answeredAt, wasOver };
    },
  };
}

/**
 * Sends messages whose webhook answers, as long as the answer to the first one is due and its webhook hangs. Returns how
 * many were answered meanwhile; undefined: the agent answered none.
 */
async function overtaking(
  scene: Scene,
  { answer, sent, first, endedAt }: Held,
  usual: WebhookTask,
): Promise<number | undefined> {
  const { extras } = await scene.use(firstSent);
  const soonMs = Math.max(200, 2 * (usual.answeredAt - usual.sentAt));
  await scene.aside(Promise.race([answer, sleep(scene.clock, soonMs)]));
  const isDue = (): boolean => sent() === undefined && first() !== undefined && endedAt() === undefined;
  for (let count = 0; count < enoughLater; count++) {
    if (!isDue()) return count;
    const { outcome } = await send(scene, 'later', extras, { timeoutMs: scene.patienceMs / 2 });
    if (!isDue()) return count;
    if (outcome.kind !== 'result') return count === 0 ? undefined : count;
  }
  return enoughLater;
}

/** The task of the message. Waits for the answer only where no call of the webhook names it. */
async function taskHeld(scene: Scene, { answer, sent, release }: Held): Promise<Task> {
  const called = sent() === undefined ? await taskCalledFor(scene, 'hanging') : undefined;
  if (called !== undefined) return called;
  await scene.aside(Promise.race([answer, sleep(scene.clock, recommendedMs + beyondMs)]));
  const known = sent();
  if (known !== undefined) return taskSent(scene, 'hanging', known);
  release();
  await scene.aside(answer);
  return taskSent(scene, 'hanging', sent() as Sent);
}

/**
 * Reads a task until it has settled, the agent has held a call for longer than recommended, or nothing keeps it from
 * its end any longer. When the agent has given up the first call it is known that it does, so the next ones are answered.
 */
async function outlast(scene: Scene, task: Task, { first, release }: Held): Promise<Task> {
  const { clock, client, patienceMs } = scene;
  const begun = clock.now();
  let seen = task;
  let pause = 50;
  while (!isSettled(seen.status.state)) {
    const call = first();
    const isOpen = call !== undefined && call.givenUpAt === undefined;
    const since = call?.givenUpAt ?? call?.at ?? begun;
    const left = since + (isOpen ? recommendedMs + beyondMs : patienceMs) - clock.now();
    if (left <= 0) break;
    await scene.aside(Promise.race([sleep(clock, Math.min(pause, left)), ...(isOpen ? [call.over] : [])]));
    pause = Math.min(2 * pause, 2000);
    if (isOpen && call.givenUpAt !== undefined) {
      release();
      pause = 50;
    }
    const outcome = await client.call('get', { id: task.id });
    if (outcome.kind !== 'result') break;
    seen = outcome.value;
  }
  return seen;
}

async function readAgain({ client }: Scene, task: Task): Promise<Task> {
  const outcome = await client.call('get', { id: task.id });
  return outcome.kind === 'result' ? outcome.value : task;
}

/** Tasks with a webhook that answers, one after the other: how many end, up to the number that is enough. */
async function passing(scene: Scene): Promise<number> {
  for (let count = 0; count < enoughLater; count++) {
    const { task } = await sendWith(scene, 'later', { any: true });
    if (!isSettled(task.status.state)) return count;
  }
  return enoughLater;
}

const hanging = source('a webhook that never answers', async (scene): Promise<Hanging> => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  const held = await hold(scene, 'hanging', recommendedMs + beyondMs + scene.patienceMs);
  const later = await overtaking(scene, held, usual);
  if (later === undefined) held.release();
  const seen = await outlast(scene, await taskHeld(scene, held), held);
  const isLeft = !isSettled(seen.status.state) && held.first()?.givenUpAt !== undefined;
  const passed = isLeft ? await passing(scene) : 0;
  const task = isLeft ? await readAgain(scene, seen) : seen;
  const settledAt = scene.clock.now();
  const hung = await held.end(later);
  const { outcome } = hung.sent;
  if (outcome.kind === 'not-sent') throw guarded(outcome);
  const calls = await come(scene, 'hanging', 'any');
  return { ...hung, first: calls[0], usual, task, passed, settledAt, calls, exhibit: outcome.exchange };
});

/** The same once more; the webhook answers as soon as later messages were answered. */
async function hungAgain(scene: Scene, usual: WebhookTask): Promise<Hung> {
  const held = await hold(scene, `hanging-${scene.uuid()}`, scene.patienceMs);
  return held.end(await overtaking(scene, held, usual));
}

// In our words (1.0, 4.3.3 Push Notification Payload): A webhook that never answers is given up after a reasonable time
//   (10 to 30 s are recommended), and its task ends.
export const hangs = check('push/hanging-webhook', 'push.hanging-webhook')
  .given('hooked', hanging)
  .first()
  .when('the webhook of a task does not answer', async ({ hooked }) => hooked)
  .expects('give up the call, or end the task', (seen) => {
    const { usual, task, first, later, passed, sent, settledAt } = seen;
    const open = nothingUp(seen, usual);
    if (later === undefined)
      return inconclusive('the agent answered no message while the webhook hung, so the kit answered the webhook');
    if (typeof open !== 'string') return open;
    if (first?.givenUpAt !== undefined) return stuck(seen, usual, first.givenUpAt, passed);
    const held = settledAt - (first?.at ?? sent.sentAt);
    const { state } = task.status;
    return held > recommendedMs
      ? `the task is still ${state}, and the agent has waited for the webhook for ${seconds(held)}; the text recommends 10 to 30 s`
      : inconclusive(
          `raise --timeout: the task is still ${state}, and the agent has waited for the webhook for ${seconds(held)} so far`,
        );
  })
  .advice('Send notifications beside the work, and give each a timeout of 10 to 30 seconds.');

/**
 * Judges by the order of events, since time shows nothing of an agent under load: an answer that comes after those to
 * messages that were sent later, and only when its webhook has answered, has waited for it.
 */
function waitedFor({ sent, first, later, endedAt, wasOver }: Hung, usual: WebhookTask): Judgement {
  if (first === undefined) return inconclusive('no notification came to the webhook, so the webhook delayed no work');
  const [took, usually] = [sent, usual].map(({ answeredAt, sentAt }) => answeredAt - sentAt) as [number, number];
  const heldMs = Math.min(endedAt, sent.answeredAt) - first.at;
  const isOvertaken = later === enoughLater;
  const isAnswered = sent.outcome.kind === 'result';
  const what = isAnswered ? `the answer came after ${seconds(took)}` : `no answer came within ${seconds(took)}`;
  if (!isOvertaken && (!wasOver || heldMs < 10 * usually))
    return isAnswered ? undefined : inconclusive(`${what}, and the webhook is not the cause`);
  const others = isOvertaken ? `; ${later} messages that were sent after it were answered before it` : '';
  return `${what}, and the webhook was waited for, for ${seconds(heldMs)}; one with a webhook that answers took ${seconds(usually)}${others}`;
}

// In our words (1.0, 3.2.2 SendMessageConfiguration): With returnImmediately true the answer does not wait for a
//   webhook.
export const answersMeanwhile = check('push/hanging-webhook-answer', 'push.hanging-webhook-answer')
  .given('hooked', hanging)
  .first()
  .when('the webhook of a message with returnImmediately does not answer', async ({ hooked }) => hooked)
  .expects('answer without waiting for the webhook', (hooked, scene) => {
    const { usual } = hooked;
    return comesAgain<Hung>(
      hooked,
      (seen) => waitedFor(seen, usual),
      () => hungAgain(scene, usual),
    );
  })
  .advice('Answer when the task is made; the notification goes out beside that.');

/** Long enough for most agents to try a second time, ms. */
const attemptsMs = 2000;

const failing = source('a webhook that answers 503', async (scene) => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  hooks(scene).answer('failing', { status: 503 });
  const webhookTask = await sendWith(scene, 'failing', { any: true });
  const until = scene.clock.now() + attemptsMs;
  const webhook = hooks(scene);
  // Each new call may be a repeated attempt.
  while (!repeats(notified(webhook.received('failing')))) {
    const left = until - scene.clock.now();
    if (left <= 0 || (await webhook.next('failing', left)) === undefined) break;
  }
  return { usual, webhookTask, calls: notified(webhook.received('failing')) };
});

const bodyOf = ({ request }: Notification): string => Buffer.from(request.body ?? []).toString('latin1');
/** Calls grouped by body, in order. */
function attemptsOf(calls: readonly Notification[]): readonly (readonly Notification[])[] {
  const found = new Map<string, Notification[]>();
  for (const call of calls) found.set(bodyOf(call), [...(found.get(bodyOf(call)) ?? []), call]);
  return [...found.values()];
}
const repeats = (calls: readonly Notification[]): boolean => attemptsOf(calls).some((same) => same.length > 1);

/** So many attempts within a second are not a backoff, unless the pauses between them grow. */
const mostInASecond = 10;
const grow = (attempts: readonly Notification[]): boolean => {
  const half = Math.floor(attempts.length / 2);
  const [begin, middle, end] = [attempts[0]?.at ?? 0, attempts[half]?.at ?? 0, attempts.at(-1)?.at ?? 0];
  return end - middle > 2 * (middle - begin);
};

// In our words (1.0, 13.2 Push Notification Security): Failed deliveries are retried with backoff.
export const retried = check('push/retried', 'push.retried')
  .given('hooked', failing)
  .when('the webhook of a task answers 503', async ({ hooked }) => hooked.calls)
  .expects('call the webhook again after a pause', (calls) => {
    if (calls.length === 0) return inconclusive('no notification came to the webhook');
    for (const same of attemptsOf(calls)) {
      const late = same[mostInASecond];
      if (late !== undefined && late.at - (same[0]?.at ?? 0) < 1000 && !grow(same)) {
        return `${same.length} attempts came, ${mostInASecond + 1} of them within a second, and the pauses do not grow`;
      }
    }
    return repeats(calls)
      ? undefined
      : inconclusive(`no second attempt came within ${attemptsMs / 1000} s; the agent may try later`);
  })
  .advice('Wait before the webhook is called again, longer each time, and give up after some attempts.');

// In our words (1.0, 4.3.3 Push Notification Payload): Delivery may stop after repeated failures.
export const givesUp = check('push/failing-webhook', 'push.gives-up')
  .given('hooked', failing)
  .when('the webhook of a task answers 503', async ({ hooked }) => hooked)
  .expects('end the task nevertheless', ({ webhookTask, usual }) => {
    const open = nothingUp(webhookTask, usual);
    if (typeof open === 'string') return stuck(webhookTask, usual, webhookTask.sentAt);
    if (open !== undefined) return open;
    const [state, other] = [webhookTask.task.status.state, usual.task.status.state];
    const failed = state === 'failed' && other !== 'failed';
    return failed ? `the task failed; one whose webhook answers became ${other}` : undefined;
  })
  .advice('Catch errors of the webhook where it is called: they are not errors of the work.');
