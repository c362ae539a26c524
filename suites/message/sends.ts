import {
  accepted,
  describe,
  type ErrorName,
  type Judgement,
  type Message,
  type Outcome,
  type Scene,
  type SendReply,
  sendQuick,
  source,
  type Task,
  unproven,
} from '../../src/kit/index.js';

// What several files of this chapter share. Sends cost the agent's owner money: each is sent once for all its judges.

interface Told {
  readonly message: Message;
  readonly outcome: Outcome<SendReply>;
}
export const told = source('a plain message', async (scene: Scene): Promise<Told> => {
  const message = scene.say();
  return { message, outcome: await sendQuick(scene, message) };
});
/** A plain message, sent once: the nearest valid request to all that are refused here. */
export const plain = source(told.about, async (scene: Scene) => (await scene.use(told)).outcome);
export const sendPlain = (scene: Scene): Promise<Outcome<SendReply>> => scene.use(plain);

/** 1.0 §3.4.1: it is kept, or the message is refused. */
export const invented = source('a contextId that nobody was given', async (scene: Scene) => {
  const contextId = scene.uuid();
  return { contextId, outcome: await sendQuick(scene, { ...scene.say(), contextId }) };
});

/** A message that joins this task. */
export const sayTo = (scene: Scene, task: Task, text?: string) => ({
  ...scene.say(text),
  taskId: task.id,
  ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
});

/** An error that blames the request: no other one says anything about its shape. */
const blaming: ReadonlySet<ErrorName | undefined> = new Set(['ParseError', 'InvalidRequest', 'InvalidParams']);
export function blamesShape(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refusal') return false;
  if (outcome.code !== undefined) return blaming.has(outcome.error);
  const status = outcome.exchange.response?.status;
  return status === 400 || status === 422;
}

/**
 * Taken, or refused for another reason than its shape. An internal error counts as one too (0.3 §8.1: nothing about a
 * valid shape is internal), but only where a plain text is taken: else the agent is out of order, not the shape.
 */
export async function taken(outcome: Outcome<unknown>, scene: Scene, fine?: ErrorName): Promise<Judgement> {
  if (outcome.kind === 'refusal') {
    if (fine !== undefined && outcome.error === fine) return undefined;
    if (!blamesShape(outcome) && outcome.error !== 'InternalError') {
      return unproven(`it was refused for another reason than its shape: ${describe(outcome)}`);
    }
  }
  const judgement = accepted(outcome);
  if (typeof judgement !== 'string') return judgement;
  const usual = await scene.use(plain);
  if (usual.kind === 'result') return judgement;
  return unproven(`a plain text message was not accepted either (${describe(usual)})`);
}

/** Answered somehow. Silence counts only where a plain message is answered: a slow agent is not a wrong one. */
export async function alive(outcome: Outcome<unknown>, scene: Scene): Promise<Judgement> {
  if (outcome.kind === 'withheld' || outcome.kind === 'denied' || outcome.kind === 'busy') return accepted(outcome);
  if (outcome.kind !== 'broken') return undefined;
  if (outcome.fault === 'too-large') return accepted(outcome);
  const usual = await scene.use(plain);
  return usual.kind === 'result'
    ? describe(outcome)
    : unproven(`a plain text message was not answered either (${describe(usual)})`);
}

/** Where to go on working would be right as well, being late is no failure. */
export const inTime =
  (judge: (outcome: Outcome<unknown>) => Judgement) =>
  (outcome: Outcome<unknown>): Judgement =>
    outcome.kind === 'broken' && outcome.fault === 'timeout'
      ? unproven('no answer in time; raise --timeout')
      : judge(outcome);

/** The task of an answer; a reason why there is none. */
export function taskIn(outcome: Outcome<SendReply>): Task | string {
  if (outcome.kind !== 'result') return `the message was not accepted: ${describe(outcome)}`;
  return outcome.value.type === 'task' ? outcome.value.task : 'the agent answered with a message and made no task';
}
