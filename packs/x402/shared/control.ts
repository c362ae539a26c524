import { describe } from '../../../src/client/index.js';
import { PreconditionUnmet, type Scene, type Source, source } from '../../../src/kit/index.js';
import { brief } from '../../../src/model/index.js';
import { type FacilitatorControl, type PaymentPayload, payment, sameAddress } from '../payments/index.js';
import { offered, x402Of } from './asking.js';
import {
  acceptance,
  type Control,
  codeOf,
  contentsOf,
  type Empty,
  isOfTheWallet,
  paid,
  saidError,
  taken,
} from './judges.js';
import { type Attempt, submit } from './paying.js';
import { standingOf } from './tasks.js';
import { type Funded, payFunded, paying } from './wallets.js';

// The controls: payments that show that the agent understands payments at all.

/** The state of a payment at the kit's facilitator. */
export interface Settling {
  /** The agent has asked the facilitator about the payment. */
  readonly asked: boolean;
  /** Undefined: the payment is not settled. */
  readonly transaction: string | undefined;
}
type FundedAttempt = Attempt & Funded & { readonly settling?: Settling };

async function settlingOf(stub: FacilitatorControl, { payload }: PaymentPayload): Promise<Settling> {
  const { from, nonce } = payload.authorization;
  const digits = nonce.toLowerCase();
  const settlements = await stub.settlements();
  const made = settlements.find((settlement) => sameAddress(settlement.from, from) && settlement.nonce === digits);
  // The form of the call does not matter here: other checks judge it.
  const asked = (await stub.calls()).some(({ request }) => JSON.stringify(request)?.toLowerCase().includes(digits));
  return { asked, transaction: made?.transaction };
}

/**
 * Shared: a payment by the treasurer, whatever its outcome. Throws `PreconditionUnmet` when the treasurer does not pay.
 */
export const funded: Source<FundedAttempt> = source('a payment with funds', async (scene) => {
  const { stub } = x402Of(scene);
  const given = await scene.use(offered);
  const before = (await stub?.calls())?.at(-1)?.number ?? 0;
  const attempt = await payFunded(scene, given);
  if (stub === undefined) return attempt;
  const isPoor = acceptance(attempt, []) === undefined && isOfTheWallet(codeOf(attempt));
  if (isPoor && !(await stub.calls()).some(({ number }) => number > before)) {
    throw new PreconditionUnmet(
      "let the agent settle through the kit's facilitator: the agent refused play money and did not ask that facilitator",
      attempt.exhibit,
    );
  }
  // Read now, because the facilitator forgets old settlements.
  return { ...attempt, settling: await settlingOf(stub, attempt.payment) };
});

/** Shared: a payment by the treasurer that was taken, with its receipt. Throws `PreconditionUnmet` without one. */
export const paidOnce: Source<FundedAttempt> = source('a paid task', async (scene) => {
  const attempt = await scene.use(funded);
  const judgement = paid(scene)(attempt);
  if (judgement === undefined) return attempt;
  throw new PreconditionUnmet(typeof judgement === 'string' ? judgement : judgement.reason, attempt.exhibit);
});

/**
 * Shared: a payment by the treasurer that was taken, with a receipt or without. Throws `PreconditionUnmet` when none
 * was.
 */
export const takenOnce: Source<FundedAttempt> = source('a payment that was taken', async (scene) => {
  const attempt = await scene.use(funded);
  const judgement = taken(scene)(attempt);
  if (judgement === undefined) return attempt;
  throw new PreconditionUnmet(typeof judgement === 'string' ? judgement : judgement.reason, attempt.exhibit);
});

/** Shared: a correct payment from an empty wallet. */
export const unfunded: Source<Attempt> = source('a payment from an empty wallet', async (scene) => {
  const given = await scene.use(offered);
  return submit(scene, given, payment(paying(scene, given, { wallet: x402Of(scene).stranger() })), { right: true });
});

/**
 * Wrong payments come from an empty wallet, because wallets with funds sign only correct ones. The agent's answer to a
 * correct payment from an empty wallet shows which refusals are only for want of funds.
 */
async function emptyIn(scene: Scene): Promise<Empty> {
  try {
    const attempt = await scene.use(unfunded);
    return { right: attempt.outcome.kind === 'refusal' || attempt.decided ? attempt : undefined };
  } catch (error) {
    reasonOf(error);
    return { right: undefined };
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof PreconditionUnmet) return error.message;
  throw error;
};

/** The positive control of all refusals. Throws only without an offer that the kit can pay. */
export const control: Source<Control> = source(
  'a payment that the agent understands',
  async (scene): Promise<Control> => {
    const { stub } = x402Of(scene);
    let why: string;
    try {
      const contents = contentsOf(await scene.use(takenOnce));
      return { kind: 'paid', contents, ...(stub === undefined ? { empty: await emptyIn(scene) } : {}) };
    } catch (error) {
      why = reasonOf(error);
    }
    const attempt = await scene.use(unfunded);
    const isUnderstood = acceptance(attempt, []) === undefined && codeOf(attempt) === 'INSUFFICIENT_FUNDS';
    if (stub === undefined && isUnderstood) return { kind: 'unfunded', contents: [], empty: { right: attempt } };
    const { task, outcome } = attempt;
    const isRefusal = task === undefined || outcome.kind !== 'result';
    const seen = isRefusal ? describe(outcome) : `${standingOf(task)}, ${brief(saidError(attempt) ?? 'no code')}`;
    return {
      kind: 'none',
      contents: [],
      reason: `no positive control: ${why}; a correct payment from an empty wallet gave: ${seen}`,
    };
  },
);
