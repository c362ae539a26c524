import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { CarrierFailure } from '../exchange/exchange.js';
import { asCarrierFailure } from './failure-kind.js';
import {
  addressOf,
  authorityOf,
  type Network,
  type Place,
  proxyCredentials,
  proxyFor,
  withoutUser,
} from './network.js';

// How connections are opened, for all carriers: directly or through a proxy, in plain or by TLS.

/** The certificates that are trusted with `--ca-file`: Node replaces its own by those that it is given. */
function trusted(ca: string): Pick<tls.ConnectionOptions, 'ca'> {
  // From Node 22.15 on; it knows those of NODE_EXTRA_CA_CERTS too.
  const ask: unknown = Reflect.get(tls, 'getCACertificates');
  const usual = typeof ask === 'function' ? (ask('default') as readonly string[]) : tls.rootCertificates;
  return { ca: [...usual, ca] };
}

/** What TLS with an agent needs; with a proxy only the trusted certificates. */
export function tlsOptions({ ca, cert, key, insecure }: Network): tls.ConnectionOptions {
  return {
    ...(ca === undefined ? {} : trusted(ca)),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}

/** The name that TLS asks for: none where the URL has an address (RFC 6066 §3). */
export const serverName = (host: string): { readonly servername?: string } =>
  isIP(host) > 0 ? {} : { servername: host };

/** What stands in the CONNECT line: the address that stands in for the host, else its name. */
const targetOf = (place: Place, network: Network): string =>
  authorityOf({ host: addressOf(place, network) ?? place.host, port: place.port });

/** The header that shows the kit to a proxy; undefined: it has no credentials. */
export function proxyAuthorization(proxy: URL): string | undefined {
  const credentials = proxyCredentials(proxy);
  return credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** A failure of the proxy, never one of the agent. */
export function proxyFailure(proxy: URL, error: unknown): CarrierFailure {
  if (error instanceof CarrierFailure && error.kind === 'proxy') return error;
  const { kind, message } = asCarrierFailure(error);
  return new CarrierFailure('proxy', `the proxy ${withoutUser(proxy.href)} cannot be reached: ${kind} (${message})`);
}

/** What a proxy means by a status in place of a tunnel. */
export const proxyRefusal = (proxy: URL, status: number, target: string): CarrierFailure => {
  const name = `the proxy ${withoutUser(proxy.href)}`;
  const why =
    status === 407
      ? `${proxyCredentials(proxy) === undefined ? 'wants' : 'refuses the'} credentials (HTTP 407)`
      : `opens no connection to ${target} (HTTP ${status})`;
  return new CarrierFailure('proxy', `${name} ${why}`);
};

/** Longest head of the answer of a proxy, bytes. */
const mostProxyHead = 16 * 1024;

/**
 * A connection to a place through a proxy (RFC 9110 §9.3.6). Rejects with a failure of kind `proxy`; what the place
 * itself says comes later.
 */
function tunnel(proxy: URL, place: Place, network: Network, timeoutMs: number): Promise<Socket> {
  const target = targetOf(place, network);
  const authorization = proxyAuthorization(proxy);
  return new Promise((resolve, reject) => {
    const { ca } = network;
    const ask = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
    const asked = ask({
      host: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(proxy.port || (proxy.protocol === 'https:' ? 443 : 80)),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(authorization === undefined ? {} : { 'proxy-authorization': authorization }) },
      agent: false,
      maxHeaderSize: mostProxyHead,
      ...(ca === undefined ? {} : trusted(ca)),
    });
    const timer = setTimeout(() => {
      asked.destroy(Object.assign(new Error(`no tunnel within ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    timer.unref();
    const fail = (failure: CarrierFailure): void => {
      clearTimeout(timer);
      reject(failure);
    };
    asked.once('error', (error) => fail(proxyFailure(proxy, error)));
    // Some proxies answer a refusal as if it were one of a usual request.
    asked.once('response', ({ statusCode = 0 }) => {
      fail(proxyRefusal(proxy, statusCode, target));
      asked.destroy();
    });
    asked.once('connect', ({ statusCode = 0 }, socket, head) => {
      clearTimeout(timer);
      if (statusCode < 200 || statusCode >= 300) {
        socket.destroy();
        reject(proxyRefusal(proxy, statusCode, target));
        return;
      }
      if (head.length > 0) socket.unshift(head);
      resolve(socket as Socket);
    });
    asked.end();
  });
}

/** The tunnel for a place; undefined: it is called directly. */
export function tunnelFor(place: Place, network: Network, timeoutMs: number): Promise<Socket> | undefined {
  const proxy = proxyFor(place, network);
  return proxy === undefined ? undefined : tunnel(proxy, place, network, timeoutMs);
}

export interface DialOptions {
  readonly network: Network;
  /** Protocols that TLS offers. */
  readonly alpn: readonly string[];
  /** Until a tunnel is open, ms. */
  readonly timeoutMs: number;
}

/** Begins TLS on an open connection, or passes it on. */
function secured(socket: Socket | undefined, place: Place, { network, alpn }: DialOptions): Socket {
  const at = { host: addressOf(place, network) ?? place.host, port: place.port };
  if (!place.secure) return socket ?? connectTcp(at);
  return tls.connect({
    ...(socket === undefined ? at : { socket, host: place.host }),
    ...serverName(place.host),
    ALPNProtocols: [...alpn],
    ...tlsOptions(network),
  });
}

/**
 * Opens a connection. Where no proxy is asked, it is returned at once and connects on its own, so that what is written
 * is sent when it can be; its errors are events. Rejects with a failure of kind `proxy`.
 */
export function dial(place: Place, options: DialOptions): Socket | Promise<Socket> {
  const through = tunnelFor(place, options.network, options.timeoutMs);
  return through === undefined
    ? secured(undefined, place, options)
    : through.then((socket) => secured(socket, place, options));
}
