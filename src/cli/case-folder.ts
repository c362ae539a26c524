import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fuzzParts } from '../../packs/index.js';
import { jsonText } from '../../reporters/index.js';
import { checkWay, makeFolder, readWithin, whyOf, writeWhole } from '../files/index.js';
import type { StoredCase } from '../fuzz/index.js';
import { TckError } from '../model/tck-error.js';
import { causeOf } from './cause.js';

/** The kit adds no more cases to a corpus of this many files. Files that a user added count too, and are read. */
const mostKept = 1000;
/** Files read from one folder: more take longer to read than to find again. */
const mostRead = 20_000;
/** Bytes. The kit writes no case of nearly this size. */
const longestFile = 8 * 1024 * 1024;

const cannotRead = (path: string, why: string): TckError => new TckError('config', `${path} cannot be read: ${why}`);

function documentIn(path: string): unknown {
  try {
    return JSON.parse(readWithin(path, longestFile, { isPlain: true }).toString('utf8'));
  } catch (error) {
    throw cannotRead(path, causeOf(error));
  }
}

/** The case in a file, or all cases in a folder, sorted by name. Throws `TckError('config')` for anything else. */
export async function readCases(path: string): Promise<readonly StoredCase[]> {
  const { bring, readStoredCase } = await import('../fuzz/index.js');
  for (const part of await fuzzParts()) bring(part);
  if (!existsSync(path)) throw cannotRead(path, 'the file or folder does not exist');
  const read = (file: string): StoredCase => ({
    ...readStoredCase(documentIn(file), file),
    name: basename(file, '.json'),
  });
  if (!statSync(path).isDirectory()) return [read(path)];
  const files = readdirSync(path, { withFileTypes: true }).filter(
    (entry) => entry.name.endsWith('.json') && !entry.isDirectory(),
  );
  return files
    .map(({ name }) => name)
    .toSorted()
    .slice(0, mostRead)
    .map((name) => read(join(path, name)));
}

const cannotMake = (folder: string, error: unknown): TckError =>
  new TckError('config', `the folder ${folder} cannot be used: ${whyOf(error)}`);

/**
 * Throws `TckError('config')` if the path exists and is not a folder, or if a link on it leads out of the working
 * folder.
 */
export function checkFolder(folder: string): void {
  if (existsSync(folder) && !statSync(folder).isDirectory()) throw new TckError('config', `${folder} is not a folder`);
  try {
    checkWay(folder);
  } catch (error) {
    throw cannotMake(folder, error);
  }
}

function openFolder(folder: string): void {
  checkFolder(folder);
  try {
    makeFolder(folder);
  } catch (error) {
    throw cannotMake(folder, error);
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
    writeWhole(join(folder, name), text, { what: '' });
  };
}

/** Writes a finding as a case and as a script. */
export function writeFinding(folder: string, id: string, replay: unknown, script: string): void {
  openFolder(folder);
  writeWhole(join(folder, `${id}.json`), printed(replay), { what: '' });
  writeWhole(join(folder, `${id}.sh`), script, { what: '', mode: 0o777 });
}

/** Writes a case under a name. Throws `TckError('config')` if the name is taken. */
export function writeCase(folder: string, name: string, document: unknown): string {
  openFolder(folder);
  const path = join(folder, `${name}.json`);
  writeWhole(path, printed(document), { what: '', isNew: true, hint: 'take another name' });
  return path;
}
