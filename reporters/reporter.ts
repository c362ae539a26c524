import type { Report, RunEvent } from '../src/report/index.js';
import type { ReportFormat } from './formats.js';

export type { ReportFormat } from './formats.js';

/** A shell for which the line of a request is written in another way. */
export type Shell = 'powershell';

/** The sentence of a specification behind a check. */
export interface Sentence {
  readonly section: string;
  readonly statement: string;
  /** Where it is published; left out for documents without a public page. */
  readonly url?: string;
}

/** Everything beside the run that a format may depend on. */
export interface ReportContext {
  /** Escape sequences for colours are allowed. */
  readonly colour: boolean;
  /** A line that is rewritten in place is allowed: stdout is a terminal, and not in CI. */
  readonly live: boolean;
  /** Width to which prose is wrapped; undefined: not at all. */
  readonly columns?: number;
  /** Every check, every reason. */
  readonly verbose: boolean;
  /** A failed SHOULD counts as a failure. */
  readonly strict: boolean;
  /** Name of the file that is written; undefined: stdout. */
  readonly file?: string;
  /** The link of a badge, an https URL. */
  readonly badgeLink?: string;
  /** The folder with a case and a script for each finding; undefined: there is none. */
  readonly findings?: string;
  /** For which shell commands are; undefined: a POSIX shell. */
  readonly shell?: Shell;
  /** Options that a replay of a finding needs too; left out: none. */
  readonly replayOptions?: readonly string[];
  /** The row of a profile's ledger; undefined when there is none. */
  sentence(profile: string, requirement: string): Sentence | undefined;
}

/** A format that renders one run: it turns each event into text to append. */
export interface Rendering {
  /** The text that this event adds, in one piece or in several; empty for none. */
  on(event: RunEvent): string | Iterable<string>;
}

export interface Reporter {
  readonly id: ReportFormat;
  /** For whom it is, as docs/reports.md says it, in Markdown. */
  readonly readers: string;
  begin(context: ReportContext): Rendering;
}

/** A format that is written at the end, from the finished run. */
export const fromReport = (
  write: (report: Report, context: ReportContext) => string | Iterable<string>,
): Reporter['begin'] => {
  return (context) => ({ on: (event) => (event.type === 'run.ended' ? write(event.report, context) : '') });
};

/** The events of a stored run, for the formats that read events. */
export function eventsOf(report: Report): readonly RunEvent[] {
  const { kit, run, target, checks, exchanges, findings } = report;
  return [
    { type: 'run.started', at: run.startedAt, seed: run.seed, url: target.url, kit },
    { type: 'target.detected', target, checks: checks.length },
    ...exchanges.map((exchange): RunEvent => ({ type: 'exchange', exchange })),
    ...checks.map((result): RunEvent => ({ type: 'check.judged', result })),
    ...findings.map((finding): RunEvent => ({ type: 'finding', finding })),
    { type: 'run.ended', report },
  ];
}
