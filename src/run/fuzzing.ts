import { type Exchange, plural } from '../wire/index.js';
import type { FuzzOutcome, FuzzPhase, FuzzStage } from './fuzz-phase.js';
import type { CheckResult, Finding, Gate, RunEvent } from './result.js';

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
  readonly restart: FuzzStage['restart'];
  publish(event: RunEvent): void;
}

/** What nobody asked for may cost so much. */
const usualRequests = 250;

const remaining = (budget: number | undefined, used: number): number | undefined =>
  budget === undefined ? undefined : Math.max(0, budget - used);

/** Runs the campaign on the agent as the run has found it. `undefined`: there is none. */
export async function fuzz(ground: FuzzGround): Promise<FuzzOutcome | undefined> {
  const { fuzz: chosen, used, publish, restart, requestBudget, taskBudget, ...rest } = ground;
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
    ...(restart === undefined ? {} : { restart }),
    onProgress: (cases, sent, findings) => publish({ type: 'fuzz.progress', cases, requests: sent, findings }),
    onFinding: (finding) => publish({ type: 'finding', finding }),
  });
  const exchanges = outcome.exchanges.map((exchange): Exchange => redactor.redactExchange(exchange));
  for (const exchange of exchanges) publish({ type: 'exchange', exchange });
  return { ...outcome, exchanges };
}

/** It came again each time, and nobody has put up with it: only such a one fails a gate. */
export const isSteady = ({ confirmed: { times, of }, baseline }: Pick<Finding, 'confirmed' | 'baseline'>): boolean =>
  of > 0 && times === of && baseline !== 'known';

/** It is steady, and breaks a sentence of this level. */
export const breaks = (finding: Finding, wanted: CheckResult['level']): boolean =>
  finding.level === wanted && isSteady(finding);

/** Of a run of inputs alone: every finding counts, also those that break no sentence. */
export function judgeFuzzGate(outcome: FuzzOutcome | undefined): Gate {
  const { findings = [], summary } = outcome ?? {};
  const cut = outcome === undefined ? 'interrupted' : summary?.cut;
  const isKit = cut?.startsWith('the kit itself failed') === true;
  // Limits that the user set are no early end.
  const isEarly = cut !== undefined && /^(interrupted|the agent)/.test(cut);
  const reasons = [
    ...(findings.length === 0 ? [] : [plural(findings.length, 'finding')]),
    ...(isKit || isEarly ? [`the campaign ended early: ${cut}`] : []),
  ];
  if (isKit) return { passed: false, exitCode: 70, reasons };
  if (findings.length > 0) return { passed: false, exitCode: 1, reasons };
  return isEarly ? { passed: false, exitCode: 4, reasons } : { passed: true, exitCode: 0, reasons };
}
