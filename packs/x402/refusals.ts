import { ifMet, type Scene, type Source, source } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Refused payments, shared by all checks of refusals. a2a-x402 v0.1 §6, §8; x402 A2A transport, Error Handling.

export interface Refused extends x402.Tried {
  /** Error codes that fit the defect. */
  readonly codes: readonly x402Text.ErrorCode[];
  /** Networks of the offer. */
  readonly networks: readonly string[];
}

/** Defects with different error codes. */
const chosen = ['n01', 'n18', 'n14', 'n26'] as const satisfies readonly x402Text.DefectId[];

async function refusedFor(scene: Scene, id: x402Text.DefectId): Promise<readonly Refused[]> {
  const given = await scene.use(x402.offered);
  const payload = await x402.defective(scene, given, id);
  if (payload === undefined) return [];
  const { about, codes } = x402Text.defects[id];
  const hasFunds = x402.x402Of(scene).stub !== undefined;
  return [
    {
      about,
      attempt: await x402.submit(scene, given, payload),
      // The wallet is empty, and the agent may report that first.
      codes: [
        ...(codes === 'any' ? x402Text.errorCodes : codes),
        ...(hasFunds ? [] : (['INSUFFICIENT_FUNDS'] as const)),
      ],
      networks: given.offer.options.map(({ network }) => network),
    },
  ];
}

/**
 * Shared: incorrect payments of several kinds, one of them without funds. Payments that were accepted nevertheless are
 * left out.
 */
export const refusals: Source<readonly Refused[]> = source('payments that were refused', async (scene) => {
  // The control shows how correct payments are accepted.
  await ifMet(scene.use(x402.control));
  const poor = await scene.use(x402.unfunded);
  const offer = x402.offerOf(poor.before);
  const refused: Refused[] = [
    {
      about: 'a payment from an empty wallet',
      attempt: poor,
      codes: ['INSUFFICIENT_FUNDS'],
      networks: offer?.options.map(({ network }) => network) ?? [],
    },
  ];
  for (const id of chosen) refused.push(...(await refusedFor(scene, id)));
  return refused.filter(({ attempt }) => !isTaken(attempt));
});

/** Looks only at statements about the payment; other checks judge whether work was done. */
const isTaken = (attempt: x402.Attempt): boolean =>
  x402.newSuccesses(attempt).length > 0 || attempt.seen.some((task) => x402.statusOf(task) === 'payment-completed');

/** Attempts that were answered with a task, and whose payment is decided. */
export const inTasks = <T extends x402.Tried>(refused: readonly T[]): readonly T[] =>
  refused.filter(
    ({ attempt: { outcome, decided } }) => outcome.kind === 'result' && outcome.value.type === 'task' && decided,
  );

/** Attempts that were answered with an error. */
export const asErrors = <T extends x402.Tried>(refused: readonly T[]): readonly T[] =>
  refused.filter(({ attempt }) => attempt.outcome.kind === 'refusal');
