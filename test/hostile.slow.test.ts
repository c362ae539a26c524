import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { reportFormats } from '../reporters/formats.js';
import type { JsonReport } from '../reporters/index.js';
import { attempt, command, common, key, names, newFolder, prepareCommands, signed, table } from './hostile-commands.js';
import { runnerCommand } from './hostile-reports.js';
import { type HostileTarget, hostileTargets, startHostile } from './peers/hostile-targets.js';

// Each harm meets one command here. With HOSTILE_TABLE=<file> every target meets every command, at the usual
// --timeout 2000, and the table is written to that file.

prepareCommands();

const lines: string[] = [];
afterAll(() => {
  if (table !== undefined) {
    const head = `| target | what it does | ${names.map((name) => `\`${name}\``).join(' | ')} |`;
    writeFileSync(table, [head, `|---|---|${names.map(() => '---|').join('')}`, ...lines.sort(), ''].join('\n'));
  }
});

/** Each harm once: some from the first request on, the others behind a good card. */
const chosen = hostileTargets.filter(({ id }, at) => {
  const isBehind = id.startsWith('card-then-');
  return hostileTargets.some((hostileTarget) => hostileTarget.id === `card-then-${id}`) || isBehind
    ? at % 4 < 2 !== isBehind
    : true;
});

const overGrpc = hostileTargets.filter(({ grpc }) => grpc !== undefined);

/** Those meet the command that they are about. */
const met: Readonly<Record<string, string>> = {
  ...Object.fromEntries(hostileTargets.filter(({ id }) => id.startsWith('rest-')).map(({ id }) => [id, 'run'])),
  ...Object.fromEntries(overGrpc.map(({ id }) => [id, 'run'])),
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
const isHeavy = ({ id, grpc }: HostileTarget): boolean =>
  met[id] !== undefined && (grpc === undefined || /^grpc-(?:stream-)?(?:many|unknown)-/.test(id));

/** What a single call of gRPC takes: strange words, or a stream that the kit leaves. */
const isTaken: ReadonlySet<string> = new Set(
  ['evil-texts', 'prototype-members', 'many-metadata', 'endless-events', 'stream-many-fields'].map(
    (id) => `grpc-${id}`,
  ),
);

const tried = new Map<HostileTarget, () => void>();
for (const [at, target] of chosen.entries()) {
  const name = met[target.id] ?? names[at % names.length] ?? 'run';
  tried.set(target, () => {
    test(`${name} on ${target.id}: ${target.about}`, { timeout: 120_000 }, async () => {
      const [code] = await attempt(target, name);
      // Harm is never a pass.
      if (target.grpc !== undefined) expect(code).not.toBe('0');
    });
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

test('a plain run takes no more than 200 MiB', { timeout: 60_000 }, async () => {
  const { code, peakMiB } = await command(['demo', '--seed', '1'], newFolder());
  expect(code).toBe(0);
  expect(peakMiB).toBeLessThanOrEqual(200);
});

test('an agent that answers each request just in time keeps a run at work until --max-time, and no longer', {
  timeout: 60_000,
}, async () => {
  const target = hostileTargets.find(({ id }) => id === 'just-in-time');
  const server = await startHostile(target ?? expect.unreachable());
  try {
    const args = ['--url', server.url, '--timeout', '400', '--max-time', '5', '--report', 'json=run.json'];
    const cwd = newFolder();
    const { code, out, ms, cpuMs } = await command([...args, '--report', 'console'], cwd);
    expect(code).toBe(4);
    expect(out).toContain('its time is over: --max-time 5 s');
    expect(ms).toBeGreaterThan(5000);
    expect(ms).toBeLessThan(10_000);
    expect(cpuMs).toBeLessThan(8000);
    const { summary } = JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8')) as JsonReport;
    expect(summary.must.pass + summary.must.fail).toBeGreaterThan(0);
  } finally {
    await server.close();
  }
});

describe('hostile targets that are much work', () => {
  for (const [target, declare] of tried) if (isHeavy(target)) declare();
});

describe.concurrent('hostile targets', () => {
  test('there are many', () => {
    expect(hostileTargets.length).toBeGreaterThanOrEqual(40);
    expect(chosen.length).toBeGreaterThanOrEqual(40);
    expect(overGrpc.length).toBeGreaterThanOrEqual(70);
  });
  for (const [target, declare] of tried) if (!isHeavy(target)) declare();

  for (const target of overGrpc) {
    const name = /stream|events/.test(target.id) ? 'call stream' : 'call send';
    test(`${name} of ${target.id}: ${target.about}`, { timeout: 120_000 }, async () => {
      const [code] = await attempt(target, name);
      if (!isTaken.has(target.id)) expect(code).not.toBe('0');
    });
  }

  test('a runner of CI jobs reads no command of the target in what any command prints', {
    timeout: 120_000,
  }, async () => {
    const target = hostileTargets.find(({ id }) => id === 'runner-commands');
    if (target === undefined) throw new Error('no such target');
    const cwd = newFolder();
    const server = await startHostile(target);
    const printed = async (...args: readonly string[]): Promise<string> => {
      const { out, err } = await command(args, cwd);
      expect(out + err, args.join(' ')).not.toMatch(runnerCommand);
      return out + err;
    };
    try {
      const run = await printed('--url', server.url, ...common, '--suite', 'task', '--report', 'json=a.json');
      // What the target says is there, and is not a command.
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
