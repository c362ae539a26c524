import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { schema as ctrfSchema } from 'ctrf';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { faults } from '../fixtures/faults/index.js';
import { reporters } from '../reporters/index.js';
import { runCommandLine } from '../src/cli/command-line.js';
import type { Terminal } from '../src/cli/terminal.js';
import type { Patch } from '../src/reference/index.js';
import { restarted } from '../src/run/schedule/restart.js';
import { realClock } from '../src/wire/index.js';
import { type ChildEnded, startChild } from './child.js';
import { servedAgent } from './served.js';
import { silentTerminal } from './terminal.js';

// Ctrl-C and a request to end lose nothing: what is known is written, whole, in every format that was asked for.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-interruption-'));
const at = (...names: readonly string[]): string => join(folder, ...names);
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true });
});

/** An agent that answers so many requests, and then none any more. `silent`: one more request came. */
async function tiring(
  answers: number,
  ...patches: readonly Patch[]
): Promise<{ readonly url: string; readonly silent: Promise<void> }> {
  let asked = 0;
  let tell = (): void => undefined;
  const silent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const served = await servedAgent('a2a-0.3', patches, (handle) => (request, signal) => {
    if (++asked <= answers) return handle(request, signal);
    tell();
    return new Promise(() => undefined);
  });
  ends.push(served.stop);
  return { url: served.url, silent };
}

const patient = ['--timeout', '600000', '--seed', '1'];
const reports = (name: string): readonly string[] =>
  reporters.flatMap(({ id }) => ['--report', `${id}=${at(name, id)}`]).concat('--report', 'console');
const read = (...names: readonly string[]): string => readFileSync(at(...names), 'utf8');
const json = <T = Record<string, unknown>>(...names: readonly string[]): T => JSON.parse(read(...names)) as T;

interface Run {
  readonly run: { readonly cut?: string };
  readonly gate: { readonly exitCode: number; readonly reasons: readonly string[] };
  readonly checks: readonly { readonly id: string; readonly verdict: string; readonly reason: string }[];
  readonly findings: readonly { readonly id: string }[];
}
const require = createRequire(import.meta.url);
const readSchema = (path: string): object => JSON.parse(readFileSync(require.resolve(path), 'utf8')) as object;
const defects = (validate: ValidateFunction | undefined, document: unknown): unknown =>
  validate?.(document) === true ? [] : (validate?.errors ?? 'no schema');
const early = 'the run ended early: interrupted';

