import {
  type ClientCall,
  type ClientCheck,
  type ClientRun,
  callsOf,
  clientCheck,
  header,
  isObject,
  standing,
} from '../../src/kit/index.js';
import { givesUp as gaveUp, named } from '../shared/seen.js';

// Who is calling: where credentials go, and where they must not go.

type Judge = ClientCheck['judge'];

/** What a scenario wants to be sent: a value, at a place, under a name. */
interface Wanted {
  readonly place: string;
  readonly name: string;
  readonly value: string;
}

const wantedIn = ({ facts }: ClientRun): readonly Wanted[] =>
  Object.entries(facts).flatMap(([fact, value]) => {
    const [, place, name] = /^(header|query|cookie) (\S+)/.exec(fact) ?? [];
    return place === undefined || name === undefined ? [] : [{ place, name, value }];
  });

/** Whether a request carries it. The name of a scheme of HTTP has no case (RFC 9110, 11.1). */
function carries({ exchange: { request } }: ClientCall, { place, name, value }: Wanted): boolean {
  const { headers, url } = request;
  if (place === 'query') return new URL(url).searchParams.getAll(name).includes(value);
  if (place === 'header') {
    const plain = (text: string): string =>
      text.trim().replace(/^\w+ +/, (scheme) => `${scheme.toLowerCase().trim()} `);
    return plain(header(headers, name) ?? '') === plain(value);
  }
  return headers.some(
    ([headerName, text]) =>
      headerName.toLowerCase() === 'cookie' && text.split(';').some((pair) => pair.trim() === `${name}=${value}`),
  );
}

/** Calls of the agent itself. */
const ownCalls = (run: ClientRun): readonly ClientCall[] => callsOf(run).filter(({ at }) => at === 'agent');

/** Every call carries what the scenario wants, at its place. */
const carried: Judge = standing((run) => {
  const calls = ownCalls(run);
  for (const wanted of wantedIn(run)) {
    const bare = calls.find((call) => !carries(call, wanted));
    if (bare !== undefined) return `${named(bare)}: it does not have the credentials as ${wanted.place} ${wanted.name}`;
  }
  return calls.length === 0 ? 'not-concerned' : 'holds';
});

// In our words (1.0, 7.3 Client Authentication Process): The credentials for the declared scheme are on every operation
//   request.
export const credentials = clientCheck('client-access/credentials', 'client.credentials')
  .in('bearer', 'bearer-stream', 'bearer-list', 'basic', 'second-scheme', 'webhook-with-credentials')
  .expects('send the credentials of the declared scheme with every call', carried)
  .advice('Send Authorization with every request: the first, those for the state of a task, and streams.');

// In our words (1.0, 7.3 Client Authentication Process): An API key is where the scheme of the card says.
export const keyPlace = clientCheck('client-access/api-key-place', 'client.api-key-place')
  .in('key-in-header', 'key-in-query', 'key-in-cookie')
  .expects('send an API key where its scheme says', carried)
  .advice('Look at the place and the name of the scheme in the card: a header, the query or a cookie.');

// In our words (1.0, 7.3 Client Authentication Process): The credentials of every scheme of one requirement may be sent
//   together.
export const allSchemes = clientCheck('client-access/all-schemes', 'client.every-scheme')
  .in('two-schemes')
  .expects('send the credentials of every scheme that one requirement names', carried)
  .but('bearer', 'key-in-header')
  .advice('The requirements of a card are alternatives; the schemes within one of them belong together.');

// In our words (1.0, 7.3 Client Authentication Process): A token for an oauth2 or openIdConnect scheme is sent as
//   Authorization Bearer.
export const tokenAsBearer = clientCheck('client-access/token-as-bearer', 'client.token-as-bearer')
  .in('oauth2', 'openid')
  .expects('send a token of OAuth 2.0 or OpenID Connect as Authorization Bearer', carried)
  .advice('Send "Authorization: Bearer <token>" (RFC 6750, 2.1).');

// In our words (0.3, 11.2.2 Protocol Implementation): The client can authenticate by at least one method.
export const oneMethod = clientCheck('client-access/one-method', 'client.one-authentication-method')
  .in('any-scheme')
  .expects('authenticate by one of the schemes at least', (run) => {
    const calls = ownCalls(run);
    if (calls.length === 0) return 'not-concerned';
    const wanted = wantedIn(run);
    const [first] = calls;
    return calls.some((call) => wanted.some((demand) => carries(call, demand))) || first === undefined
      ? 'holds'
      : `${named(first)}: it has the credentials of no scheme, and the user gave those of all`;
  })
  .advice('Have one kind of scheme at least: a bearer token is the most usual one.');

