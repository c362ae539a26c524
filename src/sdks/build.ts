import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Command, Target } from './manifest.js';
import { filled, filledAll, isHere, lastWords, type Places, ran } from './programs.js';

/** Files of a target that say nothing to its toolchain, and what toolchains leave behind. */
const apart = new Set(['target.yaml', 'expected.yaml', 'reports', 'venv', 'target', 'node_modules', '__pycache__']);

interface Source {
  readonly from: string;
  /** Its path in the build folder. */
  readonly to: string;
}

function sourcesOf({ folder, manifest }: Target): readonly Source[] {
  return (manifest.files ?? ['.']).flatMap((name) => {
    const from = join(folder, name);
    if (!statSync(from).isDirectory()) return [{ from, to: basename(from) }];
    const inside = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return inside
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => ({ from: file, to: relative(from, file) }))
      .filter(({ to }) => !to.split('/').some((part) => apart.has(part)))
      .sort((a, b) => (a.to < b.to ? -1 : 1));
  });
}

/** The same as long as nothing changes of which a target is built: its commands, program and lock. */
export function buildKey(target: Target): string {
  const { language, version, fetch, build, env } = target.manifest;
  const hash = createHash('sha256').update(JSON.stringify([language, version, fetch, build, env]));
  for (const { from, to } of sourcesOf(target)) hash.update(`\0${to}\0`).update(readFileSync(from));
  return hash.digest('hex').slice(0, 16);
}

export type Built =
  | { readonly folder: string; readonly isNew: boolean }
  /** Skipped: this machine has not what it needs. Broken: it does not build. */
  | { readonly failed: 'skipped' | 'broken'; readonly reason: string };

export interface Workshop {
  /** Where builds, runs and logs are kept. */
  readonly cache: string;
  /** The repository. */
  readonly root: string;
}

const mostMs = 25 * 60_000;
const atWork = new Map<string, Promise<Built>>();

/** The places that a command of a target may name. */
export const placesOf = ({ cache, root }: Workshop, build: string): Places => ({
  build,
  root,
  shared: join(cache, 'shared'),
});

export const envOf = ({ env = {} }: Target['manifest'], places: Places): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value, places)]));

export function logOf({ cache }: Workshop, id: string): string {
  mkdirSync(join(cache, 'logs'), { recursive: true });
  return join(cache, 'logs', `${id}.log`);
}

/** Builds a target, unless it was built before. Targets of the same program share the folder. */
export function built(target: Target, workshop: Workshop): Promise<Built> {
  const { needs } = target.manifest;
  const missing = needs.filter((program) => !isHere(program));
  if (missing.length > 0)
    return Promise.resolve({ failed: 'skipped', reason: `${missing.join(' and ')} is not on this machine` });
  const folder = join(workshop.cache, 'builds', `${target.manifest.language}-${buildKey(target)}`);
  const known = atWork.get(folder);
  const making = known ?? made(target, workshop, folder).finally(() => atWork.delete(folder));
  if (known === undefined) atWork.set(folder, making);
  return making;
}

async function made(target: Target, workshop: Workshop, folder: string): Promise<Built> {
  const done = join(folder, '.built');
  if (existsSync(done)) return { folder, isNew: false };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  mkdirSync(join(workshop.cache, 'shared'), { recursive: true });
  for (const { from, to } of sourcesOf(target)) cpSync(from, join(folder, to));
  const { id, fetch = [], build = [] } = target.manifest;
  const places = placesOf(workshop, folder);
  const log = logOf(workshop, id);
  writeFileSync(log, '');
  const around = { cwd: folder, env: envOf(target.manifest, places), log };
  const failing = async (steps: readonly Command[]): Promise<Command | undefined> => {
    for (const step of steps) if ((await ran(filledAll(step, places), around, mostMs)) !== 0) return step;
    return undefined;
  };
  const unfetched = await failing(fetch);
  if (unfetched !== undefined)
    return { failed: 'skipped', reason: `its packages cannot be had (${unfetched.join(' ')}): ${lastWords(log)}` };
  const unbuilt = await failing(build);
  if (unbuilt !== undefined) return { failed: 'broken', reason: `${unbuilt.join(' ')}: ${lastWords(log)}` };
  writeFileSync(done, '');
  return { folder, isNew: true };
}
