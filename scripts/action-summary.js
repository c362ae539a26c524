// The last part of the step that action.yml runs: shows failures as annotations of the commit, and the report, or what
// the kit printed where it made none, as the summary of the job.
//   node scripts/action-summary.js <folder of the reports> <file with what was printed> <exit code>
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** GitHub shows ten of a kind for each step, and drops the rest without a word. */
const most = 10;
/** Of what was printed; a summary may have 1 MiB. */
const lastLines = 60;
const meanings = {
  2: 'wrong options or configuration',
  3: 'the agent was not reached, or is none',
  4: 'unproven',
  70: 'the kit failed',
};

/** Texts of the agent must not begin a command of their own, nor end the one that they are in. */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedTitle = (text) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function annotation(kind, { id, level, reason, advice }) {
  const title = escapedTitle(`${level.toUpperCase()} ${id}`);
  return `::${kind} title=${title}::${escaped(advice ? `${reason}\n${advice}` : reason)}\n`;
}

function annotations(checks) {
  const failed = checks.filter(({ verdict, baseline }) => verdict === 'fail' && baseline !== 'known');
  const kinds = [
    ['error', failed.filter(({ level }) => level === 'must')],
    ['warning', failed.filter(({ level }) => level === 'should')],
  ];
  return kinds
    .flatMap(([kind, some]) => {
      const shown = some.slice(0, some.length > most ? most - 1 : most);
      const left = some.length - shown.length;
      const rest = left === 0 ? [] : [`::${kind} title=a2a-tck::${left} more in the summary of the job\n`];
      return [...shown.map((item) => annotation(kind, item)), ...rest];
    })
    .join('');
}

/** Every line is indented: Markdown then shows it literally, whatever it says. */
function withoutReport(printed, code) {
  const lines = printed.trimEnd().split(/\r\n|\r|\n/);
  const shown = lines.slice(-lastLines).map((line) => `    ${line}`);
  return `### A2A conformance: no verdict\n\nExit code ${code}: ${meanings[code] ?? 'no report was written'}.\n\n${shown.join('\n')}\n`;
}

const [reports = '', log = '', code = ''] = process.argv.slice(2);
const document = join(reports, 'report.json');
const summary = join(reports, 'report.md');
if (existsSync(document)) process.stdout.write(annotations(JSON.parse(readFileSync(document, 'utf8')).checks));
const text = existsSync(summary) ? readFileSync(summary, 'utf8') : withoutReport(readFileSync(log, 'utf8'), code);
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, text);
if (!existsSync(document)) {
  process.stdout.write(`::error title=a2a-tck::exit code ${escaped(code)}, ${meanings[code] ?? 'no report'}\n`);
}
