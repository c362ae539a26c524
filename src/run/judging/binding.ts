import type { Cause, CheckResult } from '../../report/index.js';
import type { Redactor } from '../../wire/index.js';
import type { Detected, Unspoken } from '../detection/detect.js';
import type { Planned } from '../planning/plan.js';
import { curlFor } from './exhibit.js';

// For an agent whose card declares no binding that the kit can judge: only the card is judged.

const id = 'binding';

/** Whether a check needs only the card. */
export const isOfCard = ({ rule }: Planned): boolean => /^(card|signature)\//.test(rule.id);

/** Names this cause in an inconclusive result whose reason contains the fact. */
export const namingBinding = <R extends CheckResult>({ fact }: Unspoken, result: R): R =>
  result.verdict === 'inconclusive' && result.reason.includes(fact) ? { ...result, cause: id } : result;

/** The cause for the report: one entry; none when the agent can be called. */
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
      checks: checks.filter(({ cause }) => cause === id).map((result) => result.id),
      exchanges: cardExchange === undefined ? [] : [cardExchange.id],
      ...(cardExchange === undefined ? {} : { curl: curlFor(cardExchange, redactor) }),
    },
  ];
}
