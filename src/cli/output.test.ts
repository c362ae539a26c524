import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportOf } from '../../test/reports.js';
import { silentTerminal } from '../../test/terminal.js';
import { publish } from './rendering.js';

// A report that cannot be written keeps no other from its place.

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-tck-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Reports a finished run to a.json and b.xml, which became folders meanwhile. */
function finished(...blocked: readonly string[]): Promise<void> {
  const outputs = [
    { format: 'json', file: join(folder, 'a.json') },
    { format: 'junit', file: join(folder, 'b.xml') },
  ] as const;
  const publication = publish(outputs, { verbose: false, strict: false }, silentTerminal());
  for (const name of blocked) mkdirSync(join(folder, name));
  publication.tell({ type: 'run.ended', report: reportOf([]) });
  return publication.done();
}

test('the other reports are there all the same', async () => {
  await expect(finished('a.json')).rejects.toThrow('a.json cannot be written');
  expect(readdirSync(folder)).toEqual(['a.json', 'b.xml']);
  expect(readFileSync(join(folder, 'b.xml'), 'utf8')).toMatch(/<\/testsuites>\s*$/);
});

test('all that cannot be written is named', async () => {
  await expect(finished('a.json', 'b.xml')).rejects.toThrow(/a\.json cannot be written.*b\.xml cannot be written/);
});
