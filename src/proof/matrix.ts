import { existsSync } from 'node:fs';
import { writeWhole } from '../files/index.js';
import type { Proof } from './prove.js';
import {
  type Entry,
  fileOf,
  pairOf,
  readMatrix,
  type Section,
  textIn,
  titles,
  voidMark,
  writtenProof,
} from './stored.js';

// One kill per line, sorted, so that a change shows as exactly the lines that it changes.

const byId = (a: Entry, b: Entry): number => (a.id < b.id ? -1 : 1);

function section(title: string, entries: readonly (Omit<Entry, 'mark'> & { readonly mark?: string })[]): Section {
  const made = entries.map(({ id, mark = '', items }) => ({ id, mark, items: [...items].sort() }));
  return { title, entries: made.sort(byId) };
}

const sectionsOf = ({ faults, variants, impostors, laws }: Proof): readonly Section[] => [
  section(
    titles.faults,
    faults.map((fault) => ({ id: fault.id, mark: fault.void ? voidMark : '', items: fault.kills })),
  ),
  section(
    titles.variants,
    variants.map(({ id, fail }) => ({ id, items: fail })),
  ),
  section(
    titles.impostors,
    impostors.map(({ id, pass }) => ({ id, items: pass })),
  ),
  ...(laws.length === 0
    ? []
    : [
        section(
          titles.laws,
          laws.map((law) => ({ id: law.law, items: [writtenProof(law)] })),
        ),
      ]),
];

const entryText = ({ id, mark, items }: Entry): string =>
  items.length === 0 ? `${id}${mark}: none\n` : `${id}${mark}:\n${items.map((item) => `  - ${item}\n`).join('')}`;

const textOf = (profile: string, sections: readonly Section[]): string =>
  [
    `# Kill matrix of ${profile}. Made by npm run prove; every line is a measured verdict.\n`,
    ...sections.flatMap(({ title, entries }) => [
      `## ${title}\n`,
      ...(title === titles.laws
        ? [entries.map(({ id, items }) => `${id}: ${items[0]}\n`).join('')]
        : entries.map(entryText)),
    ]),
  ].join('\n');

/** The matrix as text. */
export const matrixText = (proof: Proof): string => textOf(proof.profile, sectionsOf(proof));

/** One line for each item, for people. */
const linesOf = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, entries }) =>
    entries.flatMap(({ id, mark, items }) =>
      (items.length === 0 ? ['none'] : items).map((item) => `${title}: ${id}${mark}: ${item}`),
    ),
  );

/**
 * The stored matrix with what a quick proof measured: pairs that it ran replace those that are stored, agents that it
 * skipped keep theirs, and agents that are gone lose theirs.
 */
function renewed({ pairs, ...proof }: Proof, stored: readonly Section[]): readonly Section[] {
  const kept = new Set(proof.skipped);
  const entriesIn = (sections: readonly Section[], title: string): readonly Entry[] =>
    sections.find((part) => part.title === title)?.entries ?? [];
  return Object.values(titles).flatMap((title) => {
    const old = entriesIn(stored, title);
    const oldOf = new Map(old.map((entry) => [entry.id, entry]));
    const now = entriesIn(sectionsOf(proof), title).map(({ id, mark, items }) => {
      const known = title === titles.laws ? undefined : oldOf.get(id);
      const unmeasured = known?.items.filter((check) => pairs?.has(pairOf(check, id)) !== true) ?? [];
      // A fault that shows nothing in some checks may show in those that did not run.
      return { id, mark: known?.mark === '' ? '' : mark, items: [...new Set([...unmeasured, ...items])] };
    });
    const measured = new Set(now.map(({ id }) => id));
    const others = old.filter(({ id }) => !measured.has(id) && (title === titles.laws || kept.has(id)));
    return title === titles.laws && now.length + others.length === 0 ? [] : [section(title, [...now, ...others])];
  });
}

/**
 * Writes `<folder>/<profile>.txt`. A quick proof writes what it measured, and leaves the other lines of the file.
 */
export function writeMatrix(proof: Proof, folder: string): void {
  const file = fileOf(folder, proof);
  const isPart = proof.pairs !== undefined && existsSync(file);
  const text = isPart ? textOf(proof.profile, renewed(proof, readMatrix(textIn(file)))) : matrixText(proof);
  writeWhole(file, text, { what: 'the matrix' });
}

/**
 * For a quick proof without the skipped agents: stored lines that were not measured, measured lines that are not
 * stored.
 */
function partly(proof: Proof, pairs: ReadonlySet<string>, stored: readonly Section[]): readonly (readonly string[])[] {
  const skipped = new Set(proof.skipped);
  const lines = (sections: readonly Section[], isTold: (check: string, agent: string) => boolean) =>
    sections.flatMap(({ title, entries }) =>
      entries
        .filter(({ id }) => !skipped.has(id))
        .flatMap(({ id, mark, items }) => [
          `${title}: ${id}${mark}`,
          ...items.filter((item) => isTold(item, id)).map((item) => `${title}: ${id}${mark}: ${item}`),
        ]),
    );
  const measured = lines(sectionsOf(proof), () => true);
  const isMeasured = new Set(measured);
  // A quick proof can miss only lines of pairs that it ran; the others need the whole proof. What it misses of the laws
  // is a problem of its own.
  const wanted = lines(
    stored.filter(({ title }) => title !== titles.laws),
    (check, agent) => pairs.has(pairOf(check, agent)),
  );
  const known = new Set(lines(stored, () => true));
  return [wanted.filter((line) => !isMeasured.has(line)), measured.filter((line) => !known.has(line))];
}

function wholly(proof: Proof, stored: readonly Section[]): readonly (readonly string[])[] {
  const lines = { stored: linesOf(stored), measured: linesOf(sectionsOf(proof)) };
  const [old, now] = [new Set(lines.stored), new Set(lines.measured)];
  return [lines.stored.filter((line) => !now.has(line)), lines.measured.filter((line) => !old.has(line))];
}

/** The first lines in which the stored matrix differs from this proof; empty when it does not. */
export function checkMatrix(proof: Proof, folder: string): readonly string[] {
  const file = fileOf(folder, proof);
  if (!existsSync(file)) return [`${file} does not exist; npm run prove writes it`];
  const text = textIn(file);
  if (proof.pairs === undefined && text === matrixText(proof)) return [];
  const [gone = [], come = []] =
    proof.pairs === undefined ? wholly(proof, readMatrix(text)) : partly(proof, proof.pairs, readMatrix(text));
  if (proof.pairs !== undefined && gone.length + come.length === 0) return [];
  return [
    `${file} differs from what was measured; npm run prove rewrites it`,
    ...gone.slice(0, 10).map((line) => `- ${line}`),
    ...come.slice(0, 10).map((line) => `+ ${line}`),
  ];
}
