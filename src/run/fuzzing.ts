import { defined } from '../model/index.js';
import { type Gate, gateOf, type RunEvent } from '../report/index.js';
import { type Exchange, plural } from '../wire/index.js';
import type { FuzzOutcome, FuzzPhase, FuzzStage } from './fuzz-phase.js';

/** A campaign after the checks, or in their place. */
export interface FuzzOptions {
  readonly phase: FuzzPhase;
  /** Runs in place of the checks: no check is judged. */
  readonly alone?: boolean;
  /** The user did not ask for it: it is left out if it would take minutes, or if the run may only read. */
  readonly unasked?: boolean;
}

/** Everything that a campaign needs from a run; the budgets are shared with the checks. */
export interface FuzzGround extends Omit<FuzzStage, 'restart' | 'onProgress' | 'onFinding'> {
  readonly fuzz: FuzzOptions;
  /** The part of the budgets that the checks have used. */
  readonly used: { readonly requests: number; readonly tasks: number };
  /** How long the checks took, ms. */
  readonly checksMs: number;
  readonly restart: FuzzStage['restart'];
  publish(event: RunEvent): void;
}

/** Most requests of a campaign that the user did not ask for. */
const usualRequests = 250;
/**
 * Its longest time as a share of the checks' time: a fifth of the whole run. `leastMs` costs little on a quick agent.
 */
const usualShare = 1 / 4;
const leastMs = 500;

const remaining = (budget: number | undefined, used: number): number | undefined =>
  budget === undefined ? undefined : Math.max(0, budget - used);

/** Runs the campaign on the agent as the run has found it. Undefined: no campaign was run. */
export async function fuzz(fuzzGround: FuzzGround): Promise<FuzzOutcome | undefined> {
  const { fuzz: chosen, used, checksMs, publish, restart, requestBudget, taskBudget, ...rest } = fuzzGround;
  const { client, readOnly, redactor, signal } = rest;
  if (signal?.aborted === true) return undefined;
  // Signed requests are limited to a few per minute.
  if (chosen.unasked === true && (readOnly || client.dialect.signed !== undefined)) return undefined;
  const left = remaining(requestBudget, used.requests);
  const requests = chosen.unasked === true ? Math.min(left ?? usualRequests, usualRequests) : left;
  const tasks = remaining(taskBudget, used.tasks);
  const outcome = await chosen.phase({
    ...rest,
    ...defined({ requestBudget: requests, taskBudget: tasks, restart }),
    ...(chosen.unasked === true ? { timeMs: Math.max(leastMs, usualShare * checksMs) } : {}),
    onProgress: (cases, sent, findings) => publish({ type: 'fuzz.progress', cases, requests: sent, findings }),
    onFinding: (finding) => publish({ type: 'finding', finding }),
  });
  const exchanges = outcome.exchanges.map((exchange): Exchange => redactor.redactExchange(exchange));
  for (const exchange of exchanges) publish({ type: 'exchange', exchange });
  const { messages } = outcome;
  return { ...outcome, exchanges, ...(messages === undefined ? {} : { messages: redactor.value(messages) }) };
}

/**
 * The gate of a run of the fuzzer alone: every finding counts, even one that breaks no sentence. If no message was ever
 * accepted, the absence of findings proves nothing. `off`: why there was nothing to send to. `minProof` 0: no accepted
 * message is needed.
 */
export function judgeFuzzGate(
  outcome: FuzzOutcome | undefined,
  off?: { readonly fact: string; readonly advice: string },
  minProof?: number,
): Gate {
  if (off !== undefined) return gateOf(4, [`nothing was tried: ${off.fact}; ${off.advice}`]);
  const { findings: all = [], summary, messages } = outcome ?? {};
  const isUnaccepted = messages?.accepted === false && minProof !== 0;
  const findings = all.filter(({ unconfirmed }) => unconfirmed === undefined);
  const unconfirmed = all.length - findings.length;
  const cut = outcome === undefined ? 'interrupted' : summary?.cut;
  const isKit = cut?.startsWith('the kit itself failed') === true;
  // A limit that the user set is not an early end.
  const isEarly = cut !== undefined && /^(interrupted|the agent)/.test(cut);
  const reasons = [
    ...(isUnaccepted ? [messages.why ?? 'no message was accepted'] : []),
    ...(findings.length === 0 ? [] : [plural(findings.length, 'finding')]),
    ...(unconfirmed === 0 ? [] : [`${plural(unconfirmed, 'finding')} not confirmed, because the time was over`]),
    ...(isKit || isEarly ? [`the campaign ended early: ${cut}`] : []),
  ];
  if (isKit) return gateOf(70, reasons);
  if (findings.length > 0) return gateOf(1, reasons);
  return gateOf(isEarly || isUnaccepted || unconfirmed > 0 ? 4 : 0, reasons);
}
