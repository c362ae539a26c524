import { describe, type Outcome } from '../client/index.js';
import type { ErrorName } from '../model/index.js';
import type { Exchange, FailureKind } from '../wire/index.js';
import { type Judgement, unproven } from './verdict.js';

/** Failures that say nothing about what stands at a URL. */
const undecidedKinds: ReadonlySet<FailureKind> = new Set(['timeout', 'too-large', 'budget', 'aborted']);

/** Exchanges that leave open what a URL answers: not read to their end, or the agent is busy. `told`: what they were for. */
export function unseen({ failure, response }: Exchange, told: string): Judgement {
  if (failure !== undefined && undecidedKinds.has(failure.kind)) return unproven(`${told}: ${failure.detail}`);
  const busy = response?.status === 429 || response?.status === 503;
  return busy ? unproven(`the agent is busy (HTTP ${response.status})`) : undefined;
}

/** What the user may do where credentials are wanted. `signs`: calls are signed. */
export const giveCredentials = (signs = false): string =>
  signs
    ? 'give an account with --xpr-account and its key'
    : 'give valid credentials with --bearer-env, --header or --query-env';

/** How a caller was denied: "HTTP 401", or what the error says. */
export const deniedText = (denied: Extract<Outcome<unknown>, { kind: 'denied' }>): string =>
  denied.message === undefined ? `HTTP ${denied.status}` : describe(denied);

/** Outcomes that say nothing about the request itself, for any expectation. */
function undecided(outcome: Outcome<unknown>): Judgement {
  switch (outcome.kind) {
    case 'withheld':
      return unproven(`not sent: ${outcome.reason}`);
    case 'denied':
      return unproven(`the agent wants credentials (${deniedText(outcome)}); ${giveCredentials(outcome.signs)}`);
    case 'busy':
      return unproven(`the agent's rate limit answered (${outcome.message}); run again with a lower --concurrency`);
    case 'broken':
      // The limit is the kit's own; no sentence has one.
      return outcome.fault === 'too-large'
        ? unproven(`the answer is longer than the kit reads (${outcome.detail})`)
        : undefined;
    case 'refusal':
      return outcome.wants === undefined ? undefined : unproven(describe(outcome));
    default:
      return undefined;
  }
}

/** A result came back. */
export function accepted(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'result') return undefined;
  const open = undecided(outcome);
  if (open !== undefined) return open;
  // A slow agent is not a wrong one.
  if (outcome.kind === 'broken' && outcome.fault === 'timeout') return unproven('no answer in time; raise --timeout');
  return describe(outcome);
}

/** Any refusal; a result, a hang or a server error is none. */
export function refused(outcome: Outcome<unknown>): Judgement {
  return undecided(outcome) ?? (outcome.kind === 'refusal' ? undefined : describe(outcome));
}

/** A refusal with the code of one of these errors. */
export const refusedAs =
  (...names: readonly ErrorName[]) =>
  (outcome: Outcome<unknown>): Judgement => {
    const other = refused(outcome);
    if (other !== undefined || outcome.kind !== 'refusal') return other;
    return outcome.error !== undefined && names.includes(outcome.error) ? undefined : describe(outcome);
  };

/** For the companion of a hard check: when the hard one already fails, the code says nothing more. */
export const codeIs =
  (...names: readonly ErrorName[]) =>
  (outcome: Outcome<unknown>): Judgement => {
    if (outcome.kind === 'result') return unproven('it was not refused at all, so there is no code to judge');
    return refusedAs(...names)(outcome);
  };

/** An answer of any kind: only silence, a lost connection or a server error without JSON-RPC body is a fault. */
export function answered(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind !== 'broken') return undecided(outcome);
  const status = outcome.exchange.response?.status;
  if (outcome.fault === 'timeout' || outcome.fault === 'no-answer') return describe(outcome);
  return status !== undefined && status >= 500 ? (undecided(outcome) ?? describe(outcome)) : undefined;
}
