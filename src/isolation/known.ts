import {
  type CheckResult,
  type Finding,
  gateOf,
  type PaymentReport,
  type Report,
  type RunEvent,
  tally,
} from '../report/index.js';
import { createTape } from '../wire/index.js';
import type { FromRun } from './messages.js';

/** Collects what a run has reported so far: enough for a report when the run cannot make one. */
export interface Known {
  hear(message: FromRun): void;
  /** The report of a run that was ended from outside; undefined if no agent was found before. */
  report(why: string, durationMs: number): Report | undefined;
  /** The results without a `check.judged` event so far, in the order of the plan. */
  unreported(): readonly CheckResult[];
}

export function createKnown(): Known {
  let started: Extract<RunEvent, { type: 'run.started' }> | undefined;
  let detected: Extract<RunEvent, { type: 'target.detected' }> | undefined;
  const results = new Map<string, CheckResult>();
  const reportedIds = new Set<string>();
  const findings: Finding[] = [];
  // Bounded, like the tape of the run.
  const tape = createTape();
  let fuzzed: Extract<RunEvent, { type: 'fuzz.progress' }> | undefined;
  let paid: readonly PaymentReport[] | undefined;

  function hearEvent(event: RunEvent): void {
    if (event.type === 'run.started') started = event;
    else if (event.type === 'target.detected') detected = event;
    else if (event.type === 'exchange') tape.add(event.exchange);
    else if (event.type === 'finding') findings.push(event.finding);
    else if (event.type === 'fuzz.progress') fuzzed = event;
    else if (event.type === 'check.judged') {
      results.set(event.result.id, event.result);
      reportedIds.add(event.result.id);
    }
  }

  return {
    hear(message) {
      if (message.type === 'event') hearEvent(message.event);
      else if (message.type === 'planned') for (const result of message.results) results.set(result.id, result);
      else if (message.type === 'settled') results.set(message.result.id, message.result);
      else if (message.type === 'payments') paid = message.list;
    },
    unreported: () => [...results.values()].filter(({ id }) => !reportedIds.has(id)),
    report(why, durationMs) {
      if (started === undefined || detected === undefined) return undefined;
      const checks = [...results.values()];
      const { exchanges } = tape;
      const sent = exchanges.filter((exchange) => exchange.toWebhook !== true);
      return {
        kit: started.kit,
        target: detected.target,
        run: {
          startedAt: started.at,
          durationMs,
          seed: started.seed,
          requests: Math.max(sent.length, fuzzed?.requests ?? 0),
          tasks: sent.filter(({ call }) => call?.operation === 'send' || call?.operation === 'stream').length,
          cut: why,
        },
        gate: gateOf(70, [why]),
        summary: tally(checks),
        checks,
        findings,
        ...(paid === undefined ? {} : { payments: paid }),
        exchanges,
      };
    },
  };
}
