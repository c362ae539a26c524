import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Notice {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A webhook on the loopback that takes whatever comes. */
export interface Webhook {
  readonly url: string;
  /** All that came so far, in order. */
  readonly notices: readonly Notice[];
  /** Resolves when one such notice has come. */
  until(wanted: (notice: Notice) => boolean): Promise<Notice>;
  close(): Promise<void>;
}

export async function startWebhook(): Promise<Webhook> {
  const notices: Notice[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    notices.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
    response.writeHead(204).end();
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    notices,
    until: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          const found = notices.find(wanted);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
