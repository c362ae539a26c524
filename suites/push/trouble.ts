import {
  check,
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
import { hooks, inline, sendWith, type Told } from './sending.js';
import { demandCalls } from './webhooks.js';

// 1.0 §4.3.3 Server Guarantees, §13.2: webhooks that hang or fail.

const lasted = ({ sentAt, settledAt }: Told): number => settledAt - sentAt;

/**
 * The task is still open after ten times the usual time; less is unproven. `usual`: a message whose webhook answers.
 * `since`: the time from which nothing keeps the agent from ending the task.
 */
function stuck(told: Told, usual: Told, since: number): Judgement {
  const [waited, usually] = [told.settledAt - since, lasted(usual)];
  const seen = `the task is still ${told.task.status.state} after ${seconds(waited)}, and one whose webhook answers ended within ${seconds(usually)}`;
  return waited >= 10 * usually ? seen : inconclusive(`${seen}; raise --timeout`);
}

const nothingUp = ({ task, calls }: Told, usual: Told): Judgement => {
  if (calls.length === 0) return inconclusive('no notification came to the webhook, so nothing was held up');
  if (!isSettled(usual.task.status.state))
    return inconclusive('a plain task did not end in time either; raise --timeout');
  return isSettled(task.status.state) ? undefined : 'it has not ended';
};

/** 1.0 §4.3.3 and §13.2 recommend a timeout of 10 to 30 seconds, for each call. */
const recommendedMs = 30_000;
/** How many calls an agent may wait for in turn: one or two messages of the work, and its end. */
const mostHeld = 3;

interface Hanging {
  readonly usual: Told;
  readonly told: Told;
  readonly exhibit: Exchange;
}

/**
 * Reads a task until it has settled, the agent has held a call for longer than recommended, or it makes no more calls.
 */
async function outlast(scene: Scene, task: Task): Promise<Task> {
  const { clock, client, patienceMs } = scene;
  const begun = clock.now();
  let seen = task;
  const until = (): number => {
    const last = notified(hooks(scene).received('hanging')).at(-1);
    if (last === undefined) return begun + patienceMs;
    return last.givenUpAt === undefined ? last.at + recommendedMs + 1000 : last.givenUpAt + patienceMs;
  };
  const end = begun + mostHeld * recommendedMs + patienceMs;
  for (let pause = 50; !isSettled(seen.status.state); pause = Math.min(pause * 2, 2000)) {
    const left = Math.min(until(), end) - clock.now();
    if (left <= 0) break;
    await sleep(clock, Math.min(pause, left));
    const outcome = await client.call('get', { id: task.id });
    if (outcome.kind !== 'result') break;
    seen = outcome.value;
  }
  return seen;
}

const hanging = source('a webhook that never answers', async (scene): Promise<Hanging> => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  hooks(scene).answer('hanging', 'hang');
  const told = await sendWith(scene, 'hanging', {
    any: true,
    timeoutMs: recommendedMs + scene.patienceMs,
    settling: (task) => outlast(scene, task),
  });
  return { usual, told, exhibit: told.exhibit };
});

export const hangs = check('push/hanging-webhook', 'push.hanging-webhook')
  .given('hooked', hanging)
  .when('a task has it', async ({ hooked }) => hooked)
  .expects('give up the call, or end the task without it', ({ told, usual }) => {
    const open = nothingUp(told, usual);
    if (typeof open !== 'string') return open;
    const last = told.calls.at(-1);
    if (last?.givenUpAt !== undefined) return stuck(told, usual, last.givenUpAt);
    const held = told.settledAt - (last?.at ?? told.sentAt);
    const { state } = told.task.status;
    return held > recommendedMs
      ? `the task is still ${state}, and the agent has waited for the webhook for ${seconds(held)}; the text recommends 10 to 30 s`
      : inconclusive(
          `the task is still ${state}, and the agent has waited for the webhook for ${seconds(held)} so far`,
        );
  })
  .advice('Send notifications beside the work, and give each a timeout of 10 to 30 seconds.')
  .killedBy('push-waits-for-webhook', 'push-waits-for-ever');

