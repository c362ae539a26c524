import { isIP } from 'node:net';
import { canParseUrl, isLoopback, TckError } from '../../model/index.js';

/** How the kit reaches an agent. All of it is data, so that it can be sent to the thread of a run. */
export interface Network {
  /** Proxies by the scheme of the agent's URL; an agent on this machine is called without one. */
  readonly proxy?: ProxyRules;
  /** Certificates in PEM that are trusted beside those of the machine. */
  readonly ca?: string;
  /** Certificate of the kit and its private key, PEM; one needs the other. */
  readonly cert?: string;
  readonly key?: string;
  /** The certificates of agents are not checked. */
  readonly insecure?: boolean;
  /** Addresses that stand in for those of the name service. */
  readonly resolve?: readonly Resolved[];
}

export interface ProxyRules {
  /** Proxy of http URLs, as a URL; it may hold a user and a password, which are secrets. */
  readonly http?: string;
  /** The same of https URLs. */
  readonly https?: string;
  /** Hosts that are called without a proxy: `NO_PROXY`. */
  readonly no?: string;
}

export interface Resolved {
  /** Lower case. */
  readonly host: string;
  /** Left out: any port. */
  readonly port?: number;
  /** An IP address without brackets. */
  readonly address: string;
}

/** One end of a connection. */
export interface Place {
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

/** The place of an http(s) URL. */
export function placeOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): Place {
  const secure = protocol === 'https:';
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || (secure ? 443 : 80)), secure };
}

/** `host:port` as a request line has it: an IPv6 address in brackets. */
export const authorityOf = ({ host, port }: Pick<Place, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

const unbracketed = (text: string): string => text.replace(/^\[([^\]]*)\]$/, '$1');

/** The value of `--resolve`: `host:address` or `host:port:address`. Throws `TckError('usage')`. */
export function readResolve(text: string): Resolved {
  const [, host = '', rest = ''] = /^(\[[^\]]*\]|[^:/\s]+):(.+)$/.exec(text) ?? [];
  const [, digits = '', behind = ''] = /^(\d{1,5}):(.+)$/.exec(rest) ?? [];
  const whole = unbracketed(rest);
  // A bare IPv6 address may begin with digits: it is not taken for a port.
  const found = isIP(whole) > 0 ? { address: whole } : { port: Number(digits), address: unbracketed(behind) };
  if (host === '' || isIP(found.address) === 0 || (found.port ?? 1) < 1 || (found.port ?? 1) > 65_535) {
    const hint = 'give one such as agent.example:10.0.0.7, agent.example:443:10.0.0.7 or agent.example:[fd00::7]';
    throw new TckError('usage', `--resolve ${text.slice(0, 200)} is not of the form host:address`, hint);
  }
  return { host: host.toLowerCase(), ...found };
}

/** The address that stands in for a host; undefined: the name service is asked. */
export const addressOf = (
  { host, port }: Pick<Place, 'host' | 'port'>,
  { resolve = [] }: Network,
): string | undefined =>
  resolve.find((item) => unbracketed(item.host) === host.toLowerCase() && (item.port ?? port) === port)?.address;

/** A URL without user and password. */
export function withoutUser(text: string): string {
  const { protocol, host } = new URL(text);
  return `${protocol}//${host}`;
}

/** The proxy in an environment variable. Throws `TckError('usage')`; the value is not quoted, it may hold a password. */
function readProxy(name: string, text: string): string {
  const meant = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = canParseUrl(meant) ? new URL(meant) : undefined;
  if (url === undefined || url.hostname === '') {
    throw new TckError('usage', `${name} is not the URL of a proxy`, 'give one such as http://proxy.example:3128');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const hint = 'the kit speaks to http and https proxies: give one such as http://proxy.example:3128';
    throw new TckError('usage', `${name} names a proxy of another kind: ${url.protocol.slice(0, 20)}`, hint);
  }
  return url.href;
}

/**
 * The proxies that the environment names: `https_proxy`, `http_proxy`, `no_proxy`, and the same in capitals, which
 * count less. Undefined: none. Throws `TckError('usage')` for a proxy that is not an http(s) URL.
 */
