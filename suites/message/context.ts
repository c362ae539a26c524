import {
  anyTask,
  check,
  describe,
  endedTask,
  firstAnswer,
  ifMet,
  inconclusive,
  isTerminal,
  type Judgement,
  messageAnswer,
  type Outcome,
  outcomeOf,
  PreconditionUnmet,
  promptTo,
  type Scene,
  type SendReply,
  type StreamEvent,
  sendQuick,
  source,
  type Task,
} from '../../src/kit/index.js';
import { taskIn } from './sends.js';

// A2A 0.3 §6.4 contextId; topics/life-of-a-task describes a further message in a context.

interface Conversation {
  readonly contextId: string;
  /** The task in the context, if there is one. */
  readonly task: Task | undefined;
}

const conversation = source('a conversation', async (scene: Scene): Promise<Conversation> => {
  for (const source of [endedTask, anyTask]) {
    const task = await ifMet(scene.use(source));
    if (task?.contextId) return { contextId: task.contextId, task };
  }
  const reply = await scene.use(firstAnswer);
  if (reply.type === 'message' && reply.message.contextId)
    return { contextId: reply.message.contextId, task: undefined };
  throw new PreconditionUnmet('no answer named a contextId');
});

const further = async (scene: Scene, { contextId }: Conversation): Promise<Outcome<SendReply>> =>
  sendQuick(scene, { ...scene.say(), contextId });

interface Turn {
  readonly conversation: Conversation;
  readonly outcome: Outcome<SendReply>;
}
const nextTurn = source('a conversation', async (scene: Scene): Promise<Turn> => {
  const known = await scene.use(conversation);
  return { conversation: known, outcome: await further(scene, known) };
});

/** The contextId of an answer. */
function contextOf(answer: SendReply | StreamEvent | undefined): string | undefined {
  if (answer?.type === 'task') return answer.task.contextId;
  return answer?.type === 'message' ? answer.message.contextId : answer?.contextId;
}

/** The same turn as a stream, and with a prompt that is answered with a message, as far as the agent offers these. */
const otherTurns = source('a conversation', async (scene: Scene) => {
  const { contextId } = await scene.use(conversation);
  const outcomes: Outcome<SendReply | StreamEvent | undefined>[] = [];
  if (scene.card.capabilities.streaming) {
    outcomes.push(await outcomeOf(await scene.client.open('stream', { message: { ...scene.say(), contextId } })));
  }
  const prompt = await ifMet(scene.use(messageAnswer).then(() => promptTo(scene, 'message')));
  if (prompt !== undefined) outcomes.push(await sendQuick(scene, { ...prompt, contextId }));
  return outcomes;
});

const anotherIn = (outcome: Outcome<SendReply | StreamEvent | undefined>, sent: string): string | undefined => {
  const named = outcome.kind === 'result' ? contextOf(outcome.value) : undefined;
  return !named || named === sent ? undefined : `the client sent the contextId ${sent}, the answer has ${named}`;
};

// In our words (1.0, 3.4.1 Context Identifier Semantics): A contextId that the agent has given is not replaced when the
//   client sends it again.
export const contextKept = check('message/context-id-kept', 'send.context-id-kept')
  .given('turn', nextTurn)
  .given('others', otherTurns)
  .when('the client sends a message with the contextId of a conversation', async ({ turn, others }) => {
    const { contextId } = turn.conversation;
    return others.find((outcome) => anotherIn(outcome, contextId) !== undefined) ?? turn.outcome;
  })
  .expects('keep the contextId', (outcome, { turn }): Judgement => {
    const { contextId: sent } = turn.conversation;
    // AMB03-26: the agent decides what to do about a contextId that it no longer knows.
    if (outcome.kind !== 'result') return inconclusive(`the agent did not accept the message: ${describe(outcome)}`);
    const { value } = outcome;
    if (value?.type === 'message' && contextOf(value) === undefined)
      return inconclusive('the message names no contextId');
    if (contextOf(value) === undefined) return `the client sent the contextId ${sent}, the answer has none`;
    return anotherIn(outcome, sent);
  })
  .advice('A contextId that the agent gave out groups all that follows: take it from the message, make none anew.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A contextId without taskId starts a new task in that
//   context.
export const newTask = check('message/new-task-in-context', 'send.new-task-in-context')
  .given('turn', nextTurn)
  .when('the client sends a message with the contextId of an ended task', async ({ turn }) => turn.outcome)
  .expects('start a new task in that context', (outcome, { turn: { conversation: known } }): Judgement => {
    if (known.task === undefined || !isTerminal(known.task.status.state)) {
      return inconclusive('set behaviours.completed: no task ended');
    }
    const next = taskIn(outcome);
    if (typeof next === 'string') return inconclusive(next);
    if (next.id === known.task.id) return `the answer is the ${known.task.status.state} task ${next.id} again`;
    return next.contextId === known.contextId ? undefined : `the new task is in ${next.contextId ?? 'no context'}`;
  })
  .advice('A task that has ended is not reopened: work that follows is a new task in the same context.');

// In our words (0.3, 7.1 message/send (rule from topics/life-of-a-task)): Parallel messages in one context become
//   distinct tasks.
export const parallel = check('message/parallel-in-context', 'send.parallel-in-context')
  .given('known', conversation)
  .when('the client sends two messages with one contextId at once', (scene) =>
    Promise.all([further(scene, scene.known), further(scene, scene.known)]),
  )
  .expects('make two tasks', async ([firstOutcome, secondOutcome]): Promise<Judgement> => {
    const first = taskIn(firstOutcome);
    const second = taskIn(secondOutcome);
    if (typeof first === 'string') return inconclusive(first);
    if (typeof second === 'string') return inconclusive(second);
    return first.id === second.id ? `both messages became the task ${first.id}` : undefined;
  })
  .advice(
    'Make a task with an id of its own for each message without a taskId, also in a context where a task is at work.',
  );
