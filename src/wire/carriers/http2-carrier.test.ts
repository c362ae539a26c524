import { createServer as createHttp1Server } from 'node:http';
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpCarrier } from '../http.js';
import { bodyText, createTape, createWire, type Limits, realClock, type WireRequest } from '../index.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

async function serve(
  handle: (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => unknown,
): Promise<{ readonly url: string; readonly server: Http2Server; sessions(): number }> {
  const server = createServer();
  let sessions = 0;
  const open = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions++;
    open.add(session);
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    void handle(stream, headers as never);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const item of open) item.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${portOf(server)}/`, server, sessions: () => sessions };
}

function wireOf(limits: Partial<Limits> = {}) {
  const carrier = createHttpCarrier({ connectTimeoutMs: 500, maxHeaderBytes: 16 * 1024 });
  closers.push(() => carrier.close());
  return createWire({
    carrier,
    clock: realClock,
    tape: createTape(),
    limits: { timeoutMs: 5000, maxBytes: 1_000_000, ...limits },
  });
}

const post = (url: string, more: Partial<WireRequest> = {}): WireRequest => ({
  method: 'POST',
  url,
  headers: [],
  body: new Uint8Array([1, 2]),
  http2: true,
  ...more,
});
const sending = { purpose: 'test' };

const answer = (stream: ServerHttp2Stream, body: string, trailers: Readonly<Record<string, string>>): void => {
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'x-one': ['a', 'b'] },
    { waitForTrailers: true },
  );
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
};

describe('an exchange over HTTP/2', () => {
  test('carries headers, body and trailers', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    let body = '';
    const { url } = await serve(async (stream, headers) => {
      seen = headers;
      for await (const piece of stream) body += (piece as Buffer).toString('hex');
      answer(stream, 'hello', { 'grpc-status': '0', 'x-after': 'yes' });
    });
    const headers = [
      ['Content-Type', 'application/grpc'],
      ['TE', 'trailers'],
      ['x-twice', '1'],
      ['x-twice', '2'],
      ['Host', 'elsewhere.test'],
    ] as const;
    const exchange = await wireOf().exchange(post(`${url}service/Method?q=1`, { headers }), sending);
    expect(seen).toMatchObject({
      ':method': 'POST',
      ':path': '/service/Method?q=1',
      ':scheme': 'http',
      ':authority': new URL(url).host,
      'content-type': 'application/grpc',
      te: 'trailers',
      'x-twice': '1, 2',
    });
    expect(body).toBe('0102');
    expect(exchange.failure).toBeUndefined();
    expect(exchange.response?.status).toBe(200);
    expect(bodyText(exchange.response?.body)).toBe('hello');
    const plain = exchange.response?.headers.filter(([name]) => name !== 'date');
    expect(plain).toEqual([
      ['content-type', 'application/grpc'],
      ['x-one', 'a'],
      ['x-one', 'b'],
    ]);
    expect(exchange.response?.trailers).toEqual([
      ['grpc-status', '0'],
      ['x-after', 'yes'],
    ]);
  });

  test('without trailers has none', async () => {
    const { url } = await serve((stream) => {
      stream.respond({ ':status': 200, 'grpc-status': '5' }, { endStream: true });
    });
    const { response, failure } = await wireOf().exchange(post(url), sending);
    expect(failure).toBeUndefined();
    expect(response?.trailers).toBeUndefined();
    expect(response?.headers).toContainEqual(['grpc-status', '5']);
  });

  test('uses one connection for many requests at once, and a new one after GOAWAY', async () => {
    const { url, server, sessions } = await serve((stream) => answer(stream, 'x', { 'grpc-status': '0' }));
    const wire = wireOf();
    await wire.exchange(post(url), sending);
    const all = await Promise.all(Array.from({ length: 20 }, () => wire.exchange(post(url), sending)));
    expect(all.map(({ response }) => response?.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(sessions()).toBe(1);
    const gone = new Promise<void>((resolve) => {
      server.once('session', () => resolve());
    });
    server.removeAllListeners('stream');
    server.on('stream', (stream) => {
      stream.session?.goaway();
      answer(stream, 'y', { 'grpc-status': '0' });
    });
    await wire.exchange(post(url), sending);
    const after = await wire.exchange(post(url), sending);
    await gone;
    expect(bodyText(after.response?.body)).toBe('y');
  });

  test('leaves a connection on which an answer did not come, but not what is under way there', async () => {
    const { url, server, sessions } = await serve(() => {});
    const seen: (readonly [string, ServerHttp2Stream])[] = [];
    let wake = (): void => {};
    server.removeAllListeners('stream');
    server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      const path = String(headers[':path']);
      seen.push([path, stream]);
      if (path === '/next') answer(stream, 'next', { 'grpc-status': '0' });
      wake();
    });
    const arrived = (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => seen.length >= count && resolve();
        wake();
      });
    const wire = wireOf();
    const slow = wire.exchange(post(`${url}slow`), sending);
    await arrived(1);
    const dropped = await wire.exchange(post(`${url}silent`), { ...sending, limits: { timeoutMs: 50 } });
    expect(dropped.failure?.kind).toBe('timeout');
    expect(sessions()).toBe(1);
    const next = await wire.exchange(post(`${url}next`), sending);
    expect(bodyText(next.response?.body)).toBe('next');
    expect(sessions()).toBe(2);
    for (const [path, stream] of seen) if (path === '/slow') answer(stream, 'late', { 'grpc-status': '0' });
    expect(bodyText((await slow).response?.body)).toBe('late');
  });

  test('is sent again where the agent says that it has not looked at it', async () => {
    const seen: number[] = [];
    const { url, sessions } = await serve((stream) => {
      seen.push(seen.length);
      if (seen.length > 2) return answer(stream, 'x', { 'grpc-status': '0' });
      if (seen.length === 2) stream.session?.goaway(constants.NGHTTP2_NO_ERROR, 0);
      return stream.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    const { failure, response } = await wireOf().exchange(post(url), sending);
    expect(failure).toBeUndefined();
    expect(bodyText(response?.body)).toBe('x');
    expect(seen).toHaveLength(3);
    expect(sessions()).toBe(2);
  });
  test('is not sent on a connection on which the kit dropped another one, nor lost with it', async () => {
    const { url, sessions } = await serve((stream, headers) => {
      if (headers[':path'] === '/next') return answer(stream, 'x', { 'grpc-status': '0' });
      stream.respond({ ':status': 200 });
      const { session } = stream;
      if (headers[':path'] === '/watched')
        stream.on('close', () => session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM));
      return stream.write('first');
    });
    const wire = wireOf();
    const open = await wire.open(post(`${url}watched`), sending);
    const other = await wire.open(post(`${url}other`), sending);
    open.close();
    const next = await wire.exchange(post(`${url}next`), sending);
    expect(next.failure).toBeUndefined();
    expect(sessions()).toBe(2);
    for await (const { bytes } of other.chunks) expect(bodyText(bytes)).toBe('first');
    expect((await other.ended).failure).toMatchObject({
      kind: 'reset',
      detail: 'the connection was ended: ENHANCE_YOUR_CALM after the kit had dropped another call on it',
    });
  });
  test('is read as it comes, and dropped with RST_STREAM CANCEL', async () => {
    let code: number | undefined;
    const closed = new Promise<void>((resolve) => {
      void serve((stream) => {
        stream.respond({ ':status': 200 });
        stream.write('first');
        stream.on('close', () => {
          code = stream.rstCode;
          resolve();
        });
      }).then(({ url }) => begin(url));
    });
    async function begin(url: string): Promise<void> {
      const open = await wireOf().open(post(url), sending);
      for await (const { bytes } of open.chunks) {
        expect(bodyText(bytes)).toBe('first');
        open.close();
        break;
      }
    }
    await closed;
    expect(code).toBe(constants.NGHTTP2_CANCEL);
  });
});

describe('a connection that is used in an unusual manner', () => {
  test('is its own, and over with its request', async () => {
    const sessions = new Set<unknown>();
    const { url } = await serve((stream) => {
      sessions.add(stream.session);
      answer(stream, 'x', {});
    });
    const wire = wireOf();
    await wire.exchange(post(url), sending);
    const odd = await wire.exchange(post(url, { manner: {} }), sending);
    expect(odd.failure).toBeUndefined();
    await wire.exchange(post(url), sending);
    expect(sessions.size).toBe(2);
  });

  test('has streams that are reset before the request, which is answered', async () => {
    const codes: number[] = [];
    let calls = 0;
    const { url } = await serve((stream) => {
      stream.on('error', () => {});
      stream.on('close', () => codes.push(stream.rstCode));
      calls++;
      stream.on('data', () => {});
      stream.on('end', () => {
        if (!stream.destroyed && stream.rstCode === 0) answer(stream, 'x', {});
      });
    });
    const { failure, response } = await wireOf().exchange(post(url, { manner: { resets: 3 } }), sending);
    expect(failure).toBeUndefined();
    expect(bodyText(response?.body)).toBe('x');
    expect(calls).toBeLessThanOrEqual(4);
    expect(codes.filter((code) => code === constants.NGHTTP2_CANCEL).length).toBe(calls - 1);
  });

  test('sends a body in pieces, and lets the agent answer byte by byte', async () => {
    let pieces = 0;
    let body = '';
    const { url } = await serve((stream) => {
      stream.on('data', (piece: Buffer) => {
        pieces++;
        body += piece.toString();
      });
      stream.on('end', () => answer(stream, 'a long answer', {}));
    });
    const manner = { pieces: 1, window: 1 };
    const { failure, response } = await wireOf().exchange(post(url, { manner }), sending);
    expect(failure).toBeUndefined();
    expect(bodyText(response?.body)).toBe('a long answer');
    expect(body).toBe(bodyText(post(url).body));
    expect(pieces).toBeGreaterThan(1);
  });
});

describe('a server that misbehaves', () => {
  test.for<[string, (stream: ServerHttp2Stream) => void, string]>([
    ['resets the stream at once', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), 'REFUSED_STREAM'],
    [
      'resets it after the head',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.write('half', () => stream.destroy(new Error('crashed')));
      },
      'INTERNAL_ERROR',
    ],
  ])('and %s', async ([, handle, name]) => {
    const { url } = await serve(handle);
    const { failure } = await wireOf().exchange(post(url), sending);
    expect(failure).toMatchObject({ kind: 'reset', detail: expect.stringContaining(name) });
  });

  test('and sends without end is cut at the limit', async () => {
    const { url } = await serve((stream) => {
      stream.respond({ ':status': 200 });
      const piece = Buffer.alloc(16 * 1024);
      const more = (): void => {
        while (!stream.destroyed && stream.write(piece));
        stream.once('drain', more);
      };
      more();
    });
    const { failure, response } = await wireOf({ maxBytes: 100_000 }).exchange(post(url), sending);
    expect(failure?.kind).toBe('too-large');
    expect(response?.body.length).toBeLessThanOrEqual(100_000);
  });

  test('and never answers ends at the time limit, as does one that never speaks HTTP/2', async () => {
    const { url } = await serve(() => undefined);
    const silent = await wireOf({ timeoutMs: 100 }).exchange(post(url), sending);
    expect(silent.failure?.kind).toBe('timeout');
    const sockets = new Set<Socket>();
    const mute = createTcpServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      for (const socket of sockets) socket.destroy();
      mute.close();
    });
    const { failure } = await wireOf().exchange(post(`http://127.0.0.1:${portOf(mute)}/`), sending);
    expect(failure?.kind).toBe('timeout');
  });

  test('and speaks HTTP/1.1 is reported', async () => {
    const server = createHttp1Server((_, response) => response.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { failure } = await wireOf().exchange(post(`http://127.0.0.1:${portOf(server)}/`), sending);
    expect(failure?.kind).toMatch(/malformed|reset/);
  });

  test('and is not there is refused', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = portOf(server);
    await new Promise((resolve) => server.close(resolve));
    const { failure } = await wireOf().exchange(post(`http://127.0.0.1:${port}/`), sending);
    expect(failure?.kind).toBe('refused');
  });

  test('and sends a huge header block is dropped', async () => {
    const { url } = await serve((stream) => {
      const headers = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`x-${at}`, 'v'.repeat(200)]));
      stream.respond({ ':status': 200, ...headers }, { endStream: true });
    });
    const { failure, response } = await wireOf({ timeoutMs: 1000 }).exchange(post(url), sending);
    const size = (response?.headers ?? []).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(failure !== undefined || size < 200_000).toBe(true);
  });
});

test('a header that HTTP/2 cannot carry fails the exchange, not the kit', async () => {
  const { url } = await serve((stream) => answer(stream, 'x', { 'grpc-status': '0' }));
  const wire = wireOf();
  const { failure } = await wire.exchange(post(url, { headers: [['bad name', 'x']] }), sending);
  expect(failure?.kind).toBe('aborted');
  const { failure: after } = await wire.exchange(post(url), sending);
  expect(after).toBeUndefined();
});
