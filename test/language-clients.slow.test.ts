import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { expectRecorded } from './recorded-clients.js';

// The programs of docs/clients in Python, Go, Rust and Java, with all scenarios in one process. Each needs its toolchain,
// and the library, in the version that is recorded, where that toolchain finds it without a network; else it is skipped,
// with the reason. A program that cannot be built where both are there fails. CLIENT_PYTHON_1 and CLIENT_PYTHON_03 name interpreters that have the library; CARGO_TARGET_DIR and
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

/** Rejects where this interpreter does not have this version of the library. */
async function hasPython(interpreter: string, version: string): Promise<void> {
  const ask = "import importlib.metadata as m, a2a.client; print(m.version('a2a-sdk'))";
  const { stdout } = await run(interpreter, ['-c', ask]);
  if (stdout.trim() !== version) throw new Error(`${interpreter} has a2a-sdk ${stdout.trim()}, not ${version}`);
}

const { env } = process;
const python1 = env['CLIENT_PYTHON_1'] ?? 'python3';
const python03 = env['CLIENT_PYTHON_03'] ?? 'python3';
const maven = env['CLIENT_MVN'] ?? 'mvn';
const goEnv = { GOPROXY: 'off', GOFLAGS: '-mod=mod' };
const cargoEnv = (place: string) => ({
  CARGO_TARGET_DIR: env['CARGO_TARGET_DIR'] ?? join(place, 'target'),
  CARGO_PROFILE_DEV_DEBUG: '0',
});

/** A program of docs/clients. */
interface Program {
  readonly library: string;
  readonly profile: string;
  readonly folder?: string;
  /** Rejects where the toolchain or the library is not here. `place`: the copy of its folder. */
  has(place: string): Promise<unknown>;
  /** Builds it; its command. */
  make(place: string): Promise<string>;
}

const libraries: readonly Program[] = [
  {
    library: 'a2a-sdk 1.3.0 (Python)',
    profile: 'a2a-1.0',
    has: () => hasPython(python1, '1.3.0'),
    make: async () => `${python1} ${join(programs, 'a2a-python-1.py')}`,
  },
  {
    library: 'a2a-sdk 0.3.26 (Python)',
    profile: 'a2a-0.3',
    has: () => hasPython(python03, '0.3.26'),
    make: async () => `${python03} ${join(programs, 'a2a-python-0.3.py')}`,
  },
  {
    library: 'a2a-go 2.4.0',
    profile: 'a2a-1.0',
    folder: 'a2a-go-2',
    has: (place) => build('go', ['build', 'github.com/a2aproject/a2a-go/v2/a2aclient'], place, goEnv),
    make: async (place) => {
      await build('go', ['build', '-o', 'client', '.'], place, goEnv);
      return join(place, 'client');
    },
  },
  {
    library: 'a2a-protocol-client 0.15.0 (Rust)',
    profile: 'a2a-1.0',
    folder: 'a2a-rust-protocol-0.15',
    has: (place) =>
      build('cargo', ['build', '--offline', '--locked', '-p', 'a2a-protocol-client'], place, cargoEnv(place)),
    make: async (place) => {
      await build('cargo', ['build', '--offline', '--locked'], place, cargoEnv(place));
      return join(cargoEnv(place).CARGO_TARGET_DIR, 'debug/client');
    },
  },
  {
    library: 'a2a-java 1.2.0.Final',
    profile: 'a2a-1.0',
    folder: 'a2a-java-1',
    has: (place) => build(maven, ['-o', '-q', '-B', 'dependency:copy-dependencies'], place),
    make: async (place) => {
      await build(maven, ['-o', '-q', '-B', 'package'], place);
      return `java -cp ${join(place, 'target/classes')}:${join(place, 'target/dependency')}/* Client`;
    },
  },
];

describe.each(libraries)('$library', ({ library, profile, folder: name, has, make }) => {
  let missing: string | undefined;
  let command = '';
  beforeAll(async () => {
    const place = name === undefined ? folder : copied(name);
    missing = await has(place).then(
      () => undefined,
      (error: Error & { readonly stdout?: string; readonly stderr?: string }) => {
        const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim().split('\n').slice(0, 2).join(' ');
        return `${library} is not here: ${(said || error.message).slice(0, 300)}`;
      },
    );
    if (missing === undefined) command = await make(place);
  }, minutes(10));

  const over = { jsonrpc: 'JSON-RPC', 'http+json': 'HTTP+JSON' } as const;
  test.for(['jsonrpc', 'http+json'] as const)(
    'fails what is recorded, over %s',
    { timeout: minutes(2) },
    async (binding, { skip }) => {
      if (missing !== undefined) return skip(missing);
      const options = ['--command', command, '--stdin', '--profile', profile, '--binding', binding];
      await expectRecorded(`Client of ${library} over ${over[binding]}`, options, folder);
    },
  );
});
