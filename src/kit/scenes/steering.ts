import { describe, type Outcome } from '../../client/index.js';
import {
  type Artifact,
  isSettled,
  isTerminal,
  type Message,
  type SendConfiguration,
  type SendReply,
  type Task,
  type TaskState,
} from '../../model/index.js';
import { sleep } from '../../wire/index.js';
import { ifMet, PreconditionUnmet } from '../rules/verdict.js';
import { type Behaviour, type Behaviours, fresh, type Goal, type Scene, type Source, source, spoken } from './scene.js';

/** One way to try to reach a goal. */
interface Attempt {
  /** "a neutral prompt", "behaviours.completed", "the prefix tck-complete-task". */
  readonly about: string;
  /** Every agent can answer it, or the user has said what it brings. */
  readonly isOfUser?: true;
  message(scene: Speaker): Message;
}

/** The parts of a scene that prompts are made of. */
export type Speaker = Pick<Scene, 'behaviours' | 'say' | 'uuid'>;

export interface Steer {
  /** Text prefix of the ACTS draft, also tried as the messageId prefix of the official kit. */
  readonly word: string;
  readonly messageIdWord?: string;
  /** The same request in plain words, for agents that understand language. */
  readonly plain: string;
}

/** The words that bring an agent to a goal. */
export const steers: { readonly [Name in Goal]: Steer } = {
  completed: { word: 'tck-complete-task', plain: 'Answer in one short sentence.' },
  failed: { word: 'tck-task-failure', plain: 'Let this task fail.' },
  rejected: { word: 'tck-reject-task', plain: 'Reject this task.' },
  canceled: { word: 'tck-cancel', plain: 'Work for a long time, until the task is canceled.' },
  'input-required': { word: 'tck-input-required', plain: 'Ask me for one missing detail before you answer.' },
  'auth-required': { word: 'tck-auth-required', plain: 'Ask me to sign in before you answer.' },
  working: {
    word: 'tck-cancel',
    messageIdWord: 'test-resubscribe-message-id',
    plain: 'Work for a long time, until the task is canceled.',
  },
  message: { word: 'tck-message-response', plain: 'Answer with a message only, without a task.' },
  'artifact-text': { word: 'tck-artifact-text', plain: 'Give me a short text artifact.' },
  'artifact-file': { word: 'tck-artifact-file', plain: 'Give me a small file.' },
  'artifact-file-uri': { word: 'tck-artifact-file-url', plain: 'Give me a link to a file.' },
  'artifact-data': { word: 'tck-artifact-data', plain: 'Give me structured data.' },
  'streamed-chunks': { word: 'tck-stream-chunked', plain: 'Write a short story, and stream it piece by piece.' },
  'long-running': {
    word: 'tck-long-running',
    messageIdWord: 'test-resubscribe-message-id',
    plain: 'Work for some seconds, report progress on the way, and finish.',
  },
};

const neutral: Attempt = { about: 'a neutral prompt', isOfUser: true, message: (scene) => scene.say() };

function attemptsFor(goal: Goal, wanted: Behaviour | undefined): readonly Attempt[] {
  const { word, messageIdWord, plain } = steers[goal];
  const configured: Attempt[] =
    wanted === undefined
      ? []
      : [
          {
            about: `behaviours.${goal}`,
            isOfUser: true,
            message: (scene) => spoken(scene.uuid, wanted),
          },
        ];
  const prefixed: Attempt = {
    about: `the prefix ${word}`,
    message: (scene) => ({ ...scene.say(`${word} ${plain}`), messageId: `${messageIdWord ?? word}-${scene.uuid()}` }),
  };
  return [...configured, prefixed];
}

/** The message that is most likely to bring the agent there, without a search: a stream sends it only once. */
export function promptFor(scene: Speaker, goal: Goal): Message {
  const [first = neutral] = attemptsFor(goal, scene.behaviours[goal]);
  return first.message(scene);
}

