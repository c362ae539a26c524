import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, type Served, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';

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
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;
const shellSteps = action.runs.steps.filter((step) => step.run !== undefined);

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-action-'));
let served: Served;
beforeAll(async () => {
  const dialect = dialectById('a2a-0.3');
  if (dialect === undefined) throw new Error('no dialect a2a-0.3');
  served = await serveAgent((baseUrl) => createAgent({ dialect, clock: realClock, baseUrl }).handle);
  const npx = join(folder, 'npx');
  const main = join(root, 'dist/src/cli/main.js');
  writeFileSync(
    npx,
    `#!/bin/sh\nprintf '%s\\n' "$2" > "$TCK_SEEN"\nshift 2\nexec '${process.execPath}' '${main}' "$@"\n`,
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

async function runAction(given: Readonly<Record<string, string>>) {
  const cwd = mkdtempSync(join(folder, 'job-'));
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
        TCK_SEEN: files.seen,
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
  return {
    cwd,
    codes,
    printed,
    names,
    summary: readFileSync(files.summary, 'utf8'),
    asked: readFileSync(files.seen, 'utf8').trim(),
  };
}

test('no input is written into a script', () => {
  expect(action.runs.using).toBe('composite');
  expect(shellSteps.length).toBeGreaterThan(1);
  expect(shellSteps.filter((step) => step.run?.includes('${{'))).toEqual([]);
  expect(shellSteps.map((step) => step.shell)).toEqual(shellSteps.map(() => 'bash'));
});

test('a passing agent: every report is there, the summary is written, the job goes on', async () => {
  const job = await runAction({ url: served.url, version: '1.2.3', args: '--suite\ncard\n--seed\n7' });
  expect(job.printed).toContain('PASSED');
  expect(job.codes).toEqual([0, 0]);
  expect(job.asked).toBe('a2a-tck@1.2.3');
  expect(job.names['steps.run.outputs.exit-code']).toBe('0');
  const reports = ['report.json', 'report.html', 'report.sarif', 'report.md', 'junit.xml', 'badge.svg'];
  expect(reports.filter((name) => !existsSync(join(job.cwd, 'a2a-tck-reports', name)))).toEqual([]);
  expect(job.summary).toContain('a2a-0.3');
});

test('nobody there: the reports step still ends well, and the last step fails with the exit code', async () => {
  const job = await runAction({ url: 'http://127.0.0.1:9/' });
  expect(job.codes).toEqual([0, 3]);
  expect(job.names['steps.run.outputs.exit-code']).toBe('3');
});

test('inputs are arguments, whatever they say', async () => {
  const evil = `$(touch pwned)\`touch pwned\`";touch pwned;"' && touch pwned #`;
  const job = await runAction({
    url: evil,
    profile: evil,
    version: `9 ${evil}`,
    config: evil,
    baseline: evil,
    'min-proof': evil,
    'bearer-token': evil,
    args: `${evil}\n${evil}`,
    reports: `r ${evil.replaceAll('/', '')}\nexit-code=0`,
  });
  expect(existsSync(join(job.cwd, 'pwned'))).toBe(false);
  expect(job.asked).toBe(`a2a-tck@9 ${evil}`);
  expect(job.codes).toEqual([0, 2]);
});
