import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { faults } from '../fixtures/faults/index.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, type Served, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';
import { main } from './child.js';

// The steps of action.yml, in the shell and with the flags that GitHub gives them. A stand-in for npx runs the built kit,
// and writes down which package was asked for.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
const shellSteps = action.runs.steps.filter((step) => step.run !== undefined);

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-action-'));
let served: Served;
beforeAll(async () => {
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect a2a-0.3');
  served = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl }).handle);
  const npx = join(folder, 'npx');
  writeFileSync(
    npx,
    `#!/bin/sh\nprintf '%s\\n' "$2" > "$TCK_SEEN"\nshift 2\nprintf '%s\\n' "$@" >> "$TCK_SEEN"\n[ "$TCK_STANDS_FOR" = nobody ] && exit 3\nexec '${process.execPath}' '${main}' "$@"\n`,
  );
  chmodSync(npx, 0o755);
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What GitHub makes of an expression here: nothing but one name. */
function evaluated(text: string, names: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (_, name: string) => names[name] ?? '');
}

interface Ran {
  readonly code: number;
  readonly printed: string;
}
const bash = (script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<Ran> =>
  new Promise((resolve) => {
    const file = join(cwd, 'step.sh');
    writeFileSync(file, script);
    execFile('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], { env, cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), printed: stdout + stderr }),
    );
  });

async function runAction(
  given: Readonly<Record<string, string>>,
  {
    config = '',
    actionPath = root,
    isKitRun = true,
  }: { readonly config?: string; readonly actionPath?: string; readonly isKitRun?: boolean } = {},
) {
  const cwd = mkdtempSync(join(folder, 'job-'));
  writeFileSync(join(cwd, 'agent.yaml'), config);
  const names: Record<string, string> = {};
  for (const [name, { default: usual = '' }] of Object.entries(action.inputs))
    names[`inputs.${name}`] = given[name] ?? usual;
  const files = { output: join(cwd, 'output'), summary: join(cwd, 'summary'), seen: join(cwd, 'seen') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const codes: number[] = [];
  let printed = '';
  for (const step of shellSteps) {
    const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, evaluated(text, names)] as const);
    const ran = await bash(
      step.run ?? '',
      {
        PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
        CI: 'true',
        GITHUB_OUTPUT: files.output,
        GITHUB_STEP_SUMMARY: files.summary,
        GITHUB_ACTION_PATH: actionPath,
        TCK_SEEN: files.seen,
        ...(isKitRun ? {} : { TCK_STANDS_FOR: 'nobody' }),
        ...Object.fromEntries(own),
      },
      cwd,
    );
    codes.push(ran.code);
    printed += ran.printed;
    for (const line of readFileSync(files.output, 'utf8').split('\n')) {
      const at = line.indexOf('=');
      if (step.id !== undefined && at > 0) names[`steps.${step.id}.outputs.${line.slice(0, at)}`] = line.slice(at + 1);
    }
    if (ran.code !== 0) break;
  }
  const [asked = '', ...words] = readFileSync(files.seen, 'utf8').trim().split('\n');
  return {
    cwd,
    codes,
    printed,
    names,
    summary: readFileSync(files.summary, 'utf8'),
    asked,
    words,
  };
}

test('no input is written into a script', () => {
  expect(action.runs.using).toBe('composite');
  expect(shellSteps.length).toBeGreaterThan(1);
  expect(shellSteps.filter((step) => step.run?.includes('${{'))).toEqual([]);
  expect(shellSteps.map((step) => step.shell)).toEqual(shellSteps.map(() => 'bash'));
});

test('a passing agent: every report is there, the summary is written, the job goes on', async () => {
  const job = await runAction({ url: served.url, version: '1.2.3', args: '--suite\ncard\n--seed\n7\n--fuzz-runs\n0' });
  expect(job.printed).toContain('PASSED');
  expect(job.codes).toEqual([0, 0]);
  expect(job.asked).toBe('a2a-tck@1.2.3');
  expect(job.names['steps.run.outputs.exit-code']).toBe('0');
  const reports = ['report.json', 'report.html', 'report.sarif', 'report.md', 'junit.xml', 'badge.svg'];
  expect(reports.filter((name) => !existsSync(join(job.cwd, 'a2a-tck-reports', name)))).toEqual([]);
  expect(job.summary).toContain('a2a-0.3');
});

test('without a version, that of the ref of the action is run, by the name that it has there', async () => {
  const job = await runAction({ url: 'http://127.0.0.1:9/' }, { isKitRun: false });
  expect(job.asked).toBe(`a2a-tck@${version}`);

  const fork = join(folder, 'fork');
  mkdirSync(join(fork, 'scripts'), { recursive: true });
  writeFileSync(
    join(fork, 'package.json'),
    JSON.stringify({ name: '@acme/a2a-tck', version: '7.8.9', type: 'module' }),
  );
  copyFileSync(join(root, 'scripts/action-summary.js'), join(fork, 'scripts/action-summary.js'));
  expect((await runAction({ url: 'http://127.0.0.1:9/' }, { actionPath: fork, isKitRun: false })).asked).toBe(
    '@acme/a2a-tck@7.8.9',
  );
});

test.each(['latest', 'next', '^1.0.0', '1', '1.2.x', '*'])(
  'the version %s is refused, and nothing is run',
  async (version) => {
    const job = await runAction({ url: served.url, version });
    expect(job.printed).toContain('::error title=a2a-tck::the input version is no exact version');
    expect(job.codes).toEqual([0, 2]);
    expect(job.asked).toBe('');
  },
);

