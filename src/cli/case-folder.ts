import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { jsonText } from '../../reporters/index.js';
import type { StoredCase } from '../fuzz/index.js';
import { TckError } from '../model/tck-error.js';
import { causeOf } from './cause.js';
import { makeFolder } from './folder.js';

/** The kit adds no more cases to a corpus of this many files. Files that a user added count too, and are read. */
const mostKept = 1000;
/** Files read from one folder: more take longer to read than to find again. */
const mostRead = 20_000;
/** Bytes. The kit writes no case of nearly this size. */
const longestFile = 8 * 1024 * 1024;

const cannotRead = (path: string, why: string): TckError => new TckError('config', `${path} cannot be read: ${why}`);

function documentIn(path: string): unknown {
  try {
    const file = statSync(path);
    if (!file.isFile()) throw cannotRead(path, 'it is no file');
    if (file.size > longestFile) throw cannotRead(path, 'it is too large to be a case');
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw error instanceof TckError ? error : cannotRead(path, causeOf(error));
  }
}

/** The case in a file, or all cases in a folder, sorted by name. Throws `TckError('config')` for anything else. */
export async function readCases(path: string): Promise<readonly StoredCase[]> {
  const { readStoredCase } = await import('../fuzz/index.js');
  if (!existsSync(path)) throw cannotRead(path, 'there is no such file or folder');
  const read = (file: string): StoredCase => ({
    ...readStoredCase(documentIn(file), file),
    name: basename(file, '.json'),
  });
  if (!statSync(path).isDirectory()) return [read(path)];
  const files = readdirSync(path, { withFileTypes: true }).filter(
    (one) => one.name.endsWith('.json') && !one.isDirectory(),
  );
  return files
    .map(({ name }) => name)
    .toSorted()
    .slice(0, mostRead)
    .map((name) => read(join(path, name)));
}

function write(path: string, text: string, mode = 0o644): void {
  try {
    writeFileSync(path, text, { mode });
  } catch (error) {
    throw new TckError('config', `${path} cannot be written: ${causeOf(error)}`);
  }
}

/** Throws `TckError('config')` if the path exists and is no folder. */
export function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new TckError('config', `${folder} is no folder`);
}

function openFolder(folder: string): void {
  checkFolder(folder);
  try {
    makeFolder(folder);
  } catch (error) {
    throw new TckError('config', `the folder ${folder} cannot be made: ${causeOf(error)}`);
  }
}

/** A case holds what the target said, and people print its file. */
const printed = (document: unknown): string => `${jsonText(document, 2)}\n`;

/** Adds cases to a corpus, each named by the hash of its content, up to `mostKept` files. */
export function corpusWriter(folder: string): (document: unknown) => void {
  openFolder(folder);
  const known = new Set(readdirSync(folder));
  return (document) => {
    const text = printed(document);
    const name = `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`;
    if (known.has(name) || known.size >= mostKept) return;
    known.add(name);
    write(join(folder, name), text);
  };
}

/** Writes a finding as a case and as a script. */
export function writeFinding(folder: string, id: string, replay: unknown, script: string): void {
  openFolder(folder);
  write(join(folder, `${id}.json`), printed(replay));
  write(join(folder, `${id}.sh`), script, 0o755);
}

/** Writes a case under a name. Throws `TckError('usage')` if the name is taken. */
export function writeCase(folder: string, name: string, document: unknown): string {
  openFolder(folder);
  const path = join(folder, `${name}.json`);
  if (existsSync(path)) throw new TckError('usage', `${path} is there already`, 'take another name');
  write(path, printed(document));
  return path;
}
