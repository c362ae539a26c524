import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostileTargets, startHostile } from './peers/hostile-targets.js';

// The whole command on targets that mean harm: bounded in time and memory, a verdict, a right exit code, no stack trace.

const main = join(import.meta.dirname, '../dist/src/cli/main.js');
/** Prints the peak of the resident set, in KiB, as the last line of stderr. */
const meter =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("\\npeak="+process.resourceUsage().maxRSS+"\\n"))';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly peakMiB: number;
}

function command(args: readonly string[]): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', meter, main, ...args], { env: { ...process.env, CI: 'true' } });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const peakMiB = Number(/peak=(\d+)/.exec(err)?.[1] ?? Number.NaN) / 1024;
      resolve({ code, out, err, ms: performance.now() - started, peakMiB });
    });
  });
}

test.for(hostileTargets)('$id: $about', { timeout: 120_000 }, async (target) => {
  const server = await startHostile(target);
  try {
    const ended = await command(['--url', server.url, '--timeout', '1000', '--concurrency', '16']);
    expect([1, 3]).toContain(ended.code);
    expect(ended.peakMiB).toBeLessThan(300);
    expect(ended.ms).toBeLessThan(60_000);
    expect(ended.err + ended.out).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what must not come out.
    expect(ended.out.replace(/\u001b\[[0-9;]*m/g, '')).not.toMatch(/\u001b/);
  } finally {
    await server.close();
  }
});