/** The output modes of the card, which some servers want in every configuration. */
export const modes = ({ card: { outputModes } }: Scene): SendConfiguration => ({
  acceptedOutputModes: outputModes.length > 0 ? [...outputModes] : ['text/plain'],
});

/** Asks for an answer before the work has ended. */
export const early = (scene: Scene): SendConfiguration => ({ blocking: false, ...modes(scene) });

/** Sends without waiting for the end of the work, naming the output modes (0.2 requires them, some servers do). */
export function sendQuick(scene: Scene, message: Message, historyLength?: number): Promise<Outcome<SendReply>> {
  const length = historyLength === undefined ? {} : { historyLength };
  return scene.client.call('send', { message, configuration: { ...early(scene), ...length } });
}

/**
 * Reads a task until it waits for the client or has ended, or the patience is over. `seen`: the task as last seen;
 * `last`: the outcome of the last reading.
 */
async function follow(scene: Scene, task: Task): Promise<{ seen: Task; last?: Outcome<Task> }> {
  let seen = task;
  let last: Outcome<Task> | undefined;
  const until = scene.clock.now() + scene.patienceMs;
  for (let pause = 50; !isSettled(seen.status.state) && scene.clock.now() < until; pause = Math.min(pause * 2, 2000)) {
    await sleep(scene.clock, Math.min(pause, Math.max(1, until - scene.clock.now())));
    last = await scene.client.call('get', { id: task.id });
    if (last.kind !== 'result') break;
    seen = last.value;
  }
  return { seen, ...(last && { last }) };
}

/** Reads a task until it waits for the client or has ended, or the patience is over; returns it as last seen. */
export const settle = async (scene: Scene, task: Task): Promise<Task> => (await follow(scene, task)).seen;

/** The same after a first reading; returns the outcome of the last one. If that failed, the task is read once more. */
export async function readSettled(scene: Scene, id: string, first: Outcome<Task>): Promise<Outcome<Task>> {
  if (first.kind !== 'result') return first;
  const { last = first } = await follow(scene, { ...first.value, id });
  return last.kind === 'result' ? last : scene.client.call('get', { id });
}

/**
 * Whether a task shows no change. One that changes neither the state, the timestamp nor the message cannot be seen. A
 * question that is gone while the time of the status stands was answered, and the task has not gone on yet.
 */
export const stands = ({ status: before }: Task, { status: now }: Task): boolean =>
  now.state === before.state &&
  now.timestamp === before.timestamp &&
  (now.message?.messageId === before.message?.messageId || (now.message === undefined && now.timestamp !== undefined));

/**
 * Reads a task that the client has answered until it has changed and settled again, or the patience is over: right
 * after the answer it may still show the question.
 */
export async function settleAfter(scene: Scene, before: Task, answered: Task): Promise<Task> {
  const until = scene.clock.now() + scene.patienceMs;
  let seen = answered;
  for (let pause = 50; stands(before, seen) && scene.clock.now() < until; pause = Math.min(pause * 2, 2000)) {
    await sleep(scene.clock, Math.min(pause, Math.max(1, until - scene.clock.now())));
    const outcome = await scene.client.call('get', { id: before.id });
    if (outcome.kind !== 'result') return seen;
    seen = outcome.value;
  }
  return settle(scene, { ...seen, id: before.id });
}

/** The same advice to a user who has set some behaviours: what is set already is to be worded anew. */
export const heeding = (behaviours: Behaviours, text: string): string =>
  text.replaceAll(/\bset (?=behaviours\.([a-z-]+))/g, (set, goal) =>
    behaviours[goal as Goal] === undefined ? set : 'reword ',
  );

interface Reached {
  readonly reply: SendReply;
  /** The task was still at work a moment later: long enough to act on it. */
  readonly lasting: boolean;
  /** The settled task, or the task as it was if nothing was waited for. */
  readonly task: Task | undefined;
  /** How it was sent, where not as usual. */
  readonly send?: typeof sendQuick;
  /** The outcome of the last read, where it did not show the task. */
  readonly unread?: string;
}

