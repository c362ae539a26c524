import {
  callableUrl,
  check,
  declaresSecurity,
  demanded,
  describe,
  type Exchange,
  evidence,
  follows,
  inconclusive,
  type Judgement,
  law,
  NotApplicable,
  type Outcome,
  PreconditionUnmet,
  repliesOf,
  type Scene,
  set,
  source,
} from '../../src/kit/index.js';
import { noCredentials } from '../shared/callers.js';

// A2A 0.3 §4, §4.3, §5.4, §5.5, §3.4.1; 1.0 §7.3, §4.4.1, §5.1: valid credentials are accepted where the card says.

/** Reads a task that does not exist. This costs nothing, and an authenticated caller gets TaskNotFound. */
const withCredentials = source('a call with credentials', async (scene) => {
  if (!scene.client.isSomebody) throw new PreconditionUnmet(noCredentials);
  return scene.client.call('get', { id: scene.uuid() });
});

/** TaskNotFound shows that the credentials were accepted. */
function letIn(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'refusal' && outcome.error === 'TaskNotFound') return undefined;
  if (outcome.kind === 'denied' && (outcome.status === 401 || outcome.isFormal === true)) return describe(outcome);
  return inconclusive(`the answer does not show whether the credentials are the cause: ${describe(outcome)}`);
}

const notAsDeclared = 'give credentials of a kind that the card declares: the given ones are of another kind';

// In our words (1.0, 7.3 Client Authentication Process): Credentials sent as declared are accepted.
export const acceptedAsDeclared = check('auth/accepted', 'auth.accepted')
  .given('answer', withCredentials)
  .when('the client calls with credentials as the card declares them', async ({ answer }) => answer)
  .expects('accept them', (answer, { card, client }) => {
    const options = [...card.security, ...Object.keys(card.securitySchemes).map((name) => ({ [name]: [] }))];
    if (!options.some((option) => follows(client.own, card, option))) return inconclusive(notAsDeclared);
    return letIn(answer);
  })
  .advice('If the credentials are right and still valid: does the agent look for them where the card says?');

const oneOfSeveral = source('credentials of one alternative', async (scene) => {
  const { client, card } = scene;
  const options = demanded(card);
  if (options.length < 2) throw new NotApplicable('the card demands no credentials, or has no alternatives');
  const answer = await scene.use(withCredentials);
  const held = options.filter((option) => follows(client.own, card, option));
  if (held.length === options.length)
    throw new PreconditionUnmet('give the credentials of one alternative: the given ones belong to all alternatives');
  return { answer, holds: held.length > 0 };
});

// In our words (1.0, 4.4.1 AgentCard): Any alternative in securityRequirements is enough.
export const anyAlternative = check('auth/any-alternative', 'auth.any-alternative')
  .given('held', oneOfSeveral)
  .when('the client calls with the credentials of one alternative', async ({ held }) => held)
  .expects('not refuse because other credentials are missing', ({ answer, holds }) =>
    holds ? letIn(answer) : inconclusive(notAsDeclared),
  )
  .advice(
    'The entries of security (1.0: securityRequirements) are alternatives, so one is enough. Put schemes that are needed together into one entry.',
  );

const identity = /\b(user|caller|client|account|principal|tenant)[-_ ]?(id|name|identity)\b|\bidentity\b/i;

// In our words (0.3, 4 Authentication and Authorization): Identity comes from the HTTP layer; requests need no identity
//   in the payload.
export const noPayloadIdentity = law(
  'auth/no-payload-identity',
  'auth.no-payload-identity',
  'ask for no identity in the message itself',
  {
    subject: 'the agent',
    otherwise: 'the agent accepted no message with credentials',
    unless: ({ card }) => (declaresSecurity(card) ? undefined : 'the card declares no security'),
    advice: 'Take the caller from the credentials of the HTTP request, and demand no user id in the message.',
  },
  ({ valid, operation, outcome }) => {
    if (!valid || operation !== 'send') return 'not-concerned';
    if (outcome.kind === 'result') return 'holds';
    const blamed = outcome.kind === 'refusal' && ['InvalidParams', 'InvalidRequest'].includes(outcome.error ?? '');
    return blamed && identity.test(outcome.message) ? describe(outcome) : 'not-concerned';
  },
).mutants(set('error.message', 'userId is required'));

