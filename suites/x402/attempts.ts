import {
  fresh,
  type Judgement,
  member,
  NotClaimed,
  type Scene,
  type Source,
  source,
  Unreached,
  unproven,
  x402,
  x402Text,
} from '../../src/kit/index.js';
import { labOf } from './again.js';

// What the files about binding, states and failures share: unpaid tasks, and what became of attempts.

/** A task that waits for its payment, also where the kit can pay none of its options. */
export type Unpaid = Pick<x402.Offered, 'word' | 'asked' | 'task' | 'offer'>;

export const unpaid: Source<Unpaid> = fresh('a task that waits for its payment', async (scene) => {
  // One search for all: who wants no payment is not asked again and again.
  await scene.use(x402.anOffer);
  const answer = await x402.ask(scene);
  const [part] = answer.message.parts;
  return { word: answer.word, asked: part?.kind === 'text' ? part.text : '', ...x402.offerIn(answer) };
});

/** The first option that the kit can pay, if there is one. */
export const usable = ({ offer }: Unpaid): x402Text.Option | undefined => offer.options.find((one) => one.usable);

/** What paid work looks like, as far as the run knows; nothing where nothing was paid. */
const contents = source('what paid work looks like', async (scene): Promise<readonly string[]> => {
  try {
    return (await scene.use(x402.control)).contents;
  } catch (error) {
    if (error instanceof Unreached || error instanceof NotClaimed) return [];
    throw error;
  }
});

/** For messages that pay nothing: they mean the same to an agent that can be paid and to one that cannot. */
export const nothingPaid: Source<x402.Control> = source('what paid work looks like', async (scene) => ({
  kind: 'paid',
  contents: await scene.use(contents),
}));

/** A refusal for want of funds says nothing of what else is wrong. */
export function forFunds(attempt: x402.Attempt, control: x402.Control): Judgement {
  const why = x402.wantOfFunds(attempt, control);
  return why === undefined ? undefined : unproven(`${why}; what becomes of it with funds can be told with --x402-lab`);
}

/** The payment must be refused, whether there are funds or not. */
export const refusedAnyway = (attempt: x402.Attempt, control: x402.Control): Judgement =>
  x402.refusedPayment(attempt, control) ?? forFunds(attempt, control);

/** Of the payment that was sent; small letters. Undefined for what is no payment. */
export const nonceOf = (payload: unknown): string | undefined =>
  x402Text.readPayment(payload)?.payload.authorization.nonce.toLowerCase();
export const nonceIn = ({ metadata }: x402.Attempt): string | undefined =>
  nonceOf(member(metadata, x402Text.metadataKeys.payload));

/** What the agent asked its facilitator about one payment, oldest first. */
export async function callsAbout(
  scene: Scene,
  nonce: string | undefined,
): Promise<readonly x402Text.FacilitatorCall[]> {
  const calls = await labOf(scene).calls();
  return calls.filter(({ request }) => nonce !== undefined && nonceOf(member(request, 'paymentPayload')) === nonce);
}

/** The payment was made; false also where the kit cannot ask. */
export async function isSettled(scene: Scene, nonce: string | undefined): Promise<boolean> {
  const settlements = (await x402.x402Of(scene).lab?.settlements()) ?? [];
  return settlements.some((one) => one.nonce === nonce);
}

/** Lets the facilitator fail while something is done. */
export async function during<T>(scene: Scene, order: x402Text.FacilitatorOrder, act: () => Promise<T>): Promise<T> {
  const lab = labOf(scene);
  await lab.setBehaviour(order);
  try {
    return await act();
  } finally {
    await lab.setBehaviour(undefined);
  }
}
