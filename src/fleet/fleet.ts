import type { Tally } from '../report/index.js';

export const fleetSchema = 'a2a-tck-fleet/1';

/** The result of one target. */
export interface FleetEntry {
  readonly name: string;
  readonly url: string;
  /** The exit code of a run on this target alone. */
  readonly exitCode: number;
  /** Why it is not 0, one line each. */
  readonly reasons: readonly string[];
  /** The rest is left out when nothing could be judged. */
  readonly profile?: string;
  readonly agent?: string;
  readonly must?: Tally;
  /** Share of the applicable MUST checks that passed, floored. */
  readonly percent?: number;
  /** Names of files beside the overview. */
  readonly report?: string;
  readonly page?: string;
  readonly junit: string;
  readonly badge: string;
}

export interface Fleet {
  readonly schema: typeof fleetSchema;
  readonly kit: { readonly name: string; readonly version: string };
  /** ISO date. */
  readonly startedAt: string;
  readonly exitCode: number;
  readonly targets: readonly FleetEntry[];
}

/** Worst first: the kit failed, wrong options, a gate failed, no agent there, unproven, all passed. */
const order: readonly number[] = [70, 2, 1, 3, 4, 0];

/** 0 is the worst. A code that no version of the kit has is a failure of the kit. */
const rank = (exitCode: number): number => Math.max(0, order.indexOf(exitCode));

export const worstExit = (codes: readonly number[]): number =>
  order.find((code) => codes.includes(code)) ?? (codes.length === 0 ? 0 : 70);

/** Failures first: by exit code, then by the number of MUSTs that failed, then as in the file. */
export const worstFirst = (targets: readonly FleetEntry[]): readonly FleetEntry[] =>
  targets.toSorted((a, b) => rank(a.exitCode) - rank(b.exitCode) || (b.must?.fail ?? 0) - (a.must?.fail ?? 0));

const words: Readonly<Record<number, string>> = {
  0: 'passed',
  1: 'failed',
  2: 'wrong options',
  3: 'no agent there',
  4: 'unproven',
};

export const wordFor = (exitCode: number): string => words[exitCode] ?? 'the kit failed';

/** A file name that every file system accepts. The number keeps similar names apart. */
export function fileName(name: string, at: number, of: number): string {
  const number = String(at + 1).padStart(String(of).length, '0');
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? number : `${number}-${plain}`;
}