/** Where in a request the secret of the scenario is; undefined: nowhere. */
function secretIn({ exchange: { request } }: ClientCall, { facts }: ClientRun): string | undefined {
  const { secret = '' } = facts;
  const values = [
    secret,
    ...Object.entries(facts).flatMap(([fact, value]) => (/^(header|query|cookie) /.test(fact) ? [value] : [])),
  ];
  const isThere = (text: string): boolean => values.some((value) => value !== '' && text.includes(value));
  const found = request.headers.find(([, value]) => isThere(value));
  if (found !== undefined) return `the header ${found[0]}`;
  return isThere(request.url) || isThere(decoded(request.url)) ? 'the URL' : undefined;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** No request that arrives at the other origin has the secret, and the agent itself was sent it. */
const nothingElsewhere: Judge = standing((run) => {
  for (const call of run.calls.filter(({ at }) => at === 'elsewhere')) {
    const place = secretIn(call, run);
    if (place !== undefined)
      return `${named(call)}: ${place} has the credentials of the agent, and this is another origin`;
  }
  return ownCalls(run).some((call) => secretIn(call, run) !== undefined) ? 'holds' : 'not-concerned';
});

// In our words (1.0, 7.3 Client Authentication Process): Authorization and Cookie do not follow a redirect to another
//   origin.
export const credentialsRedirect = clientCheck('client-access/redirect', 'client.credentials-redirect')
  .in('redirect-to-port', 'redirect-to-name', 'redirect-of-card')
  .expects('not send Authorization or Cookie to another origin after a redirect', nothingElsewhere)
  .advice('Follow no redirect, or drop Authorization and Cookie when it leads to another scheme, host or port.');

// In our words (1.0, 7.3 Client Authentication Process): Authorization and Cookie do not follow a redirect to another
//   origin.
export const headerRedirect = clientCheck('client-access/redirect-of-header', 'client.credentials-redirect')
  .in('redirect-of-header')
  .expects('not send a header of the user with credentials to another origin after a redirect', nothingElsewhere)
  .advice(
    'Headers that the user has configured are for one agent: drop Authorization when a redirect leads elsewhere.',
  );

// In our words (1.0, 7.3 Client Authentication Process): A key under a declared header name does not follow a redirect
//   to another origin.
export const keyRedirect = clientCheck('client-access/redirect-with-key', 'client.key-redirect')
  .in('redirect-with-key')
  .expects('not send a key in a header of its own to another origin after a redirect', nothingElsewhere)
  .advice('Libraries drop Authorization alone: drop the header of the scheme too when a redirect leads elsewhere.');

// In our words (1.0, 7.3 Client Authentication Process): Credentials are not sent to URLs that answers name.
export const foreignUrls = clientCheck('client-access/foreign-urls', 'client.credentials-foreign-urls')
  .in('foreign-urls')
  .expects('not send credentials to URLs that answers name', nothingElsewhere)
  .advice('Fetch files and keys without the credentials of the agent where they are at another origin.');

/** More tries of one operation than this are a storm. */
const mostTries = 5;

// In our words (1.0, 7.3 Client Authentication Process): 401 does not lead to request after request.
export const givesUp = clientCheck('client-access/gives-up', 'client.gives-up-on-401')
  .in('credentials-refused')
  .expects(
    'give up when its credentials are refused',
    standing((run) => {
      const refused = ownCalls(run).filter(({ exchange }) => exchange.response !== undefined);
      const groups = refused.map((call) => refused.filter(({ operation }) => operation === call.operation));
      const [most = []] = groups.sort((group, other) => other.length - group.length);
      return gaveUp(
        run,
        most,
        mostTries,
        (tries) => `the client sent one call ${tries} times, and was refused each time`,
      );
    }),
  )
  .advice('Report the error after 401, or try once with new credentials.');

// In our words (1.0, 3.1.11 Get Extended Agent Card): The request for the extended card is authenticated.
export const cardCredentials = clientCheck('client-access/extended-card', 'client.extended-card-credentials')
  .in('extended-card')
  .expects(
    'authenticate its request for the extended card',
    standing((run) => {
      const asked = run.calls.filter(isForCard);
      const bare = asked.find((call) => !wantedIn(run).some((demand) => carries(call, demand)));
      if (bare !== undefined) return `${named(bare)}: it has no credentials`;
      return asked.length === 0 ? 'not-concerned' : 'holds';
    }),
  )
  .advice('Send the credentials of a declared scheme with the request for the extended card.');

/** The request for the extended card: an operation, or a GET of its own in 0.2. */
const isForCard = ({ operation, is, exchange: { request } }: ClientCall): boolean =>
  operation === 'extendedCard' ||
  (is === 'other' && new URL(request.url).pathname.endsWith('/agent/authenticatedExtendedCard'));

/** Calls that come after the extended card was given out. */
function afterCard(run: ClientRun): readonly ClientCall[] {
  const at = run.calls.findIndex((call) => isForCard(call) && isGiven(call));
  return at < 0
    ? []
    : run.calls.slice(at + 1).filter(({ is, operation }) => is === 'call' && operation !== 'extendedCard');
}

function isGiven({ exchange: { response } }: ClientCall): boolean {
  if (response?.status !== 200) return false;
  const text = new TextDecoder().decode(response.body);
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !Object.hasOwn(value, 'error');
  } catch {
    // gRPC: a message, not the trailers alone.
    return text !== '';
  }
}

// In our words (1.0, 3.1.11 Get Extended Agent Card): The extended card replaces the cached one.
export const cardReplaces = clientCheck('client-access/extended-card-replaces', 'client.extended-card-replaces')
  .in('extended-card')
  .expects('use the extended card in place of the public one', (run) => {
    const after = afterCard(run);
    const old = after.find(({ at }) => at === 'agent');
    if (old !== undefined) return `${named(old)}: the extended card has another URL`;
    return after.length === 0 ? 'not-concerned' : 'holds';
  })
  .advice('Choose the interface anew from the extended card, and keep that card in place of the public one.');

// In our words (1.0, 8.4.3 Signature Verification): An extended card whose signature does not hold does not replace the
//   trusted one.
export const cardSignature = clientCheck('client-access/extended-card-signature', 'client.extended-card-signature')
  .in('extended-card-altered')
  .expects('not replace a trusted card by an extended one whose signature does not hold', (run) => {
    const moved = afterCard(run).find(({ at }) => at === 'elsewhere');
    if (moved !== undefined) return `${named(moved)}: that URL is from the card whose signature does not hold`;
    return run.calls.some((call) => isForCard(call) && isGiven(call)) ? 'holds' : 'not-concerned';
  })
  .advice('Verify the extended card as the public one was verified, before it is used.');
