import { runAgainst, type TargetOptions } from '../index.js';
import { TckError } from '../model/tck-error.js';
import type { Report, RunEvent } from '../run/index.js';
import { interruptible } from './interruption.js';
import { findBaseline, renewBaseline } from './known-failures.js';
import { publish } from './rendering.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

interface Occasion {
  /** Credentials in place of those of the settings. */
  readonly callers?: Pick<TargetOptions, 'headers' | 'query' | 'secondHeaders' | 'secondQuery' | 'xpr' | 'x402'>;
  readonly restart?: () => Promise<void>;
  /** Said first on the console. */
  readonly preface?: string;
}

/** Runs the suites on one agent, shows the run, and returns the exit code of the gate. */
export async function judge(
  url: string,
  settings: Settings,
  terminal: Terminal,
  { callers = {}, restart = settings.target.restart, preface = '' }: Occasion = {},
): Promise<number> {
  const baseline = findBaseline(settings);
  const publication = publish(settings.outputs, settings, terminal);
  if (settings.outputs.some(({ format, file }) => format === 'console' && file === undefined)) terminal.out(preface);
  return interruptible(terminal, async (signal) => {
    let report: Report;
    const onEvent = (event: RunEvent) => {
      // The end is told below, once the baseline is settled.
      if (event.type !== 'run.ended') publication.tell(event);
    };
    try {
      const judged = await runAgainst({
        ...settings.target,
        ...callers,
        ...(restart === undefined ? {} : { restart }),
        url,
        signal,
        onEvent,
        ...(baseline === undefined ? {} : { baseline }),
      });
      report = settings.updatesBaseline ? renewBaseline(judged, baseline, settings, terminal) : judged;
      publication.tell({ type: 'run.ended', report });
    } catch (error) {
      publication.discard();
      if (signal.aborted && error instanceof TckError)
        throw new TckError('unreachable', 'interrupted before an agent was found');
      throw error;
    }
    publication.done();
    return report.gate.exitCode;
  });
}
