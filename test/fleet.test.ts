import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startAgent } from './examples/agent.js';
import { commandLine } from './terminal.js';

// `a2a-tck fleet`: many agents, of whom some are dead, hang or lie, and an overview of all.

const root = mkdtempSync(join(tmpdir(), 'a2a-tck-fleet-'));
afterAll(() => rmSync(root, { recursive: true }));

async function fleet(document: unknown, out: string, ...more: readonly string[]) {
  const file = join(root, 'targets.yaml');
  writeFileSync(file, stringify(document));
  return commandLine(['fleet', file, '--out', join(root, out), ...more]);
}

test('one that hangs, one that is dead and one that fails do not stop the others', { timeout: 90_000 }, async () => {
  const good = await startAgent();
  const faulty = await startAgent('cancel-accepts-terminal');
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const gone = createServer().listen(0, '127.0.0.1');
  await once(gone, 'listening');
  const portOf = (server: typeof gone) => (server.address() as AddressInfo).port;
  const dead = `http://127.0.0.1:${portOf(gone)}`;
  gone.close();
  const name = '<img src=x onerror=alert(1)> __proto__ \u001b[2J';
  try {
    const document = {
      defaults: { check: ['card/*', 'task/cancel-terminal-refused'], timeout: 500 },
      targets: [
        { name: 'hangs', url: `http://127.0.0.1:${portOf(hanging)}` },
        { name: 'dead', url: dead },
        { name: 'faulty', url: faulty.url, timeout: 10_000 },
        { name, url: good.url, timeout: 10_000 },
      ],
    };
    const { code, out, err } = await fleet(document, 'out', '--workers', '2', '--limit', '60');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).not.toMatch(/[^\P{Cc}\n]/u);
    interface Overview {
      readonly targets: readonly { readonly exitCode: number; readonly report?: string; readonly percent?: number }[];
    }
    const overview = JSON.parse(readFileSync(join(root, 'out/index.json'), 'utf8')) as Overview;
    expect(overview).toMatchObject({ schema: 'a2a-tck-fleet/1', exitCode: 1 });
    expect(overview.targets.map(({ exitCode }) => exitCode)).toEqual([3, 3, 1, 0]);
    expect(overview.targets.map(({ percent }) => percent !== undefined)).toEqual([false, false, true, true]);
    const files = readdirSync(join(root, 'out'));
    const good4 = '4-img-src-x-onerror-alert-1-proto-2j';
    for (const file of ['index.html', 'index.md', '3-faulty.json', '3-faulty.xml', `${good4}.json`, `${good4}.svg`]) {
      expect(files).toContain(file);
    }
    expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([]);
    expect(readFileSync(join(root, 'out/index.html'), 'utf8')).not.toContain('<img');
    const texts = (ending: string) =>
      ['1-hangs', '2-dead', '3-faulty'].map((text) => readFileSync(join(root, 'out', `${text}.${ending}`), 'utf8'));
    expect(texts('xml').map((text) => XMLValidator.validate(text))).toEqual([true, true, true]);
    expect(texts('xml')[1]).toContain('<error message="no agent there: ');
    expect(texts('svg').map((text) => /<title>([^<]*)/.exec(text)?.[1])).toEqual([
      expect.stringContaining('not judged: no agent there'),
      expect.stringContaining('not judged: no agent there'),
      expect.stringContaining('MUST failed'),
    ]);
    const report: unknown = JSON.parse(readFileSync(join(root, 'out/3-faulty.json'), 'utf8'));
    expect(report).toMatchObject({ target: { url: faulty.url }, gate: { exitCode: 1 } });
  } finally {
    hanging.close().closeAllConnections();
    await good.stop();
    await faulty.stop();
  }
});

