import type { Card, SecurityScheme, Task } from '../../model/index.js';
import {
  able,
  declaring,
  extendedWith,
  extendedWithForeignSignature,
  offering,
  type Patch,
  signedWith,
  testJwk,
  testKey,
  together,
} from '../../reference/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';
import { broken } from './events.js';

// Who is calling: where credentials go, and where they must not go.

const newest = ['a2a-1.0'] as const;

/** Different in each run, so that it is found wherever it goes. */
const secretOf = ({ places: { agent, elsewhere } }: Pick<Stage, 'places'>): string =>
  `tck-${new URL(agent).port}-${new URL(elsewhere).port}-secret`;

interface Way {
  readonly scheme: SecurityScheme;
  /** What the user gives. */
  readonly given: (secret: string) => string;
  readonly place: 'header' | 'query' | 'cookie';
  readonly name: string;
  /** What is to be sent. */
  readonly sent: (secret: string) => string;
}

const same = (secret: string): string => secret;
const bearing = (scheme: SecurityScheme): Way => ({
  scheme,
  given: same,
  place: 'header',
  name: 'authorization',
  sent: (secret) => `Bearer ${secret}`,
});
const key = (place: Way['place'], name: string): Way => ({
  scheme: { type: 'apiKey', in: place, name },
  given: same,
  place,
  name,
  sent: same,
});

const ways = {
  bearer: bearing({ type: 'http', scheme: 'bearer' }),
  basic: {
    scheme: { type: 'http', scheme: 'basic' },
    given: (secret) => `alice:${secret}`,
    place: 'header',
    name: 'authorization',
    sent: (secret) => `Basic ${Buffer.from(`alice:${secret}`).toString('base64')}`,
  },
  oauth: bearing({ type: 'oauth2' }),
  openid: bearing({ type: 'openIdConnect' }),
  header: key('header', 'X-Custom-Key'),
  query: key('query', 'api_key'),
  cookie: key('cookie', 'session'),
} as const satisfies Record<string, Way>;
type WayName = keyof typeof ways;
type Security = Card['security'];

const names = Object.keys(ways) as readonly WayName[];

/** Each scheme is a requirement of its own: one of them is enough. */
const oneOf = (wanted: readonly WayName[]): Security => wanted.map((name) => ({ [name]: [] }));
/** All schemes are one requirement. */
const allOf = (wanted: readonly WayName[]): Security => [Object.fromEntries(wanted.map((name) => [name, []]))];

/** The agent wants the credentials of the schemes, as `so` says. What is to be sent is noted as `<place> <name>`. */
export const demanding =
  (wanted: readonly WayName[], so = oneOf) =>
  (stage: Stage): Patch => {
    const secret = secretOf(stage);
    stage.note('secret', secret);
    for (const name of wanted) {
      const way = ways[name];
      stage.note(`${way.place} ${way.name}${wanted.length > 1 ? ` ${name}` : ''}`, way.sent(secret));
    }
    const right = new Set([secret, Buffer.from(`alice:${secret}`).toString('base64')]);
    return together(
      declaring({
        security: so(wanted),
        securitySchemes: Object.fromEntries(wanted.map((name) => [name, ways[name].scheme])),
      }),
      () => ({ account: (_, credentials) => (right.has(credentials) ? 'alice' : undefined) }),
    );
  };

export const credentialsFor = (stage: Pick<Stage, 'places'>, ...wanted: readonly WayName[]): Record<string, string> =>
  Object.fromEntries(wanted.map((name) => [name, ways[name].given(secretOf(stage))]));

const accessScenario = (
  id: Scenario['id'],
  about: string,
  wanted: readonly WayName[],
  { patch, so, ...more }: Partial<Scenario> & { readonly so?: typeof oneOf } = {},
): Scenario =>
  scenario(id, {
    about,
    errand: (stage) => ({ do: 'send', text: 'Hello', credentials: credentialsFor(stage, ...wanted) }),
    patch: (stage) => together(demanding(wanted, so)(stage), ...(patch === undefined ? [] : [patch(stage)])),
    expected: { state: 'completed', text: 'You said: Hello' },
    ...more,
  });

