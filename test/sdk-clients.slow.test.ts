import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { expectRecorded } from './recorded-clients.js';

// The programs of docs/clients.md, each in a folder of its own with the published library, judged by the built kit.
// Every failure was looked into against the sentence and is recorded in docs/targets.md.

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-sdk-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs of each client that must say the same. */
const runs = Number(process.env['CLIENT_RUNS'] ?? 2);

/** A folder with one of the programs and its library, as after `npm install`. */
function home(program: string, library: string): string {
  const place = join(folder, program);
  mkdirSync(join(place, 'node_modules/@a2a-js'), { recursive: true });
  symlinkSync(join(root, 'node_modules', library), join(place, 'node_modules/@a2a-js/sdk'));
  cpSync(join(root, 'docs/clients', `${program}.mjs`), join(place, `${program}.mjs`));
  return place;
}
const homes = {
  'a2a-js-1': home('a2a-js-1', 'a2a-sdk-1'),
  'a2a-js-0.3': home('a2a-js-0.3', '@a2a-js/sdk'),
  'a2a-js-0.2': home('a2a-js-0.2', 'a2a-sdk-0.2'),
} as const;

describe.each([
  { name: 'Client of @a2a-js/sdk 1.3.0', program: 'a2a-js-1', profile: 'a2a-1.0', binding: 'jsonrpc' },
  { name: 'Client of @a2a-js/sdk 1.3.0 over HTTP+JSON', program: 'a2a-js-1', profile: 'a2a-1.0', binding: 'http+json' },
  { name: 'Client of @a2a-js/sdk 1.3.0 over gRPC', program: 'a2a-js-1', profile: 'a2a-1.0', binding: 'grpc' },
  { name: 'Client of @a2a-js/sdk 0.3.14', program: 'a2a-js-0.3', profile: 'a2a-0.3', binding: 'jsonrpc' },
  {
    name: 'Client of @a2a-js/sdk 0.3.14 over HTTP+JSON',
    program: 'a2a-js-0.3',
    profile: 'a2a-0.3',
    binding: 'http+json',
  },
  { name: 'Client of @a2a-js/sdk 0.2.5', program: 'a2a-js-0.2', profile: 'a2a-0.2', binding: 'jsonrpc' },
] as const)('$name', ({ name, program, profile, binding }) => {
  test('fails what is recorded, the same in each run, within a minute', { timeout: 70_000 * runs }, async () => {
    const reported = new Set<string>();
    for (let count = 0; count < runs; count++) {
      const started = Date.now();
      const options = ['--command', `node ${program}.mjs`, '--profile', profile, '--binding', binding];
      reported.add(await expectRecorded(name, options, homes[program]));
      expect(Date.now() - started).toBeLessThan(60_000);
    }
    expect(reported.size).toBe(1);
  });
});
