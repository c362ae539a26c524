import {
  aTask,
  check,
  describe,
  fresh,
  isObject,
  type Judgement,
  member,
  NotClaimed,
  type Outcome,
  promptTo,
  type Scene,
  type SendReply,
  sendQuick,
  settle,
  sleep,
  source,
  type Task,
  Unproven,
  Unreached,
  unproven,
  type XprCaller,
  xpr,
  xprText,
} from '../../src/kit/index.js';
import { ownTask, secondCaller, sendAs } from '../auth/callers.js';
import { difference } from '../task/kept.js';

// XPR document, Request Verification, Security Considerations, Task Lifecycle: whose a request and its task are.

const { headerNames } = xprText;

/** The answer shows the account that a task belongs to; published agents do, the document does not say so. */
function ownerIn(outcome: Outcome<unknown>): string | undefined {
  const owner = outcome.kind === 'result' ? member(outcome.wire, 'owner') : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

function taskIn(outcome: Outcome<SendReply>): Task {
  if (outcome.kind === 'result' && outcome.value.type === 'task') return outcome.value.task;
  const exchange = outcome.kind === 'withheld' ? undefined : outcome.exchange;
  throw new Unreached(`no task was made: ${describe(outcome)}`, exchange);
}

const isFound = (outcome: Outcome<unknown>): boolean => outcome.kind === 'result';
/** The agent knows no such task, or not for this caller. */
const isHidden = (outcome: Outcome<unknown>): boolean => outcome.kind === 'refusal' || outcome.kind === 'denied';

/** A member of the params that names somebody else. */
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
  /** The same of a task that nobody else was named for. */
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
  if (!isFound(plainMine)) return unproven(`${signer} cannot read any task: ${describe(plainMine)}`);
  if (isHidden(mine)) return `${signer} signed, and cannot read the task: ${describe(mine)}`;
  if (!isFound(mine)) return unproven(describe(mine));
  if (theirs !== undefined && plainTheirs !== undefined && isHidden(plainTheirs)) {
    if (isFound(theirs)) return `${named} was only named, and can read the task: ${describe(theirs)}`;
    if (isHidden(theirs)) return undefined;
  }
  // Where everybody reads everything, only a word of the agent tells whose a task is.
  if (owner === signer) return undefined;
  return unproven('nothing tells whose the task is: no owner is shown, and no other caller is seen to be kept from it');
}

export const callerAccount = check('xpr/caller-account', 'xpr.caller-account')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client signs for one account, and names another one in xpr:callerAccount', async (scene) => {
    const seen = await claim(scene);
    return { ...seen, exhibit: seen.mine.kind === 'withheld' ? undefined : seen.mine.exchange };
  })
  .expects('make the task one of the account that signed', ofSigner)
  .advice('Overwrite xpr:callerAccount with the account whose signature was verified, before anything reads it.')
  .killedBy('xpr-believes-caller-account', 'xpr-owner-as-named', 'xpr-shares-with-named');

// -- Agents that take unsigned requests

/** Without an account nothing tells such an agent from one that knows no callers: it says which of both it may be. */
const someone = source('an account of the user', async (scene): Promise<XprCaller> => {
  if (xpr.xprOf(scene).first === undefined) await scene.use(xpr.verifies);
  return xpr.firstCaller(scene);
});

/** Reads a task with these headers and nothing else. */
const read = (scene: Scene, id: string, headers: readonly (readonly [string, string])[]) =>
  xpr.post(scene, { body: xpr.probeBody(scene, id), headers });

