import { styleText } from 'node:util';
import { gateWord } from '../../reporters/index.js';
import type { Change, Difference, Slower, Trend } from '../report/index.js';
import { printable } from '../wire/index.js';

const trends: readonly Trend[] = ['worse', 'unshown', 'better', 'other'];
const styles = { worse: 'red', unshown: 'yellow', better: 'green', other: 'dim' } as const satisfies Record<
  Trend,
  string
>;
const words: Readonly<Record<Trend, string>> = { worse: 'WORSE', unshown: 'unshown', better: 'better', other: 'other' };

type Paint = (trend: Trend, text: string) => string;

const line = ({ id, level, before, after, trend, reason }: Change, paint: Paint): string => {
  const course = `${before ?? 'not run'} -> ${after ?? 'not run'}`;
  const head = `${paint(trend, words[trend].padEnd(7))} ${level.toUpperCase().padEnd(6)} ${printable(id)}: ${course}\n`;
  return reason === '' ? head : `${head}          ${printable(reason, 500)}\n`;
};

const slowerLine = ({ operation, binding, of, before, after }: Slower): string => {
  const course = (name: 'p50' | 'p95'): string =>
    `${name} ${Math.round(before[name])} -> ${Math.round(after[name])} ms`;
  const what = of === 'answer' ? operation : `${operation}, first event`;
  return `slower         ${printable(`${what} over ${binding}`, 200)}: ${course('p50')}, ${course('p95')}\n`;
};

/** What changed from one run to the next, for people. */
export function differenceText(
  { before, after, gate, changed, appeared, vanished, slower }: Difference,
  colour: boolean,
): string {
  const paint: Paint = (trend, text) => (colour ? styleText(styles[trend], text, { validateStream: false }) : text);
  const all = [...changed, ...appeared, ...vanished];
  const sorted = trends.flatMap((trend) => all.filter((change) => change.trend === trend));
  const differs = (name: 'url' | 'profile' | 'kit') =>
    before[name] === after[name]
      ? []
      : [`${name}: ${printable(before[name], 200)} -> ${printable(after[name], 200)}\n`];
  const gateText = ({ gate: { exitCode } }: Difference['before']): string =>
    `${gateWord({ exitCode })} (exit ${exitCode})`;
  const gates = `gate: ${gateText(before)} -> ${gateText(after)}`;
  const counted = (trend: Trend) => all.filter((change) => change.trend === trend).length;
  const unshown = counted('unshown');
  const counts = [
    `${counted('worse')} worse, ${counted('better')} better, ${counted('other')} other`,
    ...(unshown === 0 ? [] : [`${unshown} passed before and ${unshown === 1 ? 'is' : 'are'} not shown now`]),
  ].join('; ');
  return [
    ...(['url', 'profile', 'kit'] as const).flatMap(differs),
    ...sorted.map((change) => line(change, paint)),
    ...slower.map(slowerLine),
    `${gate === undefined ? gates : paint(gate, gates)}\n`,
    `${counts}; ${appeared.length} run now only, ${vanished.length} run before only\n`,
  ].join('');
}
