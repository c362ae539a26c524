import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientRules } from '../../suites/clients/index.js';
import { rules } from '../../suites/index.js';
import {
  compared,
  judgedText,
  readHistory,
  readTargets,
  record,
  type Table,
  tablePage,
  targetsCommand,
  targetsText,
  versionChange,
  withTargets,
} from './index.js';

// The runner on targets that are made up: a server of a few lines, and a kit that says what a file says.

const repository = join(dirname(fileURLToPath(import.meta.url)), '../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2a-tck-sdks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const server = `
import { createServer } from 'node:http';
createServer((request, response) => response.end(request.url === '/card' ? '{}' : 'no')).listen(Number(process.env.PORT), '127.0.0.1');
`;
const fakeKit = `
import { readFileSync, writeFileSync } from 'node:fs';
const file = process.argv.find((one) => one.startsWith('json=')).slice(5);
const after = (name) => process.argv[process.argv.indexOf(name) + 1];
const isClient = process.argv[2] === 'client';
const place = isClient ? 'http://127.0.0.1' : after('--url');
if (!isClient && (await (await fetch(new URL('/card', place))).text()) !== '{}') process.exit(3);
const binding = { jsonrpc: '', 'http+json': '-rest', grpc: '-grpc' };
const profile = isClient ? after('--profile').replace('a2a', 'client') + binding[after('--binding')] : 'a2a-1.0';
const checks = JSON.parse(readFileSync(process.env.VERDICTS, 'utf8'));
writeFileSync(file, JSON.stringify({ kit: { name: 'a2a-tck', version: '0' }, target: { profile }, checks, exchanges: [
  { id: 'x1', request: { method: 'POST', url: place, headers: [], body: '</script><script>alert(1)</script>' }, response: { status: 200, headers: [], body: '{}' } },
] }));
process.exit(1);
`;

const check = (id: string, verdict: string, level = 'must') => ({
  id,
  verdict,
  level,
  suite: id.split('/')[0],
  reason: verdict === 'pass' ? '' : `<b>${id}</b>`,
  title: 'The agent must do it',
  actual: verdict === 'fail' ? 'HTTP 200' : '',
  curl: 'curl http://127.0.0.1:4000/',
  requirements: ['A2A10-RPC-001'],
  exchanges: ['x1'],
});

/** A folder of targets with one fake. */
function place(name: string, more: readonly string[], expected: readonly string[], program = server): string {
  const root = join(folder, name);
  const own = join(root, 'targets/fake');
  mkdirSync(own, { recursive: true });
  for (const schema of ['target', 'expected', 'table'])
    cpSync(join(repository, `targets/${schema}.schema.json`), join(root, `targets/${schema}.schema.json`));
  writeFileSync(join(root, 'targets/prompts.yaml'), 'completed: please\n');
  writeFileSync(join(root, 'package.json'), '{"version":"0.0.1"}');
  writeFileSync(join(root, 'kit.mjs'), fakeKit);
  writeFileSync(join(own, 'server.mjs'), program);
  const lines = ['id: fake', 'role: server', 'language: javascript', 'package: fake', "version: '1'", 'licence: MIT'];
  const rest = ["env: { PORT: '{port}' }", 'card: /card', 'wait: 5', 'profiles: [a2a-1.0]', ...more];
  const usual = more.some((text) => text.startsWith('needs')) ? [] : ['needs: [node]'];
  writeFileSync(join(own, 'target.yaml'), [...lines, ...usual, 'start: [node, server.mjs]', ...rest, ''].join('\n'));
  writeFileSync(join(own, 'expected.yaml'), ["of: 'fake 1'", ...expected, ''].join('\n'));
  return root;
}

const entry = (id: string) => [
  `  - check: ${id}`,
  '    level: must',
  '    judged: true',
  "    sentence: '1: so it is.'",
  '    wire: it is not',
];

async function ran(root: string, verdicts: readonly object[], ...args: readonly string[]) {
  const file = join(root, 'verdicts.json');
  writeFileSync(file, JSON.stringify(verdicts));
  process.env['VERDICTS'] = file;
  let out = '';
  const code = await targetsCommand(args, root, (text) => (out += text), [process.execPath, join(root, 'kit.mjs')]);
  return { code, out };
}

describe('a run', () => {
  test('what is as judged exits 0, and is not run again', async () => {
    const root = place('as-judged', [], ['failures:', ...entry('rpc/one')]);
    const first = await ran(root, [check('rpc/one', 'fail'), check('rpc/two', 'pass')]);
    expect(first.out).toMatch(/fake +fake 1 +yes +yes +1 +0 .* as-expected/);
    expect(first.code).toBe(0);
    // Nothing changed, so what the kit would say now is not asked.
    const second = await ran(root, [check('rpc/two', 'fail')]);
    expect([second.code, /before/.test(second.out)]).toEqual([0, true]);
    const third = await ran(root, [check('rpc/two', 'fail')], '--again');
    expect(third.code).toBe(1);
    expect(third.out).toContain('NEW        rpc/two: <b>rpc/two</b>');
    expect(third.out).toContain('NOT SHOWN  rpc/one');
    // Of the runs of before, without anything that could build or run.
    writeFileSync(join(root, 'targets/fake/server.mjs'), 'process.exit(1)');
    const stored = await ran(root, [], '--stored');
    expect([stored.code, stored.out.includes('NEW        rpc/two')]).toEqual([1, true]);
    expect((await ran(root, [], '--stored', '--cache', join(root, 'elsewhere'))).out).toContain('no run is stored');
  });

  test('a report to the authors is drafted of what is worth it', async () => {
    const root = place('told', [], ['failures:', ...entry('rpc/one'), '    tell: true', ...entry('rpc/two')]);
    const curl = `curl http://127.0.0.1:4000/ '${root}/builds/rust-0123456789abcdef/bin/client'`;
    await ran(root, [{ ...check('rpc/one', 'fail'), curl }, check('rpc/two', 'fail')], '--reports');
    const reports = join(root, 'targets/fake/reports');
    expect(readdirSync(reports)).toEqual(['rpc-one.md']);
    const text = readFileSync(join(reports, 'rpc-one.md'), 'utf8');
    expect(text).toMatch(
      /^# fake 1: it is not\n[\s\S]*1: so it is\.[\s\S]*\n {4}curl http:\/\/\$AGENT\/ '\$BUILD\/bin\/client'\n/,
    );
  });

  test('no draft that is stored names a folder of the machine that made it', () => {
    const targets = join(repository, 'targets');
    const files = readdirSync(targets, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    expect(files.filter((name) => /\/builds\/[a-z]+-/.test(readFileSync(join(targets, name), 'utf8')))).toEqual([]);
  });

  test('it tells what is mended, and writes drafts, a history and a page that fits its schema', async () => {
    const root = place('mended', [], ['failures:', ...entry('rpc/one')]);
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs/targets.md'), 'before\n<!-- targets: begin -->\n<!-- targets: end -->\nbehind\n');
    const out = join(root, 'out');
    const results = [check('rpc/one', 'pass'), check('rpc/two', 'fail'), check('task/three', 'inconclusive')];
    const { code, out: said } = await ran(root, results, '--page', out, '--record', '--draft');
    expect(code).toBe(1);
    expect(said).toContain('MENDED     rpc/one: it is not');
    expect(said).toContain('check: rpc/two');
    expect(said).toContain('judged: NOT JUDGED');
    expect(readHistory(join(root, 'targets/history.ndjson'))).toMatchObject([
      { target: 'fake', version: '1', kit: '0.0.1', failures: ['rpc/two'], checks: 3, pass: 1 },
    ]);
    const document = readFileSync(join(root, 'docs/targets.md'), 'utf8');
    expect(document).toMatch(/^before\n[\s\S]*\| \[fake 1\][\s\S]*behind\n$/);
    expect(readFileSync(join(root, 'targets/judged.md'), 'utf8')).toMatch(/## fake: fake 1\n[\s\S]*`rpc\/one`/);
    const table = JSON.parse(readFileSync(join(out, 'targets.json'), 'utf8')) as Table;
    const schema = JSON.parse(readFileSync(join(root, 'targets/table.schema.json'), 'utf8')) as object;
    const isTable = new Ajv2020().compile(schema);
    expect(isTable(table) ? [] : isTable.errors).toEqual([]);
    expect(table.rows.map(({ cells }) => cells['fake']?.verdict)).toEqual(['fail']);
    const page = readFileSync(join(out, 'index.html'), 'utf8');
    expect(page).toBe(tablePage(table));
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(page).not.toMatch(/\bsrc=|@import|url\(|<link|<b>rpc/);
  });

  test.for([
    {
      name: 'no program',
      more: ['needs: [no-such-program]'],
      state: 'skipped',
      code: 0,
      why: 'no-such-program is not',
    },
    {
      name: 'no package',
      more: ['fetch:', '  - [node, -e, "console.log(`error: no such package`); process.exit(1)"]'],
      state: 'skipped',
      code: 0,
      why: 'error: no such package',
    },
    {
      name: 'no build',
      more: ['build:', '  - [node, -e, "process.exit(1)"]'],
      state: 'broken',
      code: 3,
      why: 'node -e',
    },
    { name: 'an end', more: [], program: 'process.exit(0)', state: 'broken', code: 3, why: 'ended before its card' },
    {
      name: 'no card',
      more: ['options: []'],
      program: server.replace("'/card'", "'/nothing'").replace('response.end(', 'response.writeHead(404).end('),
      state: 'broken',
      code: 3,
      why: 'HTTP 404',
    },
  ])('$name: $state', async ({ name, more, program, state, code, why }) => {
    const root = place(name.replace(' ', '-'), [...more], ['failures: []'], program);
    if (name === 'no card') {
      const file = join(root, 'targets/fake/target.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('wait: 5', 'wait: 0.5'));
    }
    const ended = await ran(root, []);
    expect([ended.code, ended.out.includes(why), ended.out.includes(state)]).toEqual([code, true, true]);
  });

  test('a build is made anew where a file of it changes, and only then', async () => {
    const count = ['build:', '  - [node, -e, "require(`fs`).appendFileSync(`{root}/builds`, `x`)"]'];
    const root = place('rebuilt', count, ['failures: []']);
    const builds = () => readFileSync(join(root, 'builds'), 'utf8').length;
    await ran(root, []);
    await ran(root, [], '--again');
    expect(builds()).toBe(1);
    writeFileSync(join(root, 'targets/fake/server.mjs'), `${server}// changed\n`);
    await ran(root, []);
    expect(builds()).toBe(2);
  });
});

test('a client is tried over each of its bindings, and what fails has their labels', async () => {
  const root = place('client', [], ['failures:', ...entry('rpc/one'), '    over: [client-0.3, client-0.3-rest]']);
  const file = join(root, 'targets/fake/target.yaml');
  const manifest = readFileSync(file, 'utf8').replace('role: server', 'role: client');
  writeFileSync(file, manifest.replace('[a2a-1.0]', '[client-0.3, client-0.3-rest]').replace('card: /card\n', ''));
  const { code, out } = await ran(root, [check('rpc/one', 'fail')]);
  expect(out).toMatch(/fake +fake 1 +yes +yes +2 +0 .* as-expected/);
  expect(code).toBe(0);
});

describe('an error in a manifest is reported with its place', () => {
  test.for([
    { text: ['wait: soon'], problem: 'the member "wait" must be number' },
    { text: ['port: 1'], problem: 'unknown member "port"' },
    { text: ['role: agent'], problem: 'cannot be read' },
  ])('$problem', async ({ text, problem }) => {
    const root = place(`wrong-${problem.length}`, [], ['failures: []']);
    const file = join(root, 'targets/fake/target.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8').replace('wait: 5\n', '')}${text.join('\n')}\n`);
    const { code, out } = await ran(root, []);
    expect([code, out.includes(problem), out.includes('targets/fake/target.yaml')]).toEqual([2, true, true]);
  });

  test('a profile that the target has not, an entry that stands twice, and an unknown id', async () => {
    const root = place('wrong', [], ['failures:', ...entry('rpc/one'), ...entry('rpc/one'), '    over: [a2a-1.0]']);
    expect((await ran(root, [])).out).toContain('expected.yaml has rpc/one twice');
    expect((await ran(place('other', [], ['failures: []']), [], 'nobody')).out).toContain('unknown target nobody');
    expect((await ran(place('many', [], ['failures: []']), [], '--at-once', '3')).code).toBe(2);
  });
});

test('a comparison', () => {
  const expected = {
    of: 'x',
    failures: [
      { check: 'a/race', level: 'must', judged: true, sentence: 's', wire: 'w', 'comes-and-goes': true },
      { check: 'a/level', level: 'must', judged: true, sentence: 's', wire: 'w' },
      { check: 'a/on', over: ['a2a-1.0', 'a2a-1.0-rest'], level: 'must', judged: 'unclear', sentence: 's', wire: 'w' },
    ],
    missed: [{ check: 'a/missed', sentence: 's', wire: 'w', why: 'y' }],
  } as const;
  const results = [
    { id: 'a/level', verdict: 'fail', level: 'should', reason: '' },
    { id: 'a/on', verdict: 'fail', level: 'must', reason: '' },
    { id: 'a/on@a2a-1.0-rest', verdict: 'not-applicable', level: 'must', reason: 'away' },
    { id: 'a/missed', verdict: 'fail', level: 'must', reason: 'told' },
    { id: 'a/broken', verdict: 'error', level: 'must', reason: 'oops' },
  ] as const;
  const profiles = ['a2a-1.0', 'a2a-1.0-rest'];
  const { asExpected, racing, deviations } = compared(results, ['a2a-1.0'], { profiles }, expected);
  expect([asExpected, racing]).toEqual([1, 0]);
  expect(deviations.map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'profile ',
    'level a/level',
    'told a/missed',
    'kit-error a/broken',
    'not-shown a/on@a2a-1.0-rest',
  ]);
});

test('the history says what a version mended, and has no line twice', () => {
  const file = join(folder, 'history.ndjson');
  const past = {
    target: 't',
    package: 'p',
    version: '1',
    kit: '0',
    at: '',
    seconds: 1,
    checks: 2,
    pass: 0,
    failures: ['a', 'b'],
  };
  const next = { ...past, version: '2', failures: ['b', 'c'] };
  expect([record(file, [past]), record(file, [past]), record(file, [next]), existsSync(file)]).toEqual([1, 0, 1, true]);
  expect(versionChange(readHistory(file), 't')).toEqual({ from: '1', to: '2', mended: ['a'], broken: ['c'] });
});

describe('the targets of the repository', () => {
  const targets = readTargets(join(repository, 'targets'));

  test('each has a program, and a lock that its language knows', () => {
    expect(targets.length).toBeGreaterThan(10);
    const locks = {
      python: 'requirements.txt',
      go: 'go.sum',
      rust: 'Cargo.lock',
      java: 'pom.xml',
      javascript: 'package-lock.json',
    };
    for (const { folder: own, manifest } of targets) {
      const places = (manifest.files ?? ['.']).map((name) => join(own, name));
      const lock = locks[manifest.language];
      expect(
        places.some((place) => place.endsWith(`/${lock}`) || existsSync(join(place, lock))),
        manifest.id,
      ).toBe(true);
    }
  });

  test('each failure that was judged names a check of the kit', () => {
    const ids = new Set([...rules, ...clientRules].map(({ id }) => id));
    const unknown = targets.flatMap(({ manifest, expected }) =>
      expected.failures.filter(({ check: id }) => !ids.has(id)).map(({ check: id }) => `${manifest.id}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  test('docs/targets.md and targets/judged.md say what they say', () => {
    const document = readFileSync(join(repository, 'docs/targets.md'), 'utf8');
    const history = readHistory(join(repository, 'targets/history.ndjson'));
    expect(withTargets(document, targetsText(targets, history))).toBe(document);
    expect(readFileSync(join(repository, 'targets/judged.md'), 'utf8')).toBe(judgedText(targets, history));
  });
});
