import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { startChild } from './child.js';
import { servedAgent } from './served.js';
import { commandLine } from './terminal.js';

// What a developer does between two edits of the agent, in a folder of its own.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-loop-'));

const ids = ['card-no-description', 'card-version-number'];

/** An agent in a process of its own: it is away for a while when another takes its place. */
async function agentApart(port: number, ...some: readonly string[]) {
  const given = some.flatMap((id) => ['--fault', id]);
  const child = startChild(['serve', '--profile', 'a2a-1.0', ...given, '--port', String(port)]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (text: string) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    void child.ended.then(({ err }) => reject(new Error(err)));
  });
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await child.ended;
  };
  return { url, end };
}

let agent: Awaited<ReturnType<typeof servedAgent>>;
beforeAll(async () => {
  const patches = faults.filter(({ id }) => ids.includes(id)).map(({ patch }) => patch);
  agent = await servedAgent('a2a-1.0', patches);
});
afterAll(async () => {
  await agent.stop();
  rmSync(folder, { recursive: true });
});

const a2aTck = (args: readonly string[], cwd = folder) => commandLine(args, {}, { cwd });
const names = (out: string) => [...out.matchAll(/^FAIL MUST (\S+)/gm)].map(([, id]) => id);

describe('the edit loop', () => {
  test('--last-failed runs what failed, --last-unproven what was inconclusive', async () => {
    const nothing = await a2aTck(['--url', agent.url, '--last-failed']);
    expect(nothing).toMatchObject({ code: 2, err: expect.stringContaining('no last run on this agent') });
    const first = await a2aTck(['--url', agent.url, '--check', 'card/*', '--fuzz-runs', '0']);
    expect(names(first.out)).toEqual(['card/description', 'card/version']);
    const second = await a2aTck(['--url', agent.url, '--last-failed', '--verbose']);
    expect(names(second.out)).toEqual(['card/description', 'card/version']);
    expect(second.out).not.toContain('card/name');
    expect(second.out).not.toContain('fuzzed:');
    expect(readFileSync(join(folder, '.a2a-tck/.gitignore'), 'utf8')).toBe('*\n');
    await a2aTck(['--url', `${agent.url}/?api_key=s3cr3t-of-the-user`, '--check', 'card/name', '--fuzz-runs', '0']);
    expect(readFileSync(join(folder, '.a2a-tck/last-run.json'), 'utf8')).not.toContain('s3cr3t');
    const report = async (...args: readonly string[]) => {
      const { out } = await a2aTck(['--url', agent.url, ...args, '--json']);
      return (JSON.parse(out) as { checks: { id: string; verdict: string }[] }).checks;
    };
    const again = ['--check', 'card/*,durability/*', '--fuzz-runs', '0'];
    const open = (await report(...again)).filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
    expect(open.length).toBeGreaterThan(0);
    expect((await report('--last-unproven')).map(({ id }) => id)).toEqual(open);
    expect((await report('--last-failed', '--last-unproven')).length).toBe(2 + open.length);
    const both = await a2aTck(['--url', agent.url, '--last-failed', '--suite', 'card']);
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('--last-failed chooses the checks itself') });
  });

  test('what the fuzzer finds in a run has files, and explain says what it is', async () => {
    const fault = faults.find(({ id }) => id === 'sec-object-for-id-crashes');
    const fragile = await servedAgent('a2a-1.0', fault === undefined ? [] : [fault.patch]);
    try {
      const run = (...more: readonly string[]) =>
        a2aTck(['--url', fragile.url, '--check', 'card/etag', '--seed', '11', ...more]);
      const { out } = await run('--fuzz-runs', '40');
      const [, id = ''] = /^FOUND MUST (f-[0-9a-f]{8})$/m.exec(out) ?? [];
      expect(out).toMatch(
        new RegExp(`reproduce +curl[^]*script +sh \\.a2a-tck/${id}\\.sh[^]*more +a2a-tck explain ${id}\n`),
      );
      const files = () => readdirSync(join(folder, '.a2a-tck'));
      expect(files()).toEqual(expect.arrayContaining([`${id}.json`, `${id}.sh`]));
      const explained = await a2aTck(['explain', id]);
      expect(explained).toMatchObject({ code: 0, err: '' });
      expect(explained.out).toContain(`${id}, breaks a MUST\n`);
      expect(explained.out).toContain('A2A10-SEC-004, 13.4 General Security Best Practices: ');
      expect(explained.out).toContain(`  sh .a2a-tck/${id}.sh\n`);
      const other = await a2aTck(['explain', 'f-00000000']);
      expect(other).toMatchObject({ code: 2, err: expect.stringContaining(id) });
      // The next run finds nothing: what is kept is what the last one found.
      await a2aTck(['--url', agent.url, '--check', 'card/etag', '--fuzz-runs', '3']);
      expect(files().filter((name) => name.startsWith('f-'))).toEqual([]);
    } finally {
      await fragile.stop();
    }
  });

  test('--fail-fast ends with the first check that fails the gate', async () => {
    const { code, out } = await a2aTck(['--url', agent.url, '--fail-fast', '--json']);
    const { checks, run } = JSON.parse(out) as {
      readonly checks: readonly { readonly verdict: string; readonly reason: string }[];
      readonly run: { readonly cut?: string };
    };
    expect(code).toBe(1);
    expect(run.cut).toMatch(/ failed \(--fail-fast\)$/);
    expect(checks.some(({ verdict, reason }) => verdict === 'inconclusive' && reason.includes('--fail-fast'))).toBe(
      true,
    );
  });

  test('a configuration is found here or above, named, and left out on demand', async () => {
    const below = join(folder, 'src/deep');
    mkdirSync(below, { recursive: true });
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, 'a2a-tck.config.yaml'), `url: ${agent.url}\ncheck: card/name\nfuzz-runs: 0\n`);
    const found = await a2aTck([], below);
    expect(found).toMatchObject({ code: 0, err: expect.stringContaining('options of ../../a2a-tck.config.yaml') });
    const over = await a2aTck(['--check', 'card/description'], below);
    expect(names(over.out)).toEqual(['card/description']);
    expect(await a2aTck(['--no-config'], below)).toMatchObject({ code: 2, err: expect.stringContaining('no agent') });
    writeFileSync(join(folder, 'a2a-tck.config.yaml'), 'timout: 5\nbehaviours:\n  faild: x\n');
    const wrong = await a2aTck([]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('a2a-tck.config.yaml:1:1: unknown key "timout" (did you mean timeout?)');
    expect(wrong.err).toContain('a2a-tck.config.yaml:3:3: unknown key "behaviours.faild" (did you mean failed?)');
    rmSync(join(folder, 'a2a-tck.config.yaml'));
    rmSync(join(folder, '.git'), { recursive: true });
  });

  test('--watch runs again when files change or the agent comes back, and shows what changed', {
    timeout: 120_000,
  }, async () => {
    const first = await agentApart(0, ...ids);
    const watching = startChild(
      ['--url', first.url, '--check', 'card/*', '--fuzz-runs', '0', '--watch', '*.ts'],
      {},
      folder,
    );
    let said = '';
    let wake = (): void => undefined;
    for (const stream of [watching.stdout, watching.stderr]) {
      stream?.on('data', (text: string) => {
        said += text;
        wake();
      });
    }
    const until = async (part: RegExp): Promise<void> => {
      while (!part.test(said)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      said = said.replace(part, '');
    };
    await until(/FAIL MUST card\/description.*waiting until the agent comes back, or until \*\.ts changes/s);
    writeFileSync(join(folder, 'agent.md'), '');
    writeFileSync(join(folder, 'agent.ts'), '');
    await until(/agent\.ts has changed.*0 worse, 0 better.*failures? left: \d MUST.*waiting until/s);
    await first.end();
    const again = await agentApart(Number(new URL(first.url).port), 'card-no-description');
    await until(/the agent is back.*better.* card\/version: fail -> pass.*waiting until/s);
    watching.kill('SIGINT');
    expect((await watching.ended).code).toBe(1);
    await again.end();
  });

  test('a shell gets its completion', async () => {
    const { code, out } = await startChild(['complete', '--', 'list', '--prof']).ended;
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('--profile') });
  });
});
