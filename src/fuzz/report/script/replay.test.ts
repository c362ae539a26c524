import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scriptOf } from './script.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = join(folder, 'f-1.sh');
writeFileSync(
  script,
  scriptOf({
    id: 'f-1',
    title: 'a title\nof "two" lines',
    detail: 'what came',
    sentences: ['a sentence'],
    origin: 'a test',
    replay: { why: "it's" },
    url: 'http://agent.test/$(id)',
    options: ['--pay'],
    callers: { credentials: [] },
    requests: undefined,
    needs: ['A need.'],
    kit: 'a2a-tck@1.2.3',
  }),
);

/** A kit that prints its arguments, and ends with a code; the end of the script, and the arguments of the kit. */
function played(code: number, ...args: readonly string[]) {
  const kit = join(folder, 'kit.sh');
  const given = join(folder, 'given');
  writeFileSync(
    kit,
    `[ "$1" = --version ] && exit 0\nprintf '%s|' "$@" >${given}\nfor last; do cat "$last" >>${given} 2>&1; done\nexit ${code}\n`,
  );
  const { status } = spawnSync('sh', [script, ...args], { env: { ...process.env, A2A_TCK: `sh ${kit}` } });
  return { status, given: readFileSync(given, 'utf8') };
}

test.for([
  [1, 0],
  [0, 1],
  [2, 2],
  [3, 2],
  [4, 2],
  [70, 2],
] as const)('the kit ends with %i, the script with %i', ([kit, own]) => {
  expect(played(kit).status).toBe(own);
});

test('runs the kit that found it, unless another is named', () => {
  expect(readFileSync(script, 'utf8')).toMatch(/^kit=\$\{A2A_TCK:-npx --yes a2a-tck@1\.2\.3\}$/m);
});

test('gives the kit the URL, its options and the case', () => {
  expect(played(1).given).toMatch(/^fuzz\|--url\|http:\/\/agent\.test\/\$\(id\)\|--pay\|--replay\|/);
  expect(played(1).given).toContain(`{"why":"it's"}`);
  expect(played(1, 'https://other.test', '--rate', '5').given).toMatch(
    /^fuzz\|--url\|https:\/\/other\.test\|.*\|--rate\|5\|/,
  );
});

test('says where the kit is missing', () => {
  const { status, stderr } = spawnSync('sh', [script], { env: { ...process.env, A2A_TCK: 'nonesuch' } });
  expect([status, String(stderr)]).toEqual([2, 'the kit cannot be run: nonesuch\n']);
});