const artifactMatches: Readonly<Record<string, (artifact: Artifact) => boolean>> = {
  'artifact-text': (artifact) => artifact.parts.some((part) => part.kind === 'text'),
  'artifact-file': (artifact) => artifact.parts.some((part) => part.kind === 'file' && part.bytes !== undefined),
  'artifact-file-uri': (artifact) => artifact.parts.some((part) => part.kind === 'file' && part.uri !== undefined),
  'artifact-data': (artifact) => artifact.parts.some((part) => part.kind === 'data'),
};

/** Artifacts must be in the answer, and must be found again afterwards. */
const sending = (goal: Goal) => (artifactMatches[goal] === undefined ? sendQuick : sendWaiting);

function matches(goal: Goal, reached: Reached): boolean {
  const { reply, task } = reached;
  if (goal === 'message') return reply.type === 'message';
  if (task === undefined) return false;
  if (goal === 'working') return reached.lasting;
  const artifact = artifactMatches[goal];
  if (artifact !== undefined) return (task.artifacts ?? []).some(artifact);
  return task.status.state === goal;
}

const seenOf = ({ reply, task }: Reached): string =>
  reply.type === 'message' ? 'a message' : (task?.status.state ?? 'a task');

const isAtWork = (task: Task): boolean => task.status.state === 'working' || task.status.state === 'submitted';

/** Whether a task is still at work a moment later. */
async function lasts(scene: Scene, task: Task): Promise<boolean> {
  if (!isAtWork(task)) return false;
  await sleep(scene.clock, 50);
  const outcome = await scene.client.call('get', { id: task.id });
  return outcome.kind === 'result' && isAtWork(outcome.value);
}

/** Sends with `blocking`, so that the artifacts in the answer can be compared with those in later readings. */
const sendWaiting = (scene: Scene, message: Message): Promise<Outcome<SendReply>> =>
  scene.client.call('send', { message, configuration: { ...modes(scene), blocking: true } });

/** An agent that answers at random is asked so often, in all, for what it may show. */
const mostTries = 3;

/** Sends until the agent makes a task, if it makes any: it may answer with a message now and then (1.0 §3.1.1). */
export async function sendForTask(
  { client }: Scene,
  send: () => Promise<Outcome<SendReply>>,
): Promise<Outcome<SendReply>> {
  let outcome = await send();
  const isMessage = (): boolean => outcome.kind === 'result' && outcome.value.type === 'message';
  for (let tries = 1; tries < mostTries && isMessage() && client.messages.makesTasks !== false; tries++)
    outcome = await send();
  return outcome;
}

/**
 * Sends, and then waits until the task settles, looks whether it lasts, or takes its current state. For a `goal` that
 * needs a task, a message in answer is not taken at once.
 */
async function attempt(
  scene: Scene,
  how: Attempt,
  goal: Goal | undefined,
  then: 'settle' | 'last' | 'go',
  send: (scene: Scene, message: Message) => Promise<Outcome<SendReply>> = sendQuick,
): Promise<Reached> {
  const once = () => send(scene, how.message(scene));
  const outcome = await (goal === undefined || goal === 'message' ? once() : sendForTask(scene, once));
  if (outcome.kind !== 'result') {
    const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
    const isLate = outcome.kind === 'invalid-response' && outcome.fault === 'timeout';
    throw new PreconditionUnmet(
      `the agent did not ${isLate ? 'answer' : 'accept'} ${how.about}: ${describe(outcome)}`,
      exchange,
    );
  }
  const reply = outcome.value;
  if (reply.type === 'message') return { reply, task: undefined, lasting: false };
  if (then === 'settle') {
    const { seen, last } = await follow(scene, reply.task);
    const unread = last === undefined || last.kind === 'result' ? {} : { unread: describe(last) };
    return { reply, task: seen, lasting: false, ...unread };
  }
  const lasting = then === 'go' ? isAtWork(reply.task) : await lasts(scene, reply.task);
  return { reply, task: reply.task, lasting };
}

