import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpCarrier, type HttpCarrier } from '../http.js';
import { bodyText, createTape, createWire, type Limits, realClock, type WireOptions } from '../index.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function listen(server: Server, scheme = 'http'): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function serveHttp(handle: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((request, response) => void handle(request, response));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
}

async function serveTcp(handle: (socket: Socket) => unknown): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    handle(socket);
  });
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
}

/** Answers whatever comes with these bytes, once something came. */
const answering = (bytes: string | Uint8Array, then: (socket: Socket) => unknown = (socket) => socket.end()) =>
  serveTcp((socket) => socket.once('data', () => socket.write(bytes, () => then(socket))));

function wireOf(limits: Partial<Limits> = {}, options: Partial<WireOptions> = {}) {
  const carrier: HttpCarrier = createHttpCarrier();
  closers.push(() => carrier.close());
  return createWire({
    carrier,
    clock: realClock,
    tape: createTape(),
    limits: { timeoutMs: 5000, maxBytes: 1_000_000, ...limits },
    ...options,
  });
}

const get = (url: string) => ({ method: 'GET', url, headers: [] });
const sending = { purpose: 'test' };

describe('a normal exchange', () => {
  test('sends headers exactly as given and returns them as they came', async () => {
    let received: readonly string[] = [];
    let body = '';
    const url = await serveHttp(async (request, response) => {
      received = request.rawHeaders;
      for await (const chunk of request) body += String(chunk);
      response.sendDate = false;
      response.writeHead(201, ['X-Twice', 'a', 'x-tWICE', 'b', 'Content-Type', 'application/json']);
      response.end('{}');
    });
    const exchange = await wireOf().exchange(
      {
        method: 'POST',
        url: `${url}path?q=1`,
        headers: [
          ['x-Zulu', '1'],
          ['Content-Type', 'application/json'],
          ['X-alpha', '2'],
          ['x-Zulu', '3'],
        ],
        body: new TextEncoder().encode('{"ä":1}'),
      },
      sending,
    );
    expect(exchange.failure).toBeUndefined();
    expect(exchange.response?.status).toBe(201);
    expect(exchange.response?.headers.slice(0, 3)).toEqual([
      ['X-Twice', 'a'],
      ['x-tWICE', 'b'],
      ['Content-Type', 'application/json'],
    ]);
    expect(bodyText(exchange.response?.body)).toBe('{}');
    expect(body).toBe('{"ä":1}');
    const own = received.filter((_, index) => /x-zulu|content-type|x-alpha/i.test(received[index - (index % 2)] ?? ''));
    expect(own).toEqual(['x-Zulu', '1', 'Content-Type', 'application/json', 'X-alpha', '2', 'x-Zulu', '3']);
    expect(received.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())).not.toContain(
      'accept-encoding',
    );
  });

  test('follows no redirect', async () => {
    let requests = 0;
    const url = await serveHttp((_, response) => {
      requests++;
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const exchange = await wireOf().exchange(get(url), sending);
    expect(exchange.response?.status).toBe(302);
    expect(requests).toBe(1);
  });

  test('gives the time of each chunk', async () => {
    let next: (() => void) | undefined;
    const url = await serveHttp((_, response) => {
      response.write('one');
      next = () => response.end('two');
    });
    const stream = await wireOf().open(get(url), sending);
    const seen: string[] = [];
    for await (const { bytes } of stream.chunks) {
      seen.push(bodyText(bytes));
      next?.();
    }
    expect(seen).toEqual(['one', 'two']);
    expect((await stream.ended).response?.chunks).toHaveLength(2);
  });

  test('undoes gzip', async () => {
    const url = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    });
    expect(bodyText((await wireOf().exchange(get(url), sending)).response?.body)).toBe('hello');
  });

  test('takes a head of 40 KiB', async () => {
    const url = await answering(`HTTP/1.1 200 OK\r\nx-long: ${'y'.repeat(40 * 1024)}\r\ncontent-length: 0\r\n\r\n`);
    expect((await wireOf().exchange(get(url), sending)).response?.headers[0]?.[1]).toHaveLength(40 * 1024);
  });

  test('many at once', async () => {
    const url = await serveHttp((request, response) => response.end(request.url));
    const wire = wireOf();
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, index) => wire.exchange(get(`${url}${index}`), sending)),
    );
    expect(all.map(({ response }) => bodyText(response?.body))).toEqual(all.map((_, index) => `/${index}`));
  });
});