test('one that answers first and then never again is over after the limit, with what is known', async () => {
  let calls = 0;
  const sleepy = createServer((request, response) => {
    const url = `http://${request.headers.host}/`;
    request.resume().on('end', () => {
      if (request.method === 'POST' && calls++ > 0) return;
      const card = { name: 'Sleepy', version: '1', url, protocolVersion: '0.3.0', capabilities: {}, skills: [] };
      const refusal = { jsonrpc: '2.0', id: 'x', error: { code: -32001, message: 'Task not found' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.method === 'GET' ? card : refusal));
    });
  }).listen(0, '127.0.0.1');
  await once(sleepy, 'listening');
  try {
    const url = `http://127.0.0.1:${(sleepy.address() as AddressInfo).port}`;
    const { code, out } = await fleet(
      { targets: [{ name: 'sleepy', url, timeout: 600_000 }] },
      'sleepy',
      '--limit',
      '1',
    );
    // A busy machine may not come as far as to know that there is an agent.
    expect([1, 3, 4]).toContain(code);
    expect(out).toMatch(/the run ended early|not judged within 1 s/);
  } finally {
    sleepy.close().closeAllConnections();
  }
});

test('--workers had another name, which is not given beside it', async () => {
  const document = { targets: [{ name: 'a', url: 'nowhere' }] };
  expect((await fleet(document, 'never', '--concurrency', '2')).err).toContain('nowhere is not a URL');
  expect((await fleet(document, 'never', '--concurrency', '2', '--workers', '3')).code).toBe(2);
});

test.for<[string, unknown, string]>([
  ['no targets', { targets: [] }, 'must NOT have fewer than 1 items'],
  ['no name', { targets: [{ url: 'http://a.test' }] }, 'name" is missing'],
  ['a misspelled option', { targets: [{ name: 'a', url: 'http://a.test', profil: 'xpr' }] }, 'did you mean profile?'],
  [
    'a name twice',
    {
      targets: [
        { name: 'a', url: 'http://a.test' },
        { name: 'a', url: 'http://b.test' },
      ],
    },
    'two targets have the name a',
  ],
  ['a URL that is none', { targets: [{ name: 'a', url: 'nowhere' }] }, ', a: --url nowhere is not a URL'],
  ['a profile that is none', { targets: [{ name: 'a', url: 'http://a.test', profile: 'b' }] }, 'unknown profile b'],
  [
    'a variable that is not set',
    { targets: [{ name: 'a', url: 'http://a.test', 'bearer-env': 'NONE' }] },
    ', a: --bearer-env NONE',
  ],
])('%s: reported before anything is sent', async ([, document, words]) => {
  const { code, err } = await fleet(document, 'never');
  expect(code).toBe(2);
  expect(err).toContain(words);
  expect(existsSync(join(root, 'never'))).toBe(false);
});

test('the schema has the options of a run, word for word, but those of one report', () => {
  interface Schema {
    readonly properties: Readonly<Record<string, unknown>>;
    readonly $defs: Readonly<Record<string, unknown>>;
  }
  const read = (name: string) => JSON.parse(readFileSync(`schemas/kit/${name}.schema.json`, 'utf8')) as Schema;
  const config = read('config');
  const schema = read('fleet');
  const single = [
    '$schema',
    'report',
    'json',
    'badge-link',
    'update-baseline',
    'shard',
    'attest',
    'attest-key-file',
    'verbose',
    // Of the fuzzer alone.
    'runs',
    'time',
    'rate',
    'corpus',
    'out',
    'unguided',
    'confirm',
  ];
  const options = Object.fromEntries(Object.entries(config.properties).filter(([name]) => !single.includes(name)));
  expect(schema.$defs).toEqual({ ...options, ...config.$defs });
  const { defaults, targets } = schema.properties as {
    readonly defaults: { readonly properties: object };
    readonly targets: { readonly items: { readonly properties: object } };
  };
  const names = Object.keys(options);
  expect(Object.keys(defaults.properties)).toEqual(names.filter((name) => name !== 'url'));
  expect(Object.keys(targets.items.properties)).toEqual(['name', ...names]);
});
