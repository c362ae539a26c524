import {
  inconclusive,
  type JsonObject,
  type Judgement,
  NotApplicable,
  PreconditionUnmet,
  type Scene,
} from '../../src/kit/index.js';
import { refusedAnyway } from './attempts.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';

// Tries incorrect payments one by one. No rules: index.ts does not collect this file.

/** A kind of incorrect payment. */
export interface Way {
  /** The defect, as shown before a colon. */
  readonly about: string;
  /** The payment versions in which the defect is possible. */
  readonly versions: readonly x402Text.X402Version[];
  /** Makes the payment with the throwaway wallet; undefined when the offer does not allow the defect. */
  make(scene: Scene, offered: x402.Offered): Promise<unknown>;
  readonly how?: x402.Submitting;
}

export interface Trial {
  readonly tried: readonly x402.Tried[];
  /** Why the remaining payments were not tried. */
  readonly ended?: string;
}

/** Returns Unix seconds. */
type Clocks = (scene: Scene) => Promise<number>;

export const flaw = (id: x402Text.DefectId, now?: Clocks): Way => {
  const { about, versions } = x402Text.defects[id];
  return {
    about,
    versions,
    make: async (scene, offered) =>
      x402.defective(scene, offered, id, now === undefined ? {} : { now: await now(scene) }),
  };
};
export const flaws = (...ids: readonly x402Text.DefectId[]): readonly Way[] => ids.map((id) => flaw(id));

/** A correct payment that is changed after it was signed. */
export const changed = (
  about: string,
  change: (payment: x402Text.PaymentPayload, offered: x402.Offered) => unknown,
  how: x402.Submitting = {},
): Way => ({
  about,
  versions: [1, 2],
  make: async (scene, offered) => change(await x402.rightPayment(scene, offered), offered),
  how,
});

/** The payment with these members added to its inner payload. */
export const withInner = (payment: x402Text.PaymentPayload, members: JsonObject): JsonObject => ({
  ...payment,
  payload: { ...payment.payload, ...members },
});

/** Restricts the defect to offers of this version. */
export const onlyIn = (version: x402Text.X402Version, way: Way): Way => ({ ...way, versions: [version] });

/** Why further attempts are not made: they would be blocked in the same way, and each may take the whole patience. */
function hindrance({ about, attempt }: x402.Tried): string | undefined {
  const { outcome, decided } = attempt;
  if (outcome.kind === 'invalid-response' && outcome.fault === 'timeout') return `no answer came to this: ${about}`;
  if (outcome.kind !== 'result' || outcome.value.type === 'message' || decided) return undefined;
  return `${about}: ${x402.notDecided(attempt)}`;
}

/**
 * Sends each payment to a task of its own, since a refusal may close the task. If the agent itself asks again for the
 * same payment, the next one goes to the same task. Throws `NotApplicable` when no defect fits the offers,
 * `PreconditionUnmet` when no offer comes.
 */
export async function tryEach(scene: Scene, ways: readonly Way[]): Promise<Trial> {
  const { x402Version } = (await scene.use(x402.anOffer)).offer;
  const possible = ways.filter(({ versions }) => versions.includes(x402Version));
  if (possible.length === 0) throw new NotApplicable(`the offer is of payment version ${x402Version}`);
  const tried: x402.Tried[] = [];
  let open: x402.Offered | undefined;
  for (const { about, make, how = {} } of possible) {
    try {
      open ??= await scene.use(x402.offered);
    } catch (error) {
      if (!(error instanceof PreconditionUnmet) || tried.length === 0) throw error;
      return { tried, ended: `no further offer came: ${error.message}` };
    }
    const payload = await make(scene, open);
    if (payload === undefined) continue;
    const made = { about, attempt: await x402.submit(scene, open, payload, how) };
    tried.push(made);
    const ended = hindrance(made);
    if (ended !== undefined) return { tried, ended };
    open = x402.offeredAgain(open, made.attempt);
  }
  if (tried.length === 0) throw new NotApplicable('the price leaves no room for it');
  return { tried };
}

/** Sends each of these payments; for `when`. */
export const trying =
  (...ways: readonly Way[]) =>
  (scene: Scene): Promise<Trial> =>
    tryEach(scene, ways);

/** Expects that all of them were refused. */
export const allRefused = ({ tried, ended }: Trial, { control }: { readonly control: x402.Control }): Judgement =>
  x402.each(tried, (attempt) => refusedAnyway(attempt, control)) ??
  (ended === undefined ? undefined : inconclusive(ended));
