import {
  bodyText,
  type Card,
  check,
  declaresSecurity,
  describe,
  type Exchange,
  evidence,
  firstAnswer,
  header,
  ifMet,
  inconclusive,
  type Judgement,
  law,
  type Outcome,
  type Reading,
  type Scene,
  source,
  type Target,
} from '../../src/kit/index.js';
import { isJudged } from '../rpc/responses.js';
import { withoutCredentials } from '../shared/callers.js';

// A2A 0.3 §4.4, §7.10; 1.0 §3.3.2, §7.4, §13.3: how callers without credentials are refused.

/** The answer to a message without credentials; with --read-only, the answer to reading a task. */
const refusal = source('a call without credentials', async (scene): Promise<Outcome<unknown>> => {
  const calls = await scene.use(withoutCredentials);
  const { outcome } = calls.find((attempt) => attempt.outcome.kind !== 'not-sent') ?? {};
  return outcome ?? { kind: 'not-sent', reason: '--read-only' };
});

/** No refusal came that a check can judge: the agent accepted the call, or no answer came. */
function noRefusal(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'result') return inconclusive('the agent accepted the request without credentials');
  const silent = outcome.kind === 'invalid-response' && ['timeout', 'no-answer', 'too-large'].includes(outcome.fault);
  return silent || outcome.kind === 'busy' || outcome.kind === 'not-sent' ? inconclusive(describe(outcome)) : undefined;
}

/**
 * An error that does not mention credentials may have any cause. It counts as a refusal for want of credentials only if
 * the agent accepts messages with credentials.
 */
async function notForWant(outcome: Outcome<unknown>, scene: Scene): Promise<Judgement> {
  const open = noRefusal(outcome);
  if (open !== undefined || outcome.kind === 'denied') return open;
  const accepts = scene.client.isSomebody && (await ifMet(scene.use(firstAnswer))) !== undefined;
  return accepts
    ? undefined
    : inconclusive(`the answer does not show that missing credentials are the cause: ${describe(outcome)}`);
}

const statusOf = (answer: Outcome<unknown>): string =>
  String(answer.kind === 'not-sent' ? '' : answer.exchange.response?.status);

// 0.3 §4.4 names these two statuses, whatever AMB03-19 leaves open for other errors.
// In our words (0.3, 4.4 Server Responsibilities for Authentication): Refusals use HTTP 401 or 403.
export const refusalStatus = check('auth/refusal-status', 'auth.refusal-status')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('refuse the call with HTTP 401 or 403', async (answer, scene) =>
    // An error that mentions credentials is a denial under any status.
    answer.kind === 'denied' && (answer.status === 401 || answer.status === 403)
      ? undefined
      : ((await notForWant(answer, scene)) ?? `HTTP ${statusOf(answer)}, ${describe(answer)}`),
  )
  .advice(
    'Answer 401 where credentials are missing or wrong, and 403 where they do not suffice: no 200, no 400, no page to sign in.',
  );

// AMB10-35: HTTP 401 or a custom error of JSON-RPC.
// In our words (1.0, 7.4 Server Authentication Responsibilities): Refusals use the binding's own code: HTTP 401, gRPC
//   UNAUTHENTICATED, or a JSON-RPC error.
export const refusalForm = check('auth/refusal-form', 'auth.refusal-form')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('refuse with HTTP 401 or 403 or a JSON-RPC error', async (answer, scene) => {
    const isForm = answer.kind === 'denied' || (answer.kind === 'refusal' && answer.inForm);
    return isForm ? undefined : ((await notForWant(answer, scene)) ?? describe(answer));
  })
  .advice('Answer 401 (gRPC UNAUTHENTICATED) before pages to sign in come into play: clients are programs.');

const challengeIn = ({ response }: Exchange): string | undefined =>
  response && header(response.headers, 'www-authenticate');

/**
 * Calls of the agent, and the extended card where it is fetched by GET. Other paths of the host may belong to other
 * servers.
 */
const asksTheAgent = (reading: Reading, target: Target): boolean =>
  isJudged(reading, target) || reading.exchange.fetches === 'extendedCard';

const no401 = { otherwise: 'no answer had HTTP 401' };