export const answersMeanwhile = check('push/hanging-webhook-answer', 'push.hanging-webhook-answer')
  .given('hooked', hanging)
  .when('a message with returnImmediately has it', async ({ hooked }) => hooked)
  .expects('answer without waiting for the webhook', ({ told, usual }) => {
    const [first] = told.calls;
    if (first === undefined) return inconclusive('no notification came to the webhook, so nothing was held up');
    const [took, usually] = [told, usual].map(({ sentAt, answeredAt }) => answeredAt - sentAt) as [number, number];
    const heldMs = Math.min(first.givenUpAt ?? Number.POSITIVE_INFINITY, told.answeredAt) - first.at;
    // Answered while the call was open, or as quickly as usual.
    const wasOpen = first.givenUpAt === undefined || first.givenUpAt > told.answeredAt;
    if (told.answered && (wasOpen || heldMs < 10 * usually)) return undefined;
    const what = told.answered ? `the answer came after ${seconds(took)}` : `no answer came within ${seconds(took)}`;
    if (first.at > told.answeredAt || heldMs < 10 * usually)
      return inconclusive(`${what}, and not because the webhook was waited for`);
    return `${what}, and the webhook was waited for, for ${seconds(heldMs)}; one with a webhook that answers took ${seconds(usually)}`;
  })
  .advice('Answer when the task is made; the notification goes out beside that.')
  .killedBy('push-answer-waits-for-webhook');

/** Long enough for most agents to try a second time, ms. */
const attemptsMs = 2000;

const failing = source('a webhook that answers 503', async (scene) => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  hooks(scene).answer('failing', { status: 503 });
  const told = await sendWith(scene, 'failing', { any: true });
  const until = scene.clock.now() + attemptsMs;
  const webhook = hooks(scene);
  // Each new call may be a repeated attempt.
  while (!repeats(notified(webhook.received('failing')))) {
    const left = until - scene.clock.now();
    if (left <= 0 || (await webhook.next('failing', left)) === undefined) break;
  }
  return { usual, told, calls: notified(webhook.received('failing')) };
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

export const retried = check('push/retried', 'push.retried')
  .given('hooked', failing)
  .when('a task has it', async ({ hooked }) => hooked.calls)
  .expects('call the webhook again after a pause', (calls) => {
    if (calls.length === 0) return inconclusive('no notification came to the webhook');
    for (const same of attemptsOf(calls)) {
      const late = same[mostInASecond];
      if (late !== undefined && late.at - (same[0]?.at ?? 0) < 1000 && !grow(same)) {
        return `${same.length} attempts came, ${mostInASecond + 1} of them within a second, and the pauses do not grow: that is no backoff`;
      }
    }
    return repeats(calls)
      ? undefined
      : inconclusive(`no second attempt came within ${attemptsMs / 1000} s; it may come later`);
  })
  .advice('Wait before the webhook is called again, longer each time, and give up after some attempts.')
  .killedBy('push-retries-at-once');

export const givesUp = check('push/failing-webhook', 'push.gives-up')
  .given('hooked', failing)
  .when('a task has it', async ({ hooked }) => hooked)
  .expects('end the task nevertheless', ({ told, usual }) => {
    const open = nothingUp(told, usual);
    if (typeof open === 'string') return stuck(told, usual, told.sentAt);
    if (open !== undefined) return open;
    const [state, other] = [told.task.status.state, usual.task.status.state];
    const failed = state === 'failed' && other !== 'failed';
    return failed ? `the task failed; one whose webhook answers became ${other}` : undefined;
  })
  .advice('Catch errors of the webhook where it is called: they are not errors of the work.')
  .killedBy('push-failure-fails-task');
