import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installedInto } from './packed.js';
import { filesIn } from './page-files.js';

// The programs of docs/go.md, docs/rust.md and docs/java.md, with the packed kit, on an agent on the SDK of that language.
// The lines of Gradle in docs/java.md are not run: `useJUnitPlatform` needs Gradle 4.6, Debian has 4.4, and no registry of
// packages has the program; their versions are compared with those of Maven, which are run.
// Each is skipped where its toolchain is missing. CARGO_TARGET_DIR saves Rust minutes; CLIENT_MVN names another Maven.

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-language-pages-'));
const minutes = (count: number): number => count * 60_000;

beforeAll(async () => {
  await installedInto(folder);
}, minutes(3));
afterAll(() => rmSync(folder, { recursive: true, force: true }), minutes(1));

const { env } = process;
const maven = env['CLIENT_MVN'] ?? 'mvn';

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** Runs a command of a page in the folder of an agent; `more`: options of the kit. */
async function play(command: readonly string[], cwd: string, more = ''): Promise<Ended> {
  const [program = '', ...words] = command;
  const kit = `${join(folder, 'node_modules/.bin/a2a-tck')} ${more}`.trim();
  const debug = { CARGO_PROFILE_DEV_DEBUG: '0', CARGO_PROFILE_TEST_DEBUG: '0' };
  const settings = { cwd, maxBuffer: 1 << 26, timeout: minutes(12), env: { ...env, ...debug, A2A_TCK: kit } };
  return run(program, words, settings).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  );
}

const isThere = (program: string, word: string): Promise<boolean> =>
  run(program, [word]).then(
    () => true,
    () => false,
  );

/** A copy of an agent with the files that a page shows; `merge`: how to treat those that the agent has, too. */
function placed(agent: string, page: string, merge: (own: string, shown: string) => string): string {
  const place = join(folder, agent);
  cpSync(join(root, 'targets', agent), place, { recursive: true, filter: (from) => !/target$/.test(from) });
  for (const [name, shown] of filesIn(join(root, 'docs', page))) {
    const file = join(place, name);
    mkdirSync(dirname(file), { recursive: true });
    const isOwn = name === 'Cargo.toml' || name === 'pom.xml';
    writeFileSync(file, isOwn ? merge(readFileSync(file, 'utf8'), shown) : shown);
  }
  return place;
}

/** What a failed test of every language shows. */
const parts = [/sentence: A2A\d\d-\w+-\d+, /, /expected: /, /fix: /, /reproduce: curl -sS/];
function expectShown(said: string): void {
  for (const part of parts) expect(said).toMatch(part);
}

test('Go', { timeout: minutes(6) }, async ({ skip }) => {
  if (!(await isThere('go', 'version'))) skip('go is missing');
  const place = placed('go-sdk-2', 'go.md', (own) => own);
  const all = await play(['go', 'test', '-count=1', '-run', 'TestA2A', '-v', '.'], place);
  expect(all.code, all.said).toBe(1);
  expect(all.said).toMatch(/--- PASS: TestA2A\/card\/is-object /);
  expect(all.said).toMatch(/--- FAIL: TestA2A\/rpc\/method-type /);
  expect(all.said).toMatch(/--- SKIP: TestA2A\/\S+ /);
  expectShown(all.said);
});

test('Rust', { timeout: minutes(15) }, async ({ skip }) => {
  if (!(await isThere('cargo', '--version'))) skip('cargo is missing');
  const place = placed('rust-a2a-protocol', 'rust.md', (own, shown) =>
    `${own}\n${shown}`.replace(/^name = "rust-target"$/m, 'name = "agent"'),
  );
  const all = await play(['cargo', 'test', '--test', 'a2a'], place);
  expect(all.code, all.said).toBe(0);
  expect(all.said).toMatch(/^test card\/is-object +\.\.\. ok$/m);
  expect(all.said).toMatch(/^test result: ok\. 4\d\d passed; 0 failed; \d+ ignored/m);
  // A suite that the agent does not claim shows nothing: the gate says so.
  const item = await play(['cargo', 'test', '--test', 'a2a'], place, '--suite auth');
  expect(item.said).toMatch(/^test gate +\.\.\. FAILED$/m);
  expect(item.said).toContain('UNPROVEN');
});

test('Java', { timeout: minutes(10) }, async ({ skip }) => {
  if (!(await isThere(maven, '--version'))) skip('Maven is missing');
  const place = placed('java-sdk-0.3', 'java.md', (own, shown) => {
    const plugin = /<plugin>[\s\S]*<\/plugin>/.exec(shown)?.[0] ?? '';
    const dependencies = shown.match(/<dependency>[\s\S]*?<\/dependency>/g) ?? [];
    const at = own.lastIndexOf('</dependencies>');
    return `${own.slice(0, at)}${dependencies.join('')}${own.slice(at)}`.replace('<plugins>', `<plugins>${plugin}`);
  });
  const all = await play([maven, '-q', '-B', 'verify'], place);
  expect(all.code).toBe(1);
  expect(all.said).toMatch(/Tests run: [3-9]\d\d, Failures: \d\d, Errors: 0, Skipped: \d+/);
  expect(all.said).toMatch(/ rpc\/params-type: When the client calls with params/);
  expectShown(all.said);
  const report = readFileSync(join(place, 'target/failsafe-reports/TEST-A2aIT.xml'), 'utf8');
  expect(report).toContain('<testcase name="a2a() card/is-object"');
});

test('Gradle gets the versions that Maven runs', () => {
  const page = readFileSync(join(root, 'docs/java.md'), 'utf8');
  const wanted = [
    ...page.matchAll(/<groupId>(.*?)<\/groupId><artifactId>(.*?)<\/artifactId><version>(.*?)<\/version><scope>test/g),
  ];
  const given = [...page.matchAll(/testImplementation '(.*):(.*):(.*)'/g)];
  expect(wanted.length).toBe(2);
  expect(given.map((match) => match.slice(1))).toEqual(wanted.map((match) => match.slice(1)));
});
