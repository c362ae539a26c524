import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { JsonReport } from '../../reporters/index.js';
import type { CheckResult } from '../report/index.js';
import { buildKey, built, envOf, logOf, placesOf, type Workshop } from './build.js';
import { type Comparison, compared } from './compare.js';
import type { Target } from './manifest.js';
import { cardAwaited, filledAll, freePorts, lastWords, ran, started } from './programs.js';

/** The result of one target. */
export interface Outcome {
  readonly target: Target;
  readonly state: 'as-expected' | 'differs' | 'skipped' | 'broken';
  /** Why it was skipped, or is broken. */
  readonly reason?: string;
  /** Seconds; left out where nothing was done. */
  readonly buildSeconds?: number;
  readonly runSeconds?: number;
  /** Nothing changed since it was judged, and the stored run is looked at again. */
  readonly isStored?: true;
  readonly comparison?: Comparison;
  readonly run?: StoredRun;
}

/** The reports of a target: of a server one, of a client one for each binding. */
export interface StoredRun {
  readonly key: string;
  readonly at: string;
  readonly seconds: number;
  readonly reports: readonly JsonReport[];
}

export interface Judging extends Workshop {
  /** The command line of the kit, and its first arguments. */
  readonly kit: readonly string[];
  /** Stands for the kit: the same for the same code. */
  readonly kitKey: string;
  /** Run again what was judged before. */
  readonly again: boolean;
  /** Nothing is built and run: runs of before are looked at, whatever changed since. */
  readonly stored: boolean;
  /** What the programs listen for. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** The same for the same files of a built kit. */
export function kitKeyOf(bundle: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(bundle).sort()) hash.update(`\0${name}\0`).update(readFileSync(join(bundle, name)));
  return hash.digest('hex').slice(0, 16);
}

/** All results of a target, with the label of their profile. */
export const resultsOf = ({ reports }: Pick<StoredRun, 'reports'>): readonly CheckResult[] =>
  reports.flatMap(({ checks, target }, at) =>
    at === 0 ? checks : checks.map((check) => ({ ...check, id: `${check.id}@${target.profile}` })),
  );

/** The profiles that were judged in full, the first one first. */
export const spokenIn = ({ reports }: Pick<StoredRun, 'reports'>): readonly string[] =>
  reports.flatMap(({ target }) => [
    target.profile,
    ...(target.interfaces ?? []).flatMap(({ judged, label }) =>
      judged === 'in-full' && label !== undefined ? [label] : [],
    ),
  ]);

const mostRunMs = 15 * 60_000;
const bindings: Readonly<Record<string, string>> = { '': 'jsonrpc', '-rest': 'http+json', '-grpc': 'grpc' };

/** `client-1.0-rest`: the version and the binding of a client. */
function clientOptions(profile: string): readonly string[] {
  const [, version = '', ending = ''] = /^client-([0-9.]+)(-rest|-grpc)?$/.exec(profile) ?? [];
  return ['--profile', `a2a-${version}`, '--binding', bindings[ending] ?? 'jsonrpc'];
}

