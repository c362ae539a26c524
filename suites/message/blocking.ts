import {
  check,
  describe,
  early,
  inconclusive,
  isInterrupted,
  isSettled,
  type Judgement,
  type Message,
  type Outcome,
  PreconditionUnmet,
  promptTo,
  type Scene,
  type SendConfiguration,
  type SendReply,
  sendForTask,
  sendQuick,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';
import { type LeftAlone, leftAlone, longPrompt } from '../task/at-work.js';
import { alive, leftEarly, plain, taken, taskIn } from './sends.js';

// A2A 0.3 §7.1.1 `blocking`: its default is open, and a server may refuse to wait (AMB03-07). 1.0 §3.2.2: a send waits
// by default.

const long = async (scene: Scene, configuration?: SendConfiguration): Promise<Outcome<SendReply>> =>
  sendForTask(scene, () =>
    scene.client.call('send', {
      message: longPrompt(scene),
      ...(configuration === undefined ? {} : { configuration }),
    }),
  );

/** The duration of the work is known, and short enough to wait for. */
const isMeasured = ({ lastedMs }: LeftAlone, { patienceMs }: Scene): boolean =>
  lastedMs !== undefined && lastedMs <= patienceMs / 2;

/** A long-running message where the work is known to end in time; else a plain message. */
const unsaid = source('a message without a configuration', async (scene: Scene) =>
  isMeasured(await scene.use(leftAlone), scene) ? long(scene) : scene.client.call('send', { message: scene.say() }),
);

const stateOf = (outcome: Outcome<SendReply>) => {
  const task = taskIn(outcome);
  return typeof task === 'string' ? undefined : task.status.state;
};

/**
 * Listings showed the task at work before the send was answered. One of them may have crossed the answer, so it counts
 * only where ten more would have fitted in before the answer.
 */
function seenMeanwhile({ message: { messageId }, outcome, looks, answeredMs }: LeftAlone): string | undefined {
  const task = taskIn(outcome);
  const isSent = ({ id, history = [] }: Task): boolean =>
    typeof task === 'string' ? history.some((message) => message.messageId === messageId) : id === task.id;
  const [first, second] = looks.filter(
    ({ outcome: page }) =>
      page.kind === 'result' && page.value.tasks.some((task) => isSent(task) && !isSettled(task.status.state)),
  );
  const quickest = Math.min(...looks.map(({ tookMs }) => tookMs));
  if (first === undefined || second === undefined || answeredMs - first.atMs < 10 * quickest) return undefined;
  return `the task was listed at work ${Math.round(first.atMs)} ms after the send, and after ${Math.round(answeredMs)} ms`;
}

/**
 * No sentence names a time: the answer comes "immediately after creating the task, even if processing is still in
 * progress" (1.0 §3.2.2). A delay below this, in ms, may be the network and shows nothing.
 */
const noticeableMs = 900;

// In our words (1.0, 3.2.2 SendMessageConfiguration): returnImmediately true answers once the task exists.
export const nonBlocking = check('message/non-blocking', 'send.non-blocking')
  .given('work', leftAlone)
  // Runs alone, so that repeated measurements do not wait behind other checks.
  .alone()
  .when(
    'the client sends a long prompt and asks not to wait',
    async ({ work, client }) => client.messages.silent ?? work.outcome,
  )
  .expects('answer before the work is done', async (outcome, scene): Promise<Judgement> => {
    const { silent, streams } = scene.client.messages;
    if (silent !== undefined && streams?.read === true)
      return 'no message got an answer, though it asked not to wait, and streamed messages are answered';
    const { answeredMs } = scene.work;
    const seen = seenMeanwhile(scene.work);
    const state = stateOf(outcome);
    if (seen !== undefined && outcome.kind === 'invalid-response' && outcome.fault === 'timeout')
      return `${seen} no answer had come`;
    if (state === undefined) return inconclusive(String(taskIn(outcome)));
    if (!isSettled(state)) return undefined;
    if (seen !== undefined) return `${seen} the answer came, when it was ${state}`;
    const usual = await scene.use(plain);
    if (outcome.kind !== 'result' || usual.kind !== 'result')
      return inconclusive('the agent did not accept a plain message');
    const usually = usual.exchange.durationMs;
    const isLate = (ms: number): boolean => ms >= usually + noticeableMs && ms >= 2 * usually;
    // Settled and late: the agent waited. Settled and as quick as other answers: the agent had no work to wait for.
    // Late only once: this may be the network.
    const again = isLate(outcome.exchange.durationMs) ? await long(scene, early(scene)) : undefined;
    const measured = `after ${Math.round(answeredMs)} ms with a task that was already ${state}; a plain message took ${Math.round(usually)} ms`;
    return again?.kind === 'result' && isLate(again.exchange.durationMs)
      ? `the answer came ${measured}; sent again, it came after ${Math.round(again.exchange.durationMs)} ms`
      : inconclusive(`set behaviours.long-running: the answer came ${measured}, and no task was at work`);
  })
  .advice('With returnImmediately, answer with the task as soon as it exists; clients poll it.');

const waited = source('a long task of known length', async (scene: Scene) => {
  const work = await scene.use(leftAlone);
  const state = stateOf(work.outcome);
  // With work of unknown length, a waiting agent would only run into the time limit.
  if (state === undefined || isSettled(state)) return 'set behaviours.long-running: no task was at work';
  if (!isMeasured(work, scene))
    return 'set behaviours.long-running to work of a few seconds: no task of a known short length came';
  return long(scene, { ...early(scene), blocking: true });
});

// In our words (1.0, 3.2.2 SendMessageConfiguration): With returnImmediately false the call waits until the task is
//   terminal or interrupted.
export const blocking = check('message/blocking', 'send.blocking')
  .given('waited', waited)
  .when('the client sends a long prompt and asks to wait for the end', async ({ waited: outcome }) => outcome)
  .expects('answer when the work is done, or refuse to wait', async (outcome, scene): Promise<Judgement> => {
    if (typeof outcome === 'string') return inconclusive(outcome);
    if (outcome.kind === 'refusal') return undefined;
    const state = stateOf(outcome);
    if (state === undefined) return (await alive(outcome, scene)) ?? inconclusive(String(taskIn(outcome)));
    if (isSettled(state)) return undefined;
    const byDefault = stateOf(await scene.use(unsaid));
    return byDefault !== undefined && isSettled(byDefault)
      ? `with the request to wait, the agent answered with a task that is ${state}; without it, the agent waits until the task is ${byDefault}`
      : inconclusive(
          `the agent answered with a task that is ${state}; a server may refuse to wait, and this one never waited`,
          'unmoved',
        );
  })
  .advice(
    'Keep the call open until the task has ended or waits for the client: this is what blocking true asks for, in 1.0 returnImmediately false.',
  );

// In our words (1.0, 3.2.2 SendMessageConfiguration): Without returnImmediately the call waits as well.
export const waitsByDefault = check('message/waits-by-default', 'send.blocking-by-default')
  .given('work', leftAlone)
  .when('the client sends a long prompt and says nothing about waiting', ({ use }) => use(unsaid))
  .expects('answer when the work is done', async (outcome, scene): Promise<Judgement> => {
    const { outcome: first, lastedMs } = scene.work;
    const begun = stateOf(first);
    const state = stateOf(outcome);
    if (begun === undefined || isSettled(begun) || lastedMs === undefined || !isMeasured(scene.work, scene)) {
      return (
        (await leftEarly(outcome, scene)) ??
        inconclusive('set behaviours.long-running to work of a few seconds: no work of a known length came')
      );
    }
    if (state === undefined || outcome.kind !== 'result') return inconclusive(String(taskIn(outcome)));
    if (isSettled(state)) return undefined;
    const took = outcome.exchange.durationMs;
    // The work may last longer the second time. An answer that came sooner than the work lasted before did not wait for
    // it.
    return took < 0.9 * lastedMs
      ? `after ${Math.round(took)} ms it answered with a task that is ${state}; the same work took ${Math.round(lastedMs)} ms before`
      : inconclusive(`the agent waited for ${Math.round(took)} ms, and the task was still ${state}`);
  })
  .advice('Since 1.0 a send waits for the end of the work, or for a question, unless returnImmediately is true.');

interface Asking {
  /** The outcome of a message that says nothing of waiting. */
  readonly outcome: Outcome<SendReply>;
  readonly tookMs: number;
  /** Times from sends that do not wait to the question, ms, where no answer came; undefined: the task did not ask. */
  readonly unwaited: readonly (number | undefined)[];
}

/** How long the agent takes to ask, ms; undefined when it did not. */
async function askingMs(scene: Scene): Promise<number | undefined> {
  const from = scene.clock.now();
  const task = taskIn(await sendQuick(scene, await promptTo(scene, 'input-required')));
  if (typeof task === 'string') return undefined;
  const { status } = await settle(scene, task);
  return isInterrupted(status.state) ? scene.clock.now() - from : undefined;
}

/** An answer that is slow once need not be waiting for the end of the work: the work is timed twice. */
const asking = source('a prompt about which the agent asks back', async (scene: Scene): Promise<Asking> => {
  const { clock, client } = scene;
  let message: Message;
  try {
    message = await promptTo(scene, 'input-required');
  } catch (error) {
    if (!(error instanceof PreconditionUnmet)) throw error;
    // An agent that asks back by chance may have asked about the other message that says nothing of waiting.
    const outcome = await scene.use(unsaid);
    if (outcome.kind !== 'result' || stateOf(outcome) !== 'input-required') throw error;
    return { outcome, tookMs: outcome.exchange.durationMs, unwaited: [] };
  }
  const from = clock.now();
  const outcome = await client.call('send', { message });
  const tookMs = clock.now() - from;
  const unwaited = outcome.kind === 'invalid-response' ? [await askingMs(scene), await askingMs(scene)] : [];
  return { outcome, tookMs, unwaited };
});

// In our words (1.0, 3.2.2 SendMessageConfiguration): Without returnImmediately the call waits as well.
export const waitsUntilAsked = check('message/waits-until-asked', 'send.blocking-by-default')
  .given('asked', asking)
  .last()
  .when('the client sends a prompt that needs more input', async ({ asked }) => asked.outcome)
  .expects('answer when it asks, at the latest', async (outcome, scene): Promise<Judgement> => {
    const { tookMs, unwaited } = scene.asked;
    const state = stateOf(outcome);
    if (state !== undefined && isSettled(state)) return undefined;
    if (outcome.kind !== 'invalid-response')
      return (
        (await leftEarly(outcome, scene)) ??
        inconclusive(state === undefined ? String(taskIn(outcome)) : `the task is ${state}`)
      );
    const [once, again] = unwaited;
    if (outcome.fault !== 'timeout' || once === undefined || again === undefined)
      return inconclusive(describe(outcome));
    // Much longer than the same work took twice. An agent that always asks so slowly is not wrong.
    return 4 * Math.max(once, again) < tookMs
      ? `no answer within ${Math.round(tookMs)} ms; without waiting the task asked after ${Math.round(once)} and ${Math.round(again)} ms`
      : inconclusive('raise --timeout: no answer came in time');
  })
  .advice(
    'A task that waits for the client is answered at once: the client cannot answer a question that it never saw.',
  );

// In our words (0.3, 7.1.1 MessageSendParams Object): Without `blocking` the server may wait or return early.
export const blockingDefault = check('message/blocking-default', 'send.blocking-default')
  .when('the client sends a message without a configuration', ({ use }) => use(unsaid))
  .expects('accept it', taken)
  .advice('configuration is optional, and so is all that is in it.');
