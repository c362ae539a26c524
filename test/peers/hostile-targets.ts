import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { createBrotliCompress, gzipSync } from 'node:zlib';
import { agentHarms } from './hostile-agents.js';
import { grpcHarms } from './hostile-grpc.js';
import { restHarms } from './hostile-rest.js';
import { type Behaviour, wireHarms } from './hostile-wire.js';

/** A target that means harm. `card`: how it answers a GET; `call`: how it answers a POST. */
export interface HostileTarget {
  readonly id: string;
  readonly about: string;
  readonly card: Behaviour;
  readonly call: Behaviour;
  /** What speaks gRPC at the port that the card names; `false`: nothing does. Left out: the card names no gRPC. */
  readonly grpc?: (() => TcpServer) | false;
}

const block = Buffer.alloc(64 * 1024, ' ');

/** Writes blocks for as long as the client reads, up to `limit` bytes. */
function flood(response: ServerResponse, limit: number): void {
  let sent = 0;
  const more = (): void => {
    while (sent < limit) {
      if (response.destroyed) return;
      sent += block.length;
      if (!response.write(block)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

const json = { 'content-type': 'application/json' };

const goodCard: Behaviour = (_, response, base) => {
  response.writeHead(200, json).end(
    JSON.stringify({
      protocolVersion: '0.3.0',
      name: 'Hostile \u001b[31m<script>alert(1)</script>',
      description: 'A good card in front of harm.',
      version: '1.0.0',
      url: `${base}/`,
      preferredTransport: 'JSONRPC',
      capabilities: {},
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    }),
  );
};

const endless: Behaviour = (_, response) => {
  response.writeHead(200, json);
  flood(response, Number.POSITIVE_INFINITY);
};
const gigabyte: Behaviour = (_, response) => {
  response.writeHead(200, { ...json, 'content-length': String(2 ** 30) });
  flood(response, 2 ** 30);
};
const nested: Behaviour = (_, response) => {
  const depth = 100_000;
  response
    .writeHead(200, json)
    .end(`{"jsonrpc":"2.0","id":1,"result":${'['.repeat(depth)}${']'.repeat(depth)},"name":"x","url":"y"}`);
};
/** About 1 GB when unpacked. */
const bombBytes = gzipSync(Buffer.alloc(64 << 20), { level: 9 });
const bomb: Behaviour = (_, response) => {
  response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
  for (let member = 0; member < 16; member++) response.write(bombBytes);
  response.end();
};
let packed: Promise<Buffer> | undefined;
/** 256 MB in some hundred bytes. Packed piece by piece: what this process holds counts for the commands that it starts. */
async function packedZeros(): Promise<Buffer> {
  const zeros = Buffer.alloc(1 << 20);
  const packing = Readable.from(Array.from({ length: 256 }, () => zeros)).pipe(createBrotliCompress());
  const chunks: Buffer[] = [];
  for await (const chunk of packing) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
const brotliBomb: Behaviour = (_, response) => {
  packed ??= packedZeros();
  void packed.then((body) => response.writeHead(200, { ...json, 'content-encoding': 'br' }).end(body));
};
const redirectLoop: Behaviour = (request, response) => {
  response.writeHead(302, { location: request.url ?? '/' }).end();
};
const reset: Behaviour = (request) => {
  request.socket.resetAndDestroy();
};
const silence: Behaviour = () => undefined;
const halfThenSilence: Behaviour = (_, response) => {
  response.writeHead(200, { ...json, 'content-length': '1000' });
  response.write('{"jsonrpc":"2.0","id":');
};
const drip: Behaviour = (_, response) => {
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};
const headerFlood: Behaviour = (_, response) => {
  response.socket?.write(`HTTP/1.1 200 OK\r\n${'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(50_000)}\r\n`);
};

const harms: Readonly<Record<string, readonly [string, Behaviour]>> = {
  endless: ['a body that never ends', endless],
  gigabyte: ['a body of 1 GB', gigabyte],
  nested: ['100,000 levels of nesting', nested],
  bomb: ['a gzip bomb of 1 GB', bomb],
  'redirect-loop': ['a redirect to itself', redirectLoop],
  reset: ['a reset of every connection', reset],
  silence: ['no answer at all', silence],
  'half-then-silence': ['half a body, then nothing', halfThenSilence],
  drip: ['a space every 50 ms, forever', drip],
  'header-flood': ['50,000 headers', headerFlood],
};

const twice = Object.entries({ ...harms, ...wireHarms });

/** Each harm of the bytes twice: from the first request on, and behind a good card. Those that speak have cards of their own. */
export const hostileTargets: readonly HostileTarget[] = [
  ...twice.flatMap(([id, [about, harm]]) => [
    { id, about, card: harm, call: harm },
    { id: `card-then-${id}`, about: `a good card, then ${about}`, card: goodCard, call: harm },
  ]),
  ...Object.entries({ ...agentHarms, ...restHarms }).map(([id, [about, harm]]) => ({
    id,
    about,
    card: harm,
    call: harm,
  })),
  ...Object.entries(grpcHarms).map(([id, [about, grpc = false]]) => ({
    id: `grpc-${id}`,
    about: `over gRPC ${about}`,
    card: silence,
    call: silence,
    grpc,
  })),
  { id: 'brotli-bomb', about: 'a good card, then a brotli bomb of 256 MB', card: goodCard, call: brotliBomb },
];

/** A good card of 1.0 whose only interface is gRPC at another port. */
const grpcCard =
  (url: string): Behaviour =>
  (_, response) => {
    response.writeHead(200, json).end(
      JSON.stringify({
        name: 'Hostile',
        description: 'A good card in front of harm over gRPC.',
        version: '1.0.0',
        supportedInterfaces: [{ url, protocolBinding: 'GRPC', protocolVersion: '1.0' }],
        capabilities: { streaming: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 's', name: 's', description: 's', tags: ['s'] }],
      }),
    );
  };

export interface Hostile {
  readonly url: string;
  /** Requests that reached the server to which no client may go. */
  strayed(): number;
  close(): Promise<void>;
}

async function listening(server: TcpServer): Promise<string> {
  server.on('clientError', (_, socket: Socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

/** The port of gRPC, and how to close it. */
async function startGrpcOf({ grpc }: HostileTarget): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: TcpServer = grpc === undefined || grpc === false ? createServer() : grpc();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const url = await listening(server);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  if (grpc === undefined || grpc === false) await close();
  return { url, close: grpc === undefined || grpc === false ? () => Promise.resolve() : close };
}

/** Puts a hostile target on a free port of the loopback, and beside it the server to which it would lure. */
export async function startHostile(target: HostileTarget): Promise<Hostile> {
  let base = '';
  let strayed = 0;
  const trap = createServer((_, response) => {
    strayed++;
    response.end('{}');
  });
  const elsewhere = await listening(trap);
  const overGrpc = target.grpc === undefined ? undefined : await startGrpcOf(target);
  const card = overGrpc === undefined ? target.card : grpcCard(overGrpc.url);
  const server = createServer((request, response) => {
    // What speaks reads the body itself.
    if (!Object.hasOwn(agentHarms, target.id) && !Object.hasOwn(restHarms, target.id)) request.resume();
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    (request.method === 'GET' ? card : target.call)(request, response, base, elsewhere);
  });
  base = await listening(server);
  return {
    url: base,
    strayed: () => strayed,
    close: async () => {
      await Promise.all([closed(server), closed(trap), overGrpc?.close()]);
    },
  };
}
