import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// What the guide says a run costs is what runs on the reference agent cost.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const guide = readFileSync(join(root, 'docs/first-run.md'), 'utf8').replaceAll('\n', ' ');
const [, ...numbers] =
  /A run sends some (\d+) to (\d+) requests and starts some (\d+) to (\d+) tasks/.exec(guide) ?? [];
const [fewestRequests = 0, mostRequests = 0, fewestTasks = 0, mostTasks = 0] = numbers.map(Number);

interface Costs {
  readonly requests: number;
  readonly tasks: number;
}
const costs = (profile: string): Promise<Costs> =>
  new Promise((resolve, reject) => {
    const args = [join(root, 'dist/src/cli/main.js'), 'demo', '--profile', profile, '--json'];
    execFile(process.execPath, args, { maxBuffer: 1 << 28 }, (error, stdout) =>
      error === null ? resolve((JSON.parse(stdout) as { readonly run: Costs }).run) : reject(error),
    );
  });

const profiles = [
  'a2a-1.0',
  'a2a-0.3',
  'a2a-0.2',
  'a2a-1.0-rest',
  'a2a-0.3-rest',
  'a2a-1.0-grpc',
  'openclaw',
  'terminal-bench',
];

test.each(profiles)('a run of %s costs what the guide says', { timeout: 120_000 }, async (profile) => {
  const { requests, tasks } = await costs(profile);
  expect(requests).toBeGreaterThanOrEqual(fewestRequests);
  expect(requests).toBeLessThanOrEqual(mostRequests);
  expect(tasks).toBeGreaterThanOrEqual(fewestTasks);
  expect(tasks).toBeLessThanOrEqual(mostTasks);
});
