import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { usualPatience } from '../src/files/read.js';
import { type ChildEnded, main, startChild } from './child.js';
import { startAgent } from './examples/agent.js';
import { command } from './hostile-commands.js';
import { commandLine, type Ended } from './terminal.js';

// Files that another user has put where the kit works: a configuration above the working folder, links in a cloned
// repository, files that never end.

let folder = '';
/** A folder for each test of the block that calls this. */
function ownFolder(): void {
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2a-tck-foreign-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
}
const at = (...names: readonly string[]): string => join(folder, ...names);

function write(name: string, text: string): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}

/** A command in a folder, of a user who has no home folder unless `home` is one. */
const a2aTck = (args: readonly string[], cwd: string, home = at('nobody')): Promise<Ended> =>
  commandLine(args, {}, { cwd, home });

/** The same in a process of its own, where one that waits without end would keep the tests from ending. */
async function apart(args: readonly string[], cwd: string): Promise<ChildEnded> {
  const child = startChild(args, { HOME: at('nobody') }, cwd);
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 25_000);
  try {
    return await child.ended;
  } finally {
    clearTimeout(timer);
  }
}

describe('a configuration that the user did not name', () => {
  ownFolder();
  const text = 'profile: a2a-9.9\n';
  const found = { code: 2, err: expect.stringContaining('a2a-9.9') as string };
  const missing = { code: 2, err: expect.stringContaining('no agent to test') as string };
  const run = (cwd: string, more: readonly string[] = [], home?: string) =>
    a2aTck(['--url', 'http://127.0.0.1:1', ...more], cwd, home);

  test('is looked for up to the root of the repository, and no higher', async () => {
    write('a2a-tck.config.yaml', text);
    mkdirSync(at('repository/src/deep'), { recursive: true });
    mkdirSync(at('repository/.git'));
    expect((await run(at('repository/src/deep'))).code).toBe(3);
    write('repository/a2a-tck.config.yaml', text);
    expect(await run(at('repository/src/deep'))).toMatchObject(found);
    rmSync(at('repository/.git'), { recursive: true });
    expect((await run(at('repository/src/deep'))).code).toBe(3);
    // In a worktree and in a submodule it is a file.
    write('repository/.git', 'gitdir: elsewhere\n');
    expect(await run(at('repository/src/deep'))).toMatchObject(found);
  });

  test('is looked for up to the home folder, and no higher', async () => {
    write('a2a-tck.config.yaml', text);
    mkdirSync(at('home/me/work'), { recursive: true });
    expect((await run(at('home/me/work'), [], at('home/me'))).code).toBe(3);
    write('home/me/a2a-tck.config.yaml', text);
    expect(await run(at('home/me/work'), [], at('home/me'))).toMatchObject(found);
    expect((await run(at('home/me/work'), [], '/')).code).toBe(3);
  });

  test.each([
    ['others may write', () => chmodSync(at('a2a-tck.config.yaml'), 0o646), 'others may write it'],
    ['others may exchange', () => chmodSync(folder, 0o777), 'others may write its folder'],
    ['lies in a folder like /tmp', () => chmodSync(folder, 0o1777), 'others may write its folder'],
    [
      'is a link to a file that others may write',
      () => {
        mkdirSync(at('real'));
        writeFileSync(at('real/some.yaml'), text);
        chmodSync(at('real/some.yaml'), 0o666);
        rmSync(at('a2a-tck.config.yaml'));
        symlinkSync('real/some.yaml', at('a2a-tck.config.yaml'));
      },
      'others may write it',
    ],
    [
      'is a pipe',
      () => {
        rmSync(at('a2a-tck.config.yaml'));
        execFileSync('mkfifo', [at('a2a-tck.config.yaml')]);
      },
      'it is not a file',
    ],
  ])('is refused where it %s, and taken when it is named', async (_, spoil, why) => {
    write('a2a-tck.config.yaml', text);
    spoil();
    const isPipe = why.includes('not a file');
    const refused = await (isPipe ? apart : a2aTck)([], folder);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining(why) as string });
    expect(refused.err).toContain('--config a2a-tck.config.yaml');
    expect(await a2aTck(['--no-config'], folder)).toMatchObject(missing);
    if (!isPipe) expect(await run(folder, ['--config', 'a2a-tck.config.yaml'])).toMatchObject(found);
  });

  test.runIf(process.getuid?.() === 0)('is refused where it belongs to another user', async () => {
    write('a2a-tck.config.yaml', text);
    chownSync(at('a2a-tck.config.yaml'), 12_345, 12_345);
    const refused = await a2aTck([], folder);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('belongs to another user') as string });
    expect(await run(folder, ['--config', 'a2a-tck.config.yaml'])).toMatchObject(found);
  });

  test('tells which of its members run commands, write files or send credentials', async () => {
    write(
      'a2a-tck.config.yaml',
      'restart-command: touch ran\nreport: [console, json=a.json]\nupdate-baseline: false\nheader: "X-Key: sesame"\nverbose: true\n',
    );
    const { code, err } = await a2aTck(['--url', 'http://127.0.0.1:1', '--header', 'X-Key: 1'], folder);
    expect(code).toBe(3);
    expect(err.split('\n')[0]).toBe(
      'a2a-tck: options of a2a-tck.config.yaml (--no-config: without); it runs commands: restart-command; writes files: report',
    );
    expect(existsSync(at('ran'))).toBe(false);
    const whole = await a2aTck(['--url', 'http://127.0.0.1:1'], folder);
    expect(whole.err.split('\n')[0]).toMatch(/; writes files: report; sends credentials: header$/);
    expect(whole.err).not.toContain('sesame');
  });
});

