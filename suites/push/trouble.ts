import { check, isSettled, type Judgement, type Notification, source, unproven } from '../../src/kit/index.js';
import { notified } from './calls.js';
import { hooks, inline, sendWith, type Told } from './sending.js';
import { demandCalls } from './webhooks.js';

// 1.0 §4.3.3 Server Guarantees, §13.2: webhooks that hang or fail.

/** It ends as it did without the trouble. */
const ends = ({ task, calls }: Told, usual: Told): Judgement => {
  if (calls.length === 0) return unproven('nothing came to the webhook, so nothing was held up');
  if (!isSettled(usual.task.status.state)) return unproven('a plain task did not end in time either; raise --timeout');
  const { state } = task.status;
  if (!isSettled(state)) return `the task is still ${state}`;
  const other = usual.task.status.state;
  const failed = state === 'failed' && other !== 'failed';
  return failed ? `the task failed; one whose webhook answers became ${other}` : undefined;
};

const hanging = source('a webhook that never answers', async (scene) => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  hooks(scene).answer('hanging', 'hang');
  return { usual, told: await sendWith(scene, 'hanging', { any: true }) };
});

export const hangs = check('push/hanging-webhook', 'push.hanging-webhook')
  .given('hooked', hanging)
  .when('a task has it', async ({ hooked }) => hooked)
  .expects('end all the same', ({ told, usual }) => ends(told, usual))
  .advice('Send notifications beside the work, and give each a timeout of 10 to 30 seconds.')
  .killedBy('push-waits-for-webhook');

/** Long enough for a second attempt of most, ms. */
const attemptsMs = 2000;

const failing = source('a webhook that answers 503', async (scene) => {
  const usual = await scene.use(inline);
  await demandCalls(scene);
  hooks(scene).answer('failing', { status: 503 });
  const told = await sendWith(scene, 'failing', { any: true });
  const until = scene.clock.now() + attemptsMs;
  const webhook = hooks(scene);
  // Each call that comes is one more that was not waited for in vain.
  while (!repeats(notified(webhook.received('failing')))) {
    const left = until - scene.clock.now();
    if (left <= 0 || (await webhook.next('failing', left)) === undefined) break;
  }
  return { usual, told, calls: notified(webhook.received('failing')) };
});

const bodyOf = ({ request }: Notification): string => Buffer.from(request.body ?? []).toString('latin1');
/** Calls with the same body, in their order. */
function attemptsOf(calls: readonly Notification[]): readonly (readonly Notification[])[] {
  const found = new Map<string, Notification[]>();
  for (const call of calls) found.set(bodyOf(call), [...(found.get(bodyOf(call)) ?? []), call]);
  return [...found.values()];
}
const repeats = (calls: readonly Notification[]): boolean => attemptsOf(calls).some((same) => same.length > 1);

/** So many attempts within a second are no backoff. */
const mostInASecond = 10;

export const retried = check('push/retried', 'push.retried')
  .given('hooked', failing)
  .when('a task has it', async ({ hooked }) => hooked.calls)
  .expects('be tried again, a while later', (calls) => {
    if (calls.length === 0) return unproven('nothing came to the webhook');
    for (const same of attemptsOf(calls)) {
      const late = same[mostInASecond];
      if (late !== undefined && late.at - (same[0]?.at ?? 0) < 1000) {
        return `${same.length} attempts came, ${mostInASecond + 1} of them within a second: that is no backoff`;
      }
    }
    return repeats(calls)
      ? undefined
      : unproven(`no second attempt came within ${attemptsMs / 1000} s; it may come later`);
  })
  .killedBy('push-retries-at-once');

export const givesUp = check('push/failing-webhook', 'push.gives-up')
  .given('hooked', failing)
  .when('a task has it', async ({ hooked }) => hooked)
  .expects('end all the same', ({ told, usual }) => ends(told, usual))
  .killedBy('push-failure-fails-task');