/** The first answer of the agent to a neutral prompt, before its task has settled; shared by all checks. */
export const firstAnswer: Source<SendReply> = source('the answer to a neutral prompt', async (scene) => {
  return (await attempt(scene, neutral, undefined, 'go')).reply;
});

/** A prompt that should lead to an end left its task where it was, as long as the kit waits. */
const isStuck = ({ reply, task }: Reached): boolean =>
  reply.type === 'task' && task !== undefined && isAtWork(task) && stands(reply.task, task);

/** Work that is answered with a message where the client waits has ended once its task holds such an answer. */
const isAnswered = (task: Task, again: Reached | undefined): boolean =>
  again?.reply.type === 'message' && (task.history ?? []).some(({ role }) => role === 'agent');

/**
 * The same prompt for an agent that is asked to wait: some do their work only then. Undefined: the request would be the
 * same, or it did not help.
 */
async function waitingInstead(
  scene: Scene,
  how: Attempt,
  goal: Goal | undefined,
  reached: Reached,
  isThere: (again: Reached) => boolean,
): Promise<Reached | undefined> {
  const again = await ifMet(attempt(scene, how, goal, 'settle', sendWaiting));
  const helped = again !== undefined && isThere(again);
  const { task } = reached;
  if (task !== undefined && isStuck(reached) && how.isOfUser && !isAnswered(task, again)) {
    const now = await scene.client.call('get', { id: task.id });
    const fact = `the task of ${how.about} was ${task.status.state} for ${Math.round(scene.patienceMs / 1000)} s and did not move`;
    if (now.kind === 'result' && stands(task, now.value))
      scene.stuck(task.id, {
        prompt: how.about,
        fact: helped ? `${fact}; asked to wait, the agent does that work` : fact,
      });
  }
  return helped ? again : undefined;
}

const neutralOutcome: Source<Reached> = source('the outcome of a neutral prompt', async (scene) => {
  const reply = await scene.use(firstAnswer);
  if (reply.type === 'message') return { reply, task: undefined, lasting: false };
  const lasting = await lasts(scene, reply.task);
  const reached = { reply, task: await settle(scene, reply.task), lasting };
  if (!isStuck(reached)) return reached;
  const again = await waitingInstead(scene, neutral, undefined, reached, (item) => !isStuck(item));
  return again === undefined ? reached : { ...again, lasting, send: sendWaiting };
});

/** The neutral prompt once more, for a task. */
const neutralTask: Source<Reached> = source('the task of a neutral prompt', (scene) =>
  attempt(scene, neutral, 'completed', 'settle'),
);

async function neutralFor(scene: Scene, goal: Goal): Promise<Reached> {
  const first = await scene.use(neutralOutcome);
  const isOpen = first.reply.type === 'message' && goal !== 'message' && scene.client.messages.makesTasks !== false;
  return isOpen ? scene.use(neutralTask) : first;
}

interface Route {
  readonly how: Attempt;
  readonly send: typeof sendQuick;
  /** The result of the search itself, if it can be used. */
  spare: Reached | undefined;
}

/**
 * The first way that reaches each goal: the user's behaviour, the neutral prompt, then the known prefixes. The neutral
 * prompt is `behaviours.completed` if it is set.
 */
