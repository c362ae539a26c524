import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandLine } from './terminal.js';

// What is done with results: parts put together, runs compared, badges, signatures. As users meet it.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-results-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const a2aTck = commandLine;
const json = (text: string) => JSON.parse(text) as Record<string, unknown>;
const read = (name: string): string => readFileSync(at(name), 'utf8');

const chosen = 'card/*,task/cancel-terminal-refused,rpc/id-*';
const few = ['--check', chosen, '--seed', '3'];

beforeAll(async () => {
  const faulty = ['--fault', 'cancel-accepts-terminal'];
  const ran = [
    await a2aTck(['demo', ...few, '--report', `json=${at('clean.json')}`]),
    await a2aTck(['demo', ...few, ...faulty, '--report', `json=${at('faulty.json')}`]),
  ];
  expect(ran.map(({ code }) => code)).toEqual([0, 1]);
}, 60_000);

describe('shards', () => {
  test('an agent on one port, judged in parts that are merged', async () => {
    const { createAgent, memoryArchive, serveAgent } = await import('../src/reference/index.js');
    const { dialects } = await import('../src/dialect/index.js');
    const { realClock } = await import('../src/wire/index.js');
    const [dialect] = dialects;
    if (dialect === undefined) throw new Error('no dialect');
    const agents: { stop(): void }[] = [];
    const served = await serveAgent((baseUrl) => {
      const agent = createAgent({ dialect, clock: realClock, baseUrl, patches: [], archive: memoryArchive() });
      agents.push(agent);
      return (request, signal) => agent.handle(request, signal);
    }, {});
    try {
      const files = [1, 2, 3].map((index) => at(`part-${index}.json`));
      const args = ['--url', served.url, '--check', chosen];
      const codes = [1, 2, 3].map((index, place) =>
        a2aTck([...args, '--shard', `${index}/3`, '--report', `json=${files[place]}`]),
      );
      expect((await Promise.all(codes)).map(({ code }) => code)).toEqual([0, 0, 0]);
      const { code, out } = await a2aTck(['merge', ...files, '--json']);
      const whole = await a2aTck([...args, '--json']);
      const verdicts = (text: string) =>
        (json(text)['checks'] as { id: string; verdict: string }[]).map(({ id, verdict }) => `${id} ${verdict}`).sort();
      expect(code).toBe(0);
      expect(verdicts(out)).toEqual(verdicts(whole.out));
      const schema = JSON.parse(readFileSync('schemas/kit/report.schema.json', 'utf8')) as object;
      const fits = new Ajv2020().compile(schema);
      expect([json(out), json(readFileSync(files[0] ?? '', 'utf8'))].map((item) => fits(item))).toEqual([true, true]);

      const refusals = [
        await a2aTck(['merge', ...files.slice(1)]),
        await a2aTck(['merge', ...files, files[0] ?? '']),
        await a2aTck(['merge', at('clean.json')]),
      ];
      expect(refusals.map((refusal) => refusal.code)).toEqual([2, 2, 2]);
      expect(refusals.map((refusal) => refusal.err.split('\n')[0])).toEqual([
        'a2a-tck: parts are missing: 1/3',
        'a2a-tck: parts are there more than once: 1/3',
        'a2a-tck: not all of these are parts of a run',
      ]);
    } finally {
      for (const agent of agents) agent.stop();
      await served.close();
    }
  });

  test.each([
    ['--shard', '0/3'],
    ['--shard', '1/3', '--baseline', 'b.yaml', '--update-baseline'],
    ['--shard', '1/3', '--attest', 'a.json'],
  ])('wrong usage: %j', async (...args) => {
    expect((await a2aTck(['demo', ...args.filter((arg) => arg !== undefined)])).code).toBe(2);
  });
});