describe('links in a cloned repository', () => {
  ownFolder();
  let agent: Awaited<ReturnType<typeof startAgent>>;
  beforeAll(async () => {
    agent = await startAgent();
  });
  afterAll(() => agent.stop());
  const run = (more: readonly string[] = [], how: typeof a2aTck | typeof apart = a2aTck) =>
    how(['--url', agent.url, '--check', 'card/name', ...more], at('repository'));
  const victim = 'do not touch\n';
  beforeEach(() => {
    mkdirSync(at('repository'));
    write('victim', victim);
    mkdirSync(at('elsewhere'));
  });
  const isWhole = (): void => {
    expect(readFileSync(at('victim'), 'utf8')).toBe(victim);
    expect(readdirSync(at('elsewhere'))).toEqual([]);
  };

  test.each([
    ['last-run.json.new', () => symlinkSync('../../victim', at('repository/.a2a-tck/last-run.json.new'))],
    ['last-run.json', () => symlinkSync('../../victim', at('repository/.a2a-tck/last-run.json'))],
    ['.gitignore', () => symlinkSync('../../elsewhere/new', at('repository/.a2a-tck/.gitignore'))],
    [
      'the folder itself',
      () => {
        rmSync(at('repository/.a2a-tck'), { recursive: true });
        symlinkSync('../elsewhere', at('repository/.a2a-tck'));
      },
    ],
  ])('what is remembered of a run goes through no link: %s', async (_, plant) => {
    mkdirSync(at('repository/.a2a-tck'));
    plant();
    expect((await run()).code).toBe(0);
    isWhole();
  });

  test('a report does not lead out of the folder', async () => {
    symlinkSync('../elsewhere', at('repository/out'));
    symlinkSync('../victim', at('repository/a.json'));
    symlinkSync('inner', at('repository/reports'));
    mkdirSync(at('repository/inner'));
    for (const [file, where] of [
      ['a.json', '../victim'],
      ['out/a.json', at('elsewhere')],
      ['out/below/a.json', at('elsewhere')],
    ] as const) {
      const { code, err } = await run(['--report', `json=${file}`]);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(where) as string });
    }
    isWhole();
    // What is named is the word of the user, and so is a link that stays inside.
    expect((await run(['--report', 'json=../elsewhere/a.json', '--report', 'tap=reports/b.tap'])).code).toBe(0);
    expect(readdirSync(at('elsewhere'))).toEqual(['a.json']);
    expect(readdirSync(at('repository/inner'))).toEqual(['b.tap']);
    expect(readlinkSync(at('repository/a.json'))).toBe('../victim');
  });

  test('neither do findings, a corpus, a baseline and a fleet', async () => {
    symlinkSync('../elsewhere', at('repository/a2a-tck-findings'));
    symlinkSync('../elsewhere', at('repository/corpus'));
    symlinkSync('../victim', at('repository/known.yaml'));
    write('repository/targets.yaml', `targets:\n  - name: one\n    url: ${agent.url}\n`);
    for (const args of [
      ['fuzz', '--url', agent.url, '--runs', '1'],
      ['fuzz', '--url', agent.url, '--runs', '1', '--out', 'findings', '--corpus', 'corpus'],
      ['--url', agent.url, '--baseline', 'known.yaml', '--update-baseline'],
      ['fleet', 'targets.yaml', '--out', 'corpus'],
      ['keygen', '--out', 'corpus/key'],
      ['serve', '--data', 'known.yaml'],
    ]) {
      const { code, err } = await a2aTck(args, at('repository'));
      expect({ args, code, err }).toMatchObject({ code: 2, err: expect.stringMatching(/a link/) as string });
    }
    isWhole();
  });

  test.each([
    ['a2a-tck.config.yaml', '../victim'],
    ['.github', '../elsewhere'],
    ['.github/workflows/a2a-tck.yml', '../../../victim'],
  ])('init --force does not write through %s', async (name, to) => {
    mkdirSync(dirname(at('repository', name)), { recursive: true });
    symlinkSync(to, at('repository', name));
    for (const args of [
      ['init', '--force'],
      ['init', '--force', '--folder', '../repository'],
    ]) {
      const { code, err } = await a2aTck([...args], at('repository'));
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/a link/) as string });
      isWhole();
      expect(existsSync(at('repository/a2a-tck.config.yaml')) && name !== 'a2a-tck.config.yaml').toBe(false);
    }
  });

  test('what stands beside a report keeps its content, whatever its name', async () => {
    symlinkSync('../victim', at('repository', `a.json.${process.pid}.tmp`));
    expect((await run(['--report', 'json=a.json'])).code).toBe(0);
    isWhole();
    expect(JSON.parse(readFileSync(at('repository/a.json'), 'utf8'))).toMatchObject({ schema: 'a2a-tck-report/1' });
  });

  test('a device or a pipe that is named is written into, and stays what it is', async () => {
    execFileSync('mknod', [at('null'), 'p']);
    const reader = startReader(at('null'));
    expect((await run(['--report', `json=${at('null')}`], apart)).code).toBe(0);
    expect(JSON.parse(await reader)).toMatchObject({ schema: 'a2a-tck-report/1' });
    expect(lstatSync(at('null')).isFIFO()).toBe(true);
    const shown = await run(['--report', 'tap=/dev/stderr', '--report', 'junit=/dev/null'], apart);
    expect(shown).toMatchObject({ code: 0, err: expect.stringMatching(/^TAP version/) as string });
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    // No program reads from it.
    expect(await run(['--report', `json=${at('null')}`])).toMatchObject({
      code: 2,
      err: expect.stringContaining('no program reads from it') as string,
    });
  });

  function startReader(pipe: string): Promise<string> {
    const child = startShell(`cat '${pipe}'`);
    return child.then(({ out }) => out);
  }
});

