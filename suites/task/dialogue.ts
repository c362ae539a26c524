import {
  answerTo,
  aTask,
  ifMet,
  inconclusive,
  type Judgement,
  type Message,
  type Outcome,
  type Scene,
  type SendReply,
  sendQuick,
  settleAfter,
  source,
  type Task,
} from '../../src/kit/index.js';

// A task that asked and was answered, so that the kit knows the order of its messages, however a history lists them. No
// rules: index.ts does not collect this file.

export interface Dialogue {
  readonly contextId: string | undefined;
  /** The messages that the task showed before it was answered. */
  readonly older: readonly Message[];
  readonly answer: Message;
  /** The outcome of the answer, which asked for one history message. */
  readonly outcome: Outcome<SendReply>;
  /** The task read afterwards, with all messages and with one. */
  readonly whole: Outcome<Task>;
  readonly newest: Outcome<Task>;
}

const all = 100;

async function hold(scene: Scene): Promise<Dialogue> {
  const before = await scene.use(aTask('input-required'));
  const { id, contextId } = before;
  const read = (historyLength: number) => scene.client.call('get', { id, historyLength });
  const asked = await read(all);
  const older = asked.kind === 'result' ? (asked.value.history ?? []) : [];
  const answer = answerTo(scene, before);
  const outcome = await sendQuick(scene, answer, 1);
  if (outcome.kind === 'result' && outcome.value.type === 'task') await settleAfter(scene, before, outcome.value.task);
  const [whole, newest] = await scene.sideBySide(
    () => read(all),
    () => read(1),
  );
  return { contextId, older, answer, outcome, whole, newest };
}

/** Undefined where no task asks for input. */
export const dialogue = source('a task that asked and was answered', (scene) => ifMet(hold(scene)));

/** The messageId is empty in dialects whose messages have no ids. */
const isIn = (messages: readonly Message[], { messageId }: Pick<Message, 'messageId'>): boolean =>
  messageId !== '' && messages.some((message) => message.messageId === messageId);

const historyOf = (outcome: Outcome<Task>): readonly Message[] =>
  outcome.kind === 'result' ? (outcome.value.history ?? []) : [];

/** The history has the answer and messages from before it, so that it can be shortened. */
export function hasBoth(talk: Dialogue | undefined): talk is Dialogue {
  if (talk === undefined) return false;
  const history = historyOf(talk.whole);
  return isIn(history, talk.answer) && talk.older.some((message) => isIn(history, message));
}

/** Asked for one message, the task must show a newest one, not one from before the answer. */
export function newestOf({ older, answer, whole, newest }: Dialogue): Judgement {
  const [given] = historyOf(newest);
  if (given === undefined)
    return inconclusive('set behaviours.input-required: the task asks for input without a message');
  if (!isIn(older, given)) return undefined;
  // An agent may repeat a message under the same id.
  return historyOf(whole).filter(({ messageId }) => messageId === given.messageId).length === 1
    ? `the message is ${given.messageId}, though ${answer.messageId} was sent after it`
    : inconclusive(`several messages of the history have the id ${given.messageId}`);
}
