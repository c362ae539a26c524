import {
  check,
  describe,
  Inconclusive,
  inconclusive,
  isAdmitted,
  type Judgement,
  NotApplicable,
  type Outcome,
  type Scene,
  source,
  turnedAway,
} from '../../src/kit/index.js';
import { ownTask } from '../../suites/shared/callers.js';
import { isFound, isHidden, ownerIn, taskIn } from './owners.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';
import * as xprText from './signing/index.js';

// XPR document, Request Verification, Rate Limiting: how agents that accept unsigned requests identify the sender
// (AMBX-07).

const { headerNames } = xprText;

/**
 * Without an account, such an agent looks like one that knows no callers; `verifies` then reports both possibilities.
 */
const someone = source('an account of the user', async (scene): Promise<XprCaller> => {
  if (xpr.xprOf(scene).first === undefined) await scene.use(xpr.verifies);
  return xpr.firstCaller(scene);
});

/** Reads a task with only these headers. */
const read = (scene: Scene, id: string, headers: readonly (readonly [string, string])[]) =>
  xpr.post(scene, { body: xpr.probeBody(scene, id), headers });

const isEnded = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'TaskNotCancelable';

interface Guise {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

export const unsignedIdentity = check('xpr/unsigned-identity', 'xpr.unsigned-identity')
  .given('agent', xpr.takesUnsigned)
  .given('caller', someone)
  .given('task', ownTask)
  .when('the client reads a task unsigned, under the account of its owner', async (scene) => {
    const { account } = scene.caller;
    const named = [headerNames.account, account] as const;
    const timed = [headerNames.timestamp, String(xpr.xprOf(scene).seconds())] as const;
    const { id } = scene.task;
    const plain = await read(scene, id, []);
    const guises: Guise[] = [
      { about: 'with the account', outcome: await read(scene, id, [named]) },
      { about: 'with account and timestamp', outcome: await read(scene, id, [named, timed]) },
      {
        about: 'with an empty signature header',
        outcome: await read(scene, id, [named, timed, [headerNames.signature, '']]),
      },
    ];
    const isRead = guises.some(({ outcome }) => isFound(outcome));
    const headers = { credentials: { headers: [named], query: scene.client.own.query } };
    const canceled = isRead ? undefined : await scene.client.call('cancel', { id }, headers);
    // An ended task cannot be canceled: the refusal for that reason shows that the task was found.
    const isTheirs = canceled !== undefined && (isFound(canceled) || isEnded(canceled));
    if (isTheirs) guises.push({ about: 'with the account, to cancel it', outcome: canceled });
    const worst =
      guises.find(({ outcome }) => isFound(outcome) || isEnded(outcome)) ??
      guises.find(({ outcome }) => !isHidden(outcome));
    const shown = (worst ?? guises[0])?.outcome ?? plain;
    return { plain, worst, exhibit: shown.kind === 'not-sent' ? undefined : shown.exchange };
  })
  .expects('not return the task', ({ plain, worst }): Judgement => {
    if (isFound(plain)) return inconclusive('every caller can read the task, also without any header');
    if (worst === undefined) return undefined;
    const { about, outcome } = worst;
    const isTaken = isFound(outcome) || isEnded(outcome);
    return isTaken ? `${about}: ${describe(outcome)}` : inconclusive(`${about}: ${describe(outcome)}`);
  })
  .butAccepts('the same signed by its owner', ({ client, task }) => client.call('get', { id: task.id }))
  .advice(
    'Take the account from the headers only after its signature was verified; without one the caller has no account.',
  );

/** Sends an unsigned message; the headers may still name an account. */
const sendUnsigned = (scene: Scene, headers: readonly (readonly [string, string])[]) =>
  scene.client.call('send', { message: scene.say() }, { credentials: { headers, query: scene.client.own.query } });

export const unsignedOwner = check('xpr/unsigned-owner', 'xpr.unsigned-owner')
  .given('agent', xpr.takesUnsigned)
  .when('the client sends a message unsigned, under another account', async (scene) => {
    const { first, stranger } = xpr.xprOf(scene);
    const { account } = first ?? stranger();
    const sent = await sendUnsigned(scene, [[headerNames.account, account]]);
    if (isHidden(sent)) throw new NotApplicable('the agent takes no unsigned messages');
    const { id } = taskIn(sent);
    const theirs = first === undefined ? undefined : await scene.client.call('get', { id });
    const isTheirs = theirs !== undefined && isFound(theirs);
    // If the account can read tasks that were sent without any header, reading this one shows nothing.
    const open = isTheirs ? await openToAll(scene) : false;
    const exhibit = sent.kind === 'not-sent' ? undefined : sent.exchange;
    return { account, owner: ownerIn(sent), theirs, isTheirs, open, exhibit };
  })
  .expects('not treat the message as one of that account', ({ account, owner, theirs, isTheirs, open }): Judgement => {
    if (owner === account) return `the owner of the task is ${owner}, who signed nothing`;
    if (isTheirs && !open) return `${account} signed nothing, and can read the task as its own`;
    if (owner !== undefined || (theirs !== undefined && isHidden(theirs))) return undefined;
    return inconclusive('the answers do not show the owner of the task: they name none, and every caller can read it');
  })
  .advice('Use the account of the header only after its signature was verified: an unsigned task has no owner.');

/** Whether the account of the user can read tasks that were sent without any header. */
async function openToAll(scene: Scene): Promise<boolean> {
  const { id } = taskIn(await sendUnsigned(scene, []));
  return isFound(await scene.client.call('get', { id }));
}

/** The agent hides the task of a caller who signed from those who do not, so that the signer matters. */
const knowsCallers = source('an agent that tells signed callers from others', async (scene) => {
  const { id } = await scene.use(ownTask);
  const [mine, anybody] = [await scene.client.call('get', { id }), await read(scene, id, [])];
  return isFound(mine) && isHidden(anybody);
});

/** Invalid signatures: one made with an unknown key, and one that is unreadable. */
async function forgeries(scene: Scene, forged: Outcome<unknown>): Promise<readonly Guise[]> {
  const stranger: XprCaller = xpr.xprOf(scene).stranger(xpr.firstCaller(scene).account);
  const garbled = await xpr.send(scene, { ...xpr.signed(scene, stranger), signature: 'SIG_K1_unreadable' });
  return [
    { about: 'with the signature of an unknown key', outcome: forged },
    { about: 'with a signature that cannot be read', outcome: garbled },
  ];
}

export const noDowngrade = check('xpr/no-downgrade', 'xpr.no-downgrade')
  .given('agent', xpr.takesUnsigned)
  .given('caller', someone)
  .given('control', xpr.control)
  .when('the agent accepts unsigned requests and the signature is wrong', async (scene) => {
    const guises = await forgeries(scene, scene.agent.forgedOutcome);
    const worst =
      guises.find(({ outcome }) => isAdmitted(outcome)) ??
      guises.find(({ outcome }) => turnedAway(outcome) !== undefined);
    const outcome = worst?.outcome ?? scene.agent.forgedOutcome;
    return { worst, exhibit: outcome.kind === 'not-sent' ? undefined : outcome.exchange };
  })
  .expects('refuse the request, and not treat it as unsigned', async ({ worst }, scene): Promise<Judgement> => {
    if (worst === undefined) return undefined;
    const judgement = turnedAway(worst.outcome);
    if (judgement instanceof Inconclusive) return inconclusive(`${judgement.reason} (${worst.about})`);
    if (await scene.use(knowsCallers)) return `${worst.about}: ${judgement}`;
    return inconclusive('the agent does not distinguish callers, so no answer shows whether it reads signatures');
  })
  .advice('Take a request for unsigned only where no signature header came: what cannot be verified is refused.');
