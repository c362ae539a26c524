import {
  answerTo,
  check,
  collectStream,
  describe,
  eachPair,
  early,
  fresh,
  inconclusive,
  isEnd,
  isSettled,
  type Judgement,
  type Message,
  modes,
  NotApplicable,
  type Outcome,
  openStream,
  openTask,
  type Pair,
  PreconditionUnmet,
  promptFor,
  promptTo,
  type Scene,
  type SendConfiguration,
  type SendReply,
  type Side,
  settle,
  type Task,
  worst,
} from '../../src/kit/index.js';
import { asJudged, interfaces, onBoth, unseenOver } from './sides.js';

// A2A 1.0 §3.2.2, §3.3.1, §5.1; 0.3 §3.4.1: work that is begun over one binding goes on over each other one.

const taskIn = (outcome: Outcome<SendReply>): Task | undefined =>
  outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;

const over = (scene: Scene, { client }: Side): Scene => ({ ...scene, client });

const sendOver = (scene: Scene, { client }: Side, message: Message, configuration: SendConfiguration = early(scene)) =>
  client.call('send', { message, configuration });

/** A task that waits for the client, made over one side and answered over the other. */
async function continued(scene: Scene, from: Side, to: Side): Promise<Judgement> {
  const message = await promptTo(scene, 'input-required');
  const sent = await sendOver(scene, from, message);
  const made = taskIn(sent);
  if (made === undefined) return unseenOver(from, sent);
  const task = await settle(over(scene, from), made);
  if (task.status.state !== 'input-required')
    return inconclusive(`over ${from.title} the task is ${task.status.state}`);
  const answer = await sendOver(scene, to, answerTo(scene, task));
  const about = `the answer over ${to.title} to a task that was made over ${from.title}`;
  if (answer.kind === 'refusal') return `${about} gets ${describe(answer)}`;
  const next = taskIn(answer);
  if (next === undefined) {
    return answer.kind === 'result' ? `${about} gets a message and no task` : unseenOver(to, answer);
  }
  return next.id === task.id ? undefined : `${about} makes another task, ${next.id} in place of ${task.id}`;
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): A message over one binding continues a task made over
//   another.
export const continuation = check('equivalence/continuation', 'equivalence.continuation')
  .given('interfaces', interfaces)
  .when('the client answers a waiting task over another interface', async (scene) =>
    eachPair(scene.interfaces, async ({ own, peer }) =>
      worst([await continued(scene, own, peer), await continued(scene, peer, own)]),
    ),
  )
  .expects('continue the same task', asJudged)
  .advice('Look for the task of a message behind all bindings, and hand taskId and contextId on from each.');

/** How long a canceled task may take to show it, ms. */
const stoppingMs = 3000;

async function canceledOver(scene: Scene, from: Side, to: Side): Promise<Judgement> {
  const task = await scene.use(openTask);
  const opened = scene.card.capabilities.streaming
    ? await openStream(over(scene, to), 'subscribe', { id: task.id })
    : undefined;
  const stream = opened?.kind === 'stream' ? opened : undefined;
  const outcome = await from.client.call('cancel', { id: task.id });
  const about = `the cancel over ${from.title}`;
  if (outcome.kind !== 'result') {
    stream?.close();
    return unseenOver(from, outcome);
  }
  const patient = { ...over(scene, from), patienceMs: Math.min(stoppingMs, scene.patienceMs) };
  const ended = await settle(patient, outcome.value);
  if (ended.status.state !== 'canceled') {
    stream?.close();
    return inconclusive(`after ${about} the task is ${ended.status.state}`);
  }
  const read = await to.client.call('get', { id: task.id });
  if (read.kind !== 'result') return unseenOver(to, read);
  const { state } = read.value.status;
  if (state !== 'canceled') return `after ${about} the task is ${state} over ${to.title}`;
  if (stream === undefined) return undefined;
  const { events, end } = await collectStream(over(scene, to), stream);
  // One that was closed may have been closed before, where the task waited for the client.
  return events.some(isEnd) || end === 'ended' || end === 'lost'
    ? undefined
    : `after ${about} a stream of the task over ${to.title} stays open, and never shows its end`;
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): A cancel over one binding shows on the others.
export const canceled = check('equivalence/canceled', 'equivalence.canceled')
  .given('interfaces', interfaces)
  .when('the client cancels a task over one interface and reads it over another', async (scene) =>
    eachPair(scene.interfaces, async ({ own, peer }) =>
      worst([await canceledOver(scene, own, peer), await canceledOver(scene, peer, own)]),
    ),
  )
  .expects('show the task as canceled', asJudged)
  .advice(
    'Spell the state as each binding does: TASK_STATE_CANCELED in 1.0, CANCELLED with two L in the proto of 0.3.',
  );

/** "had ended or waited for the client", "was under way". */
const stageOf = (outcome: Outcome<SendReply>): boolean | undefined => {
  const task = taskIn(outcome);
  return task === undefined ? undefined : isSettled(task.status.state);
};

