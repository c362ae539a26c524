import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { expectRecorded } from './recorded-clients.js';

// The programs of docs/clients in Python, Go, Rust and Java, with all scenarios in one process. Each needs its toolchain,
// and the library, in the version that is recorded, where that toolchain finds it without a network; else it is skipped,
// with the reason. CLIENT_PYTHON_1 and CLIENT_PYTHON_03 name interpreters that have the library; CARGO_TARGET_DIR and
// CLIENT_MVN help Rust and Java.

const run = promisify(execFile);
const programs = join(import.meta.dirname, '../docs/clients');
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-language-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of a program, in which its toolchain may write. */
function copied(name: string): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  cpSync(join(programs, name), place, { recursive: true });
  return place;
}

const minutes = (count: number): number => count * 60_000;
const build = (program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  run(program, [...words], { cwd, env: { ...process.env, ...env }, timeout: minutes(9), maxBuffer: 1 << 26 });

/** The command of a program on the Python library, if this interpreter has the version. */
async function python(interpreter: string, file: string, version: string): Promise<string> {
  const ask = "import importlib.metadata as m, a2a.client; print(m.version('a2a-sdk'))";
  const { stdout } = await run(interpreter, ['-c', ask]);
  if (stdout.trim() !== version) throw new Error(`${interpreter} has a2a-sdk ${stdout.trim()}, not ${version}`);
  return `${interpreter} ${join(programs, file)}`;
}

const { env } = process;

describe.each([
  {
    library: 'a2a-sdk 1.3.0 (Python)',
    bindings: ['jsonrpc', 'http+json'],
    profile: 'a2a-1.0',
    make: () => python(env['CLIENT_PYTHON_1'] ?? 'python3', 'a2a-python-1.py', '1.3.0'),
  },
  {
    library: 'a2a-sdk 0.3.26 (Python)',
    bindings: ['jsonrpc', 'http+json'],
    profile: 'a2a-0.3',
    make: () => python(env['CLIENT_PYTHON_03'] ?? 'python3', 'a2a-python-0.3.py', '0.3.26'),
  },
  {
    library: 'a2a-go 2.4.0',
    bindings: ['jsonrpc', 'http+json'],
    profile: 'a2a-1.0',
    make: async () => {
      const place = copied('a2a-go-2');
      await build('go', ['build', '-o', 'client', '.'], place, { GOPROXY: 'off', GOFLAGS: '-mod=mod' });
      return join(place, 'client');
    },
  },
  {
    library: 'a2a-protocol-client 0.15.0 (Rust)',
    bindings: ['jsonrpc', 'http+json'],
    profile: 'a2a-1.0',
    make: async () => {
      const place = copied('a2a-rust-protocol-0.15');
      const target = env['CARGO_TARGET_DIR'] ?? join(place, 'target');
      await build('cargo', ['build', '--offline', '--locked'], place, {
        CARGO_TARGET_DIR: target,
        CARGO_PROFILE_DEV_DEBUG: '0',
      });
      return join(target, 'debug/client');
    },
  },
  {
    library: 'a2a-java 1.2.0.Final',
    bindings: ['jsonrpc', 'http+json'],
    profile: 'a2a-1.0',
    make: async () => {
      const place = copied('a2a-java-1');
      await build(env['CLIENT_MVN'] ?? 'mvn', ['-o', '-q', '-B', 'package'], place);
      return `java -cp ${join(place, 'target/classes')}:${join(place, 'target/dependency')}/* Client`;
    },
  },
] as const)('$library', ({ library, bindings, profile, make }) => {
  let made: { readonly command: string } | { readonly missing: string } = { missing: 'not looked for' };
  beforeAll(async () => {
    made = await make().then(
      (command) => ({ command }),
      (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
        const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(0, 2).join(' ');
        return { missing: `${library} is not here: ${(said || error.message).slice(0, 300)}` };
      },
    );
  }, minutes(10));

  const over = { jsonrpc: 'JSON-RPC', 'http+json': 'HTTP+JSON' } as const;
  test.for(bindings)('fails what is recorded, over %s', { timeout: minutes(2) }, async (binding, { skip }) => {
    if ('missing' in made) return skip(made.missing);
    const options = ['--command', made.command, '--stdin', '--profile', profile, '--binding', binding];
    await expectRecorded(`Client of ${library} over ${over[binding]}`, options, folder);
  });
});
