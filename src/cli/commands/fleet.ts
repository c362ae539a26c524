import { join } from 'node:path';
import {
  badgeState,
  badgeSvg,
  jsonText,
  plainPaymentsText,
  unjudgedBadge,
  unjudgedJunit,
} from '../../../reporters/index.js';
import { readIdentity } from '../../endpoint/identity.js';
import { openFile, writeWhole } from '../../files/index.js';
import {
  counted,
  type Fleet,
  type FleetEntry,
  fileName,
  fleetMarkdown,
  fleetPage,
  fleetSchema,
  pooled,
  wordFor,
  worstExit,
} from '../../fleet/index.js';
import { runTarget } from '../../isolation/index.js';
import { withoutKeys } from '../../model/without-keys.js';
import type { PaymentReport, Report } from '../../report/index.js';
import { createRedactor, ending, printable } from '../../wire/index.js';
import { describeFailure } from '../failure.js';
import { type FleetTarget, readFleet } from '../fleet-targets.js';
import { interruptible } from '../interruption.js';
import { findBaseline } from '../known-failures.js';
import { publishReport } from '../rendering.js';
import type { Terminal } from '../terminal.js';

export interface FleetArguments {
  readonly out: string;
  /** Agents at a time. */
  readonly workers?: number;
  /** Its name before. */
  readonly concurrency?: number;
  /** Seconds for one agent. */
  readonly limit?: number;
}

type Files = Required<Pick<FleetEntry, 'report' | 'page' | 'junit' | 'badge'>>;

function entryOf({ name }: FleetTarget, report: Report, files: Files): FleetEntry {
  const { target, gate, summary } = report;
  const agent = [target.agent.name, target.agent.version].filter((text) => text !== undefined).join(' ');
  return {
    name,
    url: target.url,
    exitCode: gate.exitCode,
    reasons: gate.reasons,
    profile: target.profile,
    agent,
    must: summary.must,
    percent: badgeState(report).percent,
    ...files,
  };
}

/**
 * Judges many agents, `workers` at a time. A failure with one agent is in its own entry and does not stop the
 * others. All that have a wallet spend from one total. Returns the worst exit code of all.
 */
export async function fleetCommand(
  file: string,
  { out, concurrency = 4, workers = concurrency, limit = 600 }: FleetArguments,
  terminal: Terminal,
): Promise<number> {
  const { targets, spending } = await readFleet(file, terminal.env);
  const baselines = targets.map(({ settings }) => findBaseline(settings));
  // Throws before anything is sent if the folder cannot be written.
  openFile(join(out, 'index.json')).discard();
  const startedAt = new Date().toISOString();
  const payments = new Map<string, readonly PaymentReport[]>();
  const judgeAll = (interrupt: AbortSignal): Promise<readonly FleetEntry[]> =>
    pooled(targets, workers, async (target, at) => {
      const { name, url, settings } = target;
      const shown = createRedactor([]).url(url);
      const baseline = baselines[at];
      const { signal, release } = ending(interrupt, limit * 1000);
      const base = fileName(name, at, targets.length);
      const files: Files = {
        report: `${base}.json`,
        page: `${base}.html`,
        junit: `${base}.xml`,
        badge: `${base}.svg`,
      };
      let entry: FleetEntry;
      try {
        interrupt.throwIfAborted();
        const report = await runTarget({
          // Fewer checks in flight than in a single run: several agents answer at once, each with any amount of data.
          concurrency: 4,
          ...settings.target,
          url,
          signal,
          onPayments: (list) => void payments.set(name, list),
          ...(baseline === undefined ? {} : { baseline }),
        });
        const outputs = [
          { format: 'json', file: join(out, files.report) },
          { format: 'html', file: join(out, files.page) },
          { format: 'junit', file: join(out, files.junit) },
          { format: 'badge', file: join(out, files.badge) },
        ] as const;
        await publishReport(report, outputs, settings, terminal);
        entry = entryOf(target, report, files);
      } catch (error) {
        // No report shows them.
        terminal.err(plainPaymentsText(payments.get(name) ?? []));
        const { exitCode, message } = describeFailure(error);
        const late = signal.aborted ? `not judged within ${limit} s` : withoutKeys(message);
        const code = interrupt.aborted ? 4 : exitCode;
        const why = interrupt.aborted ? 'interrupted before it was judged' : late;
        const reasons = [why];
        try {
          // Those of an earlier run would say that all is well.
          writeWhole(join(out, files.junit), unjudgedJunit(name, `${wordFor(code)}: ${why}`, startedAt));
          const state = unjudgedBadge(readIdentity(), `not judged: ${wordFor(code)}`, startedAt);
          writeWhole(join(out, files.badge), badgeSvg(state, undefined));
        } catch (defect) {
          reasons.push(describeFailure(defect).message);
        }
        entry = { name, url: shown, exitCode: code, reasons, junit: files.junit, badge: files.badge };
      } finally {
        release();
      }
      terminal.out(`${line(entry)}\n`);
      return entry;
    });
  const entries = await interruptible(terminal, judgeAll, () => {
    // Signed payments can still be cashed.
    terminal.err(plainPaymentsText([...payments.values()].flat()));
  });
  const exitCode = worstExit(entries.map((entry) => entry.exitCode));
  const fleet: Fleet = { schema: fleetSchema, kit: readIdentity(), startedAt, exitCode, targets: entries };
  writeWhole(join(out, 'index.json'), `${jsonText(fleet, 2)}\n`);
  writeWhole(join(out, 'index.html'), fleetPage(fleet));
  writeWhole(join(out, 'index.md'), fleetMarkdown(fleet));
  if (spending !== undefined) {
    terminal.out(`\nall agents together: payments of ${spending.spent()} atomic units, of at most ${spending.total}\n`);
  }
  terminal.out(`\n${counted(fleet)}, exit ${exitCode}; ${join(out, 'index.html')}\n`);
  return exitCode;
}

function line({ name, exitCode, reasons, profile, percent }: FleetEntry): string {
  const proven = percent === undefined ? '' : ` ${profile}, ${percent}% of MUST shown`;
  const why = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`;
  return printable(`${wordFor(exitCode).padEnd(17)} ${name}${proven}${why}`, 300);
}