/** What each format holds of a run that was interrupted: that it is whole, and that it says so. */
const wholes: Readonly<Record<(typeof reporters)[number]['id'], (name: string) => void>> = {
  console: (name) => expect(read(name, 'console')).toMatch(/interrupted.*exit [14]\n$/s),
  json(name) {
    const schema = JSON.parse(readFileSync('schemas/kit/report.schema.json', 'utf8')) as object;
    expect(defects(new Ajv2020({ strict: false }).compile(schema), json(name, 'json'))).toEqual([]);
    expect(json<Run>(name, 'json').run.cut).toBe('interrupted');
  },
  tape: (name) => expect(json(name, 'tape')).toMatchObject({ schema: 'a2a-tck-tape/1' }),
  ndjson(name) {
    const events = read(name, 'ndjson')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly report?: Run });
    expect(events[0]?.type).toBe('run.started');
    expect(events.at(-1)).toMatchObject({ type: 'run.ended', report: { run: { cut: 'interrupted' } } });
  },
  junit(name) {
    const text = read(name, 'junit');
    expect(XMLValidator.validate(text)).toBe(true);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(text) as {
      readonly testsuites: Readonly<Record<string, string>>;
    };
    expect(Number(testsuites['@_tests'])).toBe(text.match(/<testcase /g)?.length);
    expect(text).toMatch(/<testcase name="gate".*\n.*the (?:run|campaign) ended early: interrupted/);
  },
  html(name) {
    const text = read(name, 'html');
    expect(text).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
    const whole = text.slice(text.indexOf('<body'), text.indexOf('</body>') + '</body>'.length);
    const body = whole.replace(/<script[^>]*>.*?<\/script>/s, '');
    expect(
      XMLValidator.validate(body.replace(/<(br|input|meta)([^>]*[^/>])?>/g, '<$1$2/>'), {
        allowBooleanAttributes: true,
      }),
    ).toBe(true);
    expect(text).toMatch(/Ended early<.*interrupted/);
  },
  sarif(name) {
    const {
      $schema: _,
      id: __,
      ...schema
    } = readSchema('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
    const ajv = new Ajv({ strict: false, unicodeRegExp: false, validateFormats: false });
    const document = json<{ runs: [{ invocations: [{ exitCodeDescription: string }] }] }>(name, 'sarif');
    expect(defects(ajv.compile(schema), document)).toEqual([]);
    expect(document.runs[0].invocations[0].exitCodeDescription).toContain('ended early: interrupted');
  },
  markdown: (name) => expect(read(name, 'markdown')).toContain('ended early: interrupted'),
  tap(name) {
    const lines = read(name, 'tap').split('\n');
    const points = lines.filter((line) => /^(not )?ok \d+ - /.test(line));
    expect(lines).toContain(`1..${points.length}`);
    expect(lines.at(-2)).toMatch(/^# gate (failed|UNPROVEN), exit [14];.*ended early: interrupted$/);
  },
  ctrf(name) {
    const document = json<{
      results: { summary: { tests: number; extra: { gate: Run['gate'] } }; tests: readonly object[] };
    }>(name, 'ctrf');
    expect(defects(new Ajv({ strict: false, validateFormats: false }).compile(ctrfSchema), document)).toEqual([]);
    const { summary, tests } = document.results;
    expect(summary.tests).toBe(tests.length);
    expect(summary.extra.gate.reasons.join()).toContain('ended early: interrupted');
  },
  har(name) {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object);
    const schemas = require('har-schema') as Readonly<Record<string, object>>;
    const validate = ajv.addSchema(Object.values(schemas)).getSchema('har.json#');
    expect(defects(validate, json(name, 'har'))).toEqual([]);
    expect(json(name, 'har')).toMatchObject({ log: { comment: early } });
  },
  trace: (name) => expect(json(name, 'trace')).toMatchObject({ otherData: { notes: expect.arrayContaining([early]) } }),
  badge: (name) => expect(json(name, 'badge')).toMatchObject({ schemaVersion: 1 }),
};

const chosen = ['--check', 'card/*,task/*,rpc/*,data/*', '--concurrency', '4'];

