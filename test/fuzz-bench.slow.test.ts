import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/bench-fuzz.js', import.meta.url));

/** Those that take few requests: one of each kind. The first one does with its first seed only. */
const chosen: readonly (readonly [seeds: string, faults: readonly string[]])[] = [
  ['1', ['fuzz-lost-update']],
  [
    '3',
    [
      'fuzz-history-one-too-long',
      'fuzz-answers-swapped',
      'fuzz-events-to-wrong-subscriber',
      'fuzz-subscribe-to-ended-crashes',
    ],
  ],
];

/** Exit code, and the output. */
const bench = (...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${out}${errors}` }),
    );
  });

test.each(chosen)(
  'seeded faults are found within the requests that proof/fuzz.txt states, with %s seeds: %s',
  { timeout: 120_000 },
  async (seeds, faults) => {
    const named = faults.flatMap((id) => ['--fault', id]);
    const { code, output } = await bench('--check', '--seeds', seeds, '--chain-seeds', '0', '--cap', '400', ...named);
    expect(output).toMatch(new RegExp(`\\b${faults.length} faults?, ${faults.length} found by most seeds`));
    expect([code, output]).toEqual([0, output]);
  },
);
