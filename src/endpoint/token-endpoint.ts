import { canParseUrl, isLoopback, isSamePlace, TckError } from '../model/index.js';
import { type Carrier, type Clock, createTape, createWire, type Header } from '../wire/index.js';

/** Limits of one answer of a token endpoint: an honest one has some hundred bytes. */
const maxBytes = 64 * 1024;
const timeoutMs = 15_000;

/** Where the kit may send the secret of a client. */
export interface Trusted {
  /** URL of the agent that the user gave. */
  readonly agent: URL;
  /** Origins that the user allowed beside it. */
  readonly allowedOrigins: readonly string[];
}

/**
 * A URL of the card to which the kit sends the secret of the client: https, or on this machine; at the origin of the
 * agent, or at one that the user allowed. Throws `TckError('usage')`.
 */
export function checkedEndpoint(text: string, what: string, { agent, allowedOrigins }: Trusted): URL {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '') {
    throw new TckError('usage', `the ${what} of the card is not a URL that the kit calls: ${text.slice(0, 200)}`);
  }
  const isHere = isLoopback(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere)) {
    const hint = 'it must be https, for the secret of the client is sent to it; http only on this machine';
    throw new TckError('usage', `the ${what} of the card is ${url.href.slice(0, 200)}`, hint);
  }
  if (!isSamePlace(url, agent) && !allowedOrigins.includes(url.origin)) {
    const hint = `--allow-origin ${url.origin} lets the kit send the credentials of the client there`;
    throw new TckError('usage', `the ${what} of the card is at another origin than the agent: ${url.origin}`, hint);
  }
  return url;
}

/** The part of `fetch` that a library of OAuth uses. */
export type Fetch = (
  url: string,
  options: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: URLSearchParams | null | undefined;
  },
) => Promise<Response>;

/** A body without a member that the kit does not use: an id token would be checked against an issuer that no card names. */
function withoutIdToken(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('id_token' in value)) return text;
    const { id_token: _, ...rest } = value;
    return JSON.stringify(rest);
  } catch {
    return text;
  }
}

/** Sends requests to a token endpoint over a carrier: bounded in bytes and time, no redirect followed, nothing recorded. */
export function boundedFetch(carrier: Carrier, clock: Clock, signal: AbortSignal | undefined): Fetch {
  const wire = createWire({
    carrier,
    clock,
    tape: createTape(),
    limits: { timeoutMs, maxBytes },
    ...(signal === undefined ? {} : { signal }),
  });
  return async (url, { method, headers, body }) => {
    const sent: readonly Header[] = Object.entries(headers);
    const text = body == null ? undefined : body.toString();
    const bytes = text === undefined ? {} : { body: new Uint8Array(Buffer.from(text)) };
    const { response, failure } = await wire.exchange({ method, url, headers: sent, ...bytes }, { purpose: 'token' });
    if (failure !== undefined || response === undefined) {
      throw new Error(failure === undefined ? 'no answer' : `${failure.kind} (${failure.detail})`);
    }
    const { status } = response;
    if (status < 200 || status > 599) throw new Error(`HTTP ${status}`);
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const isJson = /^application\/(?:[a-z.+-]+\+)?json\b/i.test(type);
    const isEmpty = status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : withoutIdToken(Buffer.from(response.body).toString('utf8')), {
      status,
      headers: isJson ? { 'content-type': 'application/json' } : {},
    });
  };
}
