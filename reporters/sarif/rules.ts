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

/** URLs of specifications, by the beginning of the ids of their requirements. */
const documents: Readonly<Record<string, string>> = {
  A2A10: 'https://a2a-protocol.org/v1.0.0/specification',
  A2A03: 'https://a2a-protocol.org/v0.3.0/specification',
  A2A02: 'https://a2a-protocol.org/v0.2.6/specification',
};

function helpUri(requirements: readonly string[]): { readonly helpUri?: string } {
  const found = requirements.flatMap((id) => documents[id.split('-')[0] ?? ''] ?? [])[0];
  return found === undefined ? {} : { helpUri: found };
}

type Sentences = (requirement: string) => string;

export const sentencesOf =
  (context: ReportContext, profile: string): Sentences =>
  (requirement) => {
    const found = context.sentence(profile, requirement);
    return found === undefined ? requirement : `${requirement}, ${found.section}: ${found.statement}`;
  };

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Every check of the run is a rule, so that the file shows what was checked. */
export function checkRule(check: CheckResult, sentences: Sentences) {
  const { id, suite, title, level, requirements, advice } = check;
  const told = requirements.map(sentences);
  const full = told.length === 0 ? check.section : told.join(' ');
  const explained = `a2a-tck explain ${printable(id, 200)}`;
  const texts = [title, ...told, ...(advice === undefined ? [] : [advice])];
  return {
    id: printable(id),
    shortDescription: { text: sarifText(sentence(title), 1000) },
    fullDescription: { text: sarifText(full || title) },
    ...helpUri(requirements),
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
