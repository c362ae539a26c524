import type { Report } from '../../src/report/index.js';
import { plural, printable, wrap } from '../../src/wire/index.js';
import { causesOf } from '../groups.js';
import type { ReportContext } from '../reporter.js';
import { effectsOf } from '../wording.js';
import { commandText } from './command.js';
import type { Paint } from './paint.js';

const labelWidth = 11;
const mostCauses = 12;
/** Without --verbose. */
const mostOnScreen = 4;

/** The causes, each once, before the checks that fail by them, or could not be judged because of them. */
export function causesText(report: Report, context: ReportContext, paint: Paint): string {
  const causes = causesOf(report);
  const indent = 2 + labelWidth;
  const flow = (text: string) => wrap(printable(text, 600), indent, context.columns);
  const line = (name: string, text: string) => `  ${paint('dim', name.padEnd(labelWidth))}${text}\n`;
  const blocks = causes.slice(0, context.verbose ? mostCauses : mostOnScreen).map((cause) => {
    const { fact, advice, curl } = cause;
    const head = `${paint(['bold', 'yellow'], 'CAUSE')} ${wrap(printable(fact, 600), 6, context.columns)}\n`;
    const effects = effectsOf(cause).map(([name, text]) => line(name.toLowerCase(), text));
    const command = curl === undefined ? '' : line('reproduce', commandText(curl, 'it is in the JSON report', context));
    return `${head}${effects.join('')}${command}${advice === '' ? '' : line('fix', flow(advice))}`;
  });
  const rest = causes.length - blocks.length;
  return [...blocks, ...(rest > 0 ? [`and ${plural(rest, 'more cause')}, in the JSON report\n`] : [])].join('\n');
}
