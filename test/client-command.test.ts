import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine } from '../src/cli/command-line.js';
import type { Report } from '../src/report/index.js';
import { commandLine, silentTerminal } from './terminal.js';

// `a2a-tck client`: a client that a command starts, one that comes by itself, and the kit's own.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-client-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A client without a library: sends one message over JSON-RPC, and prints what it understood. */
const program = join(folder, 'client.mjs');
writeFileSync(
  program,
  `
const url = process.argv.at(-1);
const errand = JSON.parse(process.env.A2A_CONTEXT);
if (errand.do !== 'send') { console.log(JSON.stringify({ unsupported: errand.do })); process.exit(0); }
const card = await (await fetch(url + '/.well-known/agent-card.json', { headers: { 'A2A-Version': '1.0' } })).json();
const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: errand.text }] };
const answer = await fetch(card.supportedInterfaces[0].url, {
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(process.argv.includes('--no-version') ? {} : { 'A2A-Version': '1.0' }) },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
});
const { result } = await answer.json();
console.log(JSON.stringify({ state: result.task.status.state, text: result.task.artifacts[0].parts[0].text }));
`,
);

const json = async (...args: readonly string[]): Promise<{ readonly code: number; readonly report: Report }> => {
  const { code, out } = await commandLine(['client', ...args, '--json']);
  return { code, report: JSON.parse(out) as Report };
};
const verdicts = ({ checks }: Report): Readonly<Record<string, string>> =>
  Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));

test('a command is judged by what it sent', async () => {
  const check = ['--check', 'client-request/version', '--scenario', 'send'];
  const good = await json('--command', `node ${program}`, ...check);
  expect(verdicts(good.report)).toEqual({ 'client-request/version': 'pass' });
  expect(good.code).toBe(0);
  const bad = await json('--command', `node ${program} --no-version`, ...check);
  expect(bad.code).toBe(1);
  const [result] = bad.report.checks;
  expect(result).toMatchObject({ verdict: 'fail', scenario: 'send' });
  expect(result?.curl).toBe(
    `a2a-tck client --command 'node ${program} --no-version' --profile a2a-1.0 --scenario send`,
  );
  expect(bad.report.target).toMatchObject({ profile: 'client-1.0', client: { scenarios: ['send'] } });
});

