import type { Report } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { duration, gateText, isFuzzOnly, latencyText, levels, tallied, tallyHeads } from '../wording.js';
import type { Paint } from './paint.js';

const styles = ['green', 'red', 'bold', 'yellow', 'dim', 'magenta'] as const;

const widthOf = (at: number): number => (tallyHeads[at]?.length ?? 0) + 3;

function table({ summary }: Report, paint: Paint): readonly string[] {
  const row = (level: Report['checks'][number]['level']) =>
    tallied.map((column, at) => {
      const count = summary[level][column];
      const style = column === 'fail' && level === 'should' ? 'yellow' : styles[at];
      const text = String(count).padStart(widthOf(at));
      return count === 0 ? paint('dim', text) : paint(style ?? 'dim', text);
    });
  return [
    paint('dim', `        ${tallyHeads.map((head, at) => head.padStart(widthOf(at))).join('')}`),
    ...levels.map((level) => `  ${level.toUpperCase().padEnd(6)}${row(level).join('')}`),
  ];
}

const gateStyles = {
  PASSED: 'green',
  'NOTHING FOUND': 'green',
  FAILED: 'red',
  UNPROVEN: 'yellow',
  'KIT ERROR': 'magenta',
} as const;

function verdict(report: Report, paint: Paint): string {
  const { word, why } = gateText(report);
  const exit = paint('dim', `exit ${report.gate.exitCode}`);
  return `${paint(['bold', gateStyles[word]], word)}  ${why === '' ? '' : `${printable(why)}, `}${exit}`;
}

/** The summary for a quick reader; the last line is the verdict. */
export function summaryText(report: Report, paint: Paint): string {
  if (isFuzzOnly(report)) return `${verdict(report, paint)}\n`;
  const { run, target } = report;
  const { shard } = run;
  const isClient = target.client !== undefined;
  const facts = [
    ...(shard === undefined ? [] : [`part ${shard.index} of ${shard.of} (a2a-tck merge judges the whole)`]),
    plural(run.requests, 'request'),
    ...(isClient ? [] : [plural(run.tasks, 'task')]),
    duration(run.durationMs),
    ...(isClient ? [] : [`seed ${run.seed}`]),
    `${printable(target.profile, 40)}${isClient ? '' : ` at ${printable(target.endpoint, 200)}`}`,
  ];
  const times = latencyText(report);
  return [
    ...table(report, paint),
    `  ${paint('dim', facts.join(', '))}`,
    ...(times === '' ? [] : [`  ${paint('dim', times)}`]),
    '',
    verdict(report, paint),
    '',
  ].join('\n');
}
