import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { withoutSlashes } from '../../model/index.js';
import type { Carrier, Header } from '../exchange/exchange.js';
import { createInbox, type Inbox } from './inbox.js';
import { type OpenWebhooks, webhookBodyLimit } from './webhook.js';

export interface WebhookServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The URL by which agents reach the server, as the user says; default: the address where it listens. */
  readonly publicUrl?: string;
}

/** Milliseconds. A sender that is slow or silent must not hold its connection forever. */
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
    const inbox = createInbox(webhookBodyLimit);
    const address = server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    const url = withoutSlashes(publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${bound}`);
    server.on('request', (request, response) => void receive(request, response, url, serve, inbox));
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
async function receive(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  base: string,
  serve: Carrier,
  inbox: Inbox,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  outgoing.on('error', () => gone.abort());
  try {
    const target = incoming.url ?? '/';
    const held = await inbox.read(incoming);
    if (held === undefined) return void outgoing.writeHead(503, { connection: 'close' }).end();
    const { body } = held;
    const {
      status,
      headers,
      body: text,
    } = await serve(
      {
        method: incoming.method ?? 'GET',
        url: `${new URL(base).origin}${target.startsWith('/') ? target : '/'}`,
        headers: pairs(incoming.rawHeaders),
        ...(body.length === 0 ? {} : { body }),
      },
      gone.signal,
    ).finally(held.release);
    outgoing.writeHead(status, headers.flat());
    for await (const chunk of text) outgoing.write(chunk);
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

const pairs = (raw: readonly string[]): readonly Header[] =>
  raw.flatMap((name, at): readonly Header[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
