// Draws sentences and names over all rooms, the same ones for the same seed, for a reader who has not written them. Each
// room gives the same number, and within a room each kind does: texts, comments, names, documents.
//   node scripts/draw-sentences.js [--seed 1] [--count 120] [--root <another work tree>]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ts from 'typescript-5';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '120' },
    root: { type: 'string', default: join(dirname(fileURLToPath(import.meta.url)), '..') },
  },
});

/** mulberry32: numbers from 0 up to 1 that depend on the seed alone. */
function randomOf(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim();
const withoutMarks = (comment) => oneLine(comment.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, ''));

/** A comment is several lines that belong together, without the marks. */
function commentsOf(source) {
  const found = [];
  for (const match of source.matchAll(/^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*|\/\*\*[\s\S]*?\*\//gm))
    found.push({ at: match.index, text: withoutMarks(match[0]) });
  return found;
}

/** What a TypeScript file says: texts of several words, comments, and the names that it declares. */
function codeOf(source) {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found = commentsOf(source).map((comment) => ({ kind: 'comment', ...comment }));
  const add = (kind, node, text) => found.push({ kind, at: node.getStart(), text });
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) && /\S\s\S+\s\S/.test(node.text)) add('text', node, oneLine(node.text));
    if (ts.isTemplateExpression(node)) add('text', node, oneLine(node.getText().slice(1, -1)));
    const isDeclared =
      ts.isVariableDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isPropertySignature(node);
    if (isDeclared && node.name !== undefined && ts.isIdentifier(node.name))
      add('name', node.name, `${node.name.text}   in: ${oneLine(node.getText()).slice(0, 120)}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The sentences of a Markdown file; code blocks and tables of commands are left out. */
function sentencesOf(source) {
  const found = [];
  const plain = source.replaceAll(/^```[\s\S]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ' '));
  for (const match of plain.matchAll(/[A-Z][^|\n.!?]*(?:\n(?! *\n)[^|\n.!?]*)*[.!?](?=\s)/g))
    if (match[0].split(/\s+/).length > 4) found.push({ kind: 'document', at: match.index, text: oneLine(match[0]) });
  return found;
}

const isRead = (file) =>
  (/\.(ts|js)$/.test(file) && /^(src|suites|packs|reporters|test|scripts|fixtures)\//.test(file)) ||
  (/^(docs\/[^/]+|[A-Z]+)\.md$/.test(file) && file !== 'docs/checks.md');

/** `src/kit`, `suites/card`, `docs`: whose share of the drawn ones is equal. */
const roomOf = (file) => {
  const parts = file.split('/');
  if (parts.length === 1 || parts[0] === 'docs') return 'docs';
  return ['src', 'suites', 'packs'].includes(parts[0]) && parts.length > 2 ? `${parts[0]}/${parts[1]}` : parts[0];
};

const files = execFileSync('git', ['ls-files'], { cwd: values.root, encoding: 'utf8', maxBuffer: 1 << 26 })
  .split('\n')
  .filter(isRead);
/** Room to kind to what is said. */
const rooms = new Map();
for (const file of files) {
  const source = readFileSync(join(values.root, file), 'utf8');
  const room = rooms.get(roomOf(file)) ?? new Map();
  rooms.set(roomOf(file), room);
  for (const { kind, at, text } of file.endsWith('.md') ? sentencesOf(source) : codeOf(source)) {
    const line = source.slice(0, at).split('\n').length;
    if (!room.has(kind)) room.set(kind, []);
    room.get(kind).push({ place: `${file}:${line}`, text });
  }
}

const random = randomOf(Number(values.seed));
const pick = (list) => list[Math.floor(random() * list.length)];
const names = [...rooms.keys()].sort();
for (let at = 0; at < Number(values.count); at++) {
  const name = names[at % names.length];
  const room = rooms.get(name);
  const kind = pick([...room.keys()].sort());
  const { place, text } = pick(room.get(kind));
  console.log(`${String(at + 1).padStart(3)}  ${name}, ${kind}, ${place}\n     ${text.slice(0, 400)}`);
}
