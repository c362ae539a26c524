import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AnyRule } from '../kit/index.js';
import { pairOf, readKills } from './stored.js';

/** What a fault is, as far as its proof goes. */
export interface Breaking {
  readonly id: string;
  /** The keys of the requirement rows that it breaks. */
  readonly breaks: readonly string[];
}

/** Whether a fault breaks a sentence that the rule decides: only such faults prove it. */
export const mayProve = ({ breaks }: Pick<Breaking, 'breaks'>, { keys }: Pick<AnyRule, 'keys'>): boolean =>
  breaks.some((key) => (keys as readonly string[]).includes(key));

/** The stored matrices: of the sources, or of the package. */
const packaged = fileURLToPath(new URL('../../proof/', import.meta.url));

/**
 * The checks that are known to fail on each fault of a profile. What the stored matrix does not know, a new fault or a
 * new check, is expected wherever the fault breaks a sentence of the check.
 */
export function expectedKills(
  profile: string,
  rules: readonly AnyRule[],
  faults: readonly Breaking[],
  folder: string = packaged,
): ReadonlyMap<string, readonly string[]> {
  const stored = readKills(folder, profile);
  const known = new Set([...stored.values()].flat());
  return new Map(
    faults.map((fault) => {
      const kills = stored.get(fault.id);
      const concerned = rules.filter((rule) => mayProve(fault, rule)).map(({ id }) => id);
      return [fault.id, concerned.filter((id) => kills === undefined || kills.includes(id) || !known.has(id))];
    }),
  );
}

/** The faults that a rule was seen to catch in any profile, of those that break its sentences; sorted. */
export function killersIn(
  faults: readonly Breaking[],
  folder: string = packaged,
): (rule: AnyRule) => readonly string[] {
  const seen = new Set<string>();
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    for (const [fault, checks] of readKills(folder, name.replace(/\.txt$/, '')))
      for (const check of checks) seen.add(pairOf(check, fault));
  return (rule) =>
    faults
      .filter((fault) => mayProve(fault, rule) && seen.has(pairOf(rule.id, fault.id)))
      .map(({ id }) => id)
      .toSorted();
}