/** Calls, but not the card, are answered with a redirect to another origin. */
const redirectingCalls =
  (status: 307 | 308, to: string): Patch =>
  (inner, _, whole) => ({
    async serve(request) {
      const route = whole.route(request);
      if (route !== 'endpoint' && route !== 'http-json') return inner.serve(request);
      const { pathname, search } = new URL(request.url);
      return { status, headers: [['location', `${to}${pathname}${search}`]], body: '' };
    },
  });

/** The task that is asked for. */
const known: Task = {
  id: 'task-known-to-the-agent',
  contextId: 'context-known-to-the-agent',
  status: { state: 'completed', timestamp: '2026-01-02T03:04:05.678Z' },
  artifacts: [{ artifactId: 'artifact', parts: [{ kind: 'text', text: 'It was found' }] }],
};

const noHttp = { notOver: ['grpc'] } as const;

export const accessScenarios = [
  accessScenario('card-whole', 'the card declares schemes of every kind, and demands one of them or nothing', names, {
    patch: () =>
      together(
        declaring(({ security }) => ({ security: [...security, {}] })),
        () => ({ account: () => 'alice' }),
      ),
    profiles: ['a2a-1.0', 'a2a-0.3'],
  }),
  accessScenario('bearer', 'the agent wants a bearer token, and two messages are sent', ['bearer'], {
    errand: (stage) => ({
      do: 'converse',
      texts: ['Hello', 'Hello again'],
      credentials: credentialsFor(stage, 'bearer'),
    }),
    expected: { state: 'completed', text: 'You said: Hello again' },
  }),
  accessScenario(
    'bearer-stream',
    'the agent wants a bearer token, and the connection of its stream is lost',
    ['bearer'],
    // What takes up the task again needs the token too.
    {
      errand: (stage) => ({ do: 'stream', text: 'Hello', credentials: credentialsFor(stage, 'bearer') }),
      patch: ({ word }) => broken('lost', word, 400),
      mayFail: true,
      expected: {},
    },
  ),
  accessScenario('bearer-list', 'the agent wants a bearer token, and tasks are listed', ['bearer'], {
    errand: (stage) => ({ do: 'list', filter: { pageSize: 5 }, credentials: credentialsFor(stage, 'bearer') }),
    expected: { ids: [] },
    profiles: newest,
  }),
  accessScenario('basic', 'the agent wants a name and a password', ['basic']),
  accessScenario('key-in-header', 'the agent wants a key in a header of its own', ['header']),
  accessScenario('key-in-query', 'the agent wants a key in the query', ['query'], noHttp),
  accessScenario('key-in-cookie', 'the agent wants a key in a cookie', ['cookie'], noHttp),
  accessScenario(
    'two-schemes',
    'the agent wants a bearer token and a key in a header of its own',
    ['bearer', 'header'],
    { so: allOf, profiles: ['a2a-1.0', 'a2a-0.3'] },
  ),
  accessScenario(
    'second-scheme',
    'the agent takes a bearer token, or a key in a header of its own, and the user has the key',
    ['header'],
    {
      profiles: ['a2a-1.0', 'a2a-0.3'],
      patch: () =>
        declaring({
          security: oneOf(['bearer', 'header']),
          securitySchemes: { bearer: ways.bearer.scheme, header: ways.header.scheme },
        }),
    },
  ),
  accessScenario('oauth2', 'the agent wants a token of OAuth 2.0, and is asked for a task', ['oauth'], {
    errand: (stage) => ({ do: 'get', taskId: known.id, credentials: credentialsFor(stage, 'oauth') }),
    patch: () => () => ({ find: () => known }),
    expected: { state: 'completed', text: 'It was found' },
  }),
  accessScenario('openid', 'the agent wants a token of OpenID Connect, and streams', ['openid'], {
    errand: (stage) => ({ do: 'stream', text: 'tck-stream-chunked', credentials: credentialsFor(stage, 'openid') }),
    patch: () => able({ streaming: true }),
    expected: { state: 'completed', text: 'chunk 1 chunk 2' },
  }),
  accessScenario('any-scheme', 'the agent takes the credentials of any scheme, and the user has all of them', names, {
    ...noHttp,
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  accessScenario('redirect-to-port', 'calls are redirected to another port', ['bearer'], {
    ...noHttp,
    mayFail: true,
    patch: ({ places: { elsewhere } }) => redirectingCalls(307, elsewhere),
  }),
  accessScenario('redirect-to-name', 'calls are redirected to another host name', ['cookie'], {
    ...noHttp,
    mayFail: true,
    patch: ({ places: { elsewhere } }) => redirectingCalls(308, elsewhere.replace('127.0.0.1', 'localhost')),
  }),
  accessScenario('redirect-of-card', 'the request for the card is redirected to another port', ['bearer'], {
    mayFail: true,
    patch:
      ({ places: { elsewhere } }) =>
      () => ({
        serveCard: ({ url }) => ({
          status: 302,
          headers: [['location', `${elsewhere}${new URL(url).pathname}`]],
          body: '',
        }),
      }),
    // The card is there, and the agent that it is about is here.
    elsewhere: (stage) =>
      together(
        demanding(['bearer'])(stage),
        offering((makeInterface) => [makeInterface(stage.places.agent, '/')]),
      ),
  }),
  scenario('redirect-of-header', {
    about:
      'the card demands nothing, the user gives Authorization as a header, and calls are redirected to another port',
    errand: (stage) => ({ do: 'send', text: 'Hello', headers: { Authorization: `Bearer ${secretOf(stage)}` } }),
    ...noHttp,
    patch: (stage) => {
      stage.note('secret', secretOf(stage));
      return redirectingCalls(307, stage.places.elsewhere);
    },
  }),
  accessScenario(
    'redirect-with-key',
    'calls with a key in a header of its own are redirected to another port',
    ['header'],
    {
      ...noHttp,
      mayFail: true,
      patch: ({ places: { elsewhere } }) => redirectingCalls(307, elsewhere),
    },
  ),
  accessScenario(
    'foreign-urls',
    'the answer has a file at another origin, and so has the card the key of its signature',
    ['bearer'],
    {
      patch: ({ places: { elsewhere } }) =>
        together(signedWith(`${elsewhere}/.well-known/jwks.json`), () => ({
          script: () => ({
            reply: 'task',
            steps: [
              { afterMs: 5, act: { type: 'status', state: 'working' } },
              {
                afterMs: 5,
                act: {
                  type: 'artifact',
                  name: 'picture',
                  parts: [
                    { kind: 'file', uri: `${elsewhere}/picture.png`, name: 'picture.png', mediaType: 'image/png' },
                    { kind: 'text', text: 'Here it is.' },
                  ],
                },
              },
              { afterMs: 5, act: { type: 'status', state: 'completed' } },
            ],
          }),
        })),
      elsewhere: () => () => ({ signingKeys: () => [testKey] }),
      expected: { state: 'completed', text: 'Here it is.' },
    },
  ),
  accessScenario('credentials-refused', 'the agent answers every call with 401', ['bearer'], {
    patch: () => () => ({ account: () => undefined }),
    expected: {},
  }),
  accessScenario('extended-card', 'the extended card has another URL than the public one', ['bearer'], {
    errand: (stage) => ({ do: 'extended-card', text: 'Hello', credentials: credentialsFor(stage, 'bearer') }),
    patch: ({ places: { elsewhere } }) =>
      together(
        able({ extendedCard: true }),
        extendedWith((makeInterface) => [makeInterface(elsewhere, '/')]),
      ),
    isOneAgent: true,
  }),
  accessScenario(
    'extended-card-altered',
    'the public card is signed with a key that the user trusts, and the extended one is altered and has another URL',
    ['bearer'],
    {
      errand: (stage) => ({
        do: 'extended-card',
        text: 'Hello',
        credentials: credentialsFor(stage, 'bearer'),
        trusted: [testJwk],
      }),
      patch: ({ places: { agent, elsewhere } }) =>
        together(
          able({ extendedCard: true }),
          signedWith(`${agent}/.well-known/jwks.json`),
          extendedWith((makeInterface) => [makeInterface(elsewhere, '/')]),
          extendedWithForeignSignature,
        ),
      isOneAgent: true,
      expected: {},
      profiles: newest,
    },
  ),
];