// HTTP 403 is about permissions: the caller has no credentials to add, so no challenge is needed.
// In our words (0.3, 4.4 Server Responsibilities for Authentication): A 401 reply carries WWW-Authenticate.
export const challenge = law(
  'auth/challenge',
  'auth.challenge',
  'name in WWW-Authenticate what is wanted, when its HTTP status is 401',
  { ...no401, advice: 'Send WWW-Authenticate with every 401: Bearer, or the scheme that the card declares.' },
  (reading, target) => {
    const { exchange } = reading;
    if (!asksTheAgent(reading, target) || exchange.response?.status !== 401) return 'not-concerned';
    return challengeIn(exchange) === undefined ? 'HTTP 401 without WWW-Authenticate' : 'holds';
  },
);

const schemeWords = /\b(bearer|basic|digest|oauth|openid|mtls|api[-_ ]?key)\b/i;
const words = (card: Card): readonly string[] =>
  Object.entries(card.securitySchemes).flatMap(([name, scheme]) =>
    scheme.type === 'apiKey' ? [name, scheme.name] : [name],
  );

// In our words (1.0, 7.4 Server Authentication Responsibilities): Refusals carry challenge information.
export const challengeNamed = law(
  'auth/challenge-named',
  'auth.challenge-named',
  'say which credentials are wanted, when they are missing or wrong',
  { ...no401, advice: 'Send WWW-Authenticate with every 401, or name the scheme in the message of the error.' },
  (reading, target) => {
    const { exchange, outcome } = reading;
    if (!asksTheAgent(reading, target)) return 'not-concerned';
    const { card } = target;
    // A JSON-RPC error can be read as a denial by its words only. It counts where the card declares security, and not
    // where it is about permissions.
    const isMeant =
      outcome.kind === 'denied' && outcome.status !== 403 && outcome.isKnown !== true && declaresSecurity(card);
    const isFormal = exchange.response?.status === 401 || (outcome.kind === 'denied' && outcome.isFormal === true);
    if (!isFormal && !isMeant) return 'not-concerned';
    if (challengeIn(exchange) !== undefined) return 'holds';
    const { body, trailers = [] } = exchange.response ?? {};
    const said = [bodyText(body), ...trailers.map(([, value]) => value)].join('\n');
    const names = schemeWords.test(said) || words(card).some((word) => word.length > 3 && said.includes(word));
    return names ? 'holds' : `neither WWW-Authenticate nor the body names a scheme: ${evidence(exchange)}`;
  },
);

/**
 * Fetched without credentials. The check repeats the call with credentials to see whether there is an extended card.
 */
const extendedWithout = source('a request for the extended card without credentials', ({ client }) =>
  client.call('extendedCard', {}, { credentials: 'none' }),
);

// In our words (1.0, 13.3 Extended Agent Card Access Control): GetExtendedAgentCard requires authentication.
export const extendedCard = check('auth/extended-card', 'auth.extended-card')
  .given('answer', extendedWithout)
  .when('the client fetches the extended card without credentials', async ({ answer }) => answer)
  .expects('refuse the request', async (answer, { client }) => {
    if (answer.kind === 'result') return describe(answer);
    if (answer.kind === 'denied') return undefined;
    if (answer.kind !== 'refusal') return inconclusive(describe(answer));
    // The agent may refuse the extended card to every caller.
    if (!client.isSomebody)
      return inconclusive(`the answer does not show that missing credentials are the cause: ${describe(answer)}`);
    const mine = await client.call('extendedCard', {});
    return mine.kind === 'result'
      ? undefined
      : inconclusive(`the agent refused the request with credentials as well (${describe(mine)})`);
  })
  .advice('The extended card is for callers who are known. Authenticate this method like all others.');

// In our words (0.3, 7.10 agent/getAuthenticatedExtendedCard): Where the extended card is refused with 401, the answer
//   carries WWW-Authenticate.
export const extendedCardStatus = check('auth/extended-card-status', 'auth.extended-card-status')
  .given('answer', extendedWithout)
  .when('the client fetches the extended card without credentials', async ({ answer }) => answer)
  // AMB03-14: the section names HTTP 401; any other refusal passes. HTTP 401 needs the challenge.
  .expects('refuse the request, and a 401 must have WWW-Authenticate', (answer) => {
    const open = noRefusal(answer);
    if (open !== undefined || answer.kind === 'not-sent') return open;
    if (answer.exchange.response?.status !== 401)
      return inconclusive(`the specification allows other refusals: ${describe(answer)}`);
    return challengeIn(answer.exchange) === undefined ? 'HTTP 401 without WWW-Authenticate' : undefined;
  })
  .advice('Send WWW-Authenticate with the 401: Bearer, or the scheme that the card declares.');