const routes = new Map<Goal, Source<Route>>();
function routeTo(goal: Goal): Source<Route> {
  const known = routes.get(goal);
  if (known !== undefined) return known;
  const made: Source<Route> = source(`a way to reach ${goal}`, async (scene) => {
    const seen = new Set<string>();
    const refusals: string[] = [];
    const waits = goal !== 'working';
    const asNeutral = [neutral, () => neutralFor(scene, goal)] as const;
    const steered = attemptsFor(goal, scene.behaviours[goal]).map(
      (how) => [how, () => attempt(scene, how, goal, waits ? 'settle' : 'last', sending(goal))] as const,
    );
    const isWorded = scene.behaviours[goal] !== undefined && goal !== 'completed';
    const tries: readonly (readonly [Attempt, () => Promise<Reached>])[] = isWorded
      ? [...steered.slice(0, 1), asNeutral, ...steered.slice(1)]
      : [asNeutral, ...steered];
    for (const [how, run] of tries) {
      try {
        const reached = await run();
        const send = waits ? (reached.send ?? sending(goal)) : sendQuick;
        if (matches(goal, reached)) {
          if (!waits) await scene.client.endWork();
          return { how, send, spare: waits ? reached : undefined };
        }
        const mayDiffer = waits && send === sendQuick && (goal === 'message' || isStuck(reached));
        const again = mayDiffer
          ? await waitingInstead(scene, how, goal, reached, (item) => matches(goal, item))
          : undefined;
        if (again !== undefined) return { how, send: sendWaiting, spare: again };
        if (how !== neutral) offer(scene, reached);
        seen.add(seenOf(reached));
      } catch (error) {
        if (!(error instanceof PreconditionUnmet)) throw error;
        refusals.push(error.message);
      }
    }
    const all = seen.size === 0 ? (refusals[0] ?? 'no answer came') : `the kit saw: ${[...seen].join(', ')}`;
    const isUnmoved = seen.has('working') || seen.has('submitted');
    const isLate = waits && isUnmoved;
    const advice = `${isLate ? 'raise --timeout, or ' : ''}set behaviours.${goal}`;
    const clue = isUnmoved ? 'unmoved' : undefined;
    throw new PreconditionUnmet(`${advice}: ${unbrought(goal)} (${all})`, undefined, clue);
  });
  routes.set(goal, made);
  return made;
}

/**
 * A fresh message of the kind that has brought the agent to this goal before. Throws `PreconditionUnmet` when none has.
 */
export async function promptTo(scene: Scene, goal: Goal): Promise<Message> {
  return (await scene.use(routeTo(goal))).how.message(scene);
}

/** Sends a prompt that has reached the goal before until it does again. */
const unbrought = (goal: Goal): string => `no prompt brought the agent to ${goal}`;
const reachedOnce = (goal: Goal): string => `reached ${goal} once`;
const noHistory = 'no task showed more than one message in its history';

/** What an agent may answer to any prompt, by chance. */
const ofChance = ['input-required', 'auth-required', 'failed', 'rejected', 'message'] as const;
export type ByChance = (typeof ofChance)[number];

/** What a check lacks, by its reason, that an agent may answer to any prompt; undefined: nothing of the kind. */
export const lackedByChance = (reason: string): ByChance | undefined =>
  reason.includes(noHistory)
    ? 'input-required'
    : ofChance.find((goal) => reason.includes(`${unbrought(goal)} `) || reason.includes(`${reachedOnce(goal)},`));

async function reachAgain(
  scene: Scene,
  goal: Goal,
  { how, send }: Route,
  then: 'settle' | 'go' = 'settle',
): Promise<Reached> {
  let reached = await attempt(scene, how, goal, then, send);
  for (let tries = 1; tries < mostTries && !matches(goal, reached) && !isStuck(reached); tries++) {
    offer(scene, reached);
    reached = await attempt(scene, how, goal, then, send);
  }
  if (matches(goal, reached)) return reached;
  const why = reached.unread === undefined ? '' : `, and the agent did not show the task: ${reached.unread}`;
  throw new PreconditionUnmet(
    `set behaviours.${goal}: ${how.about} ${reachedOnce(goal)}, and then ${seenOf(reached)}${why}`,
  );
}

async function reach(scene: Scene, goal: Goal): Promise<Reached> {
  const route = await scene.use(routeTo(goal));
  const { spare } = route;
  // A task that waits for the client is used up by the check that takes it; an ended one serves all checks.
  if (goal === 'input-required' || goal === 'auth-required') route.spare = undefined;
  return spare ?? reachAgain(scene, goal, route, goal === 'working' ? 'go' : 'settle');
}

function taskOf(reached: Reached, goal: string): Task {
  if (reached.task === undefined)
    throw new PreconditionUnmet(
      `set behaviours.${goal} to a prompt that becomes a task: the agent answered with a message`,
    );
  return reached.task;
}

