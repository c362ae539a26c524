import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';

/** A real agent on the loopback. */
export interface Peer {
  readonly url: string;
  close(): Promise<void>;
}

/** Puts an Express app on a free port of the loopback; the routes are added when the base URL is known. */
export async function startExpress(addRoutes: (app: Express, baseUrl: string) => void): Promise<Peer> {
  const app = express();
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  addRoutes(app, url);
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An agent over gRPC with a web server beside it, which has the card at least; the URL is that of the web server. */
export async function withCardBeside(agent: Peer, addRoutes: (app: Express, baseUrl: string) => void): Promise<Peer> {
  const web = await startExpress(addRoutes);
  return { url: web.url, close: async () => void (await Promise.all([web.close(), agent.close()])) };
}
