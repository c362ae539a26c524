import type { CheckResult } from '../../src/report/index.js';
import { printable } from '../../src/wire/index.js';
import type { ShownFinding } from '../findings.js';
import { paragraph } from '../markdown/text.js';
import type { ReportContext } from '../reporter.js';
import { sarifText } from './text.js';

const sarifLevels = { must: 'error', should: 'warning', may: 'note' } as const;

/** A weakness that breaks no sentence is a warning. */
export const levelOf = (level: CheckResult['level'] | undefined) =>
  level === undefined ? 'warning' : sarifLevels[level];

/** Where the sentences of a check are published: the first one counts. */
function helpUri(requirements: readonly string[], linkOf: Links): { readonly helpUri?: string } {
  const found = requirements.flatMap((id) => linkOf(id) ?? [])[0];
  return found === undefined ? {} : { helpUri: found };
}

type Links = (requirement: string) => string | undefined;
type Sentences = (requirement: string) => string;

export const sentencesOf =
  (context: ReportContext, profile: string): Sentences =>
  (requirement) => {
    const found = context.sentence(profile, requirement);
    return found === undefined ? requirement : `${requirement}, ${found.section}: ${found.statement}`;
  };

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Every check of the run is a rule, so that the file shows what was checked. */
export function checkRule(check: CheckResult, sentences: Sentences, linkOf: Links) {
  const { id, suite, title, level, requirements, advice } = check;
  const sentenceTexts = requirements.map(sentences);
  const full = sentenceTexts.length === 0 ? check.section : sentenceTexts.join(' ');
  const explained = `a2a-tck explain ${printable(id, 200)}`;
  const texts = [title, ...sentenceTexts, ...(advice === undefined ? [] : [advice])];
  return {
    id: printable(id),
    shortDescription: { text: sarifText(sentence(title), 1000) },
    fullDescription: { text: sarifText(full || title) },
    ...helpUri(requirements, linkOf),
    help: {
      text: sarifText([...texts.map(sentence), `More: ${explained}`].join(' '), 4000),
      markdown: [...texts.map((text) => paragraph(sentence(text))), `More: \`${explained.replaceAll('`', "'")}\``].join(
        '\n\n',
      ),
    },
    defaultConfiguration: { level: levelOf(level) },
    properties: { tags: ['a2a', printable(suite, 100), level], precision: 'very-high' },
  };
}

/** Findings of one oracle share a rule. */
export function findingRule({ oracle, level }: ShownFinding) {
  const name = printable(oracle, 200) || 'finding';
  return {
    id: `fuzz/${name}`,
    shortDescription: { text: sarifText(`Fuzzing: ${name}.`) },
    fullDescription: { text: sarifText(`A request of the fuzzer made the agent break what ${name} watches.`) },
    help: { text: sarifText('The script of the finding sends the requests again.') },
    defaultConfiguration: { level: levelOf(level) },
    properties: { tags: ['a2a', 'fuzz'], precision: 'high' },
  };
}