const articles: Partial<Record<Goal, string>> = {
  'input-required': 'a task waiting for input',
  'auth-required': 'a task waiting for authorization',
  working: 'a task at work',
};
const cache = new Map<string, Source<Task>>();
function remembered(name: string, make: () => Source<Task>): Source<Task> {
  const known = cache.get(name) ?? make();
  cache.set(name, known);
  return known;
}

/** A task that began by a prompt for something else: its check does not need it, but another check may. */
function offer(scene: Scene, { task }: Reached): void {
  if (task !== undefined) scene.client.offer(task.id);
}

/**
 * A task in this state to which another prompt led by chance. `isRead`: its readers change nothing, and share a task that
 * has ended.
 */
async function offeredTask(scene: Scene, state: Goal & TaskState, isRead: boolean): Promise<Task | undefined> {
  if (!(ofChance as readonly string[]).includes(state)) return undefined;
  const isShared = isRead && isTerminal(state);
  for (;;) {
    const id = isShared ? scene.client.lookAtOffered(state) : scene.client.takeOffered(state);
    if (id === undefined) return undefined;
    const outcome = await scene.client.call('get', { id });
    // It may have gone on by itself.
    if (outcome.kind === 'result' && outcome.value.status.state === state) return { ...outcome.value, id };
    if (isShared) return undefined;
  }
}

/** What `find` makes, or where no prompt leads there, a task that some other prompt brought there by chance. */
async function orByChance(
  scene: Scene,
  state: Goal & TaskState,
  isRead: boolean,
  find: () => Promise<Task>,
): Promise<Task> {
  try {
    return await find();
  } catch (error) {
    const offered = error instanceof PreconditionUnmet ? await offeredTask(scene, state, isRead) : undefined;
    if (offered === undefined) throw error;
    return offered;
  }
}

/**
 * A task in this state. Terminal ones are shared: leave them unchanged. Waiting and working ones are made anew for
 * each check, which may use them up.
 */
export function aTask(
  state: 'completed' | 'failed' | 'rejected' | 'canceled' | 'input-required' | 'auth-required' | 'working',
): Source<Task> {
  return remembered(state, () => {
    if (state === 'canceled') return canceledTask;
    const about = articles[state] ?? `a ${state} task`;
    const find = (scene: Scene) => orByChance(scene, state, true, async () => taskOf(await reach(scene, state), state));
    return isTerminal(state as TaskState) ? source(about, find) : fresh(about, find);
  });
}

/** States in which a task ends, the usual one first. */
export const endStates = ['completed', 'failed', 'rejected', 'canceled'] as const;
export type EndState = (typeof endStates)[number];

/**
 * The same, made anew for each check, for checks that send to an ended task: an agent that takes it up again would
 * change what other checks look at.
 */
export const ownTask = (state: EndState): Source<Task> =>
  fresh(aTask(state).about, async (scene) => {
    if (state === 'canceled') return cancelOpen(scene);
    return orByChance(scene, state, false, async () =>
      taskOf(await reachAgain(scene, state, await scene.use(routeTo(state))), state),
    );
  });

/** The value of the first source that can be reached. If none can, throws the error of the first. */
export async function firstOf<T>(scene: Scene, sources: readonly Source<T>[]): Promise<T> {
  let why: unknown;
  for (const source of sources) {
    try {
      return await scene.use(source);
    } catch (error) {
      if (!(error instanceof PreconditionUnmet)) throw error;
      why ??= error;
    }
  }
  throw why;
}

async function cancelOpen(scene: Scene): Promise<Task> {
  const open = await scene.use(openTask);
  const outcome = await scene.client.call('cancel', { id: open.id });
  // The answer may still show the state from before (AMB03-25).
  const task = outcome.kind === 'result' ? await settle(scene, outcome.value) : undefined;
  if (task?.status.state !== 'canceled') {
    throw new PreconditionUnmet(
      `set behaviours.working to work that can be canceled: the open task is ${task?.status.state ?? describe(outcome)} after the cancel`,
    );
  }
  return task;
}

