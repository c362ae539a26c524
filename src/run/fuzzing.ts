import { type Gate, gateOf, type RunEvent } from '../report/index.js';
import { type Exchange, plural } from '../wire/index.js';
import type { FuzzOutcome, FuzzPhase, FuzzStage } from './fuzz-phase.js';

/** Inputs that are tried after the checks, or in their place. */
export interface FuzzOptions {
  readonly phase: FuzzPhase;
  /** In place of the checks: none is judged. */
  readonly alone?: boolean;
  /** Nobody asked for it: it is left out where it would take minutes, or change what may only be read. */
  readonly unasked?: boolean;
}

/** What a campaign needs of a run, whose budgets are those of the checks too. */
export interface FuzzGround extends Omit<FuzzStage, 'restart' | 'onProgress' | 'onFinding'> {
  readonly fuzz: FuzzOptions;
  /** What the checks have used of the budgets. */
  readonly used: { readonly requests: number; readonly tasks: number };
  /** How long the checks took, ms. */
  readonly checksMs: number;
  readonly restart: FuzzStage['restart'];
  publish(event: RunEvent): void;
}

/** What nobody asked for may cost so much. */
const usualRequests = 250;
/** Of the time that the checks took: a fifth of the whole. On a quick agent, that costs nobody anything, ms. */
const usualShare = 1 / 4;
const leastMs = 500;

const remaining = (budget: number | undefined, used: number): number | undefined =>
  budget === undefined ? undefined : Math.max(0, budget - used);

/** Runs the campaign on the agent as the run has found it. `undefined`: there is none. */
export async function fuzz(ground: FuzzGround): Promise<FuzzOutcome | undefined> {
  const { fuzz: chosen, used, checksMs, publish, restart, requestBudget, taskBudget, ...rest } = ground;
  const { client, readOnly, redactor, signal } = rest;
  if (signal?.aborted === true) return undefined;
  // Signed requests keep under a limit of a few a minute.
  if (chosen.unasked === true && (readOnly || client.dialect.signed !== undefined)) return undefined;
  const left = remaining(requestBudget, used.requests);
  const requests = chosen.unasked === true ? Math.min(left ?? usualRequests, usualRequests) : left;
  const tasks = remaining(taskBudget, used.tasks);
  const outcome = await chosen.phase({
    ...rest,
    ...(requests === undefined ? {} : { requestBudget: requests }),
    ...(tasks === undefined ? {} : { taskBudget: tasks }),
    ...(chosen.unasked === true ? { timeMs: Math.max(leastMs, usualShare * checksMs) } : {}),
    ...(restart === undefined ? {} : { restart }),
    onProgress: (cases, sent, findings) => publish({ type: 'fuzz.progress', cases, requests: sent, findings }),
    onFinding: (finding) => publish({ type: 'finding', finding }),
  });
  const exchanges = outcome.exchanges.map((exchange): Exchange => redactor.redactExchange(exchange));
  for (const exchange of exchanges) publish({ type: 'exchange', exchange });
  const { messages } = outcome;
  return { ...outcome, exchanges, ...(messages === undefined ? {} : { messages: redactor.value(messages) }) };
}

/**
 * Of a run of inputs alone: every finding counts, also those that break no sentence. Where no message was ever accepted
 * nothing is proven by what was not found. `off`: why there was nothing to send them to. `minProof` 0: no accepted
 * message is asked for.
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
  // Limits that the user set are no early end.
  const isEarly = cut !== undefined && /^(interrupted|the agent)/.test(cut);
  const reasons = [
    ...(isUnaccepted ? [messages.why ?? 'no message was accepted'] : []),
    ...(findings.length === 0 ? [] : [plural(findings.length, 'finding')]),
    ...(unconfirmed === 0 ? [] : [`${plural(unconfirmed, 'finding')} not confirmed for want of time`]),
    ...(isKit || isEarly ? [`the campaign ended early: ${cut}`] : []),
  ];
  if (isKit) return gateOf(70, reasons);
  if (findings.length > 0) return gateOf(1, reasons);
  return gateOf(isEarly || isUnaccepted || unconfirmed > 0 ? 4 : 0, reasons);
}