describe('a hostile target', () => {
  test.each<[name: string, kind: string, hasHead: boolean, serve: () => Promise<string>]>([
    [
      'nobody listens',
      'refused',
      false,
      async () => {
        const server = createTcpServer();
        const url = await listen(server);
        await new Promise((resolve) => server.close(resolve));
        return url;
      },
    ],
    ['closes at once', 'reset', false, () => serveTcp((socket) => socket.end())],
    ['resets at once', 'reset', false, () => serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy()))],
    ['is silent', 'timeout', false, () => serveTcp(() => {})],
    [
      'is silent after the head',
      'timeout',
      true,
      () => answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => {}),
    ],
    [
      'resets within the body',
      'reset',
      true,
      () => answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', (socket) => socket.resetAndDestroy()),
    ],
    ['closes within the body', 'reset', true, () => answering('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
    [
      'closes within a chunk',
      'reset',
      true,
      () => answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf'),
    ],
    [
      'has a wrong chunk size',
      'malformed',
      true,
      () => answering('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf'),
    ],
    ['speaks no HTTP', 'malformed', false, () => answering('SSH-2.0-OpenSSH_9.6\r\n')],
    ['sends binary garbage', 'malformed', false, () => answering(new Uint8Array([0x15, 3, 1, 0, 2, 2, 10, 0, 255]))],
    [
      'sends a header flood',
      'malformed',
      false,
      () => answering(`HTTP/1.1 200 OK\r\n${'x-flood: 0123456789\r\n'.repeat(10_000)}\r\n`),
    ],
    [
      'sends one endless header',
      'malformed',
      false,
      () => answering(`HTTP/1.1 200 OK\r\nx-long: ${'y'.repeat(300_000)}`, () => {}),
    ],
    [
      'sends control characters in headers',
      'malformed',
      false,
      () => answering('HTTP/1.1 200 OK\r\nx-bad: a\u0000b\r\n\r\n'),
    ],
    [
      'has two different lengths',
      'malformed',
      false,
      () => answering('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    ],
    [
      'speaks no TLS',
      'tls',
      false,
      async () => (await answering('HTTP/1.1 400 Bad Request\r\n\r\n')).replace('http:', 'https:'),
    ],
  ])('that %s: %s', async (_, kind, hasHead, serve) => {
    const url = await serve();
    const exchange = await wireOf({ timeoutMs: kind === 'timeout' ? 150 : 5000 }).exchange(get(url), sending);
    expect(exchange.failure?.kind, exchange.failure?.detail).toBe(kind);
    expect(exchange.response !== undefined).toBe(hasHead);
  });

  test('a name that does not resolve', async () => {
    const exchange = await wireOf().exchange(get('http://no-such-host.invalid/'), sending);
    expect(exchange.failure?.kind).toBe('dns');
  });

  test('headers with the names of prototypes are headers', async () => {
    const url = await answering('HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 2\r\n\r\nok');
    const exchange = await wireOf().exchange(get(url), sending);
    expect(exchange.response?.headers.slice(0, 2)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(bodyText(exchange.response?.body)).toBe('ok');
  });

  test('garbage behind the response does not reach the next one', async () => {
    const url = await answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Evil\r\n\r\n', () => {});
    const wire = wireOf();
    for (let round = 0; round < 3; round++) {
      const exchange = await wire.exchange(get(url), sending);
      expect(exchange.response?.status).toBe(200);
      expect(bodyText(exchange.response?.body)).toBe('ok');
    }
  });

  test('a gigabyte of body ends at the limit, in bounded memory, and the connection is dropped', async () => {
    const block = Buffer.alloc(1024 * 1024, 'x');
    let written = 0;
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveHttp((_, response) => {
      response.on('close', () => closed());
      const pump = (): void => {
        while (written < 1024 && !response.destroyed) {
          written++;
          if (!response.write(block)) return void response.once('drain', pump);
        }
        response.end();
      };
      pump();
    });
    const before = process.memoryUsage().rss;
    const exchange = await wireOf({ maxBytes: 10_000_000 }).exchange(get(url), sending);
    await isClosed;
    expect(exchange.failure?.kind).toBe('too-large');
    expect(exchange.response?.body).toHaveLength(16 * 1024);
    expect(written).toBeLessThan(200);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });

  test('a bomb in gzip ends at the limit', async () => {
    const bomb = gzipSync(new Uint8Array(100_000_000));
    const url = await serveHttp((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const exchange = await wireOf().exchange(get(url), sending);
    expect(exchange.failure?.kind).toBe('too-large');
    expect(exchange.response?.body).toHaveLength(16 * 1024);
  });

  test('the end of the run drops the connection', async () => {
    const run = new AbortController();
    let closed: () => void = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveTcp((socket) => {
      socket.once('data', () => run.abort());
      socket.once('close', closed);
    });
    const exchange = await wireOf({}, { signal: run.signal }).exchange(get(url), sending);
    expect(exchange.failure?.kind).toBe('aborted');
    await isClosed;
  });

  test('closing an open stream drops the connection', async () => {
    let closed: () => void = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const url = await serveHttp((_, response) => {
      response.once('close', closed).write('x');
    });
    const stream = await wireOf().open(get(url), sending);
    stream.close();
    expect((await stream.ended).failure?.kind).toBe('aborted');
    await isClosed;
  });
});

test.each([
  ['a control character in a header', { method: 'GET', url: 'http://127.0.0.1:1/', headers: [['x', 'a\nb']] as const }],
  ['a URL of another scheme', { method: 'GET', url: 'file:///etc/passwd', headers: [] }],
  ['no URL', { method: 'GET', url: 'nowhere', headers: [] }],
  ['credentials in the URL', { method: 'GET', url: 'http://a:b@127.0.0.1:1/', headers: [] }],
])("%s is the kit's own fault", async (_, request) => {
  expect((await wireOf().exchange(request, sending)).failure?.kind).toBe('aborted');
});

describe('raw', () => {
  const raw = async (url: string, bytes: string, limits: Partial<Limits> = {}) => {
    const wire = wireOf(limits, { rawSocket: true });
    return wire.raw?.(url, new TextEncoder().encode(bytes), sending);
  };

  test('sends exactly these bytes and reads one response', async () => {
    let received = '';
    const url = await serveTcp((socket) =>
      socket.once('data', (bytes) => {
        received = String(bytes);
        socket.write('HTTP/1.1 400 Bad\r\nX-A: 1\r\nno colon\r\nContent-Length: 3\r\n\r\nbad and more');
      }),
    );
    const exchange = await raw(url, 'GET / HTTP/9.9\nx\u0001: y\r\n\r\n');
    expect(received).toBe('GET / HTTP/9.9\nx\u0001: y\r\n\r\n');
    expect(exchange).toMatchObject({ request: { method: 'RAW', url }, response: { status: 400 } });
    expect(exchange?.failure).toBeUndefined();
    expect(exchange?.response?.headers).toEqual([
      ['X-A', '1'],
      ['no colon', ''],
      ['Content-Length', '3'],
    ]);
    expect(bodyText(exchange?.response?.body)).toBe('bad');
  });

  test.each<[name: string, response: string, body: string]>([
    [
      'chunked',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nTrailer: 1\r\n\r\n',
      'abcde',
    ],
    ['until close', 'HTTP/1.0 200 OK\r\n\r\nall of it', 'all of it'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'ok'],
    ['an interim response first', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok'],
    ['no body', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', ''],
  ])('reads a body: %s', async (_, response, body) => {
    // Byte by byte, so that every boundary is met.
    const url = await serveTcp((socket) =>
      socket.once('data', () => {
        socket.setNoDelay(true);
        for (const byte of Buffer.from(response)) socket.write(new Uint8Array([byte]));
        socket.end();
      }),
    );
    const exchange = await raw(url, 'GET / HTTP/1.1\r\n\r\n');
    expect(exchange?.failure).toBeUndefined();
    expect(bodyText(exchange?.response?.body)).toBe(body);
  });

  test.each<[name: string, kind: string, serve: () => Promise<string>]>([
    ['closes without an answer', 'reset', () => serveTcp((socket) => socket.end())],
    ['closes within the body', 'reset', () => answering('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab')],
    ['speaks no HTTP', 'malformed', () => answering('hello\r\n')],
    ['sends an endless line', 'malformed', () => answering('x'.repeat(200_000), () => {})],
    [
      'sends headers without end',
      'malformed',
      () => answering(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(50_000)}`, () => {}),
    ],
    ['has no chunk size', 'malformed', () => answering('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n')],
    ['is silent', 'timeout', () => serveTcp(() => {})],
    ['never ends the body', 'timeout', () => answering('HTTP/1.1 200 OK\r\n\r\nab', () => {})],
    ['sends too much', 'too-large', () => answering(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(5000)}`)],
    [
      'speaks no TLS',
      'tls',
      async () => (await answering('HTTP/1.1 400 Bad Request\r\n\r\n')).replace('http:', 'https:'),
    ],
    ['does not exist', 'dns', async () => 'http://no-such-host.invalid/'],
  ])('a target that %s: %s', async (_, kind, serve) => {
    const exchange = await raw(await serve(), 'GET / HTTP/1.1\r\n\r\n', {
      timeoutMs: kind === 'timeout' ? 150 : 5000,
      maxBytes: 1000,
    });
    expect(exchange?.failure?.kind, exchange?.failure?.detail).toBe(kind);
  });
});

test.each([
  ['as it is written', true, '/a/../%2e%2e//b%zz?x=[1]'],
  ['normalised', false, '//b%zz?x=[1]'],
] as const)('a path goes out %s', async (_, asIs, path) => {
  const seen: (string | undefined)[] = [];
  const base = await serveHttp(({ url }, response) => {
    seen.push(url);
    response.end();
  });
  const carrier = createHttpCarrier();
  closers.push(() => carrier.close());
  const url = `${base.slice(0, -1)}/a/../%2e%2e//b%zz?x=[1]`;
  await carrier({ method: 'GET', url, headers: [], ...(asIs ? { asIs: true } : {}) }, new AbortController().signal);
  expect(seen).toEqual([path]);
});

test('after an error of the server the next request takes a new connection', async () => {
  const connections: number[] = [];
  let count = 0;
  const url = await serveTcp((socket) => {
    const number = count++;
    socket.on('data', (bytes) => {
      connections.push(number);
      const isBroken = bytes.toString('latin1').includes('/broken');
      socket.write(`HTTP/1.1 ${isBroken ? '500 Oops' : '200 OK'}\r\ncontent-length: 0\r\n\r\n`);
      // Many servers close the connection then, and do not say so.
      if (isBroken) setTimeout(() => socket.destroy(), 20);
    });
  });
  const wire = wireOf();
  for (const path of ['fine', 'broken', 'fine', 'fine']) {
    const { failure } = await wire.exchange({ method: 'GET', url: `${url}/${path}`, headers: [] }, sending);
    expect(failure).toBeUndefined();
    // A connection is free a moment after its answer.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(connections).toEqual([0, 0, 1, 1]);
});
