import { check, inconclusive, type Judgement, member, type Scene } from '../../src/kit/index.js';
import { refusedAnyway } from './attempts.js';
import { hostile, malformed, valueForms } from './malformed.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';
import { allRefused } from './trying.js';

// Malformed payments. a2a-x402 v0.1 §9; x402 core v1 §5.2, v2 §5.2.

// In our words (x402, a2a-x402 v0.1, 9; x402 core v2, 5.2.2): A payload without the members or types of its form is
//   refused.
export const malformedRefused = check('x402/malformed-refused', 'x402.malformed-refused')
  .given('control', x402.control)
  .given('malformed', malformed)
  .when('a payment lacks members, or has members of another type', async ({ malformed: trial }) => trial)
  .expects('refuse the payment', allRefused)
  .advice(
    'Look at every member and its type before anything is verified, and put nothing in the place of what is missing.',
  );

// In our words (x402, a2a-x402 v0.1, 9): Payloads of unusual size or form are refused.
export const hostileRefused = check('x402/hostile-refused', 'x402.hostile-refused')
  .given('control', x402.control)
  .given('hostile', hostile)
  .when('a payment is a text, very large, deeply nested, or has members twice', async ({ hostile: trial }) => trial)
  .expects('refuse the payment', allRefused)
  .advice('Read own members only, of the type that they must have, and read each of them once.');

/** Values that even a lenient reader cannot take for the price. */
const otherNumbers: ReadonlySet<string> = new Set([x402Text.defects.m15.about, x402Text.defects.m18.about]);

/** A lenient reader may take the value for the number it stands for, provided exactly that amount is settled. */
async function exactlySettled(scene: Scene, { about, attempt }: x402.Tried, taken: string): Promise<Judgement> {
  if (otherNumbers.has(about)) return taken;
  const { stub, stubOff } = x402.x402Of(scene);
  if (stub === undefined)
    return inconclusive(`${stubOff}: ${taken}, and only the kit's facilitator shows the settlement`);
  const payment = member(attempt.metadata, x402Text.metadataKeys.payload);
  const nonce = member(member(member(payment, 'payload'), 'authorization'), 'nonce');
  const settled = (await stub.settlements()).filter((settlement) => settlement.nonce === String(nonce).toLowerCase());
  const offer = x402.offerOf(attempt.before);
  const price = offer && x402Text.payable(offer)[0]?.amount;
  if (settled.length === 1 && settled[0]?.value === price) return undefined;
  const values = settled.map(({ value }) => value).join(' and ');
  return `${taken}, and ${values === '' ? 'nothing' : values} was settled`;
}

// In our words (x402, x402 core v2, 5.2.2; exact on EVM, 1): Numbers in an authorization are decimal strings.
export const valueFormsRefused = check('x402/value-forms', 'x402.value-forms')
  .given('control', x402.control)
  .given('forms', valueForms)
  .when('the value of a payment is a number, hex or not plain decimal text', async ({ forms }) => forms)
  .expects('refuse the payment, or settle exactly the price', async ({ tried, ended }, scene) => {
    const judged = new Map<x402.Attempt, Judgement>();
    for (const attempted of tried) {
      const taken = x402.acceptance(attempted.attempt, scene.control.contents);
      const refused = (): Judgement => refusedAnyway(attempted.attempt, scene.control);
      judged.set(attempted.attempt, taken === undefined ? refused() : await exactlySettled(scene, attempted, taken));
    }
    const judgement = x402.each(tried, (attempt) => judged.get(attempt));
    return judgement ?? (ended === undefined ? undefined : inconclusive(ended));
  })
  .advice('A value is digits without a zero in front, as text: ^(0|[1-9][0-9]*)$, below 2^256.');
