import { methodOf } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import { header } from '../../wire/index.js';
import { alice } from '../accounts.js';
import type { Incoming } from '../calls.js';
import { Unauthorized } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { methodIn } from '../http.js';
import type { Patch } from '../seams.js';

/** These operations are carried out for unauthenticated callers as for the first caller. */
const open =
  (...ops: readonly Operation[]): Patch =>
  (inner, { dialect }) => ({
    async authenticate(request) {
      try {
        return await inner.authenticate(request);
      } catch (cause) {
        const method = methodIn(request);
        const isOpen = ops.some((op) => method === methodOf(dialect, op));
        if (!(cause instanceof Unauthorized) || !isOpen || shows(request)) throw cause;
        return alice.name;
      }
    },
  });

/** Whether the request has any credentials, right or wrong. */
const shows = ({ headers, url }: Incoming): boolean =>
  new URL(url).searchParams.has('api_key') ||
  ['authorization', 'x-api-key', 'cookie'].some((name) => header(headers, name) !== undefined);

/** Requests without credentials are accepted; requests with wrong ones are refused. */
const optional: Patch = (inner) => ({
  authenticate: async (request) => (shows(request) ? inner.authenticate(request) : alice.name),
});

/** Unknown credentials in the right place count as those of the first caller. */
const anything: Patch = (inner) => ({
  account: (scheme, credentials) => inner.account(scheme, credentials) ?? alice.name,
});

/** The agent looks for credentials somewhere else than the card says. */
const looking =
  (change: (request: Incoming) => Incoming): Patch =>
  (inner) => ({
    authenticate: (request) => inner.authenticate(change(request)),
  });
const renamed =
  (from: string, to: string) =>
  (request: Incoming): Incoming => ({
    ...request,
    headers: request.headers.flatMap(([name, value]) =>
      name.toLowerCase() === from ? [] : [[name.toLowerCase() === to ? from : name, value] as const],
    ),
  });

