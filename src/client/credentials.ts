import type { Header, WireRequest } from '../wire/index.js';

/** Name and value, not yet encoded. */
export type Parameter = readonly [name: string, value: string];

/** Signs requests to the endpoint, each as it is about to be sent. */
export interface Signer {
  /** Waits until one more signed request may be sent; false when `until` fires before that. */
  turn(until?: AbortSignal): Promise<boolean>;
  /** The headers that sign exactly this request; with a second argument, what they say in place of what is due. */
  headers(request: WireRequest, as?: SignedAs): readonly Header[];
}

/** What is signed in place of what is due, for requests that are to be refused. */
export interface SignedAs {
  readonly account?: string;
  readonly timestamp?: string;
  /** The id of another reading of what is signed: `r16` and further. */
  readonly misreading?: string;
}

/** What two callers bring along; the second has no access to what the first one does. Values are secrets. */
export interface CallerCredentials {
  readonly credentials: readonly Header[];
  /** What belongs into the URL of the endpoint: name and value, not yet encoded. */
  readonly query?: readonly Parameter[];
  readonly secondCredentials?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
}

/** Changes a request after it was signed; `sign` gives the headers for its body once more. */
export type Tamper = (request: WireRequest, sign: (as: SignedAs) => readonly Header[]) => WireRequest;

/** What tells the agent who calls: headers, parameters in the URL of the endpoint, a signature. */
export interface Credentials {
  readonly headers: readonly Header[];
  readonly query: readonly Parameter[];
  readonly signer?: Signer;
}

/** In place of the configured credentials: none at all, those of the second caller, or any. */
export type Caller = 'none' | 'second' | Credentials;

export const nobody: Credentials = { headers: [], query: [] };

/** Service parameters of the protocol (1.0 §3.2.6, and their older spelling) say nothing of who calls. */
export const isService = ([name]: Header): boolean => /^(x-)?a2a-/i.test(name);

/** Whether there is anything that could tell who calls. */
export const isSomebody = ({ headers, query, signer }: Credentials): boolean =>
  signer !== undefined || query.length > 0 || headers.some((one) => !isService(one));

/** The configured headers, those of the protocol kept, with other credentials in place of their own. */
export function calling(caller: Caller | undefined, own: Credentials, second: Credentials): Credentials {
  if (caller === undefined) return own;
  const { headers, query, signer } = caller === 'none' ? nobody : caller === 'second' ? second : caller;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = own.headers.filter((one) => isService(one) && !names.has(one[0].toLowerCase()));
  return { headers: [...kept, ...headers], query, ...(signer === undefined ? {} : { signer }) };
}

/** The URL with more parameters; what stands in it already is left as it is. */
export function withQuery(url: string, query: readonly Parameter[]): string {
  if (query.length === 0) return url;
  const [whole = '', fragment] = url.split('#');
  const added = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const glue = !whole.includes('?') ? '?' : /[?&]$/.test(whole) ? '' : '&';
  return `${whole}${glue}${added}${fragment === undefined ? '' : `#${fragment}`}`;
}
