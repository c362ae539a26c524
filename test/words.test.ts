import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type AnyRule, storyOf } from '../src/kit/index.js';
import { clientRules } from '../suites/clients/index.js';
import { rules } from '../suites/index.js';
import { commentsOf, emptyNamesIn, forbiddenIn, literalsOf, wordsIn } from './words.js';

// One reading for each sentence: short titles, an agent, a client, the kit or a request as the subject, and no word that
// the glossary does not have.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Rooms whose texts for users keep to the words. A new room is added once its texts do. */
const rooms = [
  'suites',
  'packs',
  'fixtures',
  'reporters',
  'src/adapters',
  'src/attest',
  'src/binding',
  'src/cli',
  'src/client',
  'src/clients',
  'src/dialect',
  'src/document',
  'src/endpoint',
  'src/files',
  'src/fleet',
  'src/fuzz',
  'src/grpc',
  'src/isolation',
  'src/kit',
  'src/ledger',
  'src/model',
  'src/options',
  'src/pack',
  'src/proof',
  'src/reference',
  'src/report',
  'src/run',
  'src/sdks',
  'src/setup',
  'src/signing',
  'src/wire',
  'packs/x402/payments',
];

/** Folders within the rooms whose comments do not keep to the words yet. To become empty. */
const commentsLeft = [
  'packs/xpr',
  'src/dialect',
  'src/expect',
  'src/run/detection',
  'src/run/extensions',
  'src/run/judging',
];

/** Texts that may break a rule, with the reason. Empty, and to stay so. */
const exceptions: ReadonlySet<string> = new Set<string>();

const everyRule: readonly AnyRule[] = [...rules, ...clientRules];
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
  expect(found.filter((text) => !exceptions.has(text))).toEqual([]);
});

const sources = (room: string): readonly string[] =>
  readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

test.each(rooms)('reasons and problems written in %s have no forbidden word', (room) => {
  const files = sources(room);
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    literalsOf(readFileSync(file, 'utf8')).flatMap(({ line, text }) =>
      forbiddenIn(text) === undefined ? [] : [`${relative(root, file)}:${line}: ${text}`],
    ),
  );
  expect(found.filter((text) => !exceptions.has(text))).toEqual([]);
});

// `node scripts/sentences.js` writes them anew.
test('the sentence above each check of suites is that of its row', async () => {
  const script = join(root, 'scripts/sentences.js');
  const { staleFiles } = (await import(script)) as { staleFiles(write: boolean): readonly string[] };
  expect(staleFiles(false)).toEqual([]);
});

const isLeft = (file: string): boolean => commentsLeft.some((folder) => file.startsWith(`${folder}/`));

/** Also the tests, whose names of cases are read as often as any sentence. */
const commented = ['fixtures', 'packs', 'reporters', 'scripts', 'src', 'suites', 'test'];

test.each(commented)('comments in %s have no forbidden word', (room) => {
  const files = readdirSync(join(root, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
  expect(files.length).toBeGreaterThan(0);
  const found = files
    .filter((file) => !isLeft(file))
    .flatMap((file) =>
      commentsOf(readFileSync(join(root, file), 'utf8')).flatMap(({ line, text }) =>
        forbiddenIn(text) === undefined ? [] : [`${file}:${line}: ${text}`],
      ),
    );
  expect(found).toEqual([]);
});

/** Rooms whose names say what they hold. Left are suites, packs, fixtures, test, and the folders of `commentsLeft`. */
test.each(['reporters', 'src'])(
  'no variable, parameter or function in %s is named one, told, heard or ground',
  (room) => {
    const found = sources(room)
      .map((file) => relative(root, file))
      .filter((file) => !isLeft(file))
      .flatMap((file) =>
        emptyNamesIn(readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line}: ${text}`),
      );
    expect(found).toEqual([]);
  },
);

/** A remedy behind what was seen: "no task came; set behaviours.completed". */
const remedyLast = /; (?:set behaviours|raise --|give --|allow .* with --|run again)/;

test.each(rooms)('reasons written in %s say first what the user can do', (room) => {
  const found = sources(room).flatMap((file) =>
    literalsOf(readFileSync(file, 'utf8')).filter(({ text }) => remedyLast.test(text)),
  );
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

  test('reads the text of a template without its expressions, and no single words', () => {
    const source = `const a = 'one';\nconst b = \`x \${told} y \${'nobody here'}\`; // nothing here\n`;
    expect(literalsOf(source)).toEqual([
      { line: 2, text: 'x … y …' },
      { line: 2, text: 'nobody here' },
    ]);
  });
});
