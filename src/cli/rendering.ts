import { eventsOf, type ReportContext, reporters, type Sentence } from '../../reporters/index.js';
import { dialectById } from '../dialect/index.js';
import { loadLedger } from '../ledger/index.js';
import type { Report, RunEvent } from '../run/index.js';
import { findReporter, type Output, openFile, type Sink } from './output.js';
import { type Terminal, wantsColour, wantsLiveLine } from './terminal.js';

/** All outputs of a run. */
export interface Publication {
  tell(event: RunEvent): void;
  /** Puts the files in their places. Throws after the last one when one could not be written. */
  done(): void;
  /** There is nothing to show: no file is left behind. */
  discard(): void;
}

interface Manner {
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly badgeLink?: string;
  /** Where the files of findings are. */
  readonly findings?: string;
  readonly target?: { readonly x402?: unknown };
}

/** The rows of a profile by their ids: every format asks for each of them. */
const sentences = new Map<string, ReadonlyMap<string, Sentence>>();
function sentencesOf(profile: string): ReadonlyMap<string, Sentence> {
  const known = sentences.get(profile);
  if (known !== undefined) return known;
  const dialect = dialectById(profile);
  const ledgers = dialect === undefined ? [] : [loadLedger(dialect.ledger), loadLedger('x402')];
  const made = new Map(ledgers.flatMap(({ rows }) => rows.map((row) => [row.id, row] as const)));
  sentences.set(profile, made);
  return made;
}
const sentence: ReportContext['sentence'] = (profile, requirement) => sentencesOf(profile).get(requirement);

/** Opens every output, so that a file that cannot be written is told before anything is done. */
export function publish(
  outputs: readonly Output[],
  { verbose, strict, badgeLink, findings, target }: Manner,
  terminal: Terminal,
): Publication {
  const more = {
    ...(badgeLink === undefined ? {} : { badgeLink }),
    ...(findings === undefined ? {} : { findings }),
    ...(target?.x402 === undefined ? {} : { x402: true }),
  };
  const plain: ReportContext = { colour: false, live: false, verbose, strict, ...more, sentence };
  const onTerminal: ReportContext = {
    ...plain,
    colour: wantsColour(terminal),
    live: wantsLiveLine(terminal),
    ...(terminal.isTTY ? { columns: terminal.columns ?? 80 } : {}),
  };
  const sinks: Sink[] = [];
  const discard = () => {
    for (const sink of sinks) sink.discard();
  };
  try {
    for (const { format, file } of outputs) {
      const reporter = findReporter(reporters, format);
      if (file !== undefined) sinks.push({ rendering: reporter.begin({ ...plain, file }), ...openFile(file) });
      else sinks.push(stdoutSink(terminal, reporter.begin(onTerminal), format === 'console' && onTerminal.live));
    }
  } catch (error) {
    discard();
    throw error;
  }
  const failures = new Map<Sink, unknown>();
  /** What goes wrong with one output is told at the end, so that no other is lost by it. */
  function forEach(step: (sink: Sink) => void): void {
    for (const sink of sinks) {
      if (failures.has(sink)) continue;
      try {
        step(sink);
      } catch (error) {
        failures.set(sink, error);
      }
    }
  }
  return {
    tell: (event) =>
      forEach((sink) => {
        const text = sink.rendering.on(event);
        if (text !== '') sink.write(text);
      }),
    done() {
      forEach((sink) => sink.done());
      for (const error of failures.values()) throw error;
    },
    discard,
  };
}

const stdoutSink = (terminal: Terminal, rendering: Sink['rendering'], live: boolean): Sink => ({
  rendering,
  write: (text) => terminal.out(text),
  done: () => undefined,
  // The line that was written over and over would stand before the error.
  discard: () => terminal.out(live ? '\r\u001b[2K' : ''),
});

/** Shows a finished run. */
export function publishReport(report: Report, outputs: readonly Output[], manner: Manner, terminal: Terminal): void {
  // Nothing happens any more: a line that is written over would only flicker.
  const publication = publish(outputs, manner, { ...terminal, env: { ...terminal.env, CI: '1' } });
  for (const event of eventsOf(report)) publication.tell(event);
  publication.done();
}