interface Guise {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

export const unsignedIdentity = check('xpr/unsigned-identity', 'xpr.unsigned-identity')
  .given('agent', xpr.takesUnsigned)
  .given('caller', someone)
  .given('task', ownTask)
  .when("the client reads it unsigned, with its owner's account in the header", async (scene) => {
    const { account } = scene.caller;
    const named = [headerNames.account, account] as const;
    const timed = [headerNames.timestamp, String(xpr.xprOf(scene).seconds())] as const;
    const { id } = scene.task;
    const plain = await read(scene, id, []);
    const guises: readonly Guise[] = [
      { about: 'with the account', outcome: await read(scene, id, [named]) },
      { about: 'with account and timestamp', outcome: await read(scene, id, [named, timed]) },
      {
        about: 'with an empty signature header',
        outcome: await read(scene, id, [named, timed, [headerNames.signature, '']]),
      },
    ];
    const worst = guises.find(({ outcome }) => isFound(outcome)) ?? guises.find(({ outcome }) => !isHidden(outcome));
    const shown = (worst ?? guises[0])?.outcome ?? plain;
    return { plain, worst, exhibit: shown.kind === 'withheld' ? undefined : shown.exchange };
  })
  .expects('not be given it', ({ plain, worst }): Judgement => {
    if (isFound(plain)) return unproven('anybody can read it, also without any header');
    if (worst === undefined) return undefined;
    const { about, outcome } = worst;
    return isFound(outcome) ? `${about}: ${describe(outcome)}` : unproven(`${about}: ${describe(outcome)}`);
  })
  .butAccepts('the same signed by its owner', ({ client, task }) => client.call('get', { id: task.id }))
  .advice('Take the account from the headers only after its signature was verified; without one the caller is nobody.')
  .killedBy('xpr-unsigned-account-believed', 'xpr-empty-signature-is-identity');

/** Sends unsigned; somebody's account may stand in the header all the same. */
const sendUnsigned = (scene: Scene, headers: readonly (readonly [string, string])[]) =>
  scene.client.call('send', { message: scene.say() }, { credentials: { headers, query: scene.client.own.query } });

export const unsignedOwner = check('xpr/unsigned-owner', 'xpr.unsigned-owner')
  .given('agent', xpr.takesUnsigned)
  .when("the client sends a message unsigned, with somebody's account in the header", async (scene) => {
    const { first, stranger } = xpr.xprOf(scene);
    const { account } = first ?? stranger();
    const sent = await sendUnsigned(scene, [[headerNames.account, account]]);
    if (isHidden(sent)) throw new NotClaimed('the agent takes no unsigned messages');
    const { id } = taskIn(sent);
    const theirs = first === undefined ? undefined : await scene.client.call('get', { id });
    const isTheirs = theirs !== undefined && isFound(theirs);
    // Whoever can read what nobody sent was given nothing of his own.
    const open = isTheirs ? await openToAll(scene) : false;
    const exhibit = sent.kind === 'withheld' ? undefined : sent.exchange;
    return { account, owner: ownerIn(sent), theirs, isTheirs, open, exhibit };
  })
  .expects('not take it for one of that account', ({ account, owner, theirs, isTheirs, open }): Judgement => {
    if (owner === account) return `the owner of the task is ${owner}, who signed nothing`;
    if (isTheirs && !open) return `${account} signed nothing, and can read the task as its own`;
    if (owner !== undefined || (theirs !== undefined && isHidden(theirs))) return undefined;
    return unproven('nothing tells whose the task is: no owner is shown, and nobody is kept from it');
  })
  .killedBy('xpr-unsigned-account-believed', 'xpr-unsigned-owner-shown', 'xpr-unsigned-task-given-away');

/** Whether the account of the user can read tasks that were sent without any header. */
async function openToAll(scene: Scene): Promise<boolean> {
  const { id } = taskIn(await sendUnsigned(scene, []));
  return isFound(await scene.client.call('get', { id }));
}

/** It keeps the task of a caller who signed from those who do not, so that it matters who signs. */
const knowsCallers = source('an agent that tells signed callers from others', async (scene) => {
  const { id } = await scene.use(ownTask);
  const [mine, anybody] = [await scene.client.call('get', { id }), await read(scene, id, [])];
  return isFound(mine) && isHidden(anybody);
});

/** A signature that nobody could have made: the key of no account, and no signature at all. */
async function forgeries(scene: Scene, forged: Outcome<unknown>): Promise<readonly Guise[]> {
  const stranger: XprCaller = xpr.xprOf(scene).stranger(xpr.firstCaller(scene).account);
  const garbled = await xpr.send(scene, { ...xpr.signed(scene, stranger), signature: 'SIG_K1_unreadable' });
  return [
    { about: 'with a signature of nobody', outcome: forged },
    { about: 'with a signature that cannot be read', outcome: garbled },
  ];
}

export const noDowngrade = check('xpr/no-downgrade', 'xpr.no-downgrade')
  .given('agent', xpr.takesUnsigned)
  .given('caller', someone)
  .given('control', xpr.control)
  .when('the client sends bad signatures', async (scene) => {
    const guises = await forgeries(scene, scene.agent.forgedOutcome);
    const worst =
      guises.find(({ outcome }) => xpr.isAdmitted(outcome)) ??
      guises.find(({ outcome }) => xpr.turnedAway(outcome) !== undefined);
    const outcome = worst?.outcome ?? scene.agent.forgedOutcome;
    return { worst, exhibit: outcome.kind === 'withheld' ? undefined : outcome.exchange };
  })
  .expects('be refused, and not be taken for nobody', async ({ worst }, scene): Promise<Judgement> => {
    if (worst === undefined) return undefined;
    const judgement = xpr.turnedAway(worst.outcome);
    if (judgement instanceof Unproven) return unproven(`${worst.about}: ${judgement.reason}`);
    if (await scene.use(knowsCallers)) return `${worst.about}: ${judgement}`;
    return unproven('the agent tells no callers apart, so that nothing shows whether it reads signatures');
  })
  .killedBy('xpr-wrong-key-is-nobody', 'xpr-unreadable-signature-is-nobody');

// -- Tasks of others, and tasks that have ended

export const foreignSendCode = check('xpr/foreign-send-code', 'xpr.foreign-send-code')
  .given('other', secondCaller)
  .given('task', ownTask)
  .when('another caller sends a message to it, and to a task that does not exist', async (scene) => {
    const foreign = await sendAs(scene, 'second', { taskId: scene.task.id });
    const missing = await sendAs(scene, 'second', { taskId: scene.uuid() });
    return { foreign, missing, exhibit: foreign.kind === 'withheld' ? undefined : foreign.exchange };
  })
  .expects('be told the same', ({ foreign, missing }): Judgement => {
    if (isFound(foreign)) return unproven('it was not refused at all; auth/send-foreign judges that');
    const open = [foreign, missing].find((one) => !isHidden(one) && !isFound(one));
    if (open !== undefined) return unproven(describe(open));
    const code = (outcome: Outcome<unknown>) => (outcome.kind === 'refusal' ? outcome.code : undefined);
    const isSame = foreign.kind === missing.kind && code(foreign) === code(missing);
    return isSame ? undefined : `of its task: ${describe(foreign)}; of a missing one: ${describe(missing)}`;
  })
  .advice('Answer as if the task did not exist, whatever the method.')
  .killedBy('xpr-foreign-send-is-denied', 'xpr-foreign-send-is-invalid', 'xpr-unknown-task-begun');

/** Of its own, because a wrong agent spoils it for others. */
const completed = fresh('a completed task', async (scene) => {
  // Whether any can be had is found out once.
  await scene.use(aTask('completed'));
  const task = await settle(scene, taskIn(await sendQuick(scene, await promptTo(scene, 'completed'))));
  if (task.status.state !== 'completed')
    throw new Unreached(`it reached ${task.status.state}; set behaviours.completed`);
  return task;
});

/** Times and words of a status may be made anew for each reader; where they are not, a new time is a new status. */
function changed(before: Task, after: Task, isStable: boolean): string | undefined {
  const { state } = after.status;
  if (state !== before.status.state) return `the task went from ${before.status.state} to ${state}`;
  return isStable ? difference(before, after) : difference(before, { ...after, status: before.status });
}

/** For work that begins after the answer. */
const moment = 500;

export const completedRestart = check('xpr/completed-restart', 'xpr.completed-restart')
  .given('task', completed)
  .when('the client sends another message to it', async (scene) => {
    const { client, task, clock } = scene;
    const get = () => client.call('get', { id: task.id });
    const [first, before] = [await get(), await get()];
    const isStable =
      first.kind === 'result' && before.kind === 'result' && difference(first.value, before.value) === undefined;
    const outcome = await sendQuick(scene, { ...scene.say('And once more, please.'), taskId: task.id });
    const after = await get();
    await sleep(clock, moment);
    const exhibit = outcome.kind === 'withheld' ? undefined : outcome.exchange;
    const missing = await client.call('get', { id: scene.uuid() });
    return { before, isStable, outcome, reads: [after, await get()], missing, exhibit };
  })
  .expects(
    'leave it completed, with the artifacts it had',
    ({ before, isStable, outcome, reads, missing }): Judgement => {
      if (isFound(missing)) return unproven('whatever task is asked for, one is given');
      if (before.kind !== 'result') return unproven(`it cannot be read: ${describe(before)}`);
      // A new task, or a refusal, is as good.
      const reply = outcome.kind === 'result' && outcome.value.type === 'task' ? [outcome.value.task] : [];
      for (const { status } of reply.filter(({ id }) => id === before.value.id)) {
        if (status.state !== 'completed') return `the answer shows it as ${status.state}`;
      }
      for (const one of reads) {
        const change = one.kind === 'result' ? changed(before.value, one.value, isStable) : undefined;
        if (change !== undefined) return change;
      }
      if (outcome.kind === 'withheld' || outcome.kind === 'busy') return unproven(describe(outcome));
      return reads.some(isFound) ? undefined : unproven('it cannot be read any more');
    },
  )
  .advice('Look at the state before anything is done with the message: a task that has ended is not set to work again.')
  .killedBy(
    'xpr-restarts-completed',
    'xpr-restarts-completed-behind-refusal',
    'xpr-adds-to-completed',
    'xpr-completes-again',
  );
