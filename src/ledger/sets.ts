import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { type Level, levels, suggestion, TckError, yaml } from '../model/index.js';

// Frozen sets: which checks count for a gate, whatever a later kit adds. `schemas/sets/<version>-<date>.yaml`.

/** The checks that counted in one version of the kit. */
export interface FrozenSet {
  /** "0.1.0-2026-11-28". */
  readonly id: string;
  /** The version of the kit that it belongs to. */
  readonly version: string;
  /** Whether it has checks of a profile at all. */
  knows(profile: string): boolean;
  /** Whether a check of a profile counts at this level: a sentence may have become stricter since. */
  has(profile: string, check: string, level: Level): boolean;
}

interface RawSet {
  /** Checks that earlier sets have too, and that refuse more since this set. In those sets they do not count, as if they were new. */
  readonly tightened?: readonly string[];
  readonly checks: readonly {
    readonly level: Level;
    readonly profiles: readonly string[];
    readonly ids: readonly string[];
  }[];
}

const folder = new URL('../../schemas/sets/', import.meta.url);
const shape = /^(\d+\.\d+\.\d+(?:-[a-z]\w*(?:\.\w+)*)?)-(\d{4}-\d{2}-\d{2})$/;

const newestFirst = (first: string, second: string): number => second.localeCompare(first, 'en', { numeric: true });

/** The ids of all sets, the newest first. */
export const setIds = (): readonly string[] =>
  [...new Set(readdirSync(folder).map((name) => name.replace(/\.(?:yaml|json)$/, '')))]
    .filter((name) => shape.test(name))
    .sort(newestFirst);

/** The build writes each file as JSON beside it. */
function read(id: string): RawSet {
  const built = new URL(`${id}.json`, folder);
  if (existsSync(built)) return JSON.parse(readFileSync(built, 'utf8'));
  return yaml().parse(readFileSync(new URL(`${id}.yaml`, folder), 'utf8'));
}

/** Reads a set. Throws `TckError('usage')` for one that does not exist, and names the nearest. */
export function loadSet(id: string): FrozenSet {
  const ids = setIds();
  const version = shape.exec(id)?.[1];
  if (version === undefined || !ids.includes(id)) {
    throw new TckError('usage', `unknown set ${id}`, suggestion(id, ids, `sets: ${ids.join(', ')}`));
  }
  const later = ids.filter((text) => newestFirst(text, id) < 0);
  const tightened = new Set(later.flatMap((text) => read(text).tightened ?? []));
  const byProfile = new Map<string, Map<string, Level>>();
  for (const { level, profiles, ids: checks } of read(id).checks) {
    for (const profile of profiles) {
      const known = byProfile.get(profile) ?? new Map<string, Level>();
      byProfile.set(profile, known);
      for (const check of checks) known.set(check, level);
    }
  }
  return {
    id,
    version,
    knows: (profile) => byProfile.has(profile),
    has(profile, check, level) {
      const counted = byProfile.get(profile)?.get(check);
      return counted !== undefined && !tightened.has(check) && levels.indexOf(counted) <= levels.indexOf(level);
    },
  };
}

/** The ids of all checks that any set has: the id of a check that was removed is not misspelled. */
export const everInSets = (): readonly string[] => [
  ...new Set(setIds().flatMap((id) => read(id).checks.flatMap(({ ids }) => ids))),
];