export function proxyOfEnvironment(env: Readonly<Record<string, string | undefined>>): ProxyRules | undefined {
  const found = (name: string): readonly [string, string] | undefined =>
    [name.toLowerCase(), name]
      .map((text) => [text, env[text]?.trim() ?? ''] as const)
      .find(([, value]) => value !== '');
  const [http, https, no] = [found('HTTP_PROXY'), found('HTTPS_PROXY'), found('NO_PROXY')];
  if (http === undefined && https === undefined) return undefined;
  return {
    ...(http === undefined ? {} : { http: readProxy(...http) }),
    ...(https === undefined ? {} : { https: readProxy(...https) }),
    ...(no === undefined ? {} : { no: no[1] }),
  };
}

/** Entries of NO_PROXY: more are not read. */
const mostEntries = 1000;

/** Whether an entry of NO_PROXY means a host: `example.com` and `.example.com` mean it and all below it. */
function isMeant(entry: string, { host, port }: Pick<Place, 'host' | 'port'>): boolean {
  if (entry === '*') return true;
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  // A bare IPv6 address has colons, but no port.
  const name = bracketed ?? plain ?? entry;
  if (digits !== undefined && Number(digits) !== port) return false;
  const wanted = name.replace(/^\*?\.+/, '');
  if (wanted === '') return false;
  return host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`));
}

/**
 * The proxy for a place, with its credentials; undefined: it is called directly. Loopback addresses always are: a proxy
 * would reach its own machine by them.
 */
export function proxyFor(place: Place, { proxy }: Network): URL | undefined {
  const found = place.secure ? proxy?.https : proxy?.http;
  if (found === undefined || isLoopback(place.host)) return undefined;
  const host = place.host.toLowerCase();
  const entries = (proxy?.no ?? '').toLowerCase().split(/[\s,]+/, mostEntries);
  return entries.some((entry) => entry !== '' && isMeant(entry, { ...place, host })) ? undefined : new URL(found);
}

/** Whether a place is on this machine, by its name or by the address that stands in for it. */
export const isHere = (place: Place, network: Network): boolean => isLoopback(addressOf(place, network) ?? place.host);

/** How a URL is reached where that is not the plain way, one line each, without any secret. */
export function describeNetwork(url: string, network: Network): readonly string[] {
  if (!canParseUrl(url)) return [];
  const place = placeOf(new URL(url));
  const proxy = proxyFor(place, network);
  const address = addressOf(place, network);
  return [
    ...(network.insecure === true
      ? ['certificates were not checked (--insecure): a server in between could have answered for the agent']
      : []),
    ...(proxy === undefined ? [] : [`through the proxy ${withoutUser(proxy.href)}`]),
    ...(address === undefined ? [] : [`${place.host} was called at ${address} (--resolve)`]),
    ...(network.ca === undefined ? [] : ['more certificates were trusted than those of the machine (--ca-file)']),
    ...(network.cert === undefined ? [] : ['the kit showed a certificate of its own (--cert-file)']),
    ...curlNeeds(place, address, network),
  ];
}

/** A line of curl in a report is the request alone; the report says once which options of curl the way to it needs. */
function curlNeeds(place: Place, address: string | undefined, network: Network): readonly string[] {
  const to = address?.includes(':') === true ? `[${address}]` : address;
  const options = [
    ...(network.insecure === true ? ['--insecure'] : []),
    ...(to === undefined ? [] : [`--resolve ${authorityOf(place)}:${to}`]),
    ...(network.ca === undefined ? [] : ['--cacert <file>']),
    ...(network.cert === undefined ? [] : ['--cert <file> --key <file>']),
  ];
  return options.length === 0 ? [] : [`lines of curl need these options too: ${options.join(' ')}`];
}

/** Texts of a network that must appear in no output: users and passwords of the proxies, and what is made of them. */
export function secretsOfNetwork({ proxy = {} }: Network): readonly string[] {
  return [proxy.http, proxy.https].flatMap((text) => {
    const credentials = text === undefined ? undefined : proxyCredentials(new URL(text));
    if (text === undefined || credentials === undefined) return [];
    const { password } = new URL(text);
    return [credentials, Buffer.from(credentials).toString('base64'), ...(password === '' ? [] : [decoded(password)])];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `user:password` of a proxy; undefined: it wants none. */
export function proxyCredentials({ username, password }: URL): string | undefined {
  return username === '' && password === '' ? undefined : `${decoded(username)}:${decoded(password)}`;
}
