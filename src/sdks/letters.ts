import type { CheckResult } from '../report/index.js';
import { printable } from '../wire/index.js';
import { type Outcome, resultsOf } from './judge.js';
import { idsOf, nameOf } from './manifest.js';

/** A draft of a report to the authors of a package. */
export interface Letter {
  /** The name of its file. */
  readonly name: string;
  readonly text: string;
}

/** The agent stands at another place each time, and a build in a folder of the machine. */
const placed = (text: string): string =>
  text
    .replace(/127\.0\.0\.1:\d+/g, '$AGENT')
    .replace(/(?:\/|[A-Z]:)[^\s'"]*[/\\]builds[/\\][a-z]+-[0-9a-f]{16}(?=[/\\])/g, '$BUILD');

function letter(
  outcome: Outcome,
  result: CheckResult,
  sentence: string,
  wire: string,
  why: string | undefined,
): string {
  const { manifest } = outcome.target;
  const texts = [...(result.reason === result.actual ? [] : [result.reason]), ...(why === undefined ? [] : [why])];
  const lines = [
    `# ${nameOf(manifest)}: ${wire}`,
    '',
    `Draft, found with a2a-tck ${outcome.run?.reports[0]?.kit.version ?? ''}, check \`${result.id}\` (${result.level.toUpperCase()}).`,
    '',
    `**What the specification says.** ${sentence}`,
    '',
    manifest.role === 'client'
      ? '**What is run.** `BUILD` is the folder of the program that calls.'
      : '**What is sent.** `AGENT` is the address of the agent.',
    '',
    `    ${placed(printable(result.curl ?? 'see the exchange in the report', 3000))}`,
    '',
    '**What comes.**',
    '',
    ...(result.actual === '' ? [] : [`    ${placed(printable(result.actual, 1200))}`, '']),
    ...texts.flatMap((text) => [`${placed(printable(text, 600)).replace(/\.$/, '')}.`, '']),
    `**What is due.** ${result.title}.${result.advice === undefined ? '' : ` ${result.advice}`}`,
    '',
  ];
  return lines.join('\n');
}

/** Reports of the failures that are marked as worth telling, as they were seen in this run. */
export function lettersOf(outcome: Outcome): readonly Letter[] {
  if (outcome.run === undefined) return [];
  const results = new Map(resultsOf(outcome.run).map((result) => [result.id, result]));
  return outcome.target.expected.failures.flatMap((entry) => {
    if (entry.tell !== true) return [];
    const [id = ''] = idsOf(entry, outcome.target.manifest.profiles);
    const result = results.get(id);
    if (result?.verdict !== 'fail') return [];
    const name = `${entry.check.replace('/', '-')}.md`;
    return [{ name, text: letter(outcome, result, entry.sentence, entry.wire, entry.why) }];
  });
}
