import type { BundledTargets } from '../../packs/index.js';
import { plainPaymentsText } from '../../reporters/index.js';
import type { TargetOptions } from '../index.js';
import { runTarget } from '../isolation/index.js';
import { TckError } from '../model/tck-error.js';
import type { Finding, PaymentReport, Report, RunEvent } from '../report/index.js';
import { printable } from '../wire/index.js';
import { type Attesting, beginAttestation } from './attestation.js';
import { deviceAsker } from './device.js';
import { interruptible } from './interruption.js';
import { findBaseline, renewBaseline } from './known-failures.js';
import { type Publication, publish } from './rendering.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

interface RunOverrides {
  /** Credentials in place of those of the settings. */
  readonly callers?: Pick<TargetOptions, 'headers' | 'query' | 'secondHeaders' | 'secondQuery' | keyof BundledTargets>;
  readonly restart?: () => Promise<void>;
  readonly onFinding?: (finding: Finding) => void;
  /** Printed first on the console. */
  readonly preface?: string;
  /** Called with the report before it is shown. */
  readonly onReport?: (report: Report) => void;
}

function begin(settings: Settings, publication: Publication): Attesting | undefined {
  try {
    return beginAttestation(settings);
  } catch (error) {
    publication.discard();
    throw error;
  }
}

/** Runs the suites on one agent, shows the run, and returns the exit code of the gate. */
export async function runAndReport(
  url: string,
  settings: Settings,
  terminal: Terminal,
  { callers = {}, restart = settings.target.restart, preface = '', onFinding, onReport }: RunOverrides = {},
): Promise<number> {
  const baseline = findBaseline(settings);
  const publication = publish(settings.outputs, settings, terminal);
  const attestation = begin(settings, publication);
  if (settings.outputs.some(({ format, file }) => format === 'console' && file === undefined)) terminal.out(preface);
  let payments: readonly PaymentReport[] = [];
  const discard = (): void => {
    publication.discard();
    attestation?.discard();
  };
  const work = async (signal: AbortSignal): Promise<number> => {
    let report: Report;
    const onEvent = (event: RunEvent) => {
      if (event.type === 'finding') onFinding?.(event.finding);
      // `run.ended` is sent below, after the baseline is updated.
      if (event.type !== 'run.ended') publication.tell(event);
    };
    try {
      const judged = await runTarget({
        ...settings.target,
        ...callers,
        ...(restart === undefined ? {} : { restart }),
        url,
        signal,
        onEvent,
        onDevice: deviceAsker(terminal),
        onPayments: (list) => {
          payments = list;
        },
        ...(baseline === undefined ? {} : { baseline }),
      });
      report = settings.updatesBaseline ? renewBaseline(judged, baseline, settings, terminal) : judged;
      onReport?.(report);
      publication.tell({ type: 'run.ended', report });
    } catch (error) {
      discard();
      // No report will show them.
      terminal.err(plainPaymentsText(payments));
      if (signal.aborted && error instanceof TckError)
        throw new TckError('unreachable', 'interrupted before an agent was found');
      throw error;
    }
    let why: string | undefined;
    try {
      await publication.done();
    } finally {
      why = attestation?.attest(report);
    }
    if (why === undefined) return report.gate.exitCode;
    terminal.err(`a2a-tck: no signed result: ${printable(why)}\n`);
    return report.gate.exitCode === 0 ? 4 : report.gate.exitCode;
  };
  return interruptible(terminal, work, () => {
    // Signed payments can still be cashed, so they are printed before anything else.
    terminal.err(plainPaymentsText(payments));
    discard();
  });
}
