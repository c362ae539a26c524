import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { foreignFolder, makeFolder, readFound, thisUser, writeWhole } from '../files/index.js';
import { isObject, isString, member, type Verdict } from '../model/index.js';
import type { Report } from '../report/index.js';
import { createRedactor, secretsInUrl } from '../wire/index.js';

/** Where runs are remembered, in the folder in which the kit was started. */
export const memoryFolder = '.a2a-tck';
const fileName = 'last-run.json';
const schema = 'a2a-tck-last-run/2';
/** Agents that are remembered: the last ones. */
const mostAgents = 20;
/** Bytes: what the kit writes is far shorter. */
const longest = 4 * 1024 * 1024;

/** The ids of checks by what came of them in the last run. */
export interface LastRun {
  readonly failed: readonly string[];
  /** Inconclusive. */
  readonly unproven: readonly string[];
}

/** By the URL that was given. */
type Memory = ReadonlyMap<string, LastRun>;

const idsIn = (value: unknown, name: keyof LastRun): readonly string[] => {
  const ids = member(value, name);
  return Array.isArray(ids) ? ids.filter(isString) : [];
};

function read(folder: string): Memory {
  try {
    const document: unknown = JSON.parse(
      readFound(join(folder, memoryFolder, fileName), longest, thisUser()).toString('utf8'),
    );
    const agents = member(document, 'schema') === schema ? member(document, 'agents') : undefined;
    if (!isObject(agents)) return new Map();
    return new Map(
      Object.entries(agents).map(
        ([url, one]) => [url, { failed: idsIn(one, 'failed'), unproven: idsIn(one, 'unproven') }] as const,
      ),
    );
  } catch {
    return new Map();
  }
}

/** How an agent is named in the file: its URL may hold a key. */
const nameOf = (url: string): string => createRedactor(secretsInUrl(url)).text(url);

/** What was open after the last run on an agent; undefined: there was no run from this folder. */
export const lastRun = (folder: string, url: string): LastRun | undefined => read(folder).get(nameOf(url));

/**
 * Remembers a run. Checks that it did not choose keep what is known of them. A folder that cannot be written, or that is
 * not the user's own, forgets: that breaks no run. The folder has a .gitignore of its own.
 */
export function remember(folder: string, url: string, report: Report): void {
  const memory = new Map(read(folder));
  const name = nameOf(url);
  const judged = new Set(report.checks.map(({ id }) => id));
  const isWhole = report.run.selection === undefined && report.run.shard === undefined;
  const before = memory.get(name);
  const now = (of: keyof LastRun, wanted: Verdict): readonly string[] => {
    const kept = isWhole ? [] : (before?.[of] ?? []).filter((id) => !judged.has(id));
    const found = report.checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
    return [...new Set([...kept, ...found])].sort();
  };
  memory.delete(name);
  memory.set(name, { failed: now('failed', 'fail'), unproven: now('unproven', 'inconclusive') });
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
