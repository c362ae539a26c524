import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { charging } from '../../packs/options.js';
import type { AnyRule } from '../kit/index.js';
import { type LawProof, readKills, readLawProofs } from './stored.js';

/** What a fault is, as far as its proof goes. */
export interface Breaking {
  readonly id: string;
  /** The keys of the requirement rows that it breaks. */
  readonly breaks: readonly string[];
}

/** Whether a fault breaks a sentence that the rule decides: only such faults prove it. */
export const mayProve = ({ breaks }: Pick<Breaking, 'breaks'>, { keys }: Pick<AnyRule, 'keys'>): boolean =>
  breaks.some((key) => (keys as readonly string[]).includes(key));

/** What a proof expects of each fault, by its id. */
export interface Expectation {
  /** The checks that caught it in the stored proof, of those that decide what it breaks: each must catch it again. */
  readonly known: readonly string[];
  /** Those and, of a new fault or for a new check, all that decide what it breaks: one at least must catch it. */
  readonly all: readonly string[];
  /** The stored proof of the profile does not have this fault. */
  readonly isNew: boolean;
  /** Checks that are left out decide what it breaks, too. */
  readonly isPart: boolean;
}

/**
 * `stored`: the checks that fail on each fault, by the stored proof of the profile; empty where there is none. `left`:
 * the checks of the profile that are left out.
 */
export function expectations(
  stored: ReadonlyMap<string, readonly string[]>,
  rules: readonly AnyRule[],
  faults: readonly Breaking[],
  left: readonly AnyRule[] = [],
): ReadonlyMap<string, Expectation> {
  const met = new Set([...stored.values()].flat());
  return new Map(
    faults.map((fault) => {
      const kills = stored.get(fault.id);
      const concerned = rules.filter((rule) => mayProve(fault, rule)).map(({ id }) => id);
      const known = concerned.filter((id) => kills?.includes(id) === true);
      const isNew = kills === undefined;
      const all = concerned.filter((id) => isNew || kills.includes(id) || !met.has(id));
      return [fault.id, { known, all, isNew, isPart: left.some((rule) => mayProve(fault, rule)) }];
    }),
  );
}

/** The faults that fail each check, by the profile in which each was first seen to. */
export type KnownKills = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** What the stored matrices show. */
export interface Kills {
  readonly faults: KnownKills;
  /** By the law: a change to a recorded answer by which it fails, in the first profile that has one. */
  readonly laws: Readonly<Record<string, LawProof>>;
}

/** Reads all matrices of a folder; the newest version and JSON-RPC come first. */
export function killsIn(folder: string): Kills {
  const order = (name: string): string => `${name.replace(`-${charging.pack}`, '').endsWith('-1.0') ? 0 : 1} ${name}`;
  const profiles = readdirSync(folder)
    .flatMap((name) => (name.endsWith('.txt') ? [name.slice(0, -'.txt'.length)] : []))
    .sort((first, second) => (order(first) < order(second) ? -1 : 1));
  const kills = new Map<string, Map<string, string>>();
  const laws = new Map<string, LawProof>();
  for (const lawProof of profiles.flatMap((profile) => readLawProofs(folder, profile)))
    if (!laws.has(lawProof.law)) laws.set(lawProof.law, lawProof);
  for (const profile of profiles)
    for (const [fault, checks] of readKills(folder, profile))
      for (const check of checks) {
        const first = kills.get(check) ?? new Map<string, string>();
        if (!first.has(fault)) first.set(fault, profile);
        kills.set(check, first);
      }
  const inProfile = (first: ReadonlyMap<string, string>, profile: string): readonly string[] =>
    [...first].flatMap(([fault, text]) => (text === profile ? [fault] : []));
  const faults = Object.fromEntries(
    [...kills].map(([check, first]) => [
      check,
      Object.fromEntries([...new Set(first.values())].map((profile) => [profile, inProfile(first, profile)])),
    ]),
  );
  return { faults, laws: Object.fromEntries(laws) };
}

/** Folder of the stored matrices; the package has only what the build makes of them. */
export const storedProof = fileURLToPath(new URL('../../proof/', import.meta.url));
/** What the stored proof of this package shows. */
export function storedKills(): Kills {
  const file = join(storedProof, 'kills.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kills) : killsIn(storedProof);
}

/** A fault that proves a check, and a profile that shows it. */
export interface Killer {
  readonly fault: string;
  readonly profile: string;
}

/** The faults that a rule was seen to catch, of those that break its sentences. */
export function killersOf(faults: readonly Breaking[], { faults: kills }: Kills): (rule: AnyRule) => readonly Killer[] {
  const byId = new Map(faults.map((fault) => [fault.id, fault]));
  return (rule) =>
    Object.entries(kills[rule.id] ?? {}).flatMap(([profile, ids]) =>
      ids.flatMap((fault) => {
        const known = byId.get(fault);
        return known !== undefined && mayProve(known, rule) ? [{ fault, profile }] : [];
      }),
    );
}
