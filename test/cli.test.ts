import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startChild } from './child.js';
import { commandLine, type Ended } from './terminal.js';

// The command as users and scripts meet it: what it prints where, and how it ends.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-cli-'));
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** In this process; tests about a process of its own start one. */
const a2aTck = (...args: readonly string[]): Promise<Ended> => commandLine(args);

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Serves a card and answers every call with `reply`. */
const agent = (name: string, reply: (id: unknown) => unknown): RequestListener => {
  return (request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => {
      body += data.toString();
    });
    request.on('end', () => {
      const url = `http://${request.headers.host}/`;
      const card = { name, version: '1', url, protocolVersion: '0.3.0', capabilities: {}, skills: [] };
      const answer =
        request.method === 'GET' ? card : reply(body === '' ? undefined : (JSON.parse(body) as { id: unknown }).id);
      if (answer === undefined) return;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
  };
};
const notFound = (id: unknown) => ({ jsonrpc: '2.0', id, error: { code: -32001, message: 'Task not found' } });

test('help names the commands', async () => {
  const { code, out, err } = await a2aTck('--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const name of [
    'run',
    'demo',
    'serve',
    'stub',
    'call',
    'prove',
    'list',
    'explain',
    'report',
    'merge',
    'diff',
    'attest',
    'verify',
    'keygen',
    'init',
    'fleet',
    'mcp',
  ])
    expect(out).toContain(`\n  ${name} `);
});

describe('wrong usage ends with 2, one line and perhaps a hint', () => {
  test.each([
    ['--bogus'],
    [],
    ['frobnicate'],
    ['http://localhost:1'],
    ['--url', 'localhost'],
    ['--url', 'http://localhost:1', '--timeout', 'abc'],
    ['--url', 'http://localhost:1', '--level', 'shall'],
    ['--url', 'http://localhost:1', '--profile', 'a2a-9'],
    ['--url', 'http://localhost:1', '--report', 'pdf'],
    ['--url', 'http://localhost:1', '--bearer-env', 'NO_SUCH_VARIABLE'],
    ['--url', 'http://localhost:1', '--config', '/no/such/file'],
    ['--url', 'http://localhost:1', '--baseline', '/no/such/file'],
    ['demo', '--check', 'no/such-check'],
    ['demo', '--fault', 'cancel-wrong'],
    ['demo', '--report', 'json=/proc/no/such.json'],
    ['explain'],
    ['explain', 'task/cancl'],
    ['list', 'chekcs'],
    ['serve', '--impostor', 'nobody'],
    ['serve', '--preset', 'nobody'],
    ['demo', '--profile', 'a2a-0.3', '--preset', 'upstream-g1'],
    ['stub'],
    ['stub', '--profile', 'a2a-0.3'],
    ['--url', 'http://localhost:1', '--xpr-account', 'alice'],
    ['--url', 'http://localhost:1', '--profile', 'a2a-0.3', '--xpr-allow-send'],
    ['report', '/no/such/file'],
    ['prove', '--profile', 'nope'],
  ])('%j %j %j %j %j', async (...args) => {
    const { code, err } = await a2aTck(...args.filter((arg) => arg !== undefined));
    expect(code).toBe(2);
    expect(err).toMatch(/^a2a-tck: [^\n]+\n( {2}[^\n]+\n)?$/);
  });
});

test('prove takes the profile of a client by the name that it prints', async () => {
  const { code, err } = await a2aTck('prove', '--profile', 'client-0.2', '--without', 'client-0.2');
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('nothing is left to be proven') });
});

test('a port where no process listens ends with 3', async () => {
  const url = await listen(() => undefined);
  servers.splice(0).map((server) => server.close());
  const { code, out, err } = await a2aTck('--url', url);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toContain('cannot be reached');
});