interface Other {
  readonly url: string;
  readonly client: Scene['client'];
}

/** The interfaces besides the endpoint that the kit can call: it calls no other origins. */
const others = ({ card, client, target }: Scene): readonly Other[] =>
  card.interfaces.flatMap(({ url: named, transport, version }) => {
    const url = callableUrl(target, named);
    const at = url === undefined || url === target.endpoint ? undefined : client.at(url, transport, version);
    return url === undefined || at === undefined ? [] : [{ url, client: at }];
  });

/** Reads a task that cannot exist. */
async function ask({ uuid }: Scene, { client }: Other): Promise<Exchange | undefined> {
  const id = uuid();
  const first = await client.call('get', { id });
  if (first.kind === 'not-sent') return undefined;
  const isHeard = first.kind === 'denied' || repliesOf(first.exchange)[0]?.type === 'json';
  const second = isHeard ? undefined : await client.otherwise?.call('get', { id });
  return second === undefined || second.kind === 'not-sent' ? first.exchange : second.exchange;
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): All bindings accept the same authentication schemes.
export const sameOnTransports = check('auth/same-on-transports', 'auth.same-on-transports')
  .given('answer', withCredentials)
  .when('the client uses the same credentials on every other interface', async (scene) => {
    if (letIn(scene.answer) !== undefined)
      throw new PreconditionUnmet(
        `give other credentials: the agent refuses the first call too: ${describe(scene.answer)}`,
      );
    const found = others(scene);
    if (found.length === 0) throw new PreconditionUnmet('the kit can call no other interface of the agent');
    const answers: Exchange[] = [];
    for (const entry of found.slice(0, 3))
      answers.push(...[await ask(scene, entry)].filter((seen) => seen !== undefined));
    return answers;
  })
  .expects('accept them', (answers) => {
    const refused = answers.find(({ response }) => response?.status === 401);
    if (refused !== undefined) return `${refused.request.url}: ${evidence(refused)}`;
    const unclear = answers.find((exchange) => repliesOf(exchange)[0]?.type !== 'json');
    if (unclear !== undefined)
      return inconclusive(`${unclear.request.url} answered with neither a result nor a refusal: ${evidence(unclear)}`);
    return answers.length > 0 ? undefined : inconclusive('the kit sent no request');
  })
  .advice(
    'Put one check of credentials before all interfaces: a second server with settings of its own refuses the same callers.',
  );

// In our words (0.3, 5.4 Security of Agent Cards): The public card itself may require authentication.
export const cardGuarded = check('auth/card-guarded', 'auth.card-guarded')
  .when('the client fetches the card without credentials', async ({ client, target }) => {
    if (target.cardUrl === undefined)
      throw new PreconditionUnmet('give the URL of the card with --url: the kit found no card');
    if (!client.isSomebody) throw new NotApplicable('the card is public');
    const exchange = await client.get(target.cardUrl, [], 'none');
    if (exchange.response?.status === 200) throw new NotApplicable('the card is public');
    return exchange;
  })
  .expects('refuse with HTTP 401 or 403, if credentials open the card', ({ response, failure }) => {
    if (response === undefined) return inconclusive(`no answer came: ${failure?.detail}`);
    if ([401, 403, 404].includes(response.status)) return undefined;
    return response.status >= 500
      ? `HTTP ${response.status}`
      : inconclusive(`the agent answered with HTTP ${response.status}`);
  })
  .advice(
    'Answer 401 with WWW-Authenticate, as for the methods: missing credentials must not cause an internal error.',
  );
