import { check, inconclusive, type Judgement, PreconditionUnmet, type Scene, source } from '../../src/kit/index.js';
import { isExpired, optionLike, paidNow, playPaid, readAgain, stubOf, wrapped } from './again.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Settled payments that are sent again. a2a-x402 v0.1 §9; EIP-3009.

const rememberAdvice =
  'Remember network, token, payer and nonce of each payment, in small letters, before anything is awaited.';

interface Again {
  readonly attempt: x402.Attempt;
  /** The contents that the payment bought the first time. */
  readonly contents: readonly string[];
  /** The payment had expired, so no agent could accept it. */
  readonly expired: boolean;
}

const late = 'judge fewer checks at a time with --check: the payment expired before the kit could send it again';

const refusedAgain = ({ attempt, contents, expired }: Again): Judgement => {
  const judgement = x402.refusedPayment(attempt, { kind: 'paid', contents });
  return judgement === undefined && expired ? inconclusive(late) : judgement;
};

/** Sends a payment to a new task, in the wrapping of its offer. */
async function toNewTask(scene: Scene, payment: x402Text.PaymentPayload, paid: x402Text.Option): Promise<x402.Attempt> {
  const given = await scene.use(x402.offered);
  return x402.submit(scene, given, wrapped(scene, payment, paid, given));
}

// In our words (x402, a2a-x402 v0.1, 9): A payload that was paid pays nothing again on its task.
export const replaySameTask = check('x402/replay-same-task', 'x402.replay-same-task')
  .given('paid', paidNow)
  .when('an accepted payment comes again to its task', async (scene): Promise<Again> => {
    const { paid } = scene;
    const expired = isExpired(scene, paid.payment);
    const task = await readAgain(scene, paid.before.id);
    const attempt = await x402.submit(scene, { ...paid, ...offerOf(paid), task }, paid.payment);
    return { attempt, contents: x402.contentsOf(paid), expired };
  })
  .expects('accept no further payment', ({ attempt, contents, expired }): Judgement => {
    const judgement = x402.notTaken(attempt, contents);
    return judgement === undefined && expired ? inconclusive(late) : judgement;
  })
  .advice(`${rememberAdvice} A task that has ended takes no further message.`);

/** The offer of a settled payment, as `submit` needs it. */
function offerOf({ before, option }: x402.Attempt & x402.Funded): Pick<x402.Offered, 'offer' | 'option' | 'exhibit'> {
  const offer = x402.offerOf(before);
  if (offer === undefined) throw new PreconditionUnmet('the kit cannot read the offer that it paid');
  return { offer, option, exhibit: undefined };
}

// In our words (x402, a2a-x402 v0.1, 9): A payload that was paid does not pay another task.
export const replayOtherTask = check('x402/replay-other-task', 'x402.replay-other-task')
  .given('paid', paidNow)
  .when('an accepted payment comes to another task of the same price', async (scene): Promise<Again> => {
    const { payment, option } = scene.paid;
    const attempt = await toNewTask(scene, payment, option);
    return { attempt, contents: x402.contentsOf(scene.paid), expired: isExpired(scene, payment) };
  })
  .expects('refuse the payment', refusedAgain)
  .advice(rememberAdvice);

// In our words (x402, a2a-x402 v0.1, 9): A payload that was refused is refused again.
export const replayRefused = check('x402/replay-refused', 'x402.replay-refused')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('a payment that the agent refused comes again', async (scene): Promise<x402.Attempt> => {
    const { offered } = scene;
    const wallet = x402.x402Of(scene).stranger();
    const payment = x402Text.payment(x402.paying(scene, offered, { wallet }));
    const first = await x402.submit(scene, offered, payment);
    if (x402.acceptance(first, scene.control.contents) !== undefined)
      throw new PreconditionUnmet('the agent accepted the first payment from an empty wallet', first.exhibit);
    const isOpen = first.task?.status.state === 'input-required';
    if (isOpen && first.task !== undefined)
      return x402.submit(scene, { ...offered, task: await readAgain(scene, offered.task.id) }, payment);
    return toNewTask(scene, payment, offered.option);
  })
  .expects('refuse the payment again', (attempt, { control }) => x402.refusedPayment(attempt, control))
  .advice('A known payment is not a valid payment: store the result of each payment.');

