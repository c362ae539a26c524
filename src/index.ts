import type { FuzzTarget, TargetOptions } from './endpoint/index.js';
import { eventStream } from './event-stream.js';
import type { Report, RunEvent } from './report/index.js';

export * from '../packs/api.js';
export { type JsonReport, jsonReport } from '../reporters/json.js';
export type {
  DeviceRequest,
  FuzzTarget,
  OAuthTarget,
  TargetOptions,
  WebhookTarget,
} from './endpoint/index.js';
export type { Expectation, ExpectedAnswer } from './expect/index.js';
export type { Behaviour, Behaviours, Goal, Verdict } from './kit/index.js';
export type { Level } from './model/index.js';
export { TckError, type TckErrorCode } from './model/index.js';
export type {
  Baseline,
  BaselineEntry,
  CheckResult,
  Finding,
  FuzzSummary,
  Gate,
  PaymentReport,
  Report,
  RunEvent,
  Shard,
  Summary,
  Tally,
  TargetReport,
} from './report/index.js';
export type { Exchange, Header, Network } from './wire/index.js';

/**
 * Judges one agent over HTTP, in a thread of its own unless `isolate` is false. If data of the agent keeps that thread
 * busy forever, the kit ends the thread, and the report holds what is known, with exit code 70. Throws `TckError` when
 * the kit has nothing to judge: wrong options (`usage`, `config`), no answer (`unreachable`), no agent
 * (`not-an-agent`); `internal` if the thread was ended before an agent was found. Defects of the agent are in the
 * report, never thrown.
 */
export async function runAgainst(options: TargetOptions): Promise<Report> {
  const { checkOptions } = await import('./endpoint/options.js');
  checkOptions(options);
  const { runTarget } = await import('./isolation/index.js');
  return runTarget(options);
}

/**
 * Judges one agent and yields the events of the run. The last one, `run.ended`, has the report. Nothing is sent before
 * the first event is asked for. Leaving the loop ends the run. Throws what `runAgainst` throws.
 */
export const run = (options: Omit<TargetOptions, 'onEvent'>): AsyncIterable<RunEvent> =>
  eventStream((onEvent, signal) => runAgainst({ ...options, signal, onEvent }), options.signal);

/** Tries inputs on one agent in place of the checks. Throws as `runAgainst` does. */
export const fuzzAgainst = (
  options: Omit<TargetOptions, 'fuzz' | 'suites' | 'checks' | 'baseline'> & {
    readonly fuzz: Omit<FuzzTarget, 'alone'>;
  },
): Promise<Report> => runAgainst({ ...options, fuzz: { ...options.fuzz, alone: true } });