test('a web site is not an agent and ends with 3', async () => {
  const url = await listen((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Hello</h1>'));
  const { code, err } = await a2aTck('--url', url);
  expect(code).toBe(3);
  expect(err).toMatch(/^a2a-tck: .* is not an A2A agent/);
});

test('a report that cannot be written is named before anything is sent', async () => {
  let requests = 0;
  const url = await listen(() => {
    requests++;
  });
  const { code } = await a2aTck('--url', url, '--report', `json=${folder}`);
  expect({ code, requests }).toEqual({ code: 2, requests: 0 });
});

test('what the agent says reaches the terminal as harmless text', async () => {
  const url = await listen(agent('\u001b[2J\u001b]0;owned\u0007\u202eEvil\nPASSED', notFound));
  const { code, out } = await a2aTck('--url', url, '--check', 'card/*', '--verbose', '--fuzz-runs', '0');
  expect(code).toBe(1);
  expect(out).toContain('\\x1b[2J\\x1b]0;owned\\x07\\u{202e}Evil\\nPASSED');
  expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
});

describe('demo', () => {
  test('--json is the report and nothing else, and the exit code is that of its gate', async () => {
    const { code, out, err } = await a2aTck('demo', '--json', '--seed', '1', '--check', 'card/*', '--fuzz-runs', '0');
    const report = JSON.parse(out) as { schema: string; gate: { exitCode: number }; run: { seed: number } };
    expect(report).toMatchObject({ schema: 'a2a-tck-report/1', gate: { exitCode: code }, run: { seed: 1 } });
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  test('a faulty agent fails: 1, with the sentence and what to do', async () => {
    const { code, out } = await a2aTck(
      'demo',
      '--fault',
      'cancel-accepts-terminal',
      '--check',
      'task/cancel-terminal-*',
      '--fuzz-runs',
      '0',
    );
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL MUST task\/cancel-terminal-refused$/m);
    expect(out).toMatch(/^ {2}sentence {3}\S.* \(A2A\d\d-[A-Z]+-\d+\)$/m);
    expect(out).toMatch(/^FAILED {2}.*exit 1\n$/m);
  });

  test('reports go to files, and a stored run renders to the same files later', async () => {
    const formats = ['json', 'junit', 'html', 'sarif', 'markdown', 'ctrf', 'tap', 'har'];
    const files = (under: string) => formats.map((format) => `${format}=${join(folder, under, format)}`);
    const options = (under: string) => files(under).flatMap((file) => ['--report', file]);
    const fault = ['--profile', 'a2a-0.3', '--fault', 'card-no-skills', '--fuzz-runs', '3'];
    const ran = await a2aTck('demo', ...fault, '--check', 'card/*,push/*', ...options('reports'));
    expect(ran.code).toBe(1);
    expect(readdirSync(join(folder, 'reports')).sort()).toEqual([...formats].sort());
    const again = await a2aTck('report', join(folder, 'reports/json'), ...options('later'));
    expect(again.code).toBe(0);
    for (const format of formats) {
      const [first, later] = ['reports', 'later'].map((under) => readFileSync(join(folder, under, format), 'utf8'));
      expect({ format, same: first === later, failure: first?.includes('card/skills') || format === 'har' }).toEqual({
        format,
        same: true,
        failure: true,
      });
    }
    const shown = await a2aTck('report', join(folder, 'reports/json'), '--report', 'tap');
    expect(shown).toEqual({ code: 0, out: readFileSync(join(folder, 'reports/tap'), 'utf8'), err: '' });
  });

  test.each(['console', 'json', 'ndjson', 'junit'])('credentials appear nowhere in %s', async (format) => {
    const config = join(folder, 'secret.yaml');
    writeFileSync(config, 'header: "X-Api-Key: sesame-one"\n');
    const given = [
      '--config',
      config,
      '--bearer-env',
      'TOKEN',
      '--report',
      format,
      '--verbose',
      '--check',
      'rpc/*',
      '--fuzz-runs',
      '3',
    ];
    const faulty = ['demo', ...given, '--fault', 'cancel-wrong-code'];
    const { out, err } = await commandLine(faulty, { TOKEN: 'sesame-two' });
    expect(out.length).toBeGreaterThan(500);
    expect(out + err).not.toContain('sesame');
  });

  test('a reader that goes away does not change the verdict', async () => {
    const child = startChild(['demo', '--check', 'card/*', '--verbose', '--fuzz-runs', '0']);
    child.stdout?.destroy();
    expect((await child.ended).code).toBe(0);
  });
});

test('a baseline can be written, then the gate passes, and stale entries fail it', { timeout: 120_000 }, async () => {
  const file = join(folder, 'baseline.yaml');
  const faulty = ['demo', '--fault', 'cancel-accepts-terminal', '--baseline', file, '--seed', '1', '--fuzz-runs', '0'];
  expect((await a2aTck(...faulty, '--update-baseline')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('check: task/cancel-terminal-refused');
  expect((await a2aTck(...faulty, '--check', 'task/cancel-*')).code).toBe(0);
  const { code, out } = await a2aTck('demo', '--baseline', file, '--check', 'task/cancel-*', '--fuzz-runs', '0');
  expect(code).toBe(1);
  expect(out).toContain('STALE MUST task/cancel-terminal-refused');
});

test('Ctrl-C ends the run with what is known: summary, report, and no pass', async () => {
  // Answers the detection, and then nothing any more.
  let calls = 0;
  const url = await listen(agent('Sleepy', (id) => (calls++ === 0 ? notFound(id) : undefined)));
  const file = join(folder, 'cut.json');
  const child = startChild(['--url', url, '--report', `json=${file}`, '--timeout', '60000']);
  await once(child.stdout ?? child, 'data');
  child.kill('SIGINT');
  const { code, out, err } = await child.ended;
  expect([1, 4]).toContain(code);
  expect(err).toContain('stopping');
  expect(out).toMatch(/interrupted/);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    run: { cut: 'interrupted' },
    gate: { exitCode: code },
  });
});

test('serve gives its base URL first, can be tested, and ends on SIGTERM', async () => {
  const child = startChild(['serve', '--fault', 'cancel-accepts-terminal']);
  const [first] = (await once(child.stdout ?? child, 'data')) as [string];
  const url = first.split('\n')[0] ?? '';
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await a2aTck('--url', url, '--check', 'task/cancel-terminal-refused', '--fuzz-runs', '0')).code).toBe(1);
  child.kill('SIGTERM');
  expect((await child.ended).code).toBe(0);
});

describe('list and explain', () => {
  test('every list is JSON', async () => {
    for (const kind of ['checks', 'faults', 'fuzz-faults', 'variants', 'impostors', 'presets', 'profiles', 'suites']) {
      const { code, out } = await a2aTck('list', kind, '--json');
      expect(code).toBe(0);
      expect((JSON.parse(out) as { id: string }[]).every(({ id }) => typeof id === 'string')).toBe(true);
    }
  });

  test('requirements come with their coverage', async () => {
    interface Listed {
      readonly coverage: { readonly levels: readonly { readonly rows: number; readonly covered: number }[] };
      readonly requirements: readonly { readonly covered: boolean }[];
    }
    const { out } = await a2aTck('list', 'requirements', '--json', '--profile', 'a2a-0.3');
    const { coverage, requirements } = JSON.parse(out) as Listed;
    const sum = (name: 'rows' | 'covered') => coverage.levels.reduce((total, level) => total + level[name], 0);
    expect(sum('rows')).toBe(requirements.length);
    expect(sum('covered')).toBe(requirements.filter(({ covered }) => covered).length);
  });

  test('every check can be explained', async () => {
    const { out } = await a2aTck('list', 'checks', '--json');
    const [first] = JSON.parse(out) as { id: string; killedBy: string[] }[];
    const { code, out: text } = await a2aTck('explain', first?.id ?? '');
    expect(code).toBe(0);
    expect(first?.killedBy).not.toEqual([]);
    for (const word of ['says', 'seen by', 'The story', ...(first?.killedBy ?? [])]) expect(text).toContain(word);
  });

  test('a requirement can be explained, with its link, its ambiguity and its checks', async () => {
    const { code, out } = await a2aTck('explain', 'A2A10-GET-002');
    expect(code).toBe(0);
    expect(out).toMatch(/^MUST in a2a-1.0, a2a-1.0-rest/);
    expect(out).toContain('https://a2a-protocol.org/v1.0.0/specification/#313-get-task');
    expect(out).toMatch(/^ {4}checks? +.*task\/get-same-task/m);
    const { out: unclear } = await a2aTck('explain', 'A2A03-CARD-011');
    expect(unclear).toMatch(/^ {4}unclear +AMB03-\d\d: /m);
    const unknown = await a2aTck('explain', 'A2A10-GET-999');
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('unknown requirement A2A10-GET-999') });
  });

  test('checks are listed by suite', async () => {
    const { out } = await a2aTck('list', 'checks', '--profile', 'a2a-1.0');
    expect(out).toMatch(/^card \(\d+\)\n {2}(must|should|may) +card\//);
    expect(out).toMatch(/\n\nrpc \(\d+\)\n/);
  });

  test('the checks of all profiles are listed once each, for programs that declare them before a run', async () => {
    const idsOf = async (profile: string) =>
      (JSON.parse((await a2aTck('list', 'checks', '--profile', profile, '--json')).out) as { id: string }[]).map(
        ({ id }) => id,
      );
    const all = await idsOf('auto');
    expect(new Set(all).size).toBe(all.length);
    for (const profile of ['a2a-1.0', 'a2a-0.3-grpc', 'xpr']) {
      expect(all).toEqual(expect.arrayContaining(await idsOf(profile)));
    }
    const { out } = await a2aTck('list', 'checks', '--profile', 'auto');
    expect(out.match(/^card \(\d+\)$/gm)).toHaveLength(1);
  });
});
