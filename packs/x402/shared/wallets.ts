import { describe } from '../../../src/client/index.js';
import { PreconditionUnmet, type Scene } from '../../../src/kit/index.js';
import type { JsonObject } from '../../../src/model/index.js';
import {
  type DefectId,
  defects,
  type Offer,
  type Option,
  type Paying,
  type PaymentPayload,
  payable,
  payment,
  sameAddress,
  type ThrowawayWallet,
  tokens,
} from '../payments/index.js';
import { type Offered, x402Of } from './asking.js';
import { type Attempt, type Submitting, submit } from './paying.js';
import { exchangeOf, offerOf, statusOf } from './tasks.js';

// Wallets that pay: an empty one, one with play money, or the user's.

/**
 * Everything that a payment is made from: the throwaway wallet, the agent's time and a fresh nonce, unless `over`
 * replaces them.
 */
export function paying(
  scene: Scene,
  { offer, option }: Pick<Offered, 'offer' | 'option'>,
  over: Partial<Paying> = {},
): Paying {
  const { wallet, seconds, nonce } = x402Of(scene);
  return { offer, option, wallet, now: seconds(), nonce: nonce(), ...over };
}

/**
 * The throwaway wallet; with play money where the agent settles through the kit's facilitator, so that a wrong payment
 * is not refused for want of funds.
 */
export async function payer(scene: Scene, given: Pick<Offered, 'offer' | 'option'>): Promise<ThrowawayWallet> {
  const { wallet } = x402Of(scene);
  await fund(scene, wallet.address, given.offer);
  return wallet;
}

/** Options of an offer that are tried: thousands of them would take hours. */
const mostOptions = 16;
const usableOf = (offer: Offer): readonly Option[] => payable(offer).slice(0, mostOptions);

/**
 * Gives the address play money for the options of the offer. Does nothing without the kit's facilitator. Throws
 * `PreconditionUnmet` when it has no play money for a token.
 */
export async function fund(scene: Scene, address: string, offer: Offer): Promise<void> {
  const { stub } = x402Of(scene);
  if (stub === undefined) return;
  for (const { network, asset, chainId } of usableOf(offer)) {
    const others = tokens.flatMap((token) =>
      token.chainId === chainId && !sameAddress(token.asset, asset) ? [token.asset] : [],
    );
    try {
      await stub.fund(address, { network, asset }, playMoney);
    } catch (error) {
      throw new PreconditionUnmet(`the stub has no play money for ${asset} on ${network}: ${messageOf(error)}`);
    }
    // A payment in another token of the chain must not fail for want of funds. Not every stub knows every token.
    for (const text of others) await stub.fund(address, { network, asset: text }, playMoney).catch(() => undefined);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Atomic units: more than any price, and far below the largest number. */
const playMoney = '1000000000000000000000000000000';

/** A correct payment from the throwaway wallet. */
export async function rightPayment(scene: Scene, given: Pick<Offered, 'offer' | 'option'>): Promise<PaymentPayload> {
  await payer(scene, given);
  return payment(paying(scene, given));
}

/** The payment with one defect; undefined where the offer leaves no room for it, or its version cannot have it. */
export async function defective(
  scene: Scene,
  given: Pick<Offered, 'offer' | 'option'>,
  id: DefectId,
  over: Partial<Paying> = {},
): Promise<JsonObject | undefined> {
  const { make, versions } = defects[id];
  if (!versions.includes(given.offer.x402Version)) return undefined;
  await payer(scene, given);
  return make(paying(scene, given, over));
}

/** A payment by the treasurer, and its option. */
export interface Funded {
  readonly payment: PaymentPayload;
  readonly option: Option;
}

/**
 * Lets the treasurer sign a payment, after reading the offer once more. Tries the options in the order of `payable`, or
 * only `only`. Throws `PreconditionUnmet` with the reason when none is signed.
 */
export async function signFunded(scene: Scene, given: Offered, only?: Option): Promise<Funded> {
  const { treasurer } = x402Of(scene);
  if (treasurer?.payer === undefined) {
    throw new PreconditionUnmet(
      'give A2A_TCK_X402_KEY and --x402-max-amount, or --x402-stub: the payment needs a wallet with funds',
    );
  }
  const read = await scene.client.call('get', { id: given.task.id });
  const again = read.kind === 'result' ? offerOf(read.value) : undefined;
  if (again === undefined) {
    const seen = read.kind === 'result' ? (statusOf(read.value) ?? 'no payment status') : describe(read);
    throw new PreconditionUnmet(
      `the kit did not pay, because a later read of the task does not show its offer (${seen})`,
      exchangeOf(read),
    );
  }
  await fund(scene, treasurer.payer, given.offer);
  let why = 'the offer has no option';
  for (const option of only === undefined ? usableOf(given.offer) : [only]) {
    const treatment = treasurer.pay(given.offer, again, option);
    if ('payment' in treatment) return { payment: treatment.payment, option };
    if ('wouldSign' in treatment)
      throw new PreconditionUnmet('run without the dry run: the kit did not sign the payment');
    why = treatment.about;
  }
  throw new PreconditionUnmet(`the kit did not pay: ${why}`);
}

/** Pays through the treasurer. Throws `PreconditionUnmet` when the treasurer does not pay. */
export async function payFunded(
  scene: Scene,
  given: Offered,
  how: Submitting & { readonly only?: Option } = {},
): Promise<Attempt & Funded> {
  const { only, ...submitting } = how;
  const funded = await signFunded(scene, given, only);
  const attempt = await submit(scene, given, funded.payment, { hopeful: true, ...submitting });
  return { ...attempt, ...funded };
}
