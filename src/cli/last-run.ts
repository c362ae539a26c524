import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { foreignFolder, makeFolder, readFound, thisUser, writeWhole } from '../files/index.js';
import { isObject, isString, member } from '../model/index.js';
import type { Report } from '../report/index.js';
import { createRedactor, secretsInUrl } from '../wire/index.js';

/** Where runs are remembered, in the folder in which the kit was started. */
export const memoryFolder = '.a2a-tck';
const fileName = 'last-run.json';
const schema = 'a2a-tck-last-run/1';
/** Agents that are remembered: the last ones. */
const mostAgents = 20;
/** Bytes: what the kit writes is far shorter. */
const longest = 4 * 1024 * 1024;

/** The ids of the checks that failed or were inconclusive, by the URL that was given. */
type Memory = ReadonlyMap<string, readonly string[]>;

function read(folder: string): Memory {
  try {
    const document: unknown = JSON.parse(
      readFound(join(folder, memoryFolder, fileName), longest, thisUser()).toString('utf8'),
    );
    const agents = member(document, 'schema') === schema ? member(document, 'agents') : undefined;
    if (!isObject(agents)) return new Map();
    return new Map(
      Object.entries(agents).map(([url, ids]) => [url, Array.isArray(ids) ? ids.filter(isString) : []] as const),
    );
  } catch {
    return new Map();
  }
}

/** How an agent is named in the file: its URL may hold a key. */
const nameOf = (url: string): string => createRedactor(secretsInUrl(url)).text(url);

/** What failed or was inconclusive in the last run on an agent; undefined: there was no run from this folder. */
export const openChecks = (folder: string, url: string): readonly string[] | undefined => read(folder).get(nameOf(url));

const isOpen = ({ verdict }: Report['checks'][number]): boolean => verdict === 'fail' || verdict === 'inconclusive';

/**
 * Remembers a run. Checks that it did not choose keep what is known of them. A folder that cannot be written, or that is
 * not the user's own, forgets: that breaks no run. The folder has a .gitignore of its own.
 */
export function remember(folder: string, url: string, report: Report): void {
  const memory = new Map(read(folder));
  const name = nameOf(url);
  const judged = new Set(report.checks.map(({ id }) => id));
  const isWhole = report.run.selection === undefined && report.run.shard === undefined;
  const kept = isWhole ? [] : (memory.get(name) ?? []).filter((id) => !judged.has(id));
  memory.delete(name);
  memory.set(name, [...new Set([...kept, ...report.checks.filter(isOpen).map(({ id }) => id)])].sort());
  const agents = Object.fromEntries([...memory].slice(-mostAgents));
  const place = join(folder, memoryFolder);
  try {
    makeFolder(place, folder);
    const found = lstatSync(place);
    if (!found.isDirectory() || foreignFolder(found, thisUser()) !== undefined) return;
    const ignore = join(place, '.gitignore');
    if (!existsSync(ignore)) writeWhole(ignore, '*\n', { within: place });
    writeWhole(join(place, fileName), `${JSON.stringify({ schema, agents }, undefined, 2)}\n`, { within: place });
  } catch {
    // As the docstring says.
  }
}
