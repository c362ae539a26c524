import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../src/report/index.js';
import { startChild } from './child.js';

// What docs/targets.md records of published clients, and what the kit says of them.

const targets = readFileSync(join(import.meta.dirname, '../docs/targets.md'), 'utf8').split(/^##+ /m);

/** Ids of the checks that the section with this title records as failed. */
export function recordedOf(name: string): readonly string[] {
  const section = targets.find((text) => text.startsWith(`${name}\n`)) ?? '';
  return [...section.matchAll(/^\| `(client-[a-z0-9]+\/[a-z0-9-]+)`/gm)].flatMap(([, id]) => id ?? []).sort();
}

/** Judges the client, expects what is recorded under this title, and returns a line for each verdict. */
export async function expectRecorded(name: string, options: readonly string[], folder: string): Promise<string> {
  const { out } = await startChild(['client', ...options, '--json'], {}, folder).ended;
  const report = JSON.parse(out) as Report;
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect([...failed].sort()).toEqual(recordedOf(name));
  expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  return report.checks.map(({ id, verdict }) => `${id} ${verdict}`).join('\n');
}
