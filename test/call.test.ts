import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grpcUrl } from '../src/binding/index.js';
import { callHere } from '../src/endpoint/index.js';
import type { Peer } from './peers/express-server.js';
import { hostileTargets, startHostile } from './peers/hostile-targets.js';
import { startSdkGrpcAgent } from './peers/sdk-0.3-agent.js';
import { startSdk1Agent, startSdk1GrpcAgent, startSdk1RestAgent } from './peers/sdk-1-agent.js';
import { commandLine } from './terminal.js';

// `a2a-tck call`, on agents that are not ours.

const peers: Record<'jsonrpc' | 'http+json' | 'grpc' | 'old', Peer> = {} as never;
const servers: Server[] = [];
beforeAll(async () => {
  [peers.jsonrpc, peers['http+json'], peers.grpc, peers.old] = await Promise.all([
    startSdk1Agent(),
    startSdk1RestAgent(),
    startSdk1GrpcAgent(),
    startSdkGrpcAgent(),
  ]);
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await Promise.all(Object.values(peers).map((peer) => peer.close()));
});

/** An agent that serves this card and nothing else. */
async function serveCard(card: unknown): Promise<string> {
  const server = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/.well-known/agent-card.json') === true ? 200 : 404;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(card));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Members that differ from call to call. */
const shapeOf = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (name, item: unknown) =>
    /^(id|.*Id|timestamp)$/.test(name) && typeof item === 'string' ? '…' : item,
  );

describe('one operation over three bindings', () => {
  test('means the same in each', async () => {
    const [first, ...others] = await Promise.all(
      (['jsonrpc', 'http+json', 'grpc'] as const).map(async (binding) => {
        const called = await callHere({ url: peers[binding].url, binding, operation: 'send', text: 'h\u00e9llo' });
        expect(called.outcome.kind).toBe('result');
        return shapeOf(called.canonical);
      }),
    );
    expect(JSON.stringify(first)).toContain('héllo');
    for (const item of others) expect(item).toEqual(first);
  });

  test('and so does an error', async () => {
    for (const binding of ['jsonrpc', 'http+json', 'grpc'] as const) {
      const called = await callHere({ url: peers[binding].url, binding, operation: 'get', id: 'nope' });
      expect(called.outcome).toMatchObject({ kind: 'refusal', error: 'TaskNotFound' });
      expect(called.canonical).toEqual([]);
    }
  });

  test('and the events of a stream', async () => {
    const lists = await Promise.all(
      (['jsonrpc', 'http+json', 'grpc'] as const).map(async (binding) => {
        const called = await callHere({ url: peers[binding].url, binding, operation: 'stream', text: 'hello' });
        return called.canonical.map((item) => (item as { readonly type: string }).type);
      }),
    );
    expect(lists[0]?.length).toBeGreaterThan(2);
    expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1);
  });
});

test('an agent of 0.3 is called over gRPC as its card says', async () => {
  const at = new URL(peers.old.url.replace('grpc:', 'http:')).host;
  const card = { name: 'a', version: '1', protocolVersion: '0.3.0', url: at, preferredTransport: 'GRPC', skills: [] };
  const url = await serveCard(card);
  const called = await callHere({ url, binding: 'grpc', operation: 'message/send', text: 'hello' });
  expect(called).toMatchObject({ profile: 'a2a-0.3-grpc', outcome: { kind: 'result' }, status: { code: 0 } });
  await expect(callHere({ url, profile: 'a2a-1.0', binding: 'grpc', operation: 'get', id: 'x' })).rejects.toMatchObject(
    {
      code: 'usage',
    },
  );
});

test('a card leads no call to another host that the user has not allowed', async () => {
  const card = {
    name: 'a',
    version: '1',
    supportedInterfaces: [{ url: 'elsewhere.test:443', protocolBinding: 'GRPC', protocolVersion: '1.0' }],
    skills: [],
  };
  const url = await serveCard(card);
  await expect(callHere({ url, binding: 'grpc', operation: 'get', id: 'x' })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('another host'),
  });
});

test.for<[string, string | undefined]>([
  ['grpc://a.test:50051', 'http://a.test:50051'],
  ['grpcs://a.test', 'https://a.test'],
  ['http://a.test:1/path', 'http://a.test:1'],
  ['https://a.test/', 'https://a.test'],
  ['a.test:50051', 'https://a.test:50051'],
  ['localhost:50051', 'http://localhost:50051'],
  ['127.0.0.1:1', 'http://127.0.0.1:1'],
  ['[::1]:50051', 'http://[::1]:50051'],
  ['dns:///a.test:443', 'https://a.test'],
  ['a.test', undefined],
  ['ftp://a.test', undefined],
  ['', undefined],
])('the address %s of gRPC is %s', ([text, expected]) => {
  expect(grpcUrl(text)).toBe(expected);
});

