import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { reportFormats } from '../reporters/formats.js';
import { runnerCommand } from './hostile-reports.js';
import { evilMark } from './peers/hostile-agents.js';
import { type HostileTarget, startHostile } from './peers/hostile-targets.js';

// Whole commands on targets that mean harm: bounded in time and memory, a verdict, a right exit code, no stack trace,
// no escape sequence, no markup of the target's in a page, no request to where the target would send them.

/** Every target meets every command, and the table is written to this file. */
export const table = process.env['HOSTILE_TABLE'];
const timeout = table === undefined ? '400' : '2000';
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-hostile-'));

const main = join(import.meta.dirname, '../dist/bundle/cli.js');
/**
 * Prints the peak of the resident set, KiB, and the time of the processors, ms, at the end of stderr. On Linux `maxRSS` begins
 * with that of the process which started this one.
 */
const meter =
  'data:text/javascript,import{readFileSync}from"node:fs";process.on("exit",()=>{const u=process.resourceUsage();let p=u.maxRSS;try{p=Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status","utf8"))[1])}catch{}process.stderr.write("\\npeak="+p+" cpu="+Math.round((u.userCPUTime+u.systemCPUTime)/1000)+"\\n")})';

/** One more folder that goes with the tests. */
export const newFolder = (): string => mkdtempSync(join(folder, 'run-'));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly peakMiB: number;
  readonly cpuMs: number;
}

export function command(args: readonly string[], cwd: string): Promise<Ended> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', meter, main, ...args], {
    cwd,
    env: { ...process.env, CI: 'true' },
  });
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
      const cpuMs = Number(/cpu=(\d+)/.exec(err)?.[1] ?? Number.NaN);
      resolve({ code, out, err, ms: performance.now() - started, peakMiB, cpuMs });
    });
  });
}

interface Tried {
  /** What is asked of the target at this URL. */
  readonly args: (url: string, cwd: string) => readonly string[];
  /** It reads `run.json`, which a run has left. */
  readonly isOfRun?: true;
  /** All that may come of it. */
  readonly codes: readonly number[];
}
export const key = join(folder, 'key.pem');
export const signed = join(folder, 'signed.json');
/** Only a run of checks makes a tape. */
const formats = reportFormats.filter((format) => format !== 'console' && format !== 'tape');
const reports = ['console', ...formats.map((format) => `${format}=out.${format}`)].flatMap((text) => [
  '--report',
  text,
]);
const largestReport = 20_000_000;
export const common = ['--timeout', timeout, '--seed', '1'];
/** Every command that reads what a target says. */
const commands: Readonly<Record<string, Tried>> = {
  run: {
    args: (url) => ['--url', url, ...common, ...reports],
    // 4: an agent that takes no message, or shows too little.
    codes: [0, 1, 3, 4],
  },
  fuzz: {
    args: (url) => ['fuzz', '--url', url, ...common, '--runs', '25', '--time', '20', ...reports],
    // 4: an agent that never answers cannot be fuzzed.
    codes: [0, 1, 3, 4],
  },
  init: {
    args: (url) => ['init', '--url', url],
    codes: [0, 3],
  },
  fleet: {
    args(url, cwd) {
      writeFileSync(
        join(cwd, 'targets.yaml'),
        `targets:\n  - name: hostile\n    url: ${url}\n    timeout: ${timeout}\n`,
      );
      return ['fleet', 'targets.yaml', '--out', 'fleet'];
    },
    codes: [0, 1, 3, 4],
  },
  verify: {
    args: (url) => ['verify', signed, '--key', `${key}.pub`, '--card', url],
    codes: [1, 3],
  },
  attest: {
    isOfRun: true,
    args: () => ['attest', 'run.json', '--key', key, '--out', 'signed.json'],
    // 2: without a card the statement has no subject.
    codes: [0, 2],
  },
  report: {
    isOfRun: true,
    args: () => ['report', 'run.json', '--verbose', ...reports],
    // That of the run.
    codes: [0, 1, 3, 4],
  },
};
export const names = Object.keys(commands);
const calling = (operation: string): Tried => ({
  args: (url) => ['call', operation, '--text', 'hi', '--url', url, '--binding', 'grpc', '--timeout', timeout],
  codes: [0, 1, 3, 4],
});
/** Single calls, for targets that do harm over gRPC. */
const calls: Readonly<Record<string, Tried>> = { 'call send': calling('send'), 'call stream': calling('stream') };

/** A command on a target: "code, seconds, MiB". `narrowing`: options of the run. Rejects where it does what no command may do. */
export async function attempt(target: HostileTarget, name: string, narrowing: readonly string[] = []): Promise<string> {
  const tried = commands[name] ?? calls[name];
  if (tried === undefined) throw new Error(`no command ${name}`);
  const cwd = newFolder();
  const server = await startHostile(target);
  try {
    if (tried.isOfRun === true) {
      await command(['--url', server.url, ...common, ...narrowing, '--report', 'json=run.json'], cwd);
      // Where the kit found no agent the run does not begin.
      if (!existsSync(join(cwd, 'run.json'))) return 'no run';
    }
    const ended = await command([...tried.args(server.url, cwd), ...(name === 'run' ? narrowing : [])], cwd);
    const written = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const pages = written.filter(({ name }) => name.endsWith('html'));
    const said = ended.err + ended.out;
    expect(tried.codes, said.slice(-2000)).toContain(ended.code);
    expect(ended.peakMiB).toBeLessThan(320);
    expect(ended.cpuMs).toBeLessThan(60_000);
    // Beside the other tests of a build a command waits for a processor as long as they let it.
    if (table !== undefined) expect(ended.ms).toBeLessThan(60_000);
    expect(said).not.toMatch(/\n\s+at .*\(.*:\d+:\d+\)/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
    expect(said).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202e]/);
    expect(said).not.toMatch(runnerCommand);
    for (const { parentPath, name: file } of written)
      expect(statSync(join(parentPath, file)).size, file).toBeLessThan(largestReport);
    for (const { parentPath, name: page } of pages) {
      expect(readFileSync(join(parentPath, page), 'utf8')).not.toMatch(new RegExp(`<[^>]*${evilMark}`));
    }
    expect(server.strayed()).toBe(0);
    return `${ended.code}, ${(ended.ms / 1000).toFixed(1)} s, ${ended.peakMiB.toFixed(0)} MiB`;
  } finally {
    await server.close();
  }
}

/** What the commands need, for the tests of the file that calls this. */
export function prepareCommands(): void {
  beforeAll(async () => {
    mkdirSync(folder, { recursive: true });
    await command(['keygen', '--out', key], folder);
    const demo = ['demo', '--suite', 'card', '--attest', signed, '--attest-key-file', key];
    expect((await command(demo, folder)).code).toBe(0);
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
