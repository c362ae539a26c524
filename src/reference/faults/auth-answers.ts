import { isObject, stringMember } from '../../model/index.js';
import { header } from '../../wire/index.js';
import { alice } from '../accounts.js';
import type { Reply } from '../calls.js';
import { onError, onReply, onResult } from '../edits.js';
import { RpcFailure, Unauthorized } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { jsonHeaders, methodIn, type peek, plainReply } from '../http.js';
import type { Patch } from '../seams.js';

const on = 'bearer-required';
const denying =
  (reply: (inner: Reply) => Reply): Patch =>
  (inner) => ({ challenge: () => reply(inner.challenge()) });
const failing = (message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
const isExtended = (request: Parameters<typeof peek>[0], method: string | undefined): boolean =>
  methodIn(request) === method || request.url.includes('authenticatedExtendedCard');

/** How the agent refuses callers, and what its errors disclose. */
export const authAnswerFaults: readonly Fault[] = [
  fault('auth-refused-with-200', {
    about: 'Whoever has no credentials is refused with an error under HTTP 200.',
    breaks: ['auth.refusal-status'],
    on,
    patch: denying(() => ({ status: 200, headers: jsonHeaders, body: failing('A bearer token is required') })),
  }),
  fault('auth-refused-with-400', {
    about: 'Whoever has no credentials is refused with a bare HTTP 400.',
    breaks: ['auth.refusal-status', 'auth.refusal-form'],
    on,
    patch: denying(() => plainReply(400, 'Bad request')),
  }),
  fault('auth-login-page', {
    about: 'Whoever has no credentials is shown a page to sign in, with HTTP 200.',
    breaks: ['auth.refusal-status', 'auth.refusal-form'],
    on,
    patch: denying(() => ({ status: 200, headers: [['content-type', 'text/html']], body: '<form>Sign in</form>\n' })),
  }),
  fault('auth-login-redirect', {
    about: 'Whoever has no credentials is sent to a page to sign in.',
    breaks: ['auth.refusal-form'],
    on,
    patch: denying(() => ({ status: 302, headers: [['location', 'https://login.example/']], body: '' })),
  }),
  fault('auth-undeclared-without-challenge', {
    about: 'Wants credentials of which the card says nothing, and HTTP 401 does not say what is wanted either.',
    breaks: ['auth.challenge', 'auth.challenge-named'],
    patch: () => ({
      authenticate() {
        throw new Unauthorized();
      },
      challenge: () => plainReply(401, 'No.'),
    }),
  }),
  fault('auth-wants-user-id', {
    about: 'Messages must name their user, though the caller is authenticated.',
    breaks: ['auth.no-payload-identity'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: (inner) => ({
      command(op, wire) {
        const metadata = isObject(wire) ? wire['metadata'] : undefined;
        if (op === 'send' && stringMember(metadata, 'userId') === undefined) {
          throw new RpcFailure('InvalidParams', 'metadata.userId is missing');
        }
        return inner.command(op, wire);
      },
    }),
  }),
  fault('auth-extended-card-open', {
    about: 'The extended card is shown to everybody.',
    breaks: ['auth.extended-card'],
    on: 'extended-card',
    patch: (inner, { dialect }) => ({
      authenticate: async (request) =>
        isExtended(request, dialect.operations.extendedCard?.rpc) ? alice.name : inner.authenticate(request),
    }),
  }),
  fault('auth-extended-card-without-challenge', {
    about: 'Without credentials the extended card is refused with HTTP 401 that does not say what is wanted.',
    breaks: ['auth.extended-card-status'],
    notOver: ['a2a-0.3-grpc'],
    on: 'extended-card',
    patch: denying(() => plainReply(401, 'Unauthorized')),
  }),
  fault('auth-guarded-card-crashes', {
    about: 'Asking for a guarded card without credentials ends in status 500.',
    breaks: ['auth.card-guarded'],
    on: 'card-guarded',
    patch: onReply('card', (reply) => (reply.status === 401 ? plainReply(500, 'Internal server error') : reply)),
  }),
  fault('auth-token-in-error', {
    about: 'Error messages quote the Authorization header.',
    breaks: ['sec.no-disclosure'],
    on,
    patch: onError((error, _, call) => ({
      ...error,
      message: `${error['message']} (${header(call?.request.headers ?? [], 'authorization')})`,
    })),
  }),
  fault('auth-token-in-task', {
    about: 'The metadata of tasks name the token of their owner.',
    breaks: ['sec.no-disclosure'],
    on,
    patch: onResult('get', (wire) => (isObject(wire) ? { ...wire, metadata: { token: alice.secret } } : wire)),
  }),
  fault('auth-key-in-error', {
    about: 'Error messages quote the URL with the API key.',
    breaks: ['sec.no-disclosure'],
    on: 'api-key-query',
    patch: onError((error, _, call) => ({ ...error, message: `${error['message']} at ${call?.request.url}` })),
  }),
];
