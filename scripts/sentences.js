// Writes above each check of suites/ the sentence on which it rests, from schemas/requirements: a reader needs no other
// file to judge the check. Of several versions the newest that has the sentence is cited.
//   node scripts/sentences.js [--check]
// With --check nothing is written, and the exit code is 1 if a file would change.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5';
import { parse } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const width = 120;

/** The files of rows, the one that is cited first at the front, with what a citation calls its text. */
const ledgers = [
  ['a2a-1.0', '1.0'],
  ['a2a-1.0-rest', '1.0'],
  ['a2a-1.0-grpc', '1.0'],
  ['a2a-0.3', '0.3'],
  ['a2a-0.3-rest', '0.3'],
  ['a2a-0.3-grpc', '0.3'],
  ['a2a-0.2', '0.2'],
  ['terminal-bench', 'terminal-bench'],
  ['openclaw', 'OpenClaw'],
  ['xpr', 'XPR'],
  ['xpr-v2', 'XPR'],
  ['x402', 'x402'],
  ['client-1.0', '1.0'],
  ['client-0.3', '0.3'],
  ['client-0.2', '0.2'],
  ['client-x402', 'x402'],
  ['client-xpr', 'XPR'],
];

/** Key to its citation: `In our words (1.0, 3.1.5 Cancel Task): The agent returns the task.` */
const citations = new Map();
for (const [file, text] of ledgers)
  for (const { key, section, statement } of parse(readFileSync(join(root, `schemas/requirements/${file}.yaml`), 'utf8'))
    .requirements)
    if (key !== undefined && !citations.has(key))
      citations.set(key, `In our words (${text}, ${section}): ${String(statement).replaceAll(/\s+/g, ' ').trim()}`);

/** The lines of a citation; further lines are indented, so that the next run finds their end. */
function linesOf(citation, indent) {
  const lines = [];
  let line = `${indent}//`;
  for (const word of citation.split(' ')) {
    if (`${line} ${word}`.length > width) {
      lines.push(line);
      line = `${indent}//  `;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

const names = [...new Set(ledgers.map(([, text]) => text.replaceAll('.', '\\.')))].join('|');
/** A citation that an earlier run wrote. */
const written = new RegExp(`^[ \\t]*// In our words \\((?:${names}), .*\\n(?:[ \\t]*//   .*\\n)*`, 'gm');

/** The keys that a call of `check` or `law` names behind its id; undefined: it is not one. */
function keysOf(node) {
  const [id, ...rest] = node.arguments;
  if (id === undefined || !ts.isStringLiteralLike(id) || !/^[a-z0-9-]+\/[a-z0-9-]+$/.test(id.text)) return undefined;
  const literals = rest.flatMap((item) => (ts.isArrayLiteralExpression(item) ? [...item.elements] : [item]));
  const keys = literals.flatMap((item) =>
    ts.isStringLiteralLike(item) && citations.has(item.text) ? [item.text] : [],
  );
  return keys.length > 0 ? keys : undefined;
}

/** The source with the citations of its checks. */
function cited(source) {
  const plain = source.replaceAll(written, '');
  const file = ts.createSourceFile('source.ts', plain, ts.ScriptTarget.Latest, true);
  /** Beginning of a line to the citations above it. */
  const above = new Map();
  const visit = (node) => {
    const keys = ts.isCallExpression(node) ? keysOf(node) : undefined;
    if (keys !== undefined) {
      let holder = node;
      while (!ts.isStatement(holder) && !ts.isArrayLiteralExpression(holder.parent)) holder = holder.parent;
      const begin = holder.getStart(file, true);
      const line = plain.lastIndexOf('\n', begin - 1) + 1;
      if (plain.slice(line, begin).trim() === '') above.set(line, new Set([...(above.get(line) ?? []), ...keys]));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  let result = plain;
  for (const [line, keys] of [...above].sort(([left], [right]) => right - left)) {
    const indent = /^[ \t]*/.exec(plain.slice(line))[0];
    const lines = [...keys].flatMap((key) => linesOf(citations.get(key), indent));
    result = `${result.slice(0, line)}${lines.join('\n')}\n${result.slice(line)}`;
  }
  return result;
}

const files = () =>
  readdirSync(join(root, 'suites'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));

/** The files whose citations are not current, below the root; `write`: they are written anew. */
export const staleFiles = (write) =>
  files().flatMap((path) => {
    const source = readFileSync(path, 'utf8');
    const fresh = cited(source);
    if (fresh === source) return [];
    if (write) writeFileSync(path, fresh);
    return [relative(root, path)];
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCheck = process.argv.includes('--check');
  const stale = staleFiles(!isCheck);
  if (isCheck && stale.length > 0) {
    console.error(`run node scripts/sentences.js: the sentences are not current in ${stale.join(', ')}`);
    process.exitCode = 1;
  }
}