/** A line of bash, in which `a2a-tck` is the command. */
async function startShell(line: string): Promise<ChildEnded> {
  const { spawn } = await import('node:child_process');
  const text = `a2a-tck() { '${process.execPath}' '${main}' "$@"; }; ${line}`;
  const child = spawn('bash', ['-c', text], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], timeout: 25_000 });
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** Every command that reads a file of which the user gives the name. */
const readers: Readonly<Record<string, (file: string) => readonly string[]>> = {
  report: (file) => ['report', file],
  merge: (file) => ['merge', file],
  diff: (file) => ['diff', file, file],
  attest: (file) => ['attest', file, '--key', 'key'],
  verify: (file) => ['verify', file, '--key', 'key.pub'],
  'verify --key': (file) => ['verify', 'key.pub', '--key', file],
  'verify --card': (file) => ['verify', 'run.att', '--key', 'key.pub', '--card', file],
  validate: (file) => ['validate', file],
  'validate --key': (file) => ['validate', 'key.pub', '--key', file],
  '--config': (file) => ['--config', file],
  '--baseline': (file) => ['--url', 'http://127.0.0.1:1', '--baseline', file],
  'client --baseline': (file) => ['client', '--demo', '--baseline', file],
  '--ca-file': (file) => ['--url', 'http://127.0.0.1:1', '--ca-file', file],
  '--x402-key-file': (file) => ['--url', 'http://127.0.0.1:1', '--x402', '--x402-key-file', file],
  '--attest-key-file': (file) => ['--url', 'http://127.0.0.1:1', '--attest', 'a', '--attest-key-file', file],
  fleet: (file) => ['fleet', file, '--out', 'fleet'],
  '--replay': (file) => ['fuzz', '--url', 'http://127.0.0.1:1', '--replay', file],
  promote: (file) => ['promote', file, '--as', 'one'],
  call: (file) => ['call', 'get', '--url', 'http://127.0.0.1:1', '--params', `@${file}`],
  'serve --data': (file) => ['serve', '--data', file],
};

