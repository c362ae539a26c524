import {
  fresh,
  inconclusive,
  type Judgement,
  member,
  NotApplicable,
  PreconditionUnmet,
  type Scene,
  type Source,
  source,
} from '../../src/kit/index.js';
import { stubOf } from './again.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Shared by the files about binding, states and failures: unpaid tasks, and the results of attempts.

/** A task that waits for its payment, even if the kit can pay none of its options. */
export type Unpaid = Pick<x402.Offered, 'word' | 'asked' | 'task' | 'offer'>;

export const unpaid: Source<Unpaid> = fresh('a task that waits for its payment', async (scene) => {
  // Searched once for all checks, so that an agent that wants no payment is not asked again.
  await scene.use(x402.anOffer);
  const answer = await x402.ask(scene);
  const [part] = answer.message.parts;
  return { word: answer.word, asked: part?.kind === 'text' ? part.text : '', ...x402.offerIn(answer) };
});

/** The first option that the kit can pay; undefined when there is none. */
export const usable = ({ offer }: Unpaid): x402Text.Option | undefined => x402Text.payable(offer)[0];

/** Contents of paid work, as far as the run knows; empty where nothing was paid. */
const contents = source('what paid work looks like', async (scene): Promise<readonly string[]> => {
  try {
    return (await scene.use(x402.control)).contents;
  } catch (error) {
    if (error instanceof PreconditionUnmet || error instanceof NotApplicable) return [];
    throw error;
  }
});

/** Unproven where the work failed after it was paid, as an option allows that charges before the work: x402 core v2 §6.1. */
export const paidInVain = ({ task, option }: x402.Attempt & x402.Funded): Judgement =>
  task?.status.state === 'failed' && x402Text.flowOf(option) === 'upfront'
    ? inconclusive('the agent settled the payment before the work, as its card says, and the work failed after that')
    : undefined;

/** The control for messages that pay nothing: whether the kit can pay does not matter for them. */
export const nothingPaid: Source<x402.Control> = source('what paid work looks like', async (scene) => ({
  kind: 'paid',
  contents: await scene.use(contents),
}));

/** A refusal for lack of funds shows nothing about other defects. */
export function forFunds(attempt: x402.Attempt, control: x402.Control): Judgement {
  const why = x402.wantOfFunds(attempt, control);
  return why === undefined
    ? undefined
    : inconclusive(`give --x402-stub: ${why}; only a funded payment shows whether the agent finds the defect`);
}

/** The payment must be refused for its defect; a refusal for lack of funds is unproven. */
export const refusedAnyway = (attempt: x402.Attempt, control: x402.Control): Judgement =>
  x402.refusedPayment(attempt, control) ?? forFunds(attempt, control);

/** The nonce of a payment, in lower case; undefined for anything that is not a payment. */
export const nonceOf = (payload: unknown): string | undefined =>
  x402Text.readPayment(payload)?.payload.authorization.nonce.toLowerCase();
export const nonceIn = ({ metadata }: x402.Attempt): string | undefined =>
  nonceOf(member(metadata, x402Text.metadataKeys.payload));

/** The agent's calls to its facilitator about one payment, oldest first. */
export async function callsAbout(
  scene: Scene,
  nonce: string | undefined,
): Promise<readonly x402Text.FacilitatorCall[]> {
  const calls = await stubOf(scene).calls();
  return calls.filter(({ request }) => nonce !== undefined && nonceOf(member(request, 'paymentPayload')) === nonce);
}

/** The payment was settled; also false where the kit has no facilitator. */
export async function isSettled(scene: Scene, nonce: string | undefined): Promise<boolean> {
  const settlements = (await x402.x402Of(scene).stub?.settlements()) ?? [];
  return settlements.some((settlement) => settlement.nonce === nonce);
}

/** Makes the facilitator fail while `act` runs. */
export async function during<T>(scene: Scene, order: x402Text.FacilitatorOrder, act: () => Promise<T>): Promise<T> {
  const stub = stubOf(scene);
  await stub.setBehaviour(order);
  try {
    return await act();
  } finally {
    await stub.setBehaviour(undefined);
  }
}