test('the report fits its schema', async () => {
  const { report } = await json('--demo', '--scenario', 'send,stream');
  const schema = JSON.parse(readFileSync(new URL('../schemas/kit/report.schema.json', import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  expect(validate(report) || validate.errors).toBe(true);
});

test('what a client says that it cannot do is not applicable, and no proof', async () => {
  const { code, report } = await json('--command', `node ${program}`, '--check', 'client-stream/line-ends');
  expect(verdicts(report)).toEqual({ 'client-stream/line-ends': 'not-applicable' });
  expect(report.checks[0]?.reason).toContain('stream');
  expect(code).toBe(4);
});

test('a program that sends nothing passes nothing', async () => {
  const { code, report } = await json('--command', 'node -e 0', '--scenario', 'send,stream,stream-cr');
  expect(report.checks.map(({ verdict }) => verdict)).not.toContain('pass');
  expect(report.checks.map(({ verdict }) => verdict)).not.toContain('fail');
  expect(code).toBe(4);
});

test.each([
  [[], 'there is no client'],
  [['--demo', '--serve'], '--serve and --demo do not go together'],
  [['--command', "node '"], 'without its end'],
  [['--demo', '--fault', 'client-lf-onyl'], 'there is no fault client-lf-onyl'],
  [['--demo', '--scenario', 'nothing'], 'there is no scenario nothing'],
  [['--demo', '--check', 'client-nothing/at-all'], '--check client-nothing/at-all matches nothing'],
  [['--demo', '--profile', 'openclaw'], 'there are no checks of clients for openclaw'],
  [['--command', 'true', '--fault', 'client-lf-only'], '--fault needs --demo'],
  [['--demo', '--binding', 'grpc', '--scenario', 'stream-cr'], 'does not exist for a2a-1.0-grpc'],
])('%j is refused in one sentence', async (args, why) => {
  const { code, out, err } = await commandLine(['client', ...args]);
  expect(err).toContain(why);
  expect(err).not.toContain('    at ');
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('a program that does not exist is refused in one sentence', async () => {
  const { code, err } = await commandLine(['client', '--command', 'no-such-program']);
  expect(err).toContain('there is no program no-such-program');
  expect(code).toBe(2);
});

test('known failures are in a baseline, as those of agents', async () => {
  const file = join(folder, 'baseline.yaml');
  const run = [
    'client',
    '--demo',
    '--fault',
    'client-lf-only',
    '--scenario',
    'stream,stream-cr,stream-crlf',
    '--baseline',
    file,
  ];
  expect((await commandLine([...run, '--update-baseline'])).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('client-stream/line-ends');
  expect((await commandLine(run)).code).toBe(0);
  expect((await commandLine(run.filter((word) => !word.startsWith('client-lf') && word !== '--fault'))).code).toBe(1);
});

test('scenarios, faults, checks and rows of clients are listed and explained', async () => {
  expect((await commandLine(['list', 'scenarios'])).out).toContain('stream-cr ');
  expect((await commandLine(['list', 'client-faults'])).out).toContain('client-lf-only');
  expect((await commandLine(['list', 'checks', '--clients'])).out).toContain('client-stream/line-ends');
  expect((await commandLine(['list', 'requirements', '--clients'])).out).toContain('A2A10-CLIENT-034');
  expect((await commandLine(['explain', 'client-stream/line-ends'])).out).toContain('client --demo --check');
  expect((await commandLine(['explain', 'A2A10-CLIENT-034'])).out).toContain('client-stream/line-ends');
});

/** `client --serve` in this process, until `stop` is called. */
async function served(...args: readonly string[]) {
  let err = '';
  let interrupt = (): void => undefined;
  let listens = (_: string): void => undefined;
  const url = new Promise<string>((resolve) => {
    listens = resolve;
  });
  const terminal = {
    ...silentTerminal(),
    err: (text: string) => {
      err += text;
      const found = /(http:\/\/\S+)\/verdict tells/.exec(err)?.[1];
      if (found !== undefined) listens(found);
    },
    onInterrupt: (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    },
  };
  const code = runCommandLine(['client', '--serve', ...args], terminal);
  return {
    url: await url,
    async stop() {
      interrupt();
      return { code: await code, out: terminal.said() };
    },
  };
}

test('a client that comes by itself is judged while it runs, and at the end', async () => {
  const { url, stop } = await served('--scenario', 'send,stream');
  const list = (await (await fetch(url)).json()) as readonly { scenario: string; url: string; errand: object }[];
  expect(list.map(({ scenario }) => scenario)).toEqual(['send', 'stream']);
  const before = (await (await fetch(`${url}/verdict`)).json()) as Report;
  expect(before.checks.map(({ verdict }) => verdict)).not.toContain('pass');
  const place = list[0]?.url ?? '';
  const card = (await (await fetch(`${place}/.well-known/agent-card.json`)).json()) as {
    supportedInterfaces: readonly { url: string }[];
  };
  const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] };
  await fetch(card.supportedInterfaces[0]?.url ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
  });
  const now = (await (await fetch(`${url}/verdict`)).json()) as Report;
  expect(verdicts(now)['client-request/version']).toBe('pass');
  expect((await fetch(`${url}/nothing/here`)).status).toBe(404);
  const { out } = await stop();
  expect(out).toContain('a client that came by itself');
});

test('over gRPC each scenario has a port of its own', async () => {
  const { url, stop } = await served('--binding', 'grpc', '--scenario', 'send,stream');
  const list = (await (await fetch(url)).json()) as readonly { url: string }[];
  expect(new Set(list.map((one) => new URL(one.url).port)).size).toBe(2);
  await stop();
});

test('hostile clients of --serve are held within limits', async () => {
  const { url, stop } = await served('--scenario', 'send');
  const { hostname, port } = new URL(url);
  // A thousand connections that say nothing, and one that says something without end.
  const sockets: Socket[] = [];
  for (let count = 0; count < 1000; count++) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    sockets.push(socket);
  }
  const refused = await new Promise<number>((resolve) => {
    let closed = 0;
    const done = (): void => {
      closed++;
      if (closed === 500) resolve(closed);
    };
    for (const socket of sockets) socket.on('close', done);
  });
  expect(refused).toBe(500);
  for (const socket of sockets) socket.destroy();
  const before = process.memoryUsage().rss;
  const huge = 'x'.repeat(4 << 20);
  for (let count = 0; count < 20; count++) {
    await fetch(`${url}/send/`, { method: 'POST', body: huge }).catch(() => undefined);
  }
  for (let count = 0; count < 600; count++) {
    await fetch(`${url}/send/.well-known/agent-card.json`).then((one) => one.text());
  }
  const report = (await (await fetch(`${url}/verdict`)).json()) as Report;
  expect(report.run.requests).toBeLessThanOrEqual(400);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 << 20);
  await stop();
});
