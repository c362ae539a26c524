import type { Header, WireRequest } from '../wire/index.js';

/** Name and value, not yet encoded. */
export type Parameter = readonly [name: string, value: string];

/** Signs requests to the endpoint, each just before it is sent. */
export interface Signer {
  /** Waits until one more signed request may be sent; false when `until` fires before that. */
  turn(until?: AbortSignal): Promise<boolean>;
  /** The headers that sign exactly this request; `as` replaces correct values. */
  headers(request: WireRequest, as?: SignedAs): readonly Header[];
}

/** Values that are signed in place of the correct ones, for requests that must be refused. */
export interface SignedAs {
  readonly account?: string;
  readonly timestamp?: string;
  /** The id of another reading of the signed text: `r16` and further. */
  readonly misreading?: string;
}

/** The credentials of two callers; the second has no access to the work of the first. Values are secrets. */
export interface CallerCredentials {
  readonly credentials: readonly Header[];
  /** Parameters in the URL of the endpoint: name and value, not yet encoded. */
  readonly query?: readonly Parameter[];
  readonly secondCredentials?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
}

/** Changes a request after it was signed; `sign` gives the headers for its body once more. */
export type Tamper = (request: WireRequest, sign: (as: SignedAs) => readonly Header[]) => WireRequest;

/** Identifies a caller to the agent: headers, parameters in the URL of the endpoint, a signature. */
export interface Credentials {
  readonly headers: readonly Header[];
  readonly query: readonly Parameter[];
  readonly signer?: Signer;
}

/** Replaces the configured credentials: by none, by those of the second caller, or by others. */
export type Caller = 'none' | 'second' | Credentials;

export const nobody: Credentials = { headers: [], query: [] };

/** Service parameters of the protocol (1.0 §3.2.6, and their older spelling) do not identify a caller. */
export const isService = ([name]: Header): boolean => /^(x-)?a2a-/i.test(name);

/** Whether anything in the credentials could identify a caller. */
export const isSomebody = ({ headers, query, signer }: Credentials): boolean =>
  signer !== undefined || query.length > 0 || headers.some((header) => !isService(header));

/** The credentials of a call. Those of another caller replace the configured ones, except service parameters. */
export function calling(caller: Caller | undefined, own: Credentials, second: Credentials): Credentials {
  if (caller === undefined) return own;
  const { headers, query, signer } = caller === 'none' ? nobody : caller === 'second' ? second : caller;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = own.headers.filter((header) => isService(header) && !names.has(header[0].toLowerCase()));
  return { headers: [...kept, ...headers], query, ...(signer === undefined ? {} : { signer }) };
}

/** Adds parameters to a URL; its present query stays unchanged. */
export function withQuery(url: string, query: readonly Parameter[]): string {
  if (query.length === 0) return url;
  const [whole = '', fragment] = url.split('#');
  const added = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const glue = !whole.includes('?') ? '?' : /[?&]$/.test(whole) ? '' : '&';
  return `${whole}${glue}${added}${fragment === undefined ? '' : `#${fragment}`}`;
}
