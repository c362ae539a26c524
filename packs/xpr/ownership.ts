import {
  aTask,
  check,
  describe,
  fresh,
  inconclusive,
  isObject,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  promptTo,
  type Scene,
  sendQuick,
  settle,
  sleep,
  type Task,
} from '../../src/kit/index.js';
import { ownTask, secondCaller, sendAs } from '../../suites/shared/callers.js';
import { difference } from '../../suites/shared/kept.js';
import { isFound, isHidden, ownerIn, taskIn } from './owners.js';
import * as xpr from './shared/asking.js';

// XPR document, Security Considerations, Task Lifecycle: the owner of a task, and changes after its end.

/** Adds a member to the params that names another caller. */
const naming = (account: string) => (request: Record<string, unknown>) => {
  const { params } = request;
  return { ...request, params: { ...(isObject(params) ? params : {}), 'xpr:callerAccount': account } };
};

interface Claimed {
  readonly signer: string;
  readonly named: string;
  readonly owner: string | undefined;
  /** Reads of the task by the account that signed, and by the one that was only named. */
  readonly mine: Outcome<Task>;
  readonly theirs: Outcome<Task> | undefined;
  /** The same for a task in which no other caller was named. */
  readonly plainMine: Outcome<Task>;
  readonly plainTheirs: Outcome<Task> | undefined;
}

async function claim(scene: Scene): Promise<Claimed> {
  const { client } = scene;
  const { account: signer } = xpr.firstCaller(scene);
  const named = (xpr.xprOf(scene).second ?? xpr.xprOf(scene).stranger()).account;
  const sent = await client.call('send', { message: scene.say() }, { envelope: naming(named) });
  const { id } = taskIn(sent);
  const other = { credentials: 'second' } as const;
  const plain = await scene.use(ownTask);
  const mine = await client.call('get', { id });
  return {
    signer,
    named,
    owner: ownerIn(sent) ?? ownerIn(mine),
    mine,
    theirs: client.hasSecond ? await client.call('get', { id }, other) : undefined,
    plainMine: await client.call('get', { id: plain.id }),
    plainTheirs: client.hasSecond ? await client.call('get', { id: plain.id }, other) : undefined,
  };
}

function ofSigner({ signer, named, owner, mine, theirs, plainMine, plainTheirs }: Claimed): Judgement {
  if (owner === named) return `the owner of the task is ${owner}, whom the body named; ${signer} signed`;
  if (!isFound(plainMine)) return inconclusive(`${signer} cannot read any task: ${describe(plainMine)}`);
  if (isHidden(mine)) return `${signer} signed, and cannot read the task: ${describe(mine)}`;
  if (!isFound(mine)) return inconclusive(describe(mine));
  if (theirs !== undefined && plainTheirs !== undefined && isHidden(plainTheirs)) {
    if (isFound(theirs)) return `${named} was only named, and can read the task: ${describe(theirs)}`;
    if (isHidden(theirs)) return undefined;
  }
  // Where every caller can read every task, only a stated owner shows whose it is.
  if (owner === signer) return undefined;
  return inconclusive('the owner of the task is unknown: the task names none, and the agent refuses no other caller');
}

export const callerAccount = check('xpr/caller-account', 'xpr.caller-account')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client signs for one account, and names another in xpr:callerAccount', async (scene) => {
    const seen = await claim(scene);
    return { ...seen, exhibit: seen.mine.kind === 'not-sent' ? undefined : seen.mine.exchange };
  })
  .expects('make the account that signed the owner', ofSigner)
  .advice('Overwrite xpr:callerAccount with the account whose signature was verified, before anything reads it.');

// -- Tasks of other callers, and ended tasks

export const foreignSendCode = check('xpr/foreign-send-code', 'xpr.foreign-send-code')
  .given('other', secondCaller)
  .given('task', ownTask)
  .when('another caller sends to a task and to an unknown task', async (scene) => {
    const foreign = await sendAs(scene, 'second', { taskId: scene.task.id });
    const missing = await sendAs(scene, 'second', { taskId: scene.uuid() });
    return { foreign, missing, exhibit: foreign.kind === 'not-sent' ? undefined : foreign.exchange };
  })
  .expects('answer both messages alike', ({ foreign, missing }): Judgement => {
    if (isFound(foreign)) return inconclusive('the agent accepted the message; auth/send-foreign judges that');
    const open = [foreign, missing].find((outcome) => !isHidden(outcome) && !isFound(outcome));
    if (open !== undefined) return inconclusive(describe(open));
    const code = (outcome: Outcome<unknown>) => (outcome.kind === 'refusal' ? outcome.code : undefined);
    const isSame = foreign.kind === missing.kind && code(foreign) === code(missing);
    return isSame ? undefined : `of its task: ${describe(foreign)}; of a missing one: ${describe(missing)}`;
  })
  .advice('Answer as if the task did not exist, whatever the method.');

/** A task for one check only, since a defective agent would spoil it for others. */
const completed = fresh('a completed task', async (scene) => {
  // Shared: finds out once whether the agent offers such tasks.
  await scene.use(aTask('completed'));
  const task = await settle(scene, taskIn(await sendQuick(scene, await promptTo(scene, 'completed'))));
  if (task.status.state !== 'completed')
    throw new PreconditionUnmet(`set behaviours.completed: the task is ${task.status.state}`);
  return task;
});

/**
 * Describes what changed. The status may be generated anew for each reader; only where it is stable, a difference in it
 * counts.
 */
function changed(before: Task, after: Task, isStable: boolean): string | undefined {
  const { state } = after.status;
  if (state !== before.status.state) return `the task went from ${before.status.state} to ${state}`;
  return isStable ? difference(before, after) : difference(before, { ...after, status: before.status });
}

/** Time for work that begins after the answer, ms. */
const moment = 500;

export const completedRestart = check('xpr/completed-restart', 'xpr.completed-restart')
  .given('task', completed)
  .when('the client sends a message to a completed task', async (scene) => {
    const { client, task, clock } = scene;
    const get = () => client.call('get', { id: task.id });
    const [first, before] = [await get(), await get()];
    const isStable =
      first.kind === 'result' && before.kind === 'result' && difference(first.value, before.value) === undefined;
    const outcome = await sendQuick(scene, { ...scene.say(), taskId: task.id });
    const after = await get();
    await sleep(clock, moment);
    const exhibit = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
    const missing = await client.call('get', { id: scene.uuid() });
    return { before, isStable, outcome, reads: [after, await get()], missing, exhibit };
  })
  .expects('leave it completed, with its artifacts', ({ before, isStable, outcome, reads, missing }): Judgement => {
    if (isFound(missing)) return inconclusive('the agent returns a task whatever the id');
    if (before.kind !== 'result') return inconclusive(`the owner cannot read the task before: ${describe(before)}`);
    // A new task, or a refusal, is right as well.
    const reply = outcome.kind === 'result' && outcome.value.type === 'task' ? [outcome.value.task] : [];
    for (const { status } of reply.filter(({ id }) => id === before.value.id)) {
      if (status.state !== 'completed') return `the answer shows it as ${status.state}`;
    }
    for (const outcome of reads) {
      const change = outcome.kind === 'result' ? changed(before.value, outcome.value, isStable) : undefined;
      if (change !== undefined) return change;
    }
    if (outcome.kind === 'not-sent' || outcome.kind === 'busy') return inconclusive(describe(outcome));
    return reads.some(isFound) ? undefined : inconclusive('the owner can no longer read the task');
  })
  .advice(
    'Look at the state before anything is done with the message: a task that has ended is not set to work again.',
  );
