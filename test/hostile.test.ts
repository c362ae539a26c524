import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportFormats } from '../reporters/formats.js';
import { runnerCommand } from './hostile-reports.js';
import { evilMark } from './peers/hostile-agents.js';
import { type HostileTarget, hostileTargets, startHostile } from './peers/hostile-targets.js';

// Whole commands on targets that mean harm: bounded in time and memory, a verdict, a right exit code, no stack trace,
// no escape sequence, no markup of the target's in a page, no request to where the target would send them.
//
// Each harm meets one command here. With HOSTILE_TABLE=<file> every target meets every command, at the usual
// --timeout 2000, and the table is written to that file.

const table = process.env['HOSTILE_TABLE'];
const timeout = table === undefined ? '400' : '2000';
const main = join(import.meta.dirname, '../dist/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-hostile-'));
/** Prints the peak of the resident set, KiB, and the time of the processors, ms, at the end of stderr. */
const meter =
  'data:text/javascript,process.on("exit",()=>{const u=process.resourceUsage();process.stderr.write("\\npeak="+u.maxRSS+" cpu="+Math.round((u.userCPUTime+u.systemCPUTime)/1000)+"\\n")})';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  readonly peakMiB: number;
  readonly cpuMs: number;
}

function command(args: readonly string[], cwd: string): Promise<Ended> {
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
const key = join(folder, 'key.pem');
const signed = join(folder, 'signed.json');
const formats = reportFormats.filter((format) => format !== 'console');
const reports = ['console', ...formats.map((format) => `${format}=out.${format}`)].flatMap((one) => ['--report', one]);
const largestReport = 20_000_000;
const common = ['--timeout', timeout, '--seed', '1'];
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
    codes: [0],
  },
  report: {
    isOfRun: true,
    args: () => ['report', 'run.json', '--verbose', ...reports],
    // That of the run.
    codes: [0, 1, 3, 4],
  },
};
const names = Object.keys(commands);

beforeAll(async () => {
  await command(['keygen', '--out', key], folder);
  const demo = ['demo', '--suite', 'card', '--attest', signed, '--attest-key-file', key];
  expect((await command(demo, folder)).code).toBe(0);
}, 60_000);

const lines: string[] = [];
afterAll(() => {
  if (table !== undefined) {
    const head = `| target | what it does | ${names.map((name) => `\`${name}\``).join(' | ')} |`;
    writeFileSync(table, [head, `|---|---|${names.map(() => '---|').join('')}`, ...lines.sort(), ''].join('\n'));
  }
  rmSync(folder, { recursive: true, force: true });
});

async function attempt(target: HostileTarget, name: string): Promise<string> {
  const tried = commands[name];
  if (tried === undefined) throw new Error(`no command ${name}`);
  const cwd = mkdtempSync(join(folder, 'run-'));
  const server = await startHostile(target);
  try {
    if (tried.isOfRun === true) {
      await command(['--url', server.url, ...common, '--report', 'json=run.json'], cwd);
      // Where no agent was found there is no run.
      if (!existsSync(join(cwd, 'run.json'))) return 'no run';
    }
    const ended = await command(tried.args(server.url, cwd), cwd);
    const written = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const pages = written.filter(({ name }) => name.endsWith('html'));
    const said = ended.err + ended.out;
    expect(tried.codes, said.slice(-2000)).toContain(ended.code);
    expect(ended.peakMiB).toBeLessThan(300);
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

/** Each harm once: some from the first request on, the others behind a good card. */
const chosen = hostileTargets.filter(({ id }, at) => {
  const isBehind = id.startsWith('card-then-');
  return hostileTargets.some((one) => one.id === `card-then-${id}`) || isBehind ? at % 4 < 2 !== isBehind : true;
});

/** Those meet the command that they are about. */
const met: Readonly<Record<string, string>> = {
  'many-skills': 'run',
  'huge-ids': 'run',
  'many-cookies': 'run',
  'secret-words': 'fuzz',
  'runner-commands': 'run',
  'signed-crowd': 'run',
  'long-uri': 'run',
  'many-extensions': 'run',
  'many-members': 'fuzz',
  'many-parts': 'fuzz',
  'many-messages': 'fuzz',
  'brotli-bomb': 'run',
};
/** They keep a processor busy for half a minute: several at once would measure each other. */
const isHeavy = ({ id }: HostileTarget): boolean => met[id] !== undefined;

const tried = new Map<HostileTarget, () => void>();
for (const [at, target] of chosen.entries()) {
  const name = met[target.id] ?? names[at % names.length] ?? 'run';
  tried.set(target, () => {
    test(`${name} on ${target.id}: ${target.about}`, { timeout: 120_000 }, () => attempt(target, name));
  });
}
for (const target of table === undefined ? [] : hostileTargets) {
  tried.set(target, () => {
    test(`${target.id}: ${target.about}`, { timeout: 600_000 }, async () => {
      const cells: string[] = [];
      for (const name of names) cells.push(await attempt(target, name));
      lines.push(`| ${target.id} | ${target.about} | ${cells.join(' | ')} |`);
    });
  });
}

describe('hostile targets that are much work', () => {
  for (const [target, declare] of tried) if (isHeavy(target)) declare();
});

describe.concurrent('hostile targets', () => {
  test('there are many', () => {
    expect(hostileTargets.length).toBeGreaterThanOrEqual(40);
    expect(chosen.length).toBeGreaterThanOrEqual(40);
  });
  for (const [target, declare] of tried) if (!isHeavy(target)) declare();

  test('a runner of CI jobs reads no command of the target in what any command prints', {
    timeout: 120_000,
  }, async () => {
    const target = hostileTargets.find(({ id }) => id === 'runner-commands');
    if (target === undefined) throw new Error('no such target');
    const cwd = mkdtempSync(join(folder, 'runner-'));
    const server = await startHostile(target);
    const printed = async (...args: readonly string[]): Promise<string> => {
      const { out, err } = await command(args, cwd);
      expect(out + err, args.join(' ')).not.toMatch(runnerCommand);
      return out + err;
    };
    try {
      const run = await printed('--url', server.url, ...common, '--suite', 'task', '--report', 'json=a.json');
      // What the target says is there, and is no command.
      expect(run).toContain('\\::add-mask::');
      const card = join(cwd, 'card.json');
      writeFileSync(card, await (await fetch(`${server.url}/.well-known/agent-card.json`)).text());
      await printed('demo', '--suite', 'task', '--report', 'json=b.json');
      for (const format of reportFormats) await printed('report', 'a.json', '--verbose', '--report', format);
      for (const more of [[], ['--json']]) await printed('diff', 'b.json', 'a.json', ...more);
      for (const url of [server.url, card]) await printed('verify', signed, '--key', `${key}.pub`, '--card', url);
      await printed('init', '--url', server.url);
    } finally {
      await server.close();
    }
  });
});
