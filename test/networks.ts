import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Server as ProxyServer, RequestError } from 'proxy-chain';
import { loadGrpc } from '../src/binding/index.js';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import { createAgent, type Patch, serveAgent } from '../src/reference/index.js';
import { type Carrier, realClock } from '../src/wire/index.js';

// Networks on loopback: agents under names that no name service knows, behind TLS and behind a proxy.

/** The name of the agents. It is reached only through a proxy that knows it, or by `--resolve`. */
export const agentName = 'agent.test';

export interface Placed {
  /** As its card names it. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface Placing {
  readonly profile?: Dialect['id'];
  readonly patches?: readonly Patch[];
  /** Host in its URL. */
  readonly name?: string;
  /** Where it listens. */
  readonly host?: string;
  /** TLS before it. */
  readonly tls?: TlsOptions;
  /** What stands before it. */
  readonly between?: (handle: Carrier) => Carrier;
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

/** Ends TLS and passes the bytes on: HTTP/1.1 and HTTP/2, as the client chooses. */
async function secureFront(options: TlsOptions, behind: () => number) {
  const open = new Set<Socket>();
  const server = createTlsServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, (outer) => {
    const inner = connect({ host: '127.0.0.1', port: behind() });
    open.add(outer).add(inner);
    for (const [first, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      first.on('error', () => other.destroy());
      first.on('close', () => other.destroy());
    }
    outer.pipe(inner).pipe(outer);
  });
  // A client that refuses the certificate, or has none, is what some tests are about.
  server.on('tlsClientError', () => {});
  server.on('connection', (socket) => open.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A reference agent whose card names `https://<name>:<port>` or `http://<name>:<port>`. */
export async function placedAgent({
  profile = 'a2a-1.0',
  patches = [],
  name = agentName,
  host = '127.0.0.1',
  tls,
  between = (handle) => handle,
}: Placing = {}): Promise<Placed> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  await loadGrpc();
  let behind = 0;
  const front = tls === undefined ? undefined : await secureFront(tls, () => behind);
  let stopAgent = (): void => {};
  let url = '';
  const served = await serveAgent(
    (own) => {
      behind = Number(new URL(own).port);
      url = `${front === undefined ? 'http' : 'https'}://${name}:${front?.port ?? behind}`;
      const agent = createAgent({ dialect, clock: realClock, baseUrl: url, patches });
      stopAgent = () => agent.stop();
      return between((request, signal) => agent.handle(request, signal));
    },
    { host },
  );
  return {
    url,
    port: front?.port ?? behind,
    stop: async () => {
      stopAgent();
      await front?.stop();
      await served.close();
    },
  };
}

export interface Proxied {
  /** With the credentials, where it wants some. */
  readonly url: string;
  readonly port: number;
  /** What it was asked for: `CONNECT agent.test:443`, `agent.test:80`. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

/** A proxy (proxy-chain) that knows the name of the agents. `wants`: user and password. `refuses`: asked each time. */
export async function startProxy(
  wants?: readonly [string, string],
  refuses: () => boolean = () => false,
): Promise<Proxied> {
  const asked: string[] = [];
  const server = new ProxyServer({
    host: '127.0.0.1',
    port: 0,
    prepareRequestFunction: ({ username, password, hostname, port, isHttp }) => {
      asked.push(`${isHttp ? '' : 'CONNECT '}${hostname}:${port}`);
      if (refuses()) throw new RequestError('not for you', 502);
      const isKnown = wants === undefined || (username === wants[0] && password === wants[1]);
      return {
        requestAuthentication: !isKnown,
        dnsLookup: ((_host: string, options: { readonly all?: boolean }, done: (...args: unknown[]) => void) => {
          if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
          else done(null, '127.0.0.1', 4);
        }) as never,
      };
    },
  });
  await server.listen();
  const user = wants === undefined ? '' : `${wants.map(encodeURIComponent).join(':')}@`;
  return {
    url: `http://${user}127.0.0.1:${server.port}`,
    port: server.port,
    asked,
    stop: () => server.close(true),
  };
}