describe('diff', () => {
  test('worse ends with 1, better and the same with 0', async () => {
    const worse = await a2aTck(['diff', at('clean.json'), at('faulty.json')]);
    expect(worse).toMatchObject({ code: 1, err: '' });
    expect(worse.out).toMatch(/^WORSE {3}MUST {3}task\/cancel-terminal-refused: pass -> fail$/m);
    expect(worse.out).toMatch(/^gate: passed \(exit 0\) -> failed \(exit 1\)$/m);
    expect((await a2aTck(['diff', at('faulty.json'), at('clean.json')])).code).toBe(0);
    const same = await a2aTck(['diff', at('clean.json'), at('clean.json'), '--json']);
    expect(same.code).toBe(0);
    expect(json(same.out)).toMatchObject({ schema: 'a2a-tck-diff/1', isWorse: false, changed: [], appeared: [] });
  });

  test('foreign text does nothing to a terminal', async () => {
    const hostile = '\u001b[2J\u202e\u0007 __proto__';
    const stored = JSON.parse(read('faulty.json')) as { target: { url: string }; checks: { reason: string }[] };
    stored.target.url = hostile;
    for (const check of stored.checks) check.reason = hostile;
    writeFileSync(at('hostile.json'), JSON.stringify(stored));
    for (const more of [[], ['--json']]) {
      const { out } = await a2aTck(['diff', at('clean.json'), at('hostile.json'), ...more]);
      expect(out).toContain('__proto__');
      expect(out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
  });

  test.each([[['diff', 'only-one.json']], [['diff', '/no/such', '/no/such']]])('wrong usage: %j', async (args) => {
    expect((await a2aTck(args)).code).toBe(2);
  });
});

describe('badges', () => {
  test('the lines of requests are for PowerShell where the user asks for it', async () => {
    const line = /^ {2}reproduce +(.*)$/m;
    const posix = await a2aTck(['report', at('faulty.json')]);
    const there = await a2aTck(['report', at('faulty.json'), '--shell', 'powershell']);
    expect(line.exec(posix.out)?.[1]).toMatch(/^curl -sS/);
    expect(line.exec(there.out)?.[1]).toMatch(/^\$b = .*; curl\.exe -sS -i .* --data-binary "@\$b" 'http/);
    expect(await a2aTck(['report', at('faulty.json'), '--shell', 'fish'])).toMatchObject({ code: 2 });
  });

  test('a picture or JSON, by the name of the file; on stdout JSON', async () => {
    const svg = at('badge.svg');
    const args = ['report', at('faulty.json'), '--badge-link', 'https://ci.example/1?a&b'];
    const { code, out } = await a2aTck([...args, '--report', 'badge', '--report', `badge=${svg}`]);
    expect(code).toBe(0);
    expect(json(out)).toMatchObject({ schemaVersion: 1, color: 'red', isError: true });
    expect(read('badge.svg')).toMatch(/^<svg .*<a href="https:\/\/ci\.example\/1\?a&amp;b">.*<\/svg>\n$/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([['http://ci.example'], ['javascript:alert(1)'], ['nothing']])('no link: %s', async (link) => {
    const { code, err } = await a2aTck(['report', at('clean.json'), '--report', 'badge', '--badge-link', link]);
    expect(code).toBe(2);
    expect(err).toContain('is not an https URL');
  });
});

describe('signed results', () => {
  const pair = (): readonly string[] => ['--key', at('key.pub')];
  beforeAll(async () => {
    const { code, out } = await a2aTck(['keygen', '--out', at('key')]);
    expect({ code, id: /^[0-9a-f]{64}\n$/.test(out) }).toEqual({ code: 0, id: true });
    await a2aTck(['keygen', '--out', at('other')]);
  });

  test('keys are for their owner, and never written over', async () => {
    expect(statSync(at('key')).mode & 0o777).toBe(0o600);
    const before = [read('key'), read('key.pub')];
    expect((await a2aTck(['keygen', '--out', at('key')])).code).toBe(2);
    writeFileSync(at('half'), 'in use');
    expect((await a2aTck(['keygen', '--out', at('half')])).code).toBe(2);
    expect([read('key'), read('key.pub')]).toEqual(before);
    expect(existsSync(at('half.pub'))).toBe(false);
  });

  test('a run can be signed while it is run, and later, by file or environment', async () => {
    const signed = await a2aTck([
      ...['demo', ...few, '--attest', at('run.att'), '--attest-key-file', at('key')],
      ...['--report', `json=${at('signed.json')}`],
    ]);
    expect(signed.code).toBe(0);
    const again = await a2aTck(['attest', at('signed.json')], {
      A2A_TCK_ATTEST_KEY: read('key').replaceAll('\n', '\\n'),
    });
    expect(again).toEqual({ code: 0, out: read('run.att'), err: '' });
    const { code, out } = await a2aTck(['verify', at('run.att'), ...pair()]);
    expect(code).toBe(0);
    expect(out).toMatch(/^GENUINE\n {2}result {5}WARNED: \d+ passed, 0 warned, 0 failed$/m);
  });

  test('a result over a baseline says which failures are known', async () => {
    const entry = (check: string) => `known:\n  - check: ${check}\n    reason: reported\n`;
    writeFileSync(at('known.yaml'), entry('task/cancel-terminal-refused'));
    const args = ['demo', ...few, '--fault', 'cancel-accepts-terminal', '--baseline', at('known.yaml')];
    const files = ['--attest', at('known.att'), '--report', `badge=${at('known-badge.json')}`];
    expect((await a2aTck([...args, ...files, '--attest-key-file', at('key')])).code).toBe(0);
    const { code, out } = await a2aTck(['verify', at('known.att'), ...pair(), '--passed']);
    expect(code).toBe(0);
    expect(out).toMatch(/^GENUINE, with 1 known failure\n {2}baseline {3}task\/cancel-terminal-refused\n/);
    expect(json(read('known-badge.json'))['message']).toContain('only chosen checks were run');

    writeFileSync(at('known.yaml'), entry('task/cancel-terminal-refuse'));
    const { code: refused, err } = await a2aTck(args);
    expect(refused).toBe(2);
    expect(err).toContain('the baseline names the check task/cancel-terminal-refuse, and there is none');
    expect(err).toContain('did you mean task/cancel-terminal-refused');
  });

  test('another key, a changed file, a failed run, another card: refused', async () => {
    await a2aTck(['attest', at('faulty.json'), '--key', at('key'), '--out', at('faulty.att')]);
    writeFileSync(at('changed.att'), read('faulty.att').replace('"keyid":"', '"keyid":"0'));
    writeFileSync(at('card.json'), '{"name":"Another"}');
    const shown = async (...args: readonly string[]) => {
      const { code, out } = await a2aTck(['verify', ...args]);
      return `${code} ${out.split('\n')[0]}`;
    };
    expect(await shown(at('faulty.att'), ...pair())).toBe('0 GENUINE');
    expect(await shown(at('faulty.att'), '--key', at('other.pub'))).toBe('1 REFUSED  it is signed with another key');
    expect(await shown(at('changed.att'), ...pair())).toBe('1 REFUSED  it is signed with another key');
    expect(await shown(at('faulty.att'), ...pair(), '--passed')).toMatch(/^1 REFUSED {2}it is genuine, and says/);
    expect(await shown(at('faulty.att'), ...pair(), '--card', at('card.json'))).toMatch(
      /is not the one that was judged$/,
    );
  });

  test('the card is recognised where it is served, and with its members in another order', async () => {
    const exchanges = json(read('clean.json'))['exchanges'] as { response?: { body?: string } }[];
    const body = exchanges.find((exchange) => exchange.response?.body?.includes('"skills"'))?.response?.body ?? '';
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(json(body)).reverse()), undefined, 4);
    writeFileSync(at('same.json'), reordered);
    await a2aTck(['attest', at('clean.json'), '--key', at('key'), '--out', at('clean.att')]);
    const listener: RequestListener = (_, response) =>
      response.setHeader('content-type', 'application/json').end(reordered);
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/card.json`;
      for (const card of [at('same.json'), url]) {
        expect((await a2aTck(['verify', at('clean.att'), ...pair(), '--card', card])).code).toBe(0);
      }
    } finally {
      server.close();
    }
  });

  test('an agent without a card has nothing to attest: 4, and no file', async () => {
    const listener: RequestListener = (request, response) => {
      request.resume().on('end', () => {
        const body = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } };
        response.statusCode = request.method === 'POST' ? 200 : 404;
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      });
    };
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const args = ['--url', url, '--profile', 'a2a-0.3', '--check', 'data/task-id', '--attest', at('none.att')];
      const { code, err } = await a2aTck([...args, '--attest-key-file', at('key')]);
      expect(code).toBe(4);
      expect(err).toContain('no signed result: an agent that serves no card cannot be attested');
      expect(readdirSync(folder).filter((name) => name.startsWith('none.att'))).toEqual([]);
    } finally {
      server.close();
    }
  });

  test.each([
    [['demo', '--attest', 'x.att']],
    [['demo', '--attest-key-file', 'x']],
    [['verify', 'x.att']],
    [['verify', '/no/such', '--key', '/no/such']],
    [['keygen']],
  ])('wrong usage: %j', async (args) => {
    expect((await a2aTck(args)).code).toBe(2);
  });
});
