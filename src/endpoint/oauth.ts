import { TckError } from '../model/index.js';
import { type OAuthFlow, oauthFlows, schemeKinds } from '../run/index.js';
import {
  type Carrier,
  CarrierFailure,
  type Clock,
  type Header,
  type LateSecret,
  printable,
  sleep,
  type WireRequest,
} from '../wire/index.js';
import { boundedFetch, checkedEndpoint, type Fetch, type Trusted } from './token-endpoint.js';
import { checkedToken, createTokenSource, type Grant, type TokenSource } from './token-source.js';

/** A client of an OAuth 2 server, whose tokens the agent takes. The secret appears in no event and no report. */
export interface OAuthTarget {
  readonly clientId: string;
  /** Left out: a public client, which can only use the device flow. */
  readonly clientSecret?: string;
  /** Scopes with spaces between; left out: those that the card demands. */
  readonly scope?: string;
}

/** What a person has to do so that the kit gets a token: open the page, and type or confirm the code. */
export interface DeviceRequest {
  /** An http(s) URL of the OAuth server. */
  readonly url: string;
  readonly code: string;
  /** How long the kit waits for that, ms. */
  readonly withinMs: number;
}

export interface OAuthOptions extends Trusted {
  readonly oauth: OAuthTarget;
  /** The card, as it was served. */
  readonly card: unknown;
  /** The way to the OAuth server. */
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly onDevice?: ((request: DeviceRequest) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A caller with tokens of an OAuth server. */
export interface Authorized {
  /** The header that stands for the token: `carrier` puts the present one in its place. */
  readonly header: Header;
  /** A carrier that does so. */
  carrier(inner: Carrier): Carrier;
  /** Tokens and codes of the server; the list grows. */
  readonly secrets: () => readonly LateSecret[];
  /** Where the tokens come from, for the report. */
  readonly about: string;
}

type Library = typeof import('oauth4webapi');

/** Longest wait for a person, ms, whatever the server allows. */
const mostPatienceMs = 15 * 60_000;
/** RFC 8628 §3.2, §3.5: seconds between two questions. */
const usualInterval = 5;
const mostInterval = 60;
const slower = 5;

const grantNames = { 'client-credentials': 'client credentials', 'device-code': 'the device flow' } as const;

const noFlowHint =
  'client credentials and the device flow work without a browser; with a token of your own, give --bearer-env';

/** The flow of the card that fits the client. Throws `TckError('usage')`. */
function chosenFlow({ oauth, card }: OAuthOptions): OAuthFlow {
  const flows = oauthFlows(card);
  const wanted = oauth.clientSecret === undefined ? ['device-code'] : ['client-credentials', 'device-code'];
  const found = wanted.flatMap((grant) => flows.find((flow) => flow.grant === grant) ?? [])[0];
  if (found !== undefined) return found;
  if (flows.length > 0) {
    throw new TckError(
      'usage',
      'the card offers client credentials, which need a secret',
      'give --oauth-client-secret-env',
    );
  }
  const kinds = schemeKinds(card);
  const has = kinds.length === 0 ? 'no security scheme' : `only ${printable(kinds.join(', '), 200)}`;
  throw new TckError('usage', `the card offers no OAuth 2 flow that the kit can use: it has ${has}`, noFlowHint);
}

/** What went wrong at the server, in one line. Texts of the server are quoted, shortened. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, 'error');
  if (typeof code !== 'string') return printable(error.message, 300);
  const text: unknown = Reflect.get(error, 'error_description');
  const described = typeof text === 'string' ? ` (${printable(text, 200)})` : '';
  return `it answers ${printable(code, 100)}${described}`;
}

const errorCode = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'error') : undefined;

/** The server takes the secret only in another place of the request (RFC 6749 §2.3.1). */
const refusesClient = (error: unknown): boolean => {
  const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'status') : undefined;
  return status === 401 || errorCode(error) === 'invalid_client' || errorCode(error) === 'unauthorized_client';
};

interface Dialogue {
  readonly library: Library;
  readonly server: import('oauth4webapi').AuthorizationServer;
  readonly client: import('oauth4webapi').Client;
  readonly ask: <T>(
    work: (proof: import('oauth4webapi').ClientAuth, options: { readonly [key: symbol]: unknown }) => Promise<T>,
  ) => Promise<T>;
}

/** Asks with the secret in a header, and where the server refuses that, in the body; the way that worked is kept. */
function dialogueWith(
  library: Library,
  { oauth }: OAuthOptions,
  token: URL,
  device: URL | undefined,
  fetch: Fetch,
): Dialogue {
  const { clientId, clientSecret } = oauth;
  const options = { [library.customFetch]: fetch, [library.allowInsecureRequests]: token.protocol === 'http:' };
  let ways =
    clientSecret === undefined
      ? [library.None()]
      : [library.ClientSecretBasic(clientSecret), library.ClientSecretPost(clientSecret)];
  return {
    library,
    server: {
      issuer: token.origin,
      token_endpoint: token.href,
      ...(device === undefined ? {} : { device_authorization_endpoint: device.href }),
    },
    client: { client_id: clientId },
    async ask(work) {
      const [first = library.None(), second] = ways;
      try {
        return await work(first, options);
      } catch (error) {
        if (second === undefined || !refusesClient(error)) throw error;
        const answer = await work(second, options);
        ways = [second];
        return answer;
      }
    },
  };
}

type Answer = import('oauth4webapi').TokenEndpointResponse;

function grantOf({ access_token, token_type, expires_in }: Answer): Grant {
  if (token_type !== 'bearer') throw new Error(`its tokens are of the type ${printable(token_type, 40)}, not bearer`);
  const token = checkedToken(access_token);
  return expires_in === undefined ? { token } : { token, lifetime: expires_in };
}

const clientCredentials = ({ library, server, client, ask }: Dialogue, scope: string): Promise<Answer> =>
  ask(async (proof, options) => {
    const parameters = new URLSearchParams(scope === '' ? {} : { scope });
    const response = await library.clientCredentialsGrantRequest(server, client, proof, parameters, options);
    return library.processClientCredentialsResponse(server, client, response);
  });

const refreshed = ({ library, server, client, ask }: Dialogue, refreshToken: string): Promise<Answer> =>
  ask(async (proof, options) => {
    const response = await library.refreshTokenGrantRequest(server, client, proof, refreshToken, options);
    return library.processRefreshTokenResponse(server, client, response);
  });

/** RFC 8628: shows the person what to do, and asks until it is done. */
async function byDevice(
  { library, server, client, ask }: Dialogue,
  { clock, onDevice, signal }: OAuthOptions,
  scope: string,
  remember: (secret: string) => void,
): Promise<Answer> {
  if (onDevice === undefined)
    throw new TckError('usage', 'the device flow needs a person, and there is none to ask', noFlowHint);
  const asked = await ask(async (proof, options) => {
    const parameters = new URLSearchParams(scope === '' ? {} : { scope });
    const response = await library.deviceAuthorizationRequest(server, client, proof, parameters, options);
    return library.processDeviceAuthorizationResponse(server, client, response);
  });
  remember(checkedToken(asked.device_code));
  const page = asked.verification_uri;
  if (!/^https?:\/\//i.test(page)) throw new Error('its page for people is not an http URL');
  const withinMs = Math.min(Math.max(asked.expires_in, 1) * 1000, mostPatienceMs);
  onDevice({ url: printable(page, 300), code: printable(asked.user_code, 60), withinMs });
  const until = clock.now() + withinMs;
  let interval = Math.min(Math.max(asked.interval ?? usualInterval, 1), mostInterval);
  for (;;) {
    await sleep(clock, interval * 1000, signal);
    if (signal?.aborted === true) throw new Error('the run ended before the user entered the code');
    if (clock.now() > until) throw new Error('the user did not enter the code in time');
    try {
      return await ask(async (proof, options) => {
        const response = await library.deviceCodeGrantRequest(server, client, proof, asked.device_code, options);
        return library.processDeviceCodeResponse(server, client, response);
      });
    } catch (error) {
      const code = errorCode(error);
      if (code === 'slow_down') interval = Math.min(interval + slower, mostInterval);
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

/** Where a raw request may have the placeholder: its head. */
const mostHead = 64 * 1024;

function filled(bytes: Uint8Array, placeholder: string, token: string): Uint8Array {
  const head = Buffer.from(bytes.subarray(0, mostHead)).toString('latin1');
  if (!head.includes(placeholder)) return bytes;
  const rest = bytes.subarray(mostHead);
  return new Uint8Array(Buffer.concat([Buffer.from(head.replaceAll(placeholder, token), 'latin1'), rest]));
}

/** Puts the present token in the place of the placeholder, just before a request is sent. */
function withToken(inner: Carrier, placeholder: string, source: TokenSource): Carrier {
  const isMeant = ({ headers, body, method }: WireRequest): boolean =>
    headers.some(([, value]) => value.includes(placeholder)) ||
    (method === 'RAW' && body !== undefined && Buffer.from(body.subarray(0, mostHead)).includes(placeholder));
  const wrapped =
    (carrier: Carrier): Carrier =>
    async (request, signal) => {
      if (!isMeant(request)) return carrier(request, signal);
      const token = await source.token();
      if (signal.aborted) throw new CarrierFailure('aborted', 'the kit dropped the connection');
      const headers = request.headers.map(([name, value]): Header => [name, value.replaceAll(placeholder, token)]);
      const body = request.method === 'RAW' ? request.body && filled(request.body, placeholder, token) : request.body;
      const sent = { ...request, headers, ...(body === undefined ? {} : { body }) };
      // The tape has what was sent: laws compare it with what the agent shows.
      return { ...(await carrier(sent, signal)), sent };
    };
  return inner.raw === undefined ? wrapped(inner) : Object.assign(wrapped(inner), { raw: wrapped(inner.raw) });
}

/**
 * Gets a first token as the card of the agent says. Throws `TckError`: `usage` where the card offers no flow that fits,
 * or names an endpoint to which the kit does not send a secret; `unreachable` where the server gives no token.
 */
export async function authorize(options: OAuthOptions): Promise<Authorized> {
  const { oauth, clock, carrier, signal } = options;
  const flow = chosenFlow(options);
  const token = checkedEndpoint(flow.tokenUrl, 'token endpoint', options);
  const device = flow.deviceUrl === undefined ? undefined : checkedEndpoint(flow.deviceUrl, 'device endpoint', options);
  const scope = oauth.scope ?? flow.scopes.join(' ');
  const known: LateSecret[] = [];
  const remember = (secret: string): void => {
    if (!known.some((lateSecret) => lateSecret.secret === secret)) known.push({ secret, shown: '[token]' });
  };
  // Loaded on use: only callers with OAuth need it.
  const library = await import('oauth4webapi');
  const dialogue = dialogueWith(library, options, token, device, boundedFetch(carrier, clock, signal));
  let refresh: string | undefined;
  function takeGrant(answer: Answer): Grant {
    const grant = grantOf(answer);
    remember(grant.token);
    if (answer.refresh_token !== undefined) {
      refresh = checkedToken(answer.refresh_token);
      remember(refresh);
    }
    return grant;
  }
  let at = clock.now();
  let first: Grant;
  try {
    const answer =
      flow.grant === 'client-credentials'
        ? await clientCredentials(dialogue, scope)
        : await byDevice(dialogue, options, scope, remember);
    if (flow.grant === 'device-code') at = clock.now();
    first = takeGrant(answer);
  } catch (error) {
    if (error instanceof TckError) throw error;
    const hint = 'client id, secret and scope must be those that the OAuth server knows';
    throw new TckError('unreachable', `no access token from ${token.origin}: ${reasonOf(error)}`, hint);
  }
  const source = createTokenSource(first, at, clock, async () => {
    try {
      if (flow.grant === 'client-credentials') return takeGrant(await clientCredentials(dialogue, scope));
      if (refresh === undefined) throw new Error('the server gave no refresh token');
      return takeGrant(await refreshed(dialogue, refresh));
    } catch (error) {
      throw new Error(reasonOf(error));
    }
  });
  const placeholder = `a2a-tck-token-${crypto.randomUUID()}`;
  return {
    header: ['Authorization', `Bearer ${placeholder}`],
    carrier: (inner) => withToken(inner, placeholder, source),
    secrets: () => known,
    about: `with access tokens of ${token.origin}, by ${grantNames[flow.grant]}`,
  };
}
