import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { reviewed } from './reviewed-expressions.js';

// Regular expressions meet what the agent sends, and the engine backtracks. One that repeats something once, from its
// beginning or up to its end, takes linear time; all others are in a table of those that a person has reviewed.

const root = join(import.meta.dirname, '..');
/** All that reads what the agent sends. */
const rooms = [
  'suites',
  'packs',
  'reporters',
  ...['model', 'wire', 'dialect', 'signing', 'ledger', 'client', 'kit', 'run', 'fuzz', 'attest', 'fleet'].map(
    (room) => `src/${room}`,
  ),
];

const files = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    // Faults, and the reference agent of a pack, read what the kit sends.
    .filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(^|\/)faults\/|^[^/]+\/agent\//.test(name),
    )
    .map((name) => join(root, room, name)),
);

interface Expression {
  readonly pattern: string;
  readonly flags: string;
}

/**
 * Whether a line has something that repeats between two slashes, or a file makes an expression of texts. Only there is one
 * that is not plain, and parsing takes long.
 */
const mayHaveSome = (text: string): boolean =>
  text.includes('new RegExp') ||
  text.split('\n').some((line) => /\/.*(?:[*+]|\{\d+,\}).*\//.test(line.replace(/\/\*.*?\*\//, '')));

/** The literals in a file, and where one is made of texts. */
function expressionsIn(file: string): readonly Expression[] {
  const found: Expression[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const inner of node) look(inner);
      return;
    }
    const { type, regex, callee } = node as Record<string, unknown>;
    if (type === 'Literal' && regex !== undefined) found.push(regex as Expression);
    if (type === 'NewExpression' && (callee as { readonly name?: string }).name === 'RegExp') {
      found.push({ pattern: 'new RegExp', flags: '' });
    }
    for (const inner of Object.values(node)) look(inner);
  };
  const text = readFileSync(file, 'utf8');
  if (mayHaveSome(text)) look(parseAst(text, { lang: 'ts' }));
  return found;
}

/** Outside of groups. */
function isChoice(plain: string): boolean {
  const outer = plain.replace(/\([^()]*\)/g, 'g');
  return outer === plain ? plain.includes('|') : isChoice(outer);
}

/**
 * It repeats without a bound one time at most, no group, and either begins at the beginning or ends with that: whatever it
 * meets, no place of the text is read more than twice.
 */
function isPlain({ pattern, flags }: Expression): boolean {
  if (pattern === 'new RegExp') return false;
  const plain = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'c');
  const repeats = [...plain.matchAll(/(?<!\()(?:[*+]|\{\d+,\})/g)];
  const [only] = repeats;
  if (only === undefined) return true;
  const behind = plain.slice(only.index + only[0].length).replace(/^[?)]+/, '');
  return (
    repeats.length === 1 &&
    plain[only.index - 1] !== ')' &&
    // With the flag `m` each line has a beginning.
    ((pattern.startsWith('^') && !flags.includes('m') && !isChoice(plain)) || behind === '')
  );
}

test.each<[pattern: string, expected: boolean, flags?: string]>([
  ['^[a-z]+:', true],
  ['^\\s+:', false, 'gm'],
  ['[a-z]+', true],
  ['x{2,5}y', true],
  ['/+$', false],
  ['^(a+)+', false],
  ['^(?:ab)*c', false],
  ['^a*a*b', false],
  ['^a|b+c', false],
])('%s is plain: %s', (pattern, expected, flags = '') => {
  expect(isPlain({ pattern, flags })).toBe(expected);
});

test('every expression that is not plain was reviewed, and every one that was reviewed is there', () => {
  const found = files.flatMap((file) => {
    const name = relative(root, file).replaceAll('\\', '/');
    return expressionsIn(file).flatMap((expression) => (isPlain(expression) ? [] : [`${name}  ${expression.pattern}`]));
  });
  const known = Object.entries(reviewed).flatMap(([name, patterns]) =>
    patterns.map((pattern) => `${name}  ${pattern}`),
  );

  expect([...new Set(found)].sort()).toEqual(known.sort());
}, 60_000);
