import type { Level } from '../../model/index.js';
import type { Check } from './check.js';
import type { ClientCheck } from './client-rule.js';
import type { Law } from './law.js';

/** A check or a law; each has a verdict. */
export type Rule = Check | Law;

/** Those of agents and those of clients. */
export type AnyRule = Rule | ClientCheck;

/** "a, b and c". */
const all = (texts: readonly string[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter(Boolean).join(' and ');

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The expectation, as it reads after "the agent must"; of a law, after "<subject> must". */
export function expectationOf(rule: AnyRule): string {
  return rule.kind !== 'check' ? rule.about : all(rule.expectations.map((expectation) => expectation.about));
}

/** The subject of the laws of a suite, if it is not every answer, and if they name no other. */
const subjects: Readonly<Record<string, string>> = { card: 'the card', signature: 'the card', stream: 'every stream' };

/** Who or what must do what is expected. */
export function subjectOf(rule: AnyRule): string {
  if (rule.kind === 'client') return 'the client';
  if (rule.kind === 'check') return 'the agent';
  return rule.subject ?? subjects[suiteOf(rule)] ?? 'every answer';
}

/**
 * The title: the rule alone, built from the story, so that it is not written twice. What is given and the controls are
 * how the kit shows it; `explain` lists them.
 */
export function storyOf(rule: AnyRule, level: Level): string {
  const expected = `${subjectOf(rule)} ${level} ${expectationOf(rule)}`;
  if (rule.kind !== 'check') return sentence(expected);
  return `When ${rule.when.about}, ${expected}`;
}

export const suiteOf = (rule: AnyRule): string => rule.id.slice(0, rule.id.indexOf('/'));

/** Rules and those of a pack: each of these behind the last one of its suite, or at the end. Rules that are there already stay. */
export function joinedRules(rules: readonly Rule[], more: readonly Rule[]): readonly Rule[] {
  const known = new Set(rules.map(({ id }) => id));
  const joined = [...rules];
  for (const rule of more) {
    if (known.has(rule.id)) continue;
    const last = joined.findLastIndex((placed) => suiteOf(placed) === suiteOf(rule));
    joined.splice(last < 0 ? joined.length : last + 1, 0, rule);
  }
  return joined;
}