/** They read as all others do; a process shows that what is read is not kept. */
const metered = ['report', 'validate', 'serve --data'];

describe.concurrent('files without end', () => {
  let place = '';
  const before = process.cwd();
  const patience = { ...usualPatience };
  beforeAll(async () => {
    // The processes show how long it is; here nothing else could be done meanwhile.
    Object.assign(usualPatience, { opened: 50 });
    place = realpathSync(mkdtempSync(join(tmpdir(), 'a2a-tck-endless-')));
    process.chdir(place);
    await commandLine(['keygen', '--out', 'key']);
    await commandLine(['demo', '--check', 'card/*', '--attest', 'run.att', '--attest-key-file', 'key']);
    execFileSync('mkfifo', [join(place, 'pipe')]);
  });
  afterAll(() => {
    Object.assign(usualPatience, patience);
    process.chdir(before);
    rmSync(place, { recursive: true });
  });

  test.each(Object.entries(readers))('%s', { timeout: 120_000 }, async (name, args) => {
    for (const file of ['/dev/zero', join(place, 'pipe')]) {
      const isMetered = metered.includes(name);
      const ended = isMetered ? await command(args(file), place) : { ...(await commandLine(args(file))), peakMiB: 0 };
      const { code, err, peakMiB } = ended;
      expect({ file, code, err }).toMatchObject({
        code: 2,
        err: expect.stringMatching(/cannot be (read|used): |is longer than \d/) as string,
      });
      expect(err).toMatch(
        file === '/dev/zero' ? /longer than \d+ [KM]iB|not a file/ : /nothing (came|writes)|not a file/,
      );
      expect(peakMiB).toBeLessThan(220);
    }
  });
});

describe('pipes that another process writes into are read', () => {
  ownFolder();
  test.each([
    ['report', "a2a-tck report <(cat run.json) --report tap | grep -c '^TAP'", '1\n'],
    ['a named pipe', "mkfifo p; cat run.json > p & a2a-tck report p --report tap | grep -c '^TAP'", '1\n'],
    ['validate of -', 'cat card.json | a2a-tck validate - --json | head -c 1', '{'],
  ])('%s', { timeout: 60_000 }, async (_, line, out) => {
    await a2aTck(['demo', '--check', 'card/name', '--report', 'json=run.json'], folder);
    write('card.json', '{"name":"One","version":"1"}');
    expect(await startShell(line)).toMatchObject({ out });
  });
});
