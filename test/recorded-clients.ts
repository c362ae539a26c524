import { expect } from 'vitest';
import type { Report } from '../src/report/index.js';
import { startChild } from './child.js';
import { recordedOf } from './recorded.js';

// What the kit says of published clients, and what docs/targets.md records of them.

/** Judges the client, expects what is recorded under this title, and returns a line for each verdict. */
export async function expectRecorded(name: string, options: readonly string[], folder: string): Promise<string> {
  const { out } = await startChild(['client', ...options, '--json'], {}, folder).ended;
  const report = JSON.parse(out) as Report;
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect([...failed].sort()).toEqual(recordedOf(name));
  expect(report.checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  return report.checks.map(({ id, verdict }) => `${id} ${verdict}`).join('\n');
}
