import { describe, type Outcome } from '../../client/index.js';
import { inconclusive, type Judgement } from './verdict.js';

// Whether an agent let a caller in, by its answer to a probe that asks for a task that does not exist.

/** The agent accepted the caller: it looked for the task. */
export const isAdmitted = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.error === 'TaskNotFound');

/** For `butAccepts`: TaskNotFound becomes a result, because it shows that the agent accepted the caller. */
export function admission(outcome: Outcome<unknown>): Outcome<unknown> {
  if (outcome.kind !== 'refusal' || outcome.error !== 'TaskNotFound') return outcome;
  return { kind: 'result', value: null, wire: null, exchange: outcome.exchange };
}

/**
 * Expects the caller to be refused as not authenticated: -32000, HTTP 401 or 403. Any other refusal is unproven: how
 * an agent breaks is judged elsewhere.
 */
export function turnedAway(outcome: Outcome<unknown>): Judgement {
  if (isAdmitted(outcome)) return `the agent accepted the caller: ${describe(outcome)}`;
  if (outcome.kind === 'denied') return undefined;
  // A refusal of the HTTP server itself, without JSON-RPC, does not accept the caller either.
  if (outcome.kind === 'refusal' && !outcome.inForm) return undefined;
  return inconclusive(`the answer does not show whether the agent recognised the caller: ${describe(outcome)}`);
}