/** Builds a target, runs the kit on it, and compares what came with what is expected. Never rejects. */
export async function judged(target: Target, judging: Judging): Promise<Outcome> {
  try {
    return await judgedNow(target, judging);
  } catch (error) {
    return { target, state: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function judgedNow(target: Target, judging: Judging): Promise<Outcome> {
  const { manifest } = target;
  const folder = join(judging.cache, 'runs');
  const file = join(folder, `${manifest.id}.json`);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredRun) : undefined;
  if (judging.stored)
    return before === undefined
      ? { target, state: 'skipped', reason: 'no run is stored' }
      : { ...withComparison(target, before), isStored: true };
  const begun = performance.now();
  const making = await built(target, judging);
  if ('failed' in making) return { target, state: making.failed, reason: making.reason };
  const buildSeconds = making.isNew ? (performance.now() - begun) / 1000 : 0;
  const prompts = manifest.prompts ?? judging.prompts;
  const key = createHash('sha256')
    .update(JSON.stringify([buildKey(target), manifest, prompts, judging.kitKey]))
    .digest('hex')
    .slice(0, 16);
  if (before?.key === key && !judging.again) return { ...withComparison(target, before), isStored: true, buildSeconds };
  mkdirSync(folder, { recursive: true });
  const config = join(folder, `${manifest.id}.config.yaml`);
  writeFileSync(config, stringify({ behaviours: prompts }));
  const now = await (manifest.role === 'client' ? clientRun : serverRun)(target, judging, making.folder, config);
  if (typeof now === 'string') return { target, state: 'broken', reason: now, buildSeconds };
  const run: StoredRun = { key, ...now };
  writeFileSync(file, JSON.stringify(run));
  return { ...withComparison(target, run), buildSeconds, runSeconds: run.seconds };
}

function withComparison(target: Target, run: StoredRun): Outcome {
  const comparison = compared(resultsOf(run), spokenIn(run), target.manifest, target.expected);
  return { target, state: comparison.deviations.length === 0 ? 'as-expected' : 'differs', comparison, run };
}

type Ran = Omit<StoredRun, 'key'> | string;

/** A whole run of the kit as a user starts it; the reason where the report is missing. */
async function reported(
  words: readonly string[],
  { kit, cache }: Judging,
  id: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<JsonReport | string> {
  const file = join(cache, 'runs', `${id}.report.json`);
  const log = logOf({ cache, root: '' }, `${id}.kit`);
  writeFileSync(log, '');
  const command = [...kit, ...words, '--report', `json=${file}`];
  const code = await ran(command, { cwd, env: { ...env, CI: 'true' }, log }, mostRunMs);
  // 4: little was shown, which is a result as well.
  if (code === 0 || code === 1 || code === 4) return JSON.parse(readFileSync(file, 'utf8')) as JsonReport;
  return `the kit ended with ${code ?? 'no exit code'}: ${lastWords(log)}`;
}

async function serverRun(target: Target, judging: Judging, folder: string, config: string): Promise<Ran> {
  const { manifest } = target;
  const [port = 0, port2 = 0] = await freePorts(2);
  const places = { ...placesOf(judging, folder), port: String(port), port2: String(port2) };
  const log = logOf(judging, manifest.id);
  const around = { cwd: folder, env: envOf(manifest, places), log };
  const server = started(filledAll(manifest.start, places), around);
  try {
    const url = `http://127.0.0.1:${port}`;
    const card = `${url}${manifest.card ?? '/.well-known/agent-card.json'}`;
    const missing = await cardAwaited(card, server, (manifest.wait ?? 60) * 1000);
    if (missing !== undefined) return `${missing}: ${lastWords(log)}`;
    const at = new Date().toISOString();
    const begun = performance.now();
    const options = [
      '--binding',
      'all',
      '--seed',
      '7',
      '--fuzz-runs',
      '0',
      '--config',
      config,
      ...(manifest.options ?? []),
    ];
    const report = await reported(
      ['run', '--url', manifest.card === undefined ? url : card, ...options],
      judging,
      manifest.id,
      {
        cwd: judging.cache,
        env: {},
      },
    );
    if (typeof report === 'string') return report;
    if (!server.lives()) return `the server ended during the run: ${lastWords(log)}`;
    return { at, seconds: (performance.now() - begun) / 1000, reports: [report] };
  } finally {
    await server.stop();
  }
}

async function clientRun(target: Target, judging: Judging, folder: string): Promise<Ran> {
  const { manifest } = target;
  const at = new Date().toISOString();
  const begun = performance.now();
  const places = placesOf(judging, folder);
  const command = filledAll(manifest.start, places).join(' ');
  // A client is started by the kit, with what the kit has.
  const around = { cwd: folder, env: envOf(manifest, places) };
  const reports: JsonReport[] = [];
  for (const profile of manifest.profiles) {
    const options = [...clientOptions(profile), ...(manifest.options ?? [])];
    const report = await reported(['client', '--command', command, ...options], judging, manifest.id, around);
    if (typeof report === 'string') return report;
    reports.push(report);
  }
  return { at, seconds: (performance.now() - begun) / 1000, reports };
}