test('the URL and the profile of a configuration count', async () => {
  const config = `url: ${served.url}\nprofile: a2a-0.3\nsuite: card\nfuzz-runs: 0\n`;
  const job = await runAction({ config: 'agent.yaml' }, { config });
  expect(job.codes).toEqual([0, 0]);
  const { target } = JSON.parse(readFileSync(join(job.cwd, 'a2a-tck-reports/report.json'), 'utf8')) as {
    readonly target: { readonly url: string; readonly profile: string; readonly detection: readonly string[] };
  };
  expect(target.profile).toBe('a2a-0.3');
  expect(target.detection.join()).toContain('profile a2a-0.3, as asked for');
  expect(job.words.filter((word) => word === '--url' || word === '--profile')).toEqual([]);
});

test('an input wins over the configuration', async () => {
  const config = `url: ${served.url}\nprofile: a2a-1.0\nsuite: card\nfuzz-runs: 0\n`;
  const job = await runAction({ config: 'agent.yaml', profile: 'a2a-0.3', 'min-proof': '97' }, { config });
  const { target } = JSON.parse(readFileSync(join(job.cwd, 'a2a-tck-reports/report.json'), 'utf8')) as {
    readonly target: { readonly profile: string };
  };
  expect(target.profile).toBe('a2a-0.3');
  expect(job.words[job.words.indexOf('--min-proof') + 1]).toBe('97');
});

test('no agent answers: the reports step still ends well, the summary says why, and the last step fails with the exit code', async () => {
  const job = await runAction({ url: 'http://127.0.0.1:9/' });
  expect(job.codes).toEqual([0, 3]);
  expect(job.names['steps.run.outputs.exit-code']).toBe('3');
  expect(job.summary).toContain('Exit code 3: the agent was not reached, or is none.');
  expect(job.summary).toContain('    a2a-tck: ');
  expect(job.summary).toContain('127.0.0.1:9');
  expect(job.printed).toContain('::error title=a2a-tck::exit code 3, the agent was not reached, or is none\n');
});

/** What GitHub would obey: commands in lines while it listens. */
function commandsIn(printed: string): readonly string[] {
  let pause: string | undefined;
  return printed.split('\n').filter((line) => {
    const [, word, text] = /^\s*::([\w-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
    if (pause !== undefined) {
      if (line.trim() === `::${pause}::`) pause = undefined;
      return false;
    }
    if (word === 'stop-commands') pause = text;
    return word !== undefined && word !== 'stop-commands';
  });
}

test('failures are annotations of the commit: MUST as errors, SHOULD as warnings, ten of a kind at most', async () => {
  const dialect = dialectById('a2a-0.3');
  const fault = faults.find(({ id }) => id === 'cancel-accepts-terminal');
  if (dialect === undefined || fault === undefined) throw new Error('no such agent');
  const patches = [fault.patch];
  const faulty = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl, patches }).handle);
  try {
    const args = '--check\ntask/cancel-terminal-refused\n--fuzz-runs\n0';
    const job = await runAction({ url: faulty.url, args });
    expect(job.codes).toEqual([0, 1]);
    const [only, ...more] = commandsIn(job.printed);
    expect(only).toMatch(/^::error title=MUST task\/cancel-terminal-refused::\S/);
    expect(more).toEqual([]);
    expect(job.summary).toContain('task/cancel-terminal-refused');
  } finally {
    await faulty.close();
  }
});

test('texts of the agent neither begin a command nor end one, and what is left out is counted', async () => {
  const cwd = mkdtempSync(join(folder, 'hostile-'));
  const evil = 'x\n::add-mask::y\r::set-output name=a::b%0A::error::c';
  const failing = (level: string) => ({ id: `a:b,${evil}`, level, verdict: 'fail', reason: evil, advice: evil });
  const checks = [
    ...Array.from({ length: 12 }, () => failing('must')),
    ...Array.from({ length: 10 }, () => failing('should')),
    failing('may'),
    { ...failing('must'), baseline: 'known' },
  ];
  writeFileSync(join(cwd, 'report.json'), JSON.stringify({ checks }));
  writeFileSync(join(cwd, 'log'), `${evil}\n# no heading\n`);
  const summary = join(cwd, 'summary');
  const script = join(root, 'scripts/action-summary.js');
  const env = { GITHUB_STEP_SUMMARY: summary };
  const printed = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [script, cwd, join(cwd, 'log'), '1'], { env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  const lines = printed.trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('::error title=MUST a%3Ab%2C')).length).toBe(9);
  expect(lines.filter((line) => line.startsWith('::warning title=SHOULD a%3Ab%2C')).length).toBe(10);
  expect(lines).toContain('::error title=a2a-tck::3 more in the summary of the job');
  expect(lines.length).toBe(20);
  expect(printed).not.toContain('\r');
  const shown = readFileSync(summary, 'utf8').split('\n').slice(4);
  expect(shown.filter((line) => line !== '' && !line.startsWith('    '))).toEqual([]);
});

test('inputs are arguments, whatever they say', async () => {
  const evil = `$(touch pwned)\`touch pwned\`";touch pwned;"' && touch pwned #`;
  const given = {
    url: evil,
    profile: evil,
    config: evil,
    baseline: evil,
    'min-proof': evil,
    'bearer-token': evil,
    args: `${evil}\n${evil}`,
    reports: `r ${evil.replaceAll('/', '')}\nexit-code=0`,
  };
  const job = await runAction({ ...given, version: '9.9.9' });
  expect(existsSync(join(job.cwd, 'pwned'))).toBe(false);
  expect(job.asked).toBe('a2a-tck@9.9.9');
  expect(job.codes).toEqual([0, 2]);
  const refused = await runAction({ ...given, version: `9.9.9 ${evil}` });
  expect(existsSync(join(refused.cwd, 'pwned'))).toBe(false);
  expect(refused.codes).toEqual([0, 2]);
});
