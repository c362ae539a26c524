import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { dialects } from '../src/dialect/index.js';

// The README shows what the kit prints, and promises what it does.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the sample is what its command prints', { timeout: 60_000 }, async () => {
  const script = join(root, 'scripts/readme-sample.js');
  const ended = await promisify(execFile)(process.execPath, [script, '--check']).catch(
    (error: unknown) => error as { readonly stderr: string },
  );
  expect(ended.stderr).toBe('');
});

test('it says what is not judged', () => {
  const [, section = ''] = /^## What it does not judge\n([\s\S]*?)^## /m.exec(readme) ?? [];
  expect(section.match(/^- \*\*/gm)?.length).toBeGreaterThan(4);
});

test('it names every dialect and binding', () => {
  const [, spoken = ''] = /The kit detects what the agent speaks: ([\s\S]*?);/.exec(readme) ?? [];
  const named = dialects.map(({ id }) => id.replace(/-(?:rest|grpc)$/, '')).filter((id) => !id.startsWith('a2a-'));
  expect([...new Set(named)].filter((id) => !id.startsWith('xpr') && !spoken.includes(`\`${id}\``))).toEqual([]);
  for (const word of ['1.0', '0.3', '0.2', 'JSON-RPC', 'HTTP+JSON', 'gRPC', '`xpr`']) expect(spoken).toContain(word);
});
