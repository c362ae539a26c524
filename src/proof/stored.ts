import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readWithin } from '../files/index.js';

// What stands in a stored matrix. `matrix.ts` writes it and compares with it.

export interface Entry {
  readonly id: string;
  /** Written after the id. */
  readonly mark: string;
  readonly items: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** The titles of the sections. */
export const titles = {
  faults: 'Faults: the checks that fail on each',
  variants: 'Conforming variants: what fails on each',
  impostors: 'Impostors: what passes on each',
  laws: 'Laws: a change to a recorded answer by which each fails',
};
export const voidMark = ' (VOID)';

/** Bytes of a stored matrix. */
const longest = 16 * 1024 * 1024;

/** The file of a profile. */
export const fileOf = (folder: string, { profile }: { readonly profile: string }): string =>
  join(folder, `${profile}.txt`);

/** Parses a stored matrix. Unknown lines become entries of their own, and so differences. */
export function readMatrix(text: string): readonly Section[] {
  const [, ...parts] = text.split(/^## /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const entries: { id: string; mark: string; items: string[] }[] = [];
    for (const line of lines) {
      if (line === '') continue;
      if (line.startsWith('  - ')) {
        entries.at(-1)?.items.push(line.slice('  - '.length));
        continue;
      }
      const [, id = line, mark = '', item = ''] = /^(\S+?)( \(VOID\))?:(?: (?:none|(.+)))?$/.exec(line) ?? [];
      entries.push({ id, mark, items: item === '' ? [] : [item] });
    }
    return { title, entries };
  });
}

/** The text of a stored matrix. */
export const textIn = (file: string): string => readWithin(file, longest).toString('utf8');

/** The checks that fail on each fault, by the stored matrix of a profile; empty where there is none. */
export function readKills(folder: string, profile: string): ReadonlyMap<string, readonly string[]> {
  const file = fileOf(folder, { profile });
  if (!existsSync(file)) return new Map();
  const sections = readMatrix(textIn(file));
  const entries = sections.find(({ title }) => title === titles.faults)?.entries ?? [];
  return new Map(entries.map(({ id, items }) => [id, items]));
}

/** A change to a recorded answer of an agent by which a law fails. */
export interface LawProof {
  readonly law: string;
  /** `clean`, or the id of a variant. */
  readonly agent: string;
  /** The kind of answer, the place and the change: "get /result/id: missing". */
  readonly change: string;
}

/** The text that the store keeps behind the name of a law. */
export const writtenProof = ({ agent, change }: Omit<LawProof, 'law'>): string => `${agent}, ${change}`;

/** The changes by which laws fail, by the stored matrix of a profile; empty where there is none. */
export function readLawProofs(folder: string, profile: string): readonly LawProof[] {
  const file = fileOf(folder, { profile });
  if (!existsSync(file)) return [];
  const entries = readMatrix(textIn(file)).find(({ title }) => title === titles.laws)?.entries ?? [];
  return entries.flatMap(({ id, items: [item = ''] }) => {
    const [, agent, change] = /^([\w-]+), (.+)$/.exec(item) ?? [];
    return agent === undefined || change === undefined ? [] : [{ law: id, agent, change }];
  });
}

/** The name of a check that ran on an agent of the cast. */
export const pairOf = (check: string, agent: string): string => `${check} on ${agent}`;