/** Credentials that the agent wrongly accepts or refuses. */
export const authFaults: readonly Fault[] = [
  fault('auth-send-open', {
    about: 'Messages are taken without credentials.',
    breaks: ['auth.missing-refused', 'auth.api-key'],
    on: 'bearer-required',
    patch: open('send'),
  }),
  fault('auth-get-open', {
    about: 'Tasks can be read without credentials.',
    breaks: ['auth.missing-refused'],
    on: 'bearer-required',
    patch: open('get'),
  }),
  fault('auth-cancel-open', {
    about: 'Tasks can be canceled without credentials.',
    breaks: ['auth.missing-refused'],
    on: 'bearer-required',
    patch: open('cancel'),
  }),
  fault('auth-key-header-optional', {
    about: 'Without the header of the API key everything is allowed.',
    breaks: ['auth.missing-refused', 'auth.api-key'],
    on: 'api-key-header',
    patch: optional,
  }),
  fault('auth-key-query-optional', {
    about: 'Without the API key in the query everything is allowed.',
    breaks: ['auth.missing-refused'],
    on: 'api-key-query',
    patch: optional,
  }),
  fault('auth-key-cookie-optional', {
    about: 'Without the cookie everything is allowed.',
    breaks: ['auth.missing-refused'],
    on: 'api-key-cookie',
    patch: optional,
  }),
  fault('auth-basic-optional', {
    about: 'Without name and password everything is allowed.',
    breaks: ['auth.missing-refused'],
    on: 'basic-auth',
    patch: optional,
  }),
  fault('auth-alternatives-optional', {
    about: 'Two kinds of credentials are allowed, and none as well.',
    breaks: ['auth.missing-refused'],
    on: 'bearer-or-api-key',
    patch: optional,
  }),
  fault('auth-stream-open', {
    about: 'Streams are given without credentials.',
    breaks: ['auth.every-operation'],
    on: 'bearer-required-everywhere',
    patch: open('stream'),
  }),
  fault('auth-subscribe-open', {
    about: 'Subscriptions are given without credentials.',
    breaks: ['auth.every-operation'],
    on: 'bearer-required-everywhere',
    patch: open('subscribe'),
  }),
  fault('auth-list-open', {
    about: 'Tasks are listed without credentials.',
    breaks: ['auth.every-operation'],
    on: 'bearer-required-everywhere',
    profiles: ['a2a-1.0'],
    patch: open('list'),
  }),
  fault('auth-push-set-open', {
    about: 'Webhooks are set without credentials.',
    breaks: ['auth.every-operation'],
    on: 'bearer-required-everywhere',
    patch: open('pushSet'),
  }),
  fault('auth-push-list-open', {
    about: 'Webhooks are listed without credentials.',
    breaks: ['auth.every-operation'],
    on: 'bearer-required-everywhere',
    patch: open('pushList'),
  }),
  fault('auth-any-token', {
    about: 'Any bearer token is taken.',
    breaks: ['auth.invalid-refused'],
    on: 'bearer-required',
    patch: anything,
  }),
  fault('auth-any-key-in-header', {
    about: 'Any API key in the header is taken.',
    breaks: ['auth.invalid-refused'],
    on: 'api-key-header',
    patch: anything,
  }),
  fault('auth-any-key-in-query', {
    about: 'Any API key in the query is taken.',
    breaks: ['auth.invalid-refused'],
    on: 'api-key-query',
    patch: anything,
  }),
  fault('auth-any-key-in-cookie', {
    about: 'Any value of the cookie is taken.',
    breaks: ['auth.invalid-refused'],
    on: 'api-key-cookie',
    patch: anything,
  }),
  fault('auth-any-password', {
    about: 'Any password is taken.',
    breaks: ['auth.invalid-refused'],
    on: 'basic-auth',
    patch: anything,
  }),
  fault('auth-second-alternative-unchecked', {
    about: 'Tokens are checked, and API keys are not.',
    breaks: ['auth.invalid-refused'],
    on: 'bearer-or-api-key',
    patch: (inner) => ({
      account: (scheme, credentials) =>
        inner.account(scheme, credentials) ?? (scheme.type === 'apiKey' ? alice.name : undefined),
    }),
  }),
  fault('auth-key-in-another-header', {
    about: 'The API key is looked for in another header than the card names.',
    breaks: ['auth.accepted'],
    on: 'api-key-header',
    patch: looking(renamed('x-api-key', 'x-token')),
  }),
  fault('auth-key-in-another-parameter', {
    about: 'The API key is looked for in another parameter than the card names.',
    breaks: ['auth.accepted'],
    on: 'api-key-query',
    patch: looking((request) => ({ ...request, url: request.url.replace('api_key=', 'key=') })),
  }),
  fault('auth-other-scheme', {
    about: 'The card says bearer, and the agent wants a header of its own.',
    breaks: ['auth.accepted'],
    on: 'bearer-required',
    patch: looking(renamed('authorization', 'x-authorization')),
  }),
  fault('auth-wants-all-alternatives', {
    about: 'Of two alternatives both are wanted.',
    breaks: ['auth.any-alternative'],
    on: 'bearer-or-api-key',
    patch: (inner) => ({
      async authenticate(request) {
        const caller = await inner.authenticate(request);
        if (header(request.headers, 'x-api-key') === undefined) throw new Unauthorized();
        return caller;
      },
    }),
  }),
  fault('auth-second-endpoint-differs', {
    about: 'The second endpoint takes other credentials than the first.',
    breaks: ['auth.same-on-transports'],
    notOver: ['grpc'],
    on: 'bearer-two-endpoints',
    patch: (inner, _, whole) => ({
      serve: async (request) =>
        /second(\/|$)/.test(new URL(request.url).pathname) ? whole.challenge() : inner.serve(request),
    }),
  }),
];