// In our words (x402, a2a-x402 v0.1, 9; exact on EVM, 1): A nonce counts once per payer and token, whatever else is
//   signed.
export const nonceReused = check('x402/nonce-reused', 'x402.nonce-reused')
  .given('paid', playPaid)
  .when('the wallet signs the nonce of a payment again for another task', async (scene): Promise<Again> => {
    const { authorization } = scene.paid.payment.payload;
    const given = await scene.use(x402.offered);
    const option = optionLike(scene.paid.option, given);
    const now = x402.x402Of(scene).seconds();
    const payment = x402Text.payment(
      x402.paying(
        scene,
        { ...given, option },
        {
          nonce: authorization.nonce,
          // Other times, so that only the nonce is the same.
          overrides: { validAfter: String(now - 60), validBefore: String(now + 90) },
        },
      ),
    );
    const attempt = await x402.submit(scene, given, payment);
    return { attempt, contents: x402.contentsOf(scene.paid), expired: false };
  })
  .expects('refuse the payment', refusedAgain)
  .advice(`${rememberAdvice} The rest of what is signed may change, and the token takes the nonce once.`);

const spellings = {
  nonceCase: 'the nonce in letters of the other case',
  reordered: 'members in reversed order',
  highS: 'the other signature of the same key',
  lowerCase: 'addresses in small letters',
} as const satisfies Partial<Record<keyof typeof x402Text.rewritings, string>>;

interface Respelled {
  readonly about: string;
  readonly again: Again;
}

// In our words (x402, a2a-x402 v0.1, 9; exact on EVM, 1): A payment that was made is known in every spelling.
export const replayRespelled = check('x402/replay-respelled', 'x402.replay-respelled')
  .given('paid', playPaid)
  .when(
    'an accepted payment comes to other tasks in another spelling',
    async (scene): Promise<readonly Respelled[]> => {
      const { paid } = scene;
      const seen: Respelled[] = [];
      for (const [how, about] of Object.entries(spellings) as [keyof typeof spellings, string][]) {
        const given = await scene.use(x402.offered);
        const payload = x402Text.rewritings[how](wrapped(scene, paid.payment, paid.option, given));
        const expired = isExpired(scene, paid.payment);
        const attempt = await x402.submit(scene, given, payload);
        seen.push({ about, again: { attempt, contents: x402.contentsOf(paid), expired } });
      }
      return seen;
    },
  )
  .expects('refuse the payment', (seen) => {
    const expired = seen.some(({ again }) => again.expired);
    const contents = seen[0]?.again.contents ?? [];
    const judgement = x402.each(
      seen.map(({ about, again }) => ({ about, attempt: again.attempt })),
      (attempt) => x402.refusedPayment(attempt, { kind: 'paid', contents }),
    );
    return judgement === undefined && expired ? inconclusive(late) : judgement;
  })
  .advice(`${rememberAdvice} Neither texts of payments nor signatures are a mark: both can be written otherwise.`);

/** Shared by all checks of a restart, which happens once. */
const restarted = source('a payment made before a restart', async (scene) => {
  stubOf(scene);
  const { restart } = scene;
  if (restart === undefined) throw new PreconditionUnmet('give --restart-command: the kit cannot restart the agent');
  const paid = await scene.use(paidNow);
  const before = await readAgain(scene, paid.before.id);
  await restart();
  return { paid, before, after: await scene.client.call('get', { id: before.id }) };
});

// In our words (x402, a2a-x402 v0.1, 9): A payment that was made is known after a restart.
export const replayAfterRestart = check('x402/replay-after-restart', 'x402.replay-after-restart')
  .alone()
  .when('an accepted payment comes to another task after a restart', async (scene): Promise<Again> => {
    const { paid } = await scene.use(restarted);
    const attempt = await toNewTask(scene, paid.payment, paid.option);
    return { attempt, contents: x402.contentsOf(paid), expired: isExpired(scene, paid.payment) };
  })
  .expects('refuse the payment', refusedAgain)
  .advice('What was paid must be known after a restart: keep it in a store, or believe the facilitator.');

// In our words (x402, a2a-x402 v0.1, 6): Receipts survive a restart.
export const receiptsAfterRestart = check('x402/receipts-after-restart', 'x402.receipts-after-restart')
  .alone()
  .when('the agent restarts', (scene) => scene.use(restarted))
  .expects('still show its receipts', ({ before, after }): Judgement => {
    if (after.kind !== 'result') return inconclusive('the agent no longer has the task');
    const [had, has] = [before, after.value].map((task) => x402.receiptsOf(task).length);
    return (has ?? 0) < (had ?? 0) ? `${has} of ${had} receipts are left` : undefined;
  })
  .advice('Keep the metadata of the status message with the task.');
