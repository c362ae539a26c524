import type { Header } from '../wire/index.js';

/** Name and value, not yet encoded. */
export type Parameter = readonly [name: string, value: string];

/** What tells the agent who calls: headers, and parameters in the URL of the endpoint. */
export interface Credentials {
  readonly headers: readonly Header[];
  readonly query: readonly Parameter[];
}

/** In place of the configured credentials: none at all, those of the second caller, or any. */
export type Caller = 'none' | 'second' | Credentials;

export const nobody: Credentials = { headers: [], query: [] };

/** Service parameters of the protocol (1.0 §3.2.6, and their older spelling) say nothing of who calls. */
export const isService = ([name]: Header): boolean => /^(x-)?a2a-/i.test(name);

/** Whether there is anything that could tell who calls. */
export const isSomebody = ({ headers, query }: Credentials): boolean =>
  query.length > 0 || headers.some((one) => !isService(one));

/** The configured headers, those of the protocol kept, with other credentials in place of their own. */
export function calling(caller: Caller | undefined, own: Credentials, second: Credentials): Credentials {
  if (caller === undefined) return own;
  const { headers, query } = caller === 'none' ? nobody : caller === 'second' ? second : caller;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const kept = own.headers.filter((one) => isService(one) && !names.has(one[0].toLowerCase()));
  return { headers: [...kept, ...headers], query };
}

/** The URL with more parameters; what stands in it already is left as it is. */
export function withQuery(url: string, query: readonly Parameter[]): string {
  if (query.length === 0) return url;
  const [whole = '', fragment] = url.split('#');
  const added = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  const glue = !whole.includes('?') ? '?' : /[?&]$/.test(whole) ? '' : '&';
  return `${whole}${glue}${added}${fragment === undefined ? '' : `#${fragment}`}`;
}
