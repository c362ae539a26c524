import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { isObject, isString, TckError } from '../model/index.js';
import type { CheckResult } from './result.js';

/** A known failure: why it is tolerated, and until when. */
export interface BaselineEntry {
  readonly check: string;
  readonly reason: string;
  readonly owner?: string;
  /** ISO date, the last day on which it is tolerated. */
  readonly expires?: string;
}
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/** Throws `TckError('config')` for a file that cannot be read or has another shape. */
export function readBaseline(file: string): Baseline {
  let raw: unknown;
  try {
    raw = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new TckError(
      'config',
      `the baseline ${file} cannot be read: ${firstLine(error)}`,
      'write one with --update-baseline',
    );
  }
  if (raw === null) return { entries: [] };
  const known = isObject(raw) ? raw['known'] : undefined;
  if (!Array.isArray(known))
    throw new TckError('config', `the baseline ${file} has no list "known"`, 'write one with --update-baseline');
  return { entries: known.map((entry: unknown, index) => readEntry(entry, `${file}, entry ${index + 1}`)) };
}

function readEntry(raw: unknown, where: string): BaselineEntry {
  const wrong = (what: string) =>
    new TckError('config', `${where}: ${what}`, 'each entry has check, reason and perhaps owner, expires');
  if (!isObject(raw)) throw wrong('not an object');
  const { check, reason, owner, expires } = raw;
  if (!isString(check) || check === '') throw wrong('no "check"');
  if (!isString(reason) || reason.trim() === '') throw wrong(`"${check}" has no "reason"`);
  if (owner !== undefined && !isString(owner)) throw wrong(`"owner" of "${check}" is no text`);
  if (expires !== undefined && (!isString(expires) || Number.isNaN(Date.parse(expires)))) {
    throw wrong(`"expires" of "${check}" is no date`);
  }
  return { check, reason, ...(owner === undefined ? {} : { owner }), ...(expires === undefined ? {} : { expires }) };
}

const day = 24 * 60 * 60 * 1000;

/** Marks results: failing and listed is known, passing and listed is stale, past its date is expired. */
export function applyBaseline(
  results: readonly CheckResult[],
  baseline: Baseline,
  now: number,
): readonly CheckResult[] {
  const entries = new Map(baseline.entries.map((entry) => [entry.check, entry]));
  return results.map((result) => {
    const entry = entries.get(result.id);
    if (entry === undefined) return result;
    if (result.verdict === 'pass')
      return { ...result, baseline: 'stale', reason: 'listed in the baseline, but it passes now' };
    if (result.verdict !== 'fail') return result;
    const over = entry.expires !== undefined && Date.parse(entry.expires) + day <= now;
    return { ...result, baseline: over ? 'expired' : 'known' };
  });
}

/** The baseline that fits these results, sorted; reasons, owners and dates of entries that stay are kept. */
export function updatedBaseline(results: readonly CheckResult[], before: Baseline): string {
  const old = new Map(before.entries.map((entry) => [entry.check, entry]));
  const known = results
    .filter((result) => result.verdict === 'fail')
    .map(
      (result) =>
        old.get(result.id) ?? { check: result.id, reason: `not looked into yet: ${result.reason.slice(0, 200)}` },
    )
    .sort((a, b) => (a.check < b.check ? -1 : 1));
  return stringify({ known });
}

const firstLine = (error: unknown): string =>
  error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
