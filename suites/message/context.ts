import {
  anyTask,
  check,
  endedTask,
  firstAnswer,
  isTerminal,
  type Judgement,
  type Outcome,
  type Scene,
  type SendReply,
  sendQuick,
  source,
  type Task,
  Unreached,
  unproven,
} from '../../src/kit/index.js';
import { taskIn } from './sends.js';

// A2A 0.3 §6.4 contextId; what a further message in a context does is said in topics/life-of-a-task.

interface Conversation {
  readonly contextId: string;
  /** The task in it, if there is one. */
  readonly task: Task | undefined;
}

const conversation = source('a conversation', async (scene: Scene): Promise<Conversation> => {
  for (const one of [endedTask, anyTask]) {
    try {
      const task = await scene.use(one);
      if (task.contextId) return { contextId: task.contextId, task };
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
    }
  }
  const reply = await scene.use(firstAnswer);
  if (reply.type === 'message' && reply.message.contextId)
    return { contextId: reply.message.contextId, task: undefined };
  throw new Unreached('no answer named a contextId');
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

const contextOf = (reply: SendReply): string | undefined =>
  reply.type === 'task' ? reply.task.contextId : reply.message.contextId;

export const contextKept = check('message/context-id-kept', 'send.context-id-kept')
  .given('turn', nextTurn)
  .when('the client sends a message with its contextId', async ({ turn }) => turn.outcome)
  .expects('keep the contextId', (outcome, { turn }): Judgement => {
    // AMB03-26: what a server does about a contextId that it no longer knows is left to it.
    if (outcome.kind !== 'result') return unproven(String(taskIn(outcome)));
    const contextId = contextOf(outcome.value);
    if (contextId === undefined && outcome.value.type === 'message') return unproven('the message names no context');
    if (contextId === turn.conversation.contextId) return undefined;
    return `the client sent the contextId ${turn.conversation.contextId}, the answer has ${contextId ?? 'none'}`;
  })
  .advice('A contextId that the agent gave out groups all that follows: take it from the message, make none anew.')
  .killedBy('send-context-made-anew');

export const newTask = check('message/new-task-in-context', 'send.new-task-in-context')
  .given('turn', nextTurn)
  .when('the client sends a message with its contextId after the task has ended', async ({ turn }) => turn.outcome)
  .expects('start a new task in the same context', (outcome, { turn: { conversation: known } }): Judgement => {
    if (known.task === undefined || !isTerminal(known.task.status.state)) {
      return unproven('no task was seen to end; set behaviours.completed');
    }
    const next = taskIn(outcome);
    if (typeof next === 'string') return unproven(next);
    if (next.id === known.task.id) return `the answer is the ${known.task.status.state} task ${next.id} again`;
    return next.contextId === known.contextId ? undefined : `the new task is in ${next.contextId ?? 'no context'}`;
  })
  .advice('A task that has ended is not reopened: work that follows is a new task in the same context.')
  .killedBy('send-context-gives-old-task', 'send-context-made-anew');

export const parallel = check('message/parallel-in-context', 'send.parallel-in-context')
  .given('known', conversation)
  .when('the client sends two messages with its contextId at once', (scene) =>
    Promise.all([further(scene, scene.known), further(scene, scene.known)]),
  )
  .expects('make two tasks', async ([one, two]): Promise<Judgement> => {
    const first = taskIn(one);
    const second = taskIn(two);
    if (typeof first === 'string') return unproven(first);
    if (typeof second === 'string') return unproven(second);
    return first.id === second.id ? `both messages became the task ${first.id}` : undefined;
  })
  .killedBy('send-one-task-for-all', 'send-context-holds-one-task');
