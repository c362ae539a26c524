import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { withoutSlashes } from '../model/index.js';
import type { Carrier, Header } from './exchange.js';
import { type OpenWebhooks, webhookBodyLimit } from './webhook.js';

export interface WebhookServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The URL by which agents reach the server, as the user says; default: the address where it listens. */
  readonly publicUrl?: string;
}

/** Milliseconds. A sender that is slow or silent must not hold its connection for ever. */
const patienceMs = 30_000;

/** Webhooks on a port. The promise rejects when the port is not available. */
export const webhookServer =
  ({ host, port, publicUrl }: WebhookServerOptions): OpenWebhooks =>
  async (serve) => {
    const server = createServer({ requestTimeout: patienceMs, connectionsCheckingInterval: 5000 });
    server.maxConnections = 256;
    server.on(
      'clientError',
      (_, socket) => void (socket.writable ? socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') : 0),
    );
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    const url = withoutSlashes(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    server.on('request', (request, response) => void receive(request, response, url, serve));
    return {
      url,
      assured: publicUrl !== undefined,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  };

/** Never rejects: on an error the connection of the sender is dropped. */
async function receive(incoming: IncomingMessage, outgoing: ServerResponse, base: string, serve: Carrier) {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  outgoing.on('error', () => gone.abort());
  try {
    const target = incoming.url ?? '/';
    const body = await read(incoming);
    const {
      status,
      headers,
      body: text,
    } = await serve(
      {
        method: incoming.method ?? 'GET',
        url: `${new URL(base).origin}${target.startsWith('/') ? target : '/'}`,
        headers: pairs(incoming.rawHeaders),
        ...(body === undefined ? {} : { body }),
      },
      gone.signal,
    );
    outgoing.writeHead(status, headers.flat());
    for await (const chunk of text) outgoing.write(chunk);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

const pairs = (raw: readonly string[]): readonly Header[] =>
  raw.flatMap((name, at): readonly Header[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

/** Reads one byte more than is kept, so that a longer body is noticed; the rest is thrown away unread. */
async function read(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    chunks.push(chunk);
    if (size > webhookBodyLimit) break;
  }
  incoming.resume();
  return size === 0 ? undefined : new Uint8Array(Buffer.concat(chunks).subarray(0, webhookBodyLimit + 1));
}