const isLate = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && outcome.fault === 'timeout';

/** Long work over all interfaces at once; one after the other where the agent does one work at a time. */
async function workOver(
  scene: Scene,
  sides: readonly Side[],
  more: SendConfiguration,
): Promise<ReadonlyMap<Side, Outcome<SendReply>>> {
  const send = async (side: Side) =>
    [side, await sendOver(scene, side, promptFor(scene, 'long-running'), { ...modes(scene), ...more })] as const;
  const together = await scene.aside(Promise.all(sides.map(send)));
  if (!together.some(([, outcome]) => isLate(outcome))) return new Map(together);
  const inTurn: (readonly [Side, Outcome<SendReply>])[] = [];
  for (const side of sides) inTurn.push(await send(side));
  return new Map(inTurn);
}

function waitsAlike(pair: Pair, about: string, seen: ReadonlyMap<Side, Outcome<SendReply>>): Judgement {
  const [own, there] = [seen.get(pair.own), seen.get(pair.peer)];
  if (own === undefined || there === undefined) return undefined;
  const [ownWaits, other] = [stageOf(own), stageOf(there)];
  if (ownWaits === undefined) return unseenOver(pair.own, own);
  if (other === undefined) return unseenOver(pair.peer, there);
  if (ownWaits === other) return undefined;
  const [waits, answers] = ownWaits ? [pair.own, pair.peer] : [pair.peer, pair.own];
  return `${about}, ${waits.title} waits until the task has settled, and ${answers.title} answers before`;
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): Waiting is alike.
export const blocking = check('equivalence/blocking', 'equivalence.blocking')
  .given('interfaces', interfaces)
  .first()
  .when('the client sends long work over each interface, and waits or does not', async (scene) => {
    const { own, peers } = scene.interfaces;
    const atOnce = await workOver(scene, [own, ...peers], { blocking: false });
    const unsaid = await workOver(scene, [own, ...peers], {});
    return eachPair(scene.interfaces, (pair) =>
      worst([waitsAlike(pair, 'asked to answer at once', atOnce), waitsAlike(pair, 'not asked', unsaid)]),
    );
  })
  .expects('wait alike', asJudged)
  .advice('Hand returnImmediately on from every binding, and wait in one place.');

const tries = 3;

// In our words (1.0, 5.1 Functional Equivalence Requirements): The same prompt gives the same kind of reply.
export const replyKind = check('equivalence/reply-kind', 'equivalence.reply-kind')
  .given('interfaces', interfaces)
  .when('the client sends the same prompt over each interface', async (scene) =>
    eachPair(scene.interfaces, async (pair): Promise<Judgement> => {
      const seen = { own: new Set<string>(), there: new Set<string>() };
      for (let time = 0; time < tries; time++) {
        const [own, there] = await onBoth(pair, (side) => sendOver(scene, side, scene.say()));
        if (own.kind !== 'result') return unseenOver(pair.own, own);
        if (there.kind !== 'result') return unseenOver(pair.peer, there);
        seen.own.add(own.value.type);
        seen.there.add(there.value.type);
        if ([...seen.own].some((kind) => seen.there.has(kind))) return undefined;
      }
      return `always a ${[...seen.own].join()} over ${pair.own.title}, and a ${[...seen.there].join()} over ${pair.peer.title}`;
    }),
  )
  .expects('reply with the same kind', asJudged)
  .advice('Make the answer in one place, behind all bindings, and only spell it in the code of each.');

/** A message that was sent twice, if the agent takes the second for the first. */
const repeated = fresh('a message that the agent knows again', async (scene) => {
  const message = scene.say();
  const first = await scene.client.call('send', { message, configuration: early(scene) });
  const task = taskIn(first);
  if (task === undefined) throw new PreconditionUnmet(`the message made no task: ${describe(first)}`);
  const second = await scene.client.call('send', { message, configuration: early(scene) });
  if (taskIn(second)?.id !== task.id) throw new NotApplicable('the agent takes a repeated message for new work');
  return { message, task };
});

// In our words (1.0, 3.3.1 Idempotency): One messageId over two bindings is not executed twice, where the agent looks
//   for duplicates.
export const duplicates = check('equivalence/duplicates', 'equivalence.duplicates')
  .given('interfaces', interfaces)
  .given('repeated', repeated)
  .when('the client sends a message again over another interface', async (scene) =>
    eachPair(scene.interfaces, async ({ peer }): Promise<Judgement> => {
      const { message, task } = scene.repeated;
      const outcome = await sendOver(scene, peer, message);
      const again = taskIn(outcome);
      if (again === undefined) return outcome.kind === 'refusal' ? undefined : unseenOver(peer, outcome);
      return again.id === task.id ? undefined : `over ${peer.title} it begins the work again, as ${again.id}`;
    }),
  )
  .expects('not do the work twice', asJudged)
  .advice('Keep the messageIds that were handled in one store behind all bindings.');
