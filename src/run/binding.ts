import type { Cause, CheckResult } from '../report/index.js';
import { curlOf, type Redactor } from '../wire/index.js';
import type { Detected, Unspoken } from './detect.js';
import type { Planned } from './plan.js';

// An agent whose card declares no binding that the kit can judge: the card is judged, and nothing else is.

const id = 'binding';

/** What is judged by the card alone. */
export const isOfCard = ({ rule }: Planned): boolean => /^(card|signature)\//.test(rule.id);

/** Whoever could not be judged for want of a call names the cause. */
export const namingBinding = <R extends CheckResult>({ fact }: Unspoken, result: R): R =>
  result.verdict === 'inconclusive' && result.reason.includes(fact) ? { ...result, cause: id } : result;

/** Told once, before all checks; none where the agent is called. */
export function causeOfBinding(
  { unspoken, target: { cardExchange } }: Detected,
  checks: readonly CheckResult[],
  redactor: Redactor,
): readonly Cause[] {
  if (unspoken === undefined) return [];
  return [
    {
      id,
      fact: redactor.text(unspoken.fact),
      advice: unspoken.advice,
      checks: checks.filter(({ cause }) => cause === id).map((one) => one.id),
      exchanges: cardExchange === undefined ? [] : [cardExchange.id],
      ...(cardExchange === undefined ? {} : { curl: curlOf(redactor.redactExchange(cardExchange)) }),
    },
  ];
}
