import { styleText } from 'node:util';
import { gateWord, jsonText } from '../../../reporters/index.js';
import type { Change, Difference, Trend } from '../../report/index.js';
import { printable } from '../../wire/index.js';
import { type Terminal, wantsColour } from '../terminal.js';

const trends: readonly Trend[] = ['worse', 'better', 'other'];
const styles = { worse: 'red', better: 'green', other: 'dim' } as const satisfies Record<Trend, string>;
const words: Readonly<Record<Trend, string>> = { worse: 'WORSE', better: 'better', other: 'other' };

type Paint = (trend: Trend, text: string) => string;

const line = ({ id, level, before, after, trend, reason }: Change, paint: Paint): string => {
  const course = `${before ?? 'not run'} -> ${after ?? 'not run'}`;
  const head = `${paint(trend, words[trend].padEnd(7))} ${level.toUpperCase().padEnd(6)} ${printable(id)}: ${course}\n`;
  return reason === '' ? head : `${head}          ${printable(reason, 500)}\n`;
};

function text({ before, after, gate, changed, appeared, vanished }: Difference, paint: Paint): string {
  const all = [...changed, ...appeared, ...vanished];
  const sorted = trends.flatMap((trend) => all.filter((one) => one.trend === trend));
  const differs = (name: 'url' | 'profile' | 'kit') =>
    before[name] === after[name]
      ? []
      : [`${name}: ${printable(before[name], 200)} -> ${printable(after[name], 200)}\n`];
  const told = ({ gate: { exitCode } }: Difference['before']): string => `${gateWord({ exitCode })} (exit ${exitCode})`;
  const gates = `gate: ${told(before)} -> ${told(after)}`;
  const counts = trends.map((trend) => `${all.filter((one) => one.trend === trend).length} ${trend}`).join(', ');
  return [
    ...(['url', 'profile', 'kit'] as const).flatMap(differs),
    ...sorted.map((change) => line(change, paint)),
    `${gate === undefined ? gates : paint(gate, gates)}\n`,
    `${counts}; ${appeared.length} run now only, ${vanished.length} run before only\n`,
  ].join('');
}

/** Shows what changed from one stored run to the next. Returns 0 if nothing got worse, else 1. */
export async function diffCommand(
  files: readonly [string, string],
  { json = false }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { readStored } = await import('../stored-report.js');
  const [before, after] = [await readStored(files[0]), await readStored(files[1])];
  const { difference } = await import('../../report/index.js');
  const found = difference(before.report, after.report);
  const colour = wantsColour(terminal);
  const paint: Paint = (trend, told) => (colour ? styleText(styles[trend], told, { validateStream: false }) : told);
  terminal.out(json ? `${jsonText({ schema: 'a2a-tck-diff/1', ...found }, 2)}\n` : text(found, paint));
  return found.isWorse ? 1 : 0;
}
