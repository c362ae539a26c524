import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import type { Patch } from '../src/reference/index.js';
import type { FuzzStage } from '../src/run/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { realClock } from '../src/wire/index.js';
import { stageOn } from './fuzzing.js';
import { servedAgent } from './served.js';

// What it takes to make a script of a finding over real sockets, and to run it. Each lives until its test has ended.

export const dialect: Dialect = dialectById('a2a-0.3') ?? unknown();
function unknown(): never {
  throw new Error('no dialect');
}

/** URL of a reference agent. */
export async function standingAgent(patches: readonly Patch[]): Promise<string> {
  const { url, stop } = await servedAgent(dialect.id, patches);
  onTestFinished(stop);
  return url;
}

export function stageAt(url: string): Promise<FuzzStage> {
  const carrier = createHttpCarrier();
  onTestFinished(() => carrier.close());
  return stageOn(carrier, dialect, realClock, true, {}, url);
}

/** What the requests of a script print by curl, and the exit code. */
export function ranScript(script: string, url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-script-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'script.sh');
  writeFileSync(file, script);
  return new Promise<{ readonly code: number; readonly out: string }>((resolve) => {
    execFile('sh', [file, 'curl', url], { timeout: 100_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    );
  });
}
