import {
  accepted,
  describe,
  type ErrorName,
  inconclusive,
  isSettled,
  type Judgement,
  type Message,
  type Outcome,
  type Refusal,
  type Scene,
  type SendReply,
  sendQuick,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';

// Shared by files of this chapter. Sends may cost the agent's owner money, so each is sent once for all its checks.

export interface Told {
  readonly message: Message;
  readonly outcome: Outcome<SendReply>;
}
export const plainSend = source('a plain message', async (scene: Scene): Promise<Told> => {
  const message = scene.say();
  return { message, outcome: await sendQuick(scene, message) };
});
/** A plain message, sent once: the control for all refused messages of this chapter. */
export const plain = source(plainSend.about, async (scene: Scene) => (await scene.use(plainSend)).outcome);
export const sendPlain = (scene: Scene): Promise<Outcome<SendReply>> => scene.use(plain);

/** 1.0 §3.4.1: the agent keeps it, or refuses the message. */
export const invented = source('an invented contextId', async (scene: Scene) => {
  // In both cases: an agent that spells it anew has replaced it.
  const contextId = `Tck-${scene.uuid()}`;
  return { contextId, outcome: await sendQuick(scene, { ...scene.say(), contextId }) };
});

/** A message that joins this task. */
export const sayTo = (scene: Scene, task: Task, text?: string) => ({
  ...scene.say(text),
  taskId: task.id,
  ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
});

/** Errors that blame the request: other errors say nothing about its shape. */
const blaming: ReadonlySet<ErrorName | undefined> = new Set(['ParseError', 'InvalidRequest', 'InvalidParams']);
export function blamesShape(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refusal') return false;
  if (outcome.inForm) return blaming.has(outcome.error);
  const status = outcome.exchange.response?.status;
  return status === 400 || status === 422;
}

/** Over HTTP+JSON and gRPC errors of A2A name their reason; one that names none is that of a validation. */
const isBare = ({ inForm, error, fits = [] }: Refusal): boolean =>
  inForm && error === undefined && fits.includes('InvalidParams');

/**
 * Accepted, or refused for another reason than its shape. An internal error counts as a failure too (0.3 §8.1: nothing
 * about a valid shape is internal), but only where the agent accepts a plain text: otherwise the agent has another
 * problem.
 */
export async function taken(outcome: Outcome<unknown>, scene: Scene, fine?: ErrorName): Promise<Judgement> {
  if (outcome.kind === 'refusal') {
    if (fine !== undefined && outcome.error === fine) return undefined;
    if (!blamesShape(outcome) && outcome.error !== 'InternalError' && !(fine === undefined && isBare(outcome))) {
      return inconclusive(`the agent refused the message for another reason than its shape: ${describe(outcome)}`);
    }
  }
  const judgement = accepted(outcome);
  if (typeof judgement !== 'string') return judgement;
  const usual = await scene.use(plain);
  if (usual.kind === 'result') return judgement;
  return inconclusive(`the agent did not accept a plain text message either (${describe(usual)})`);
}

/**
 * The agent answered in some way. Silence counts only where it answers a plain message: a slow agent is not a wrong
 * one.
 */
export async function alive(outcome: Outcome<unknown>, scene: Scene): Promise<Judgement> {
  if (outcome.kind === 'not-sent' || outcome.kind === 'denied' || outcome.kind === 'busy') return accepted(outcome);
  if (outcome.kind !== 'invalid-response') return undefined;
  if (outcome.fault === 'too-large') return accepted(outcome);
  const usual = await scene.use(plain);
  return usual.kind === 'result'
    ? describe(outcome)
    : inconclusive(`the agent did not answer a plain text message either (${describe(usual)})`);
}

/** For requests on which the agent may rightly go on working: a timeout is not a failure. */
export const inTime =
  (judge: (outcome: Outcome<unknown>) => Judgement) =>
  (outcome: Outcome<unknown>): Judgement =>
    outcome.kind === 'invalid-response' && outcome.fault === 'timeout'
      ? inconclusive('raise --timeout: no answer came in time')
      : judge(outcome);

/** The task of an answer, or the reason why there is none. */
export function taskIn(outcome: Outcome<SendReply>): Task | string {
  if (outcome.kind !== 'result') return `the message was not accepted: ${describe(outcome)}`;
  return outcome.value.type === 'task' ? outcome.value.task : 'the agent answered with a message and made no task';
}

/**
 * Where a continued task names another context than its own: in itself, in its new status, in the message that continued
 * it.
 */
export function otherContext({ history, ...task }: Task, before: Task, sent: Message): Judgement {
  if (before.contextId === undefined) return undefined;
  const { message: said } = task.status;
  const named = [
    ['the task', task.contextId],
    ['the message of its status', said?.messageId === before.status.message?.messageId ? undefined : said?.contextId],
    ['the message in its history', history?.find(({ messageId }) => messageId === sent.messageId)?.contextId],
  ] as const;
  const [place, id] = named.find(([, contextId]) => contextId && contextId !== before.contextId) ?? [];
  return place && `${place} names the context ${id}, and the task was in ${before.contextId}`;
}

/** Values that code may lose, or take for another type, and keys that it may spell in another way. */
export const oddValues = {
  snake_key: 'snake_value',
  'Kebab-Key': 'Kebab-Value',
  nested: { list: [1, 'two', false, { deep: 0 }], empty: [], text: '', none: {} },
  yes: true,
  zero: 0,
  half: 1.5,
  below: -7,
  nothing: null,
  digits: '42',
};

/** A message as its task shows it, read in full; or why it shows none. */
export async function shownOf(scene: Scene, { message, outcome }: Told): Promise<Message | string> {
  const task = taskIn(outcome);
  if (typeof task === 'string') return task;
  const read = await scene.client.call('get', { id: task.id, historyLength: 100 });
  const shown = [...(read.kind === 'result' ? (read.value.history ?? []) : []), ...(task.history ?? [])];
  const found = shown.find(({ messageId }) => messageId === message.messageId);
  if (found !== undefined) return found;
  if (read.kind !== 'result') return `the task could not be read: ${describe(read)}`;
  return shown.length === 0 ? 'the task shows no history' : 'the history shows no message with the id that was sent';
}

/**
 * How a send was answered before the end of its work; undefined if that was not seen. An agent that waited for long may
 * have a limit of its own.
 */
export async function leftEarly(outcome: Outcome<SendReply>, scene: Scene): Promise<string | undefined> {
  const task = taskIn(outcome);
  if (outcome.kind !== 'result' || typeof task === 'string' || isSettled(task.status.state)) return undefined;
  const took = outcome.exchange.durationMs;
  if (took > scene.patienceMs / 2) return undefined;
  const from = scene.clock.now();
  const { status } = await settle(scene, task);
  if (!isSettled(status.state)) return undefined;
  const later = Math.round(scene.clock.now() - from);
  return `after ${Math.round(took)} ms it answered with a task that is ${task.status.state}, and ${later} ms later the task was ${status.state}`;
}
