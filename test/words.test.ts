import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundledClientRules, bundledRules } from '../packs/rules.js';
import { type AnyRule, storyOf } from '../src/kit/index.js';
import { clientRules } from '../suites/clients/index.js';
import { rules } from '../suites/index.js';
import { caseNamesOf, commentsOf, emptyNamesIn, forbiddenIn, type Literal, literalsOf, wordsIn } from './words.js';

// One reading for each sentence: short titles, an agent, a client, the kit or a request as the subject, and no word that
// the glossary does not have.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Rooms with texts for users. */
const rooms = ['fixtures', 'packs', 'reporters', 'scripts', 'src', 'suites'];

/** Also the tests, whose comments and names are read as often as any. */
const allRooms = [...rooms, 'test'];

const filesIn = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const foundIn = (files: readonly string[], find: (source: string) => readonly Literal[]): readonly string[] =>
  files.flatMap((file) =>
    find(readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
  );

const isForbidden = ({ text }: Literal): boolean => forbiddenIn(text) !== undefined;

const everyRule: readonly AnyRule[] = [...rules, ...clientRules, ...bundledRules, ...bundledClientRules];
const titles = everyRule.map((rule) => ({ id: rule.id, title: storyOf(rule, 'must') }));

describe('titles of checks', () => {
  test('have at most 16 words on average', () => {
    const words = titles.reduce((sum, { title }) => sum + wordsIn(title), 0);
    expect(titles.length).toBeGreaterThan(1000);
    expect(words / titles.length).toBeLessThanOrEqual(16);
  });

  test('have at most 30 words each', () => {
    expect(titles.filter(({ title }) => wordsIn(title) > 30)).toEqual([]);
  });
});

/** What a report or `explain` shows of a rule. */
const shownOf = (rule: AnyRule): readonly string[] => [
  storyOf(rule, 'must'),
  ...(rule.advice === undefined ? [] : [rule.advice]),
  ...(rule.kind === 'law' ? [rule.otherwise] : []),
  ...(rule.kind === 'check' ? rule.givens.map(([, { about }]) => about) : []),
  ...(rule.kind === 'check' ? rule.controls.map(({ about }) => about) : []),
];

test('titles, advice, givens and controls of checks have no forbidden word', () => {
  const found = everyRule.flatMap((rule) =>
    shownOf(rule).flatMap((text) => (forbiddenIn(text) === undefined ? [] : [`${rule.id}: ${text}`])),
  );
  expect(found).toEqual([]);
});

const sources = (room: string): readonly string[] => filesIn(room).filter((file) => !file.endsWith('.test.ts'));

test.each(rooms)('reasons and problems written in %s have no forbidden word', (room) => {
  const files = sources(room);
  expect(files.length).toBeGreaterThan(0);
  const found = foundIn(files, (source) => literalsOf(source).filter(isForbidden));
  expect(found).toEqual([]);
});

const ledgers = readdirSync(join(root, 'schemas/requirements'));

test.each(ledgers)('sentences of %s have no forbidden word', (file) => {
  const lines = readFileSync(join(root, 'schemas/requirements', file), 'utf8').split('\n');
  const sentences = lines.filter((line) => line.trim().startsWith('statement: '));
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.filter((sentence) => forbiddenIn(sentence) !== undefined)).toEqual([]);
});

// `node scripts/sentences.js` writes them anew.
test('the sentence above each check of suites is that of its row', async () => {
  const script = join(root, 'scripts/sentences.js');
  const { staleFiles } = (await import(script)) as { staleFiles(write: boolean): readonly string[] };
  expect(staleFiles(false)).toEqual([]);
});

test.each(allRooms)('comments in %s have no forbidden word', (room) => {
  expect(foundIn(filesIn(room), (source) => commentsOf(source).filter(isForbidden))).toEqual([]);
});

test.each(allRooms)('variables, parameters and functions in %s have names that say what they hold', (room) => {
  expect(foundIn(filesIn(room), emptyNamesIn)).toEqual([]);
});

test.each(allRooms)('names of cases in %s have no forbidden word', (room) => {
  const files = filesIn(room).filter((file) => file.endsWith('.test.ts'));
  expect(foundIn(files, (source) => caseNamesOf(source).filter(isForbidden))).toEqual([]);
});

/** A remedy behind what was seen: "no task came; set behaviours.completed". */
const remedyLast = /; (?:set behaviours|raise --|give --|allow .* with --|run again)/;

test.each(rooms)('reasons written in %s say first what the user can do', (room) => {
  const found = foundIn(sources(room), (source) => literalsOf(source).filter(({ text }) => remedyLast.test(text)));
  expect(found).toEqual([]);
});

describe('the lint of words', () => {
  test.each([
    ['nobody answers', 'nobody'],
    ['the body is no text', 'is no'],
    ['the card is no longer there', undefined],
    ['an account lets it in', 'lets it in'],
    ['the client let in', 'let in'],
    ['the agent must find the task as soon as it is at work', undefined],
    ['it stays as it is', 'as it is'],
    ['POST /told/<scenario>', undefined],
    ['the client is told', 'told'],
  ])('finds in "%s" %s', (text, word) => {
    expect(forbiddenIn(text)).toBe(word);
  });

  test('finds the names that are chosen where they stand', () => {
    const source = 'const [one, { told }] = f(({ a: heard, ...ground }, one) => g);\nfunction told(two) {}\n';
    expect(emptyNamesIn(source).map(({ line, text }) => [line, text])).toEqual([
      [1, 'one'],
      [1, 'heard'],
      [1, 'ground'],
      [1, 'one'],
      [2, 'told'],
    ]);
  });

  test('reads the names of cases, also those of rows', () => {
    const source = "describe('a', () => {\n  test.each(['x'])('b %s', () => run('c'));\n});\n";
    expect(caseNamesOf(source)).toEqual([
      { line: 1, text: 'a' },
      { line: 2, text: 'b %s' },
    ]);
  });

  test('reads the text of a template without its expressions, and no single words', () => {
    const source = `const a = 'one';\nconst b = \`x \${told} y \${'nobody here'}\`; // nothing here\n`;
    expect(literalsOf(source)).toEqual([
      { line: 2, text: 'x … y …' },
      { line: 2, text: 'nobody here' },
    ]);
  });
});
