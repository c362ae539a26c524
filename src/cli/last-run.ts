import { accessSync, constants, existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { jsonText } from '../../reporters/index.js';
import { foreignFolder, makeFolder, readFound, thisUser, writeWhole } from '../files/index.js';
import { isObject, isString, member, type Verdict } from '../model/index.js';
import type { Finding, Report } from '../report/index.js';
import { createRedactor, secretsInUrl } from '../wire/index.js';

/** Where runs are remembered, in the folder in which the kit was started. */
export const memoryFolder = '.a2a-tck';
const fileName = 'last-run.json';
const schema = 'a2a-tck-last-run/2';
/** Agents that are remembered: the last ones. */
const mostAgents = 20;
/** Bytes: what the kit writes is far shorter. */
const longest = 4 * 1024 * 1024;

/** The ids of checks by their verdicts in the last run. */
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
        ([url, item]) => [url, { failed: idsIn(item, 'failed'), unproven: idsIn(item, 'unproven') }] as const,
      ),
    );
  } catch {
    return new Map();
  }
}

/** How an agent is named in the file: its URL may hold a key. */
const nameOf = (url: string): string => createRedactor(secretsInUrl(url)).text(url);

/** What was open after the last run on an agent; undefined: no run from this folder is stored. */
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
  store(folder, { [fileName]: `${JSON.stringify({ schema, agents }, undefined, 2)}\n` });
}

/** Writes files into the memory of a folder, which is the user's own. False: that was not possible. */
function store(folder: string, files: Readonly<Record<string, string>>): boolean {
  const place = join(folder, memoryFolder);
  try {
    makeFolder(place, folder);
    if (!isOwn(place)) return false;
    const ignore = join(place, '.gitignore');
    if (!existsSync(ignore)) writeWhole(ignore, '*\n', { within: place });
    for (const [name, text] of Object.entries(files)) {
      const mode = name.endsWith('.sh') ? { mode: 0o777 } : {};
      writeWhole(join(place, name), text, { within: place, ...mode });
    }
    return true;
  } catch {
    return false;
  }
}

function isOwn(place: string): boolean {
  const found = lstatSync(place);
  return found.isDirectory() && foreignFolder(found, thisUser()) === undefined;
}

const findingsName = 'findings.json';
const findingsSchema = 'a2a-tck-findings/1';
const fileOfFinding = /^f-[0-9a-f]{8}\.(?:json|sh)$/;
/** Of one run. */
const mostFindings = 50;

/** What `explain` says of a finding. Its case and its script are files of their own. */
export type RememberedFinding = Omit<Finding, 'script' | 'replay'>;

export interface RememberedFindings {
  readonly url: string;
  readonly profile: string;
  /** Where `<id>.json` and `<id>.sh` are. */
  readonly files: string;
  readonly findings: readonly RememberedFinding[];
}

/** Where the files of findings of a run go, if they can be written there; undefined: they cannot. */
export function findingsFolder(folder: string): string | undefined {
  const place = join(folder, memoryFolder);
  try {
    if (existsSync(place) && !isOwn(place)) return undefined;
    accessSync(existsSync(place) ? place : folder, constants.W_OK);
    return memoryFolder;
  } catch {
    return undefined;
  }
}

/**
 * Remembers the findings of the last run or campaign. `files`: the folder that has their files already; without it they are
 * written into the memory, and those of the run before are removed. Like `remember` it breaks no run.
 */
export function rememberFindings(folder: string, { target, findings, fuzz }: Report, files?: string): void {
  if (fuzz === undefined) return;
  const some = findings.slice(0, mostFindings);
  const kept = some.map(({ script: _, replay: __, ...finding }) => finding);
  const about = { schema: findingsSchema, url: target.url, profile: target.profile, files: files ?? memoryFolder };
  const own = files === undefined ? some : [];
  const texts = own.flatMap(({ id, script, replay }) => [
    [`${id}.json`, `${jsonText(replay, 2)}\n`] as const,
    [`${id}.sh`, script] as const,
  ]);
  if (
    !store(folder, { [findingsName]: `${jsonText({ ...about, findings: kept }, 2)}\n`, ...Object.fromEntries(texts) })
  ) {
    return;
  }
  const current = new Set<string>(texts.map(([name]) => name));
  const place = join(folder, memoryFolder);
  for (const name of readdirSync(place)) {
    if (fileOfFinding.test(name) && !current.has(name)) rmSync(join(place, name), { force: true });
  }
}

/** The findings of the last run or campaign from this folder; undefined: there is none that can be read. */
export function lastFindings(folder: string): RememberedFindings | undefined {
  try {
    const file = join(folder, memoryFolder, findingsName);
    const document: unknown = JSON.parse(readFound(file, longest, thisUser()).toString('utf8'));
    // The user's own file, which the kit wrote.
    return member(document, 'schema') === findingsSchema ? (document as RememberedFindings) : undefined;
  } catch {
    return undefined;
  }
}
