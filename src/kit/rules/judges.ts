import { describe, type Outcome } from '../../client/index.js';
import type { ErrorName } from '../../model/index.js';
import type { Exchange, FailureKind } from '../../wire/index.js';
import { inconclusive, type Judgement } from './verdict.js';

/** Failures that say nothing about what a URL answers. */
const undecidedKinds: ReadonlySet<FailureKind> = new Set(['timeout', 'too-large', 'budget', 'aborted', 'proxy']);

/**
 * Unproven if the exchange does not show what a URL answers: it was not read to its end, or the agent is busy. `told`:
 * the purpose of the exchange.
 */
export function unseen({ failure, response }: Exchange, purpose: string): Judgement {
  if (failure !== undefined && undecidedKinds.has(failure.kind)) return inconclusive(`${purpose}: ${failure.detail}`);
  const busy = response?.status === 429 || response?.status === 503;
  return busy
    ? inconclusive(`run again when the agent is less busy: it answered with HTTP ${response.status}`)
    : undefined;
}

/** Advice when an agent wants credentials. `own`: that of a dialect whose callers sign. */
export const giveCredentials = (own?: string): string =>
  own ?? 'give valid credentials with --bearer-env, --header, --query-env or --oauth-client-id-env';

/** How a caller was denied: "HTTP 401", or what the error says. */
export const deniedText = (denied: Extract<Outcome<unknown>, { kind: 'denied' }>): string =>
  denied.message === undefined ? `HTTP ${denied.status}` : describe(denied);

/** Unproven for outcomes that say nothing about the request itself, whatever the expectation. */
function undecided(outcome: Outcome<unknown>): Judgement {
  switch (outcome.kind) {
    case 'not-sent':
      return inconclusive(`the kit could not send the request: ${outcome.reason}`);
    case 'denied':
      return inconclusive(`${giveCredentials(outcome.signs)}: the agent wants credentials (${deniedText(outcome)})`);
    case 'busy':
      return inconclusive(`run again with a lower --concurrency: the agent's rate limit answered (${outcome.message})`);
    case 'invalid-response':
      // The limit is the kit's own; no sentence sets one.
      return outcome.fault === 'too-large'
        ? inconclusive(`the answer exceeds what the kit reads (${outcome.detail})`)
        : undefined;
    case 'refusal':
      return outcome.wants === undefined ? undefined : inconclusive(describe(outcome));
    default:
      return undefined;
  }
}

/** The first reason, or else the first thing that was not shown. */
export const worst = (judgements: readonly Judgement[]): Judgement =>
  judgements.find((judgement) => typeof judgement === 'string') ??
  judgements.find((judgement) => judgement !== undefined);

/** Errors by which an agent says that it broke itself. */
const ownErrors: ReadonlySet<ErrorName> = new Set(['InternalError', 'InvalidAgentResponse']);

/** An error of the server does not refuse the request: the agent broke on it. */
export function isServerError(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refusal' && outcome.kind !== 'invalid-response') return false;
  const { error, fits = [], inForm } = outcome.kind === 'refusal' ? outcome : { inForm: false };
  const errorNames = error === undefined ? fits : [error];
  if (errorNames.length > 0) return errorNames.every((name) => ownErrors.has(name));
  // AMB10-27: an error of JSON-RPC may have any HTTP status.
  return !inForm && (outcome.exchange.response?.status ?? 0) >= 500;
}

/** Expects a result. */
export function accepted(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'result') return undefined;
  const open = undecided(outcome);
  if (open !== undefined) return open;
  // A slow agent is not a wrong one.
  if (outcome.kind === 'invalid-response' && outcome.fault === 'timeout')
    return inconclusive('raise --timeout: no answer came in time');
  return describe(outcome);
}

/**
 * Whether the agent says that it has no such operation. Over HTTP+JSON a 404 that does not speak of a task may say so:
 * ask for a task that exists, or for none.
 */
export function lacksOperation(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'refusal') return false;
  const { error, fits = [], byStatus = [] } = outcome;
  const isOpen =
    fits.includes('MethodNotFound') &&
    // gRPC has one status for it and for other errors, which say by a reason what they are (1.0 §10.6).
    (byStatus.join() === 'MethodNotFound' ||
      fits.every((name) => name === 'MethodNotFound' || name === 'TaskNotFound'));
  return error === 'MethodNotFound' || isOpen;
}

/** Expects any refusal; a result, a hang or a server error is none. */
export function refused(outcome: Outcome<unknown>): Judgement {
  return undecided(outcome) ?? (outcome.kind === 'refusal' ? undefined : describe(outcome));
}

/** Expects a refusal with the code of one of these errors. */
export const refusedAs =
  (...names: readonly ErrorName[]) =>
  (outcome: Outcome<unknown>): Judgement => {
    const other = refused(outcome);
    if (other !== undefined || outcome.kind !== 'refusal') return other;
    if (outcome.error !== undefined && names.includes(outcome.error)) return undefined;
    if (outcome.byStatus?.some((name) => names.includes(name)) === true) return undefined;
    const fits = outcome.fits?.some((name) => names.includes(name)) === true;
    return fits
      ? inconclusive(`the error of the agent fits several errors of A2A: ${describe(outcome)}`)
      : describe(outcome);
  };

/**
 * The same for the companion of a strict check: if the request is accepted, the strict check fails, and the code is
 * unproven.
 */
export const codeIs =
  (...names: readonly ErrorName[]) =>
  (outcome: Outcome<unknown>): Judgement => {
    if (outcome.kind === 'result') return inconclusive('the agent accepted the request, so no error code came');
    return refusedAs(...names)(outcome);
  };

/**
 * Expects an answer of any kind: only silence, a lost connection or a server error without JSON-RPC body is a fault.
 */
export function answered(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind !== 'invalid-response') return undecided(outcome);
  const status = outcome.exchange.response?.status;
  if (outcome.fault === 'timeout' || outcome.fault === 'no-answer') return describe(outcome);
  return status !== undefined && status >= 500 ? (undecided(outcome) ?? describe(outcome)) : undefined;
}
