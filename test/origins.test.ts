import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonReport } from '../reporters/index.js';
import type { Patch } from '../src/reference/index.js';
import { certificate } from './certificates.js';
import { placedAgent } from './networks.js';
import { commandLine } from './terminal.js';

// The card of an agent names gRPC at another port of its host. Who listens there gets no credentials that the user has
// not allowed, and nothing at all in clear text where the user gave https.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-origins-'));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

/** Listens, keeps what comes, and says nothing. */
async function listener() {
  let received = '';
  let visits = 0;
  const server = createServer((socket) => {
    visits++;
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.setTimeout(300, () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, port, heard: () => received, visits: () => visits };
}
type Listener = Awaited<ReturnType<typeof listener>>;

const naming =
  (url: string): Patch =>
  (inner) => ({
    card() {
      const card = inner.card();
      return { ...card, interfaces: [...card.interfaces, { url, transport: 'GRPC', version: '1.0' }] };
    },
  });

const pair = certificate({ name: '127.0.0.1', names: ['127.0.0.1'] });
const tls = { key: pair.keyText, cert: pair.cert };
const ca = join(folder, 'ca.pem');

async function agent(over: 'http' | 'https', grpc: string): Promise<string> {
  const options = { name: '127.0.0.1', profile: 'a2a-1.0', patches: [naming(grpc)] } as const;
  const placed = await placedAgent(over === 'https' ? { ...options, tls } : options);
  closers.push(() => placed.stop());
  return placed.url;
}

const env = { TOKEN: 'Sesame-0123456789', KEY: 'Simsim-0123456789' };
const withCredentials = ['--bearer-env', 'TOKEN', '--query-env', 'api_key=KEY'];

beforeAll(() => writeFileSync(ca, pair.cert));

describe.each([
  ['http', 'at another origin than the one given, which gets no credentials'],
  ['https', 'in clear text, and https was given'],
] as const)('an agent over %s', (over, why) => {
  let other: Listener;
  let url: string;
  const trust = over === 'https' ? ['--ca-file', ca] : [];
  beforeAll(async () => {
    other = await listener();
    url = await agent(over, over === 'https' ? `grpc://127.0.0.1:${other.port}` : other.origin);
  });

  test('call refuses, and names the option that allows it', async () => {
    const args = ['call', 'get', '--id', 'x', '--url', url, '--binding', 'grpc', ...trust, ...withCredentials];
    const { code, err } = await commandLine(args, env);
    expect([code, err]).toEqual([2, expect.stringContaining(`the card names gRPC ${why}: `)]);
    expect(err).toContain(`--allow-origin ${other.origin} allows it`);
    expect(other.visits()).toBe(0);
  });

  test.each([
    ['run', ['--suite', 'card,grpc,equivalence', '--json']],
    ['run', ['--suite', 'card,grpc,equivalence', '--binding', 'all', '--json']],
    ['fuzz', ['--runs', '3', '--json']],
  ])('%s %j leaves that interface out, says why, and fails nothing for it', async (command, more) => {
    const { out, err } = await commandLine([command, '--url', url, ...trust, ...withCredentials, ...more], env);
    const report = JSON.parse(out === '' ? err : out) as JsonReport;
    expect(JSON.stringify(report.target)).toContain(`it is ${why} (see --allow-origin ${other.origin})`);
    expect(report.checks.filter(({ id, verdict }) => id.startsWith('grpc/') && verdict === 'fail')).toEqual([]);
    const relations = report.checks.filter(({ suite }) => suite === 'equivalence');
    const open = relations.filter(({ verdict }) => verdict === 'inconclusive');
    if (command === 'run') expect(open.length).toBeGreaterThan(10);
    for (const { reason } of open) expect(reason).toContain(`see --allow-origin ${other.origin}`);
    // The others need what this agent does not declare: streams, push notifications, extensions.
    for (const { id, verdict, reason } of relations.filter((relation) => !open.includes(relation))) {
      expect([id, verdict]).toEqual([id, 'not-applicable']);
      expect(reason).not.toContain('no other interface');
    }
    expect(report.checks.find(({ id }) => id === 'card/endpoint-answers')?.verdict ?? 'inconclusive').not.toBe('fail');
    expect(other.visits()).toBe(0);
  });

  test('fleet does the same', async () => {
    const file = join(folder, `${over}.yaml`);
    const lines = [`  - name: one`, `    url: ${url}`, '    suite: card', '    bearer-env: TOKEN'];
    writeFileSync(file, ['targets:', ...lines, ...(over === 'https' ? [`    ca-file: ${ca}`] : []), ''].join('\n'));
    const { code } = await commandLine(['fleet', file, '--out', join(folder, over)], env);
    expect(code).not.toBe(70);
    expect(other.visits()).toBe(0);
  });
});

test('a certificate of the kit is a credential', async () => {
  const other = await listener();
  const key = join(folder, 'key.pem');
  writeFileSync(key, pair.keyText);
  const url = await agent('http', other.origin);
  const args = ['call', 'get', '--id', 'x', '--binding', 'grpc', '--cert-file', ca, '--key-file', key];
  const { code, err } = await commandLine([...args, '--url', url]);
  expect([code, err]).toEqual([2, expect.stringContaining(`--allow-origin ${other.origin} allows it`)]);
  expect(other.visits()).toBe(0);
});

test('what the user allows is called with credentials, and without credentials the other port is called', async () => {
  const [allowed, open] = [await listener(), await listener()];
  const ask = ['call', 'get', '--id', 'x', '--binding', 'grpc', '--timeout', '1000', '--url'];
  await commandLine(
    [...ask, await agent('http', allowed.origin), ...withCredentials, '--allow-origin', `${allowed.origin}/`],
    env,
  );
  expect(allowed.visits()).toBeGreaterThan(0);
  await commandLine([...ask, await agent('http', open.origin), '--header', 'A2A-Extensions: x'], env);
  expect(open.visits()).toBeGreaterThan(0);
  expect(open.heard()).not.toMatch(/Sesame|Simsim/);
});