describe('the command', () => {
  const call = (...args: readonly string[]) => commandLine(['call', ...args]);

  test('shows the request, the answer, what they mean, and a line that sends the same again', async () => {
    const { code, out } = await call('get', '--url', peers.grpc.url, '--id', 'nope');
    expect(code).toBe(1);
    for (const text of ['GetTask HTTP/2', '"id": "nope"', 'grpc-status: 5', 'TASK_NOT_FOUND', '(TaskNotFound)'])
      expect(out).toContain(text);
    const again = /^Again: (.*)$/m.exec(out)?.[1] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', again], { encoding: 'latin1' });
    expect(stdout).toContain('grpc-status: 5');
  });

  test('is JSON for programs, and hides credentials', async () => {
    const args = [
      'send',
      '--url',
      peers.grpc.url,
      '--text',
      'hi',
      '--json',
      '--header',
      'authorization: Bearer s3cret-token',
    ];
    const { code, out, err } = await call(...args);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ operation: 'send', grpc: { code: 0 }, outcome: { kind: 'result' } });
    expect(out + err).not.toContain('s3cret-token');
  });

  test('takes params from the line and from a file', async () => {
    const file = join(tmpdir(), `a2a-tck-params-${process.pid}.json`);
    writeFileSync(file, '{"id":"from a file"}');
    const { out } = await call('get', '--url', peers.grpc.url, '--params', `@${file}`);
    expect(out).toContain('"id": "from a file"');
    const line = await call('get', '--url', peers.jsonrpc.url, '--params', '{"id":"from the line"}');
    expect(line.out).toContain('from the line');
  });

  test.for<[string, readonly string[], number, RegExp]>([
    ['an unknown operation', ['dance', '--url', 'grpc://127.0.0.1:9'], 2, /unknown operation dance/],
    ['no URL', ['get'], 2, /no --url/],
    ['params that are no JSON', ['get', '--url', 'grpc://127.0.0.1:9', '--params', '{'], 2, /is not JSON/],
    ['params given twice', ['get', '--url', 'grpc://127.0.0.1:9', '--params', '{}', '--id', 'x'], 2, /twice/],
    [
      'params that no message can hold',
      ['get', '--url', 'grpc://127.0.0.1:9', '--params', '{"id":7}'],
      2,
      /cannot carry/,
    ],
    ['an address that is none', ['get', '--url', 'nowhere', '--binding', 'grpc'], 2, /nowhere/],
    ['nobody there', ['get', '--url', 'grpc://127.0.0.1:9', '--id', 'x'], 3, /refused/],
  ])('%s is reported in a line', async ([, args, code, words]) => {
    const { code: ended, out, err } = await call(...args);
    expect(ended).toBe(code);
    expect(out + err).toMatch(words);
    expect(out + err).not.toMatch(/\n\s+at /);
  });
});

/** Characters and commands that no terminal and no runner of CI jobs may get from a target. */
const active = /##\w*\[|[^\P{Cc}\n]|\p{Cf}/u;

test.for([['evil-texts', '--json'], ['evil-texts'], ['runner-commands', '--json'], ['runner-commands']])(
  'what an agent says has no effect on a terminal: %s',
  async ([id, ...options]) => {
    const target = hostileTargets.find((hostileTarget) => hostileTarget.id === id);
    const server = await startHostile(target ?? expect.unreachable());
    try {
      const { out } = await commandLine(['call', 'send', '--text', 'hi', '--url', server.url, ...options]);
      // The target has said it.
      expect(out).toMatch(/owned|add-mask/);
      expect(out).not.toMatch(active);
    } finally {
      await server.close();
    }
  },
);

describe('a call of gRPC that no client would take', () => {
  /** What `call` does on a target that does harm: exit code and output. */
  async function met(id: string, operation = 'send') {
    const target = hostileTargets.find((hostileTarget) => hostileTarget.id === id);
    if (target === undefined) throw new Error(`no target ${id}`);
    const server = await startHostile(target);
    try {
      return await commandLine(['call', operation, '--text', 'hi', '--url', server.url, '--timeout', '10000']);
    } finally {
      await server.close();
    }
  }

  test.each([
    ['no status', 'grpc-no-trailers', 4, '! no grpc-status came'],
    ['two messages in the place of one', 'grpc-two-messages', 4, '! 2 messages came, and send has one'],
    ['a message and then a reset', 'grpc-reset-after-message', 4, '! reset'],
    ['more fields than are read', 'grpc-many-artifacts', 4, 'more than 50000 fields'],
    ['an address of the card where nothing listens', 'grpc-nobody', 3, '! refused'],
  ])('%s', async (_, id, code, words) => {
    const ended = await met(id);
    expect(ended.out + ended.err).toContain(words);
    expect(ended.code).toBe(code);
  });

  test('a stream that breaks off after an event', async () => {
    const { code, out } = await met('grpc-reset-after-message', 'stream');
    expect(out).toContain('! reset');
    expect(code).toBe(4);
  });
});