describe('a run', () => {
  let ended: ChildEnded;
  beforeAll(async () => {
    const agent = await tiring(40);
    const child = startChild(['--url', agent.url, ...patient, ...chosen, ...reports('run')]);
    await agent.silent;
    child.kill('SIGINT');
    ended = await child.ended;
    writeFileSync(at('run', 'console'), ended.out);
  }, 60_000);

  test.each(reporters.map(({ id }) => [id]))('%s is whole, and says that it was interrupted', (id) => {
    wholes[id]('run');
  });

  test('each check that was planned is in it, and nothing fails for it', () => {
    const { checks, gate } = json<Run>('run', 'json');
    const [planned] = read('run', 'ndjson').match(/"checks":\d+/) ?? [];
    expect(planned).toBe(`"checks":${checks.length}`);
    expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    expect(checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
    expect(checks.filter(({ reason }) => reason === 'not run: the run was interrupted').length).toBeGreaterThan(0);
    expect({ code: ended.code, gate: gate.exitCode }).toEqual({ code: 4, gate: 4 });
    expect(ended.err).toBe('\na2a-tck: stopping; once more to quit at once\n');
    expect(readdirSync(at('run')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

test('a second signal ends at once, and leaves nothing half written', async () => {
  const agent = await tiring(10);
  let press = (): void => undefined;
  const quits: number[] = [];
  const terminal: Terminal = {
    ...silentTerminal(),
    onInterrupt(then) {
      press = then;
      return () => undefined;
    },
    quit: (code) => quits.push(code),
  };
  const ended = runCommandLine(['--url', agent.url, ...patient, ...chosen, ...reports('twice')], terminal);
  await agent.silent;
  expect(readdirSync(at('twice')).length).toBe(reporters.length);
  press();
  press();
  expect({ quits, left: readdirSync(at('twice')) }).toEqual({ quits: [130], left: [] });
  await ended;
});

test('a restart of the agent is not waited for', async () => {
  const controller = new AbortController();
  const restart = (): Promise<void> => {
    controller.abort();
    return new Promise(() => undefined);
  };
  const ask = () => expect.fail('nothing is asked any more');
  const waiting = restarted({ restart, ask, clock: realClock, signal: controller.signal });
  await expect(waiting).rejects.toThrow('it did not restart the agent: the run ended');
});

describe('fuzz', () => {
  const { patch } = faults.find(({ id }) => id === 'sec-object-for-id-crashes') as { readonly patch: Patch };
  const seed = {
    schema: 'a2a-tck-fuzz-case/1',
    dialect: 'a2a-0.3',
    steps: [
      {
        step: 'call',
        operation: 'get',
        params: { id: 'task' },
        edits: [{ at: '/params/id', op: 'set', value: {}, keyword: 'type' }],
      },
    ],
  };
  let ended: ChildEnded;
  beforeAll(async () => {
    mkdirSync(at('corpus'));
    writeFileSync(at('corpus', 'seed.json'), JSON.stringify(seed));
    const agent = await tiring(80, patch);
    const child = startChild([
      ...['fuzz', '--url', agent.url, ...patient, '--runs', '100000', '--corpus', at('corpus'), '--out', at('found')],
      ...reports('fuzz'),
    ]);
    await agent.silent;
    child.kill('SIGTERM');
    ended = await child.ended;
    writeFileSync(at('fuzz', 'console'), ended.out);
  }, 60_000);

  test.each(reporters.map(({ id }) => [id]))('%s is whole, and says that it was interrupted', (id) => {
    wholes[id]('fuzz');
  });

  test('what was found until then is there, and so is the corpus', () => {
    const { findings, gate } = json<Run>('fuzz', 'json');
    expect({ code: ended.code, gate: gate.exitCode }).toEqual({ code: 1, gate: 1 });
    expect(findings.length).toBeGreaterThan(0);
    const written = findings.flatMap(({ id }) => [`${id}.json`, `${id}.sh`]);
    expect(readdirSync(at('found')).sort()).toEqual(written.sort());
    for (const name of readdirSync(at('corpus'))) expect(json('corpus', name)).toMatchObject({ schema: seed.schema });
    expect(readdirSync(at('corpus')).length).toBeGreaterThan(1);
  });
});

test('fleet: agents that were judged have their reports, the others are named', { timeout: 60_000 }, async () => {
  const [well, slow, last] = [await tiring(1e9), await tiring(12), await tiring(0)];
  const targets = [
    { name: 'well', url: well.url, check: ['card/*'] },
    { name: 'slow', url: slow.url, check: ['card/*', 'task/*'] },
    { name: 'last', url: last.url },
  ];
  writeFileSync(at('targets.yaml'), stringify({ defaults: { timeout: 600_000 }, targets }));
  let interrupt = (): void => undefined;
  const terminal: Terminal = {
    ...silentTerminal(),
    onInterrupt(then) {
      interrupt = then;
      return () => undefined;
    },
  };
  const ended = runCommandLine(['fleet', at('targets.yaml'), '--out', at('fleet'), '--concurrency', '1'], terminal);
  await slow.silent;
  interrupt();
  expect(await ended).toBe(4);
  interface Entry {
    readonly exitCode: number;
    readonly reasons: readonly string[];
    readonly report?: string;
  }
  const { targets: entries } = json<{ targets: readonly Entry[] }>('fleet', 'index.json');
  expect(entries.map(({ exitCode }) => exitCode)).toEqual([0, 4, 4]);
  expect(entries[1]?.reasons.join()).toContain('interrupted');
  expect(entries[2]?.reasons).toEqual(['interrupted before it was judged']);
  expect(entries.map(({ report }) => report)).toEqual(['1-well.json', '2-slow.json', undefined]);
  expect(json<Run>('fleet', '2-slow.json').run.cut).toBe('interrupted');
  for (const name of ['index.html', 'index.md']) expect(read('fleet', name)).toContain('interrupted before');
  expect(readdirSync(at('fleet')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
