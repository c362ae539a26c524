import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { readFound, readWithin, thisUser, whyOf } from '../files/index.js';
import { isObject, isString, type JsonObject } from '../model/index.js';
import { TckError } from '../model/tck-error.js';
import { type Deed, deeds, optionsIn } from '../options/index.js';
import { causeOf } from './cause.js';
import type { CliOptions } from './cli-options.js';
import type { Defect } from './schema-check.js';

const hint =
  'it takes the options of a2a-tck run by the same names, and behaviours; see schemas/kit/config.schema.json';
const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
const known = optionsIn('config');

/** Short forms: a string in place of a behaviour with that text, and in place of a list of one. */
function plain(name: string, value: unknown): unknown {
  if (name === 'behaviours' && isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([goal, item]) => [goal, isString(item) ? { text: item } : item]),
    );
  }
  const isList = ['texts', 'list'].includes(known.get(name)?.kind.is ?? '');
  return isList && isString(value) ? [value] : value;
}

/** The options of a document that fits its schema. */
export function givenOf(document: JsonObject): CliOptions {
  const entries = Object.entries(document).filter(([name]) => name !== '$schema');
  return Object.fromEntries(entries.map(([name, value]) => [camel(name), plain(name, value)])) as CliOptions;
}

/** A file of the user: its value, and where in the text its members stand. */
export interface UserDocument {
  readonly value: unknown;
  /** "3:5", line and column of a member, from 1; of the whole document where the member is missing. */
  placeOf(path: readonly string[]): string;
}

/** Bytes of a configuration. The parser needs some hundred times as much memory. */
const longest = 256 * 1024;

/** YAML or JSON in a file of at most `most` bytes. Throws `TckError('config')` for a file that cannot be read. */
export async function readDocument(option: string, file: string, most: number): Promise<UserDocument> {
  let bytes: Buffer;
  try {
    bytes = readWithin(file, most);
  } catch (error) {
    throw new TckError('config', `${option} ${file} cannot be read: ${whyOf(error)}`);
  }
  return documentOf(file, bytes.toString('utf8'));
}

async function documentOf(file: string, text: string): Promise<UserDocument> {
  const { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter: lines });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}`;
  };
  // After a colon the parser quotes the file, so the message is cut there.
  const wrong = (problem: string, where = '') =>
    new TckError('config', `${file}${where} is neither YAML nor JSON: ${problem.replace(/: .*/s, '')}`);
  const [broken] = document.errors;
  if (broken !== undefined) throw wrong(broken.message, `:${at(broken.pos[0])}`);
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    throw wrong(causeOf(error));
  }
  function placeOf(path: readonly string[]): string {
    let offset = 0;
    let node: unknown = document.contents;
    for (const name of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
        if (pair === undefined) break;
        if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
        node = pair.value;
      } else if (isSeq(node)) {
        node = node.items[Number(name)];
        if (isNode(node)) offset = node.range?.[0] ?? offset;
      } else break;
    }
    return at(offset);
  }
  return { value, placeOf };
}

/** Throws `TckError('config')` with every defect of a file, each with its line and column. */
export async function refuseDefects(
  schema: 'config' | 'fleet',
  file: string,
  document: UserDocument,
  hint: string,
): Promise<void> {
  const { findDefects } = await import('./schema-check.js');
  refuse(file, document, findDefects(schema, document.value ?? {}), hint);
}

function refuse(file: string, { placeOf }: UserDocument, defects: readonly Defect[], hint: string): void {
  if (defects.length === 0) return;
  const lines = defects.slice(0, mostDefects).map(({ path, text }) => `${file}:${placeOf(path)}: ${text}`);
  const rest = defects.length - lines.length;
  throw new TckError('config', [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'), hint);
}

const mostDefects = 20;

async function optionsOf(file: string, document: UserDocument): Promise<CliOptions> {
  await refuseDefects('config', file, document, hint);
  const options = givenOf((document.value ?? {}) as JsonObject);
  if (options.expect === undefined) return options;
  // What no schema can say: an expression that is none, or that shall hold more often than it is asked.
  const { defectsOf } = await import('../expect/index.js');
  refuse(
    file,
    document,
    defectsOf(options.expect).map(({ path, text }) => ({ path: ['expect', ...path], text })),
    'docs/expectations.md shows how they are written',
  );
  return options;
}

/**
 * Reads YAML or JSON. Throws `TckError('config')` for a file that cannot be read, or with unknown keys or wrong types.
 */
export const readConfig = async (file: string): Promise<CliOptions> =>
  optionsOf(file, await readDocument('--config', file, longest));

/** Names of a configuration file that is found by itself, in the order of preference. */
const configNames = ['a2a-tck.config.yaml', 'a2a-tck.config.yml', 'a2a-tck.config.json'] as const;

/** The home folder as the working folder would be named in it. */
function homeFolder(): string | undefined {
  try {
    return realpathSync(homedir());
  } catch {
    return undefined;
  }
}

/**
 * The folders in which a configuration is looked for: the working folder, and those above it up to the root of the
 * repository or the home folder, whichever is nearer. Above them, and where there is neither, others may put files.
 */
function placesFrom(folder: string): readonly string[] {
  const home = homeFolder();
  const places: string[] = [];
  for (let place = folder; ; place = dirname(place)) {
    // Containers call the root of the disk the home of users without one.
    if (dirname(place) === place) return [folder];
    places.push(place);
    if (place === home || existsSync(join(place, '.git'))) return places;
  }
}

/** A configuration that the user did not name. */
interface FoundConfig {
  /** Its path from the working folder. */
  readonly file: string;
  readonly options: CliOptions;
}

/**
 * Looks for the configuration of a folder, and reads it; undefined: there is none. Throws `TckError('config')` for one
 * that is not only the user's own: it may run commands.
 */
export async function findConfig(folder: string): Promise<FoundConfig | undefined> {
  const found = placesFrom(folder).flatMap((place) => configNames.map((name) => join(place, name)));
  const path = found.find((text) => existsSync(text));
  if (path === undefined) return undefined;
  const file = relative(folder, path);
  let text: string;
  try {
    text = readFound(path, longest, thisUser()).toString('utf8');
  } catch (error) {
    const advice = `if you trust it, name it: --config ${file}; --no-config runs without it`;
    throw new TckError('config', `${file} was found, and is not used: ${whyOf(error)}`, advice);
  }
  return { file, options: await optionsOf(file, await documentOf(file, text)) };
}

/** What the options of a configuration do beside choosing checks, for people: "runs commands: restart-command". */
export function deedsOf(options: CliOptions): readonly string[] {
  const namesOfDeeds = new Map<Deed, string[]>(deeds.map((deed) => [deed, []]));
  for (const [name, { deed }] of known) {
    const value = (options as Readonly<Record<string, unknown>>)[camel(name)];
    if (deed === undefined || value === undefined || value === false) continue;
    // A report without a file goes to the console.
    if (name === 'report' && options.report?.some((text) => text.includes('=')) !== true) continue;
    namesOfDeeds.get(deed)?.push(name);
  }
  return [...namesOfDeeds].flatMap(([deed, names]) => (names.length === 0 ? [] : [`${deed}: ${names.join(', ')}`]));
}