const canceledTask: Source<Task> = source('a canceled task', cancelOpen);

/** A task that has not ended: working if the agent can be brought there, else waiting for input or authorization. */
export const openTask: Source<Task> = fresh('an open task', (scene) =>
  firstOf(scene, (['working', 'input-required', 'auth-required'] as const).map(aTask)),
);

/** Any task that the agent made. */
export const anyTask: Source<Task> = source('a task', async (scene) => {
  const { task } = await scene.use(neutralOutcome);
  if (task !== undefined) return task;
  return scene.use(aTask('completed'));
});

/** A task that has ended, completed if possible. */
export const endedTask: Source<Task> = source('a task that has ended', async (scene) => {
  const { task } = await scene.use(neutralOutcome);
  if (task !== undefined && isTerminal(task.status.state)) return task;
  return firstOf(scene, endStates.map(aTask));
});

/** An answer that is a message and no task. */
export const messageAnswer: Source<Message> = source('a direct message as the answer', async (scene) => {
  try {
    const { reply } = await reach(scene, 'message');
    if (reply.type === 'message') return reply.message;
  } catch (error) {
    const message = error instanceof PreconditionUnmet ? scene.client.heardMessage() : undefined;
    if (message === undefined) throw error;
    return message;
  }
  throw new PreconditionUnmet('set behaviours.message: the agent answered with a task');
});

/** A task with an artifact of this kind. */
export function aTaskWith(
  goal: 'artifact-text' | 'artifact-file' | 'artifact-file-uri' | 'artifact-data',
): Source<Task> {
  return remembered(goal, () =>
    source(`a task with ${goal.replace('artifact-', 'a ').replace('-uri', ' link')} artifact`, async (scene) =>
      taskOf(await reach(scene, goal), goal),
    ),
  );
}

/** A task that shows more than one message of its history when asked for all of it. */
export const taskWithHistory: Source<Task> = source('a task with several messages in its history', async (scene) => {
  const candidates: Source<Task>[] = [anyTask, continuedTask];
  for (const candidate of candidates) {
    try {
      const task = await scene.use(candidate);
      // Without historyLength an agent may show any part of it, or none (0.3 §7.3.1, AMB03-06).
      const outcome = await scene.client.call('get', { id: task.id, historyLength: 100 });
      if (outcome.kind === 'result' && (outcome.value.history?.length ?? 0) > 1) return outcome.value;
    } catch (error) {
      if (!(error instanceof PreconditionUnmet)) throw error;
    }
  }
  throw new PreconditionUnmet(`set behaviours.input-required: ${noHistory}`);
});

/** The outcome of answering a task that waited for input. */
export interface Continuation {
  readonly before: Task;
  readonly answer: Message;
  readonly outcome: Outcome<SendReply>;
}

/**
 * The answer to a task that waits for the client: `behaviours.completed`, which gives the agent all that it needs, or
 * else any words.
 */
export const answerTo = (
  { behaviours, say }: Pick<Scene, 'behaviours' | 'say'>,
  { id, contextId }: Pick<Task, 'id' | 'contextId'>,
): Message => ({
  ...say(behaviours.completed === undefined ? 'Blue, please.' : undefined),
  taskId: id,
  ...(contextId === undefined ? {} : { contextId }),
});

/** Shared: the answer to one task that waited for input, and the reply to that answer. */
export const continuation: Source<Continuation> = source('an answered request for input', async (scene) => {
  const before = await scene.use(aTask('input-required'));
  const answer = answerTo(scene, before);
  return { before, answer, outcome: await sendQuick(scene, answer) };
});

const continuedTask: Source<Task> = source('a task of several turns', async (scene) => {
  const { before, outcome } = await scene.use(continuation);
  if (outcome.kind !== 'result' || outcome.value.type !== 'task')
    throw new PreconditionUnmet('the agent did not accept the answer to its question');
  return settleAfter(scene, before, outcome.value.task);
});
