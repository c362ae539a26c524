import { isDeepStrictEqual } from 'node:util';
import {
  brief,
  check,
  describe,
  inconclusive,
  isObject,
  isString,
  type JsonObject,
  type Judgement,
  law,
  member,
  PreconditionUnmet,
} from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// What the agent offers, and whether the offer stays the same. x402 A2A transport, Payment Required Signaling; a2a-x402
// v0.1 §4.3, §8; v0.2 §4, §7.

const { metadataKeys } = x402Text;
const keys: readonly string[] = Object.values(metadataKeys);
const deepest = 16;

/** The first payment key anywhere in a value. */
function keyIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  const own = Array.isArray(value) ? undefined : keys.find((key) => Object.hasOwn(value, key));
  if (own !== undefined) return own;
  for (const inner of Object.values(value)) {
    const found = keyIn(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

// In our words (x402, x402 A2A transport, Payment Required Signaling; a2a-x402 v0.1, 4.3): A request that costs
//   something is answered with a Task in input-required whose status message has `x402.payment.status`
//   payment-required.
export const made = check('x402/offer-made', 'x402.offer-made')
  .when('the client asks for paid work', (scene) => scene.use(x402.asked))
  .expects('answer with a task in input-required whose status message has payment-required', (asked): Judgement => {
    const { outcome, seen, task } = asked;
    if (outcome.kind !== 'result') return inconclusive(`no offer came: ${describe(outcome)}`);
    const other = seen.find(
      (task) => x402.statusOf(task) === 'payment-required' && task.status.state !== 'input-required',
    );
    if (other !== undefined) return `the task asks to be paid and is ${x402.standingOf(other)}`;
    if (task !== undefined && x402.statusOf(task) === 'payment-required') return undefined;
    const key = keyIn([outcome.wire, ...seen]);
    const hint = 'set --x402-message to what the agent charges for';
    if (key === undefined) return inconclusive(`${hint}: the agent mentions no payment`);
    if (task === undefined) return `the answer is a message with ${key}, where a task can be paid only`;
    if (Object.hasOwn(x402.paymentOf(task), metadataKeys.required))
      return `the offer comes with ${x402.statusOf(task) ?? 'no status'}`;
    if (!x402.isDecided(task))
      return inconclusive(`raise --x402-timeout: no offer came in time (${x402.standingOf(task)})`);
    return keyIn(x402.paymentOf(task)) === undefined
      ? `${key} stands elsewhere than in the metadata of status.message`
      : `the task is ${x402.standingOf(task)}`;
  })
  .advice('Put the status and the offer into status.message.metadata of a task in input-required.');

/** Tasks and events with the status payment-required, anywhere in a result. */
function asking(value: unknown, depth = 0): readonly object[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  const message = member(member(value, 'status'), 'message');
  const inner = Object.values(value).flatMap((item) => asking(item, depth + 1));
  return x402Text.readStatus(member(message, 'metadata')) === 'payment-required' ? [value, ...inner] : inner;
}

// In our words (x402, x402 A2A transport, Payment Required Signaling; a2a-x402 v0.1, 4.3): The offer is in a Task with
//   an id, in a message of the agent.
export const offerTask = law(
  'x402/offer-task',
  'x402.offer-task',
  'stand in a task with an id, in a message of the agent',
  {
    subject: 'every offer',
    otherwise: 'no answer asked for a payment',
    advice:
      'Make a task, and put the offer into its status.message with the role of the agent: clients pay by the id of the task.',
  },
  ({ documents, valid }) => {
    if (!valid) return 'not-concerned';
    const found = documents.flatMap((document) => (document.of === 'result' ? asking(document.value) : []));
    for (const holder of found) {
      const id = member(holder, 'id') ?? member(holder, 'taskId');
      if (!isString(id) || id === '') return 'the task that asks to be paid has no id';
      const role = member(member(member(holder, 'status'), 'message'), 'role');
      if (!isString(role) || !/agent/i.test(role)) return `the role of the message with the offer is ${brief(role)}`;
    }
    return found.length > 0 ? 'holds' : 'not-concerned';
  },
);

// In our words (x402, a2a-x402 v0.1, 4.3): Nothing but the offer is in the task before payment.
export const withoutWork = check('x402/offer-without-work', 'x402.offer-without-work')
  .given('offer', x402.anOffer)
  .when('a task is not yet paid', async ({ offer }) => offer.task)
  .expects('show nothing but the offer', ({ artifacts = [] }) =>
    artifacts.length === 0 ? undefined : `the task has ${artifacts.length} artifacts before it is paid`,
  )
  .advice('Begin the work when it is paid, or keep what was made back until then.');

// In our words (x402, a2a-x402 v0.1, 4.3): The task keeps the offer: reading it shows the same status and the same
//   offer.
export const kept = check('x402/offer-kept', 'x402.offer-kept')
  .given('offer', x402.anOffer)
  .when('the client reads a task that waits for its payment', async (scene) => {
    const asked = await x402.ask(scene);
    const before = x402.offerIn(asked);
    return { before, read: await scene.client.call('get', { id: before.task.id }), exhibit: asked.exhibit };
  })
  .expects('show the same status and the same offer', ({ before, read }): Judgement => {
    if (read.kind === 'refusal' && read.error === 'TaskNotFound') return `the task is gone: ${describe(read)}`;
    if (read.kind !== 'result') return inconclusive(`the agent did not show the task: ${describe(read)}`);
    const status = x402.statusOf(read.value);
    if (status !== 'payment-required') return `it is ${x402.standingOf(read.value)} when it is read again`;
    const again = member(x402.paymentOf(read.value), metadataKeys.required);
    if (isDeepStrictEqual(again, before.offer.raw)) return undefined;
    if (!isObject(again)) return 'the offer is gone when the task is read again';
    const names = new Set([...Object.keys(again), ...Object.keys(before.offer.raw)]);
    const changed = [...names].filter((name) => !isDeepStrictEqual(again[name], before.offer.raw[name]));
    return `the offer has changed when the task is read again: ${changed.join(', ')}`;
  })
  .advice('Keep the offer with the task: it is what payments are held against.');

// In our words (x402, a2a-x402 v0.1, 4.3): Each paid request has a task of its own.
export const taskOwn = check('x402/task-own', 'x402.task-own')
  .given('offer', x402.anOffer)
  .when('the client asks for the same work again', (scene) => x402.ask(scene))
  .expects('open another task', ({ outcome, task }, { offer }): Judgement => {
    if (task === undefined) return inconclusive(`no task came: ${describe(outcome)}`);
    return task.id === offer.task.id ? `both requests have the task ${task.id}` : undefined;
  })
  .advice('One payment pays one task: a second request needs a second task.');

// In our words (x402, a2a-x402 v0.1, 8; a2a-x402 v0.2, 9): A further message without payment on an unpaid task is
//   answered by asking again.
export const askedAgain = check('x402/asked-again', 'x402.asked-again')
  .given('offer', x402.anOffer)
  .when('the client continues a task without a payment', async (scene) => {
    const asked = await x402.ask(scene);
    const { task } = x402.offerIn(asked);
    return x402.submitRaw(scene, { word: asked.word, asked: '', task }, {}, { text: 'Please go on.' });
  })
  .expects('ask for payment again, and do no work for free', (attempt): Judgement => {
    const taken = x402.acceptance(attempt, []);
    if (taken !== undefined) return taken;
    const { outcome, task, decided } = attempt;
    if (outcome.kind === 'refusal') return undefined;
    if (outcome.kind !== 'result') return inconclusive(describe(outcome));
    if (outcome.value.type === 'message' || task === undefined)
      return inconclusive('the agent answered with a message that does not mention the task');
    if (!decided) return inconclusive(`raise --x402-timeout: nothing more came in time (${x402.standingOf(task)})`);
    const status = x402.statusOf(task);
    if (status === 'payment-required' || status === 'payment-failed') return undefined;
    const { state } = task.status;
    if (status === undefined && (state === 'failed' || state === 'rejected' || state === 'canceled'))
      return inconclusive(`the task ended without a payment (${state})`);
    return `the task is ${x402.standingOf(task)}`;
  })
  .advice(
    'Answer a message without a payment with payment-required and the same offer, as long as the task is not paid.',
  );

// In our words (x402, a2a-x402 v0.2, 4, 7): `x402.payment.required` is not used when the offer is embedded in an
//   artifact.
export const flowsApart = check('x402/flows-apart', 'x402.flows-apart')
  .when('the client asks for paid work', async (scene) => {
    const asked = await scene.use(x402.asked);
    const { task, exhibit } = asked;
    const hasOffer = task !== undefined && Object.hasOwn(x402.paymentOf(task), metadataKeys.required);
    const embedded = task !== undefined && x402.embeddedOffer(task) !== undefined;
    if (!hasOffer && !embedded) throw new PreconditionUnmet('no offer came', exhibit);
    return { hasOffer, embedded, exhibit };
  })
  .expects('put the offer into metadata or into an artifact, not both', ({ hasOffer, embedded }) =>
    hasOffer && embedded ? `an artifact has an offer, and ${metadataKeys.required} is there too` : undefined,
  )
  .advice('In the embedded flow the offer stands in the cart mandate alone.');

// In our words (x402, x402 core v2, 7.3): Every option is of a kind that the facilitator supports.
export const supported = check('x402/option-supported', 'x402.option-supported')
  .given('offer', x402.anOffer)
  .when('the facilitator states what it supports', async (scene) => {
    const { stub, stubOff, wallet } = x402.x402Of(scene);
    if (stub === undefined) throw new PreconditionUnmet(stubOff);
    const { offer } = scene.offer;
    /** The stub returns balances only of tokens on networks that it settles on. */
    const knows = async (chainId: bigint, asset: string): Promise<boolean> => {
      const token = { network: x402Text.caip2Of(chainId), asset };
      return stub.balance(wallet.address, token).then(
        () => true,
        () => false,
      );
    };
    // Other kinds of options may use another facilitator.
    const ofTheStub = offer.options.filter(
      ({ scheme, chainId, extra }) => scheme === 'exact' && chainId !== undefined && isByAuthorization(extra),
    );
    if (ofTheStub.length === 0)
      throw new PreconditionUnmet('the offer has no option that the stub can settle: exact on EVM by EIP-3009');
    const odd: string[] = [];
    for (const { scheme, network, chainId, asset } of ofTheStub) {
      if (chainId === undefined) continue;
      const assets = x402Text.tokens.flatMap((token) => (token.chainId === chainId ? [token.asset] : []));
      const found = await Promise.all([asset, ...assets].map((address) => knows(chainId, address)));
      const isSpelled = spelling(chainId, offer.x402Version) === network;
      if (!isSpelled || !found.includes(true)) odd.push(`${scheme} on ${network}`);
    }
    // If the stub does not answer, no token is known.
    if (odd.length > 0) await stub.now();
    return odd;
  })
  .expects('offer only what the facilitator can settle', (odd) =>
    odd.length === 0 ? undefined : `the facilitator has no kind for ${odd.join(', ')}`,
  )
  .advice('Make the offer of kinds that /supported lists, in the payment version of the offer.');

const isByAuthorization = (extra: JsonObject): boolean =>
  extra['assetTransferMethod'] === undefined || extra['assetTransferMethod'] === 'eip3009';

/** The network as /supported names it. A chain without a name in version 1 has its id in both versions. */
const spelling = (chainId: bigint, version: x402Text.X402Version): string =>
  (version === 1 ? x402Text.v1NameOf(chainId) : undefined) ?? x402Text.caip2Of(chainId);
