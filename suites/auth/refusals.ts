import {
  bodyText,
  type Card,
  check,
  describe,
  type Exchange,
  header,
  type Judgement,
  type Outcome,
  source,
  unproven,
} from '../../src/kit/index.js';
import { withoutCredentials } from './callers.js';

// A2A 0.3 §4.4, §7.10; 1.0 §3.3.2, §7.4, §13.3: how callers without credentials are refused.

/** The answer to a message without credentials; reading a task where messages are withheld. */
const refusal = source('a call without credentials', async (scene): Promise<Outcome<unknown>> => {
  const calls = await scene.use(withoutCredentials);
  const { outcome } = calls.find((one) => one.outcome.kind !== 'withheld') ?? {};
  return outcome ?? { kind: 'withheld', reason: '--read-only' };
});

/** Accepted, or nobody answered: there is no refusal to be looked at. */
function noRefusal(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'result') return unproven('it was not refused at all');
  const silent = outcome.kind === 'broken' && ['timeout', 'no-answer', 'too-large'].includes(outcome.fault);
  return silent || outcome.kind === 'busy' || outcome.kind === 'withheld' ? unproven(describe(outcome)) : undefined;
}

// AMB03-19: a JSON-RPC error under another status is no failure of the sentences on errors; here it is a warning.
export const refusalStatus = check('auth/refusal-status', 'auth.refusal-status')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('be refused with HTTP 401 or 403', (answer) =>
    answer.kind === 'denied' ? undefined : (noRefusal(answer) ?? describe(answer)),
  )
  .killedBy('auth-refused-with-200', 'auth-refused-with-400', 'auth-login-page');

// AMB10-35: HTTP 401 or a custom error of JSON-RPC.
export const refusalForm = check('auth/refusal-form', 'auth.refusal-form')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('be refused with HTTP 401 or 403 or with a JSON-RPC error', (answer) => {
    const isForm = answer.kind === 'denied' || (answer.kind === 'refusal' && answer.code !== undefined);
    return isForm ? undefined : (noRefusal(answer) ?? describe(answer));
  })
  .killedBy('auth-login-page', 'auth-login-redirect', 'auth-refused-with-400');

const challengeIn = ({ response }: Exchange): string | undefined =>
  response && header(response.headers, 'www-authenticate');

export const challenge = check('auth/challenge', 'auth.challenge')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('name what is wanted in WWW-Authenticate when the status is 401', (answer) => {
    const open = noRefusal(answer);
    if (open !== undefined || answer.kind === 'withheld') return open;
    if (answer.exchange.response?.status !== 401) return unproven(`the status is not 401: ${describe(answer)}`);
    return challengeIn(answer.exchange) === undefined ? 'HTTP 401 without WWW-Authenticate' : undefined;
  })
  .killedBy('auth-without-challenge');

const schemeWords = /\b(bearer|basic|digest|oauth|openid|mtls|api[-_ ]?key)\b/i;
const words = (card: Card): readonly string[] =>
  Object.entries(card.securitySchemes).flatMap(([name, scheme]) =>
    scheme.type === 'apiKey' ? [name, scheme.name] : [name],
  );

export const challengeNamed = check('auth/challenge-named', 'auth.challenge-named')
  .given('answer', refusal)
  .when('the client calls without credentials', async ({ answer }) => answer)
  .expects('say which credentials are wanted', (answer, { card }) => {
    const open = noRefusal(answer);
    if (open !== undefined || answer.kind === 'withheld') return open;
    if (challengeIn(answer.exchange) !== undefined) return undefined;
    const said = bodyText(answer.exchange.response?.body);
    const names = schemeWords.test(said) || words(card).some((word) => word.length > 3 && said.includes(word));
    return names ? undefined : `neither WWW-Authenticate nor the body names a scheme: ${describe(answer)}`;
  })
  .killedBy('auth-without-challenge');

/** Asked without credentials; the same with them tells whether there is one at all. */
const extendedWithout = source('the extended card without credentials', ({ client }) =>
  client.call('extendedCard', {}, { credentials: 'none' }),
);

export const extendedCard = check('auth/extended-card', 'auth.extended-card')
  .given('answer', extendedWithout)
  .when('the client fetches the extended card without credentials', async ({ answer }) => answer)
  .expects('be refused', async (answer, { client }) => {
    if (answer.kind === 'result') return describe(answer);
    if (answer.kind === 'denied') return undefined;
    if (answer.kind !== 'refusal') return unproven(describe(answer));
    // It may be refused to everybody.
    if (!client.isSomebody) return unproven(`nothing shows that it was for want of credentials: ${describe(answer)}`);
    const mine = await client.call('extendedCard', {});
    return mine.kind === 'result'
      ? undefined
      : unproven(`it was refused with credentials as well (${describe(mine)}), so nothing is shown`);
  })
  .advice('The extended card is for callers who are known. Authenticate this method like all others.')
  .killedBy('auth-extended-card-open');

export const extendedCardStatus = check('auth/extended-card-status', 'auth.extended-card-status')
  .given('answer', extendedWithout)
  .when('the client fetches the extended card without credentials', async ({ answer }) => answer)
  .expects('be refused with HTTP 401 and WWW-Authenticate', (answer) => {
    const open = noRefusal(answer);
    if (open !== undefined || answer.kind === 'withheld') return open;
    if (answer.exchange.response?.status !== 401) return describe(answer);
    return challengeIn(answer.exchange) === undefined ? 'HTTP 401 without WWW-Authenticate' : undefined;
  })
  .killedBy('auth-extended-card-error', 'auth-extended-card-without-challenge');
