import {
  bodyText,
  brief,
  check,
  type Exchange,
  evidence,
  giveCredentials,
  inconclusive,
  isObject,
  isString,
  type Judgement,
  jsonFault,
  law,
  mediaType,
  member,
  NotApplicable,
  type Scene,
  source,
  unseen,
  versionHeaders,
} from '../../src/kit/index.js';
import { noCard, noCardAt } from '../shared/declared.js';

// A2A 0.3 §5.1 existence of the card, §5.2 discovery, §5.3 recommended location.

const recommendedUrl = ({ client, target }: Scene): string =>
  `${new URL(target.url).origin}${client.dialect.cardPaths[0] ?? ''}`;

/**
 * The exchange that brought the card, or another document in its place; without either, a GET of the recommended URL.
 */
const cardAnswer = source('the place of the card', async (scene) => {
  const { cardExchange, whyNoCard } = scene.target;
  return cardExchange ?? whyNoCard?.exchange ?? scene.client.get(recommendedUrl(scene), versionHeaders(scene));
});

/** The body is not a JSON object. Only `card/is-object` reports what is wrong with it. */
const isNoObject = ({ response }: Exchange): boolean => {
  const status = response?.status ?? 0;
  return response !== undefined && status >= 200 && status <= 299 && response.body.length > 0 && !isReadable(response);
};

/** Judges answers that do not show whether the card is there. */
function closed(exchange: Exchange, { client }: Scene): Judgement {
  const { response, failure } = exchange;
  const isOtherPort = failure?.kind === 'malformed' || failure?.kind === 'reset';
  if (isOtherPort && client.dialect.binding.hasOwnPort === true)
    return inconclusive('give the URL of the card with --url: this port speaks HTTP/2 alone');
  if (response?.status === 401 || response?.status === 403) {
    return inconclusive(`${giveCredentials()}: the card wants credentials (HTTP ${response.status})`);
  }
  return unseen(exchange, 'the card could not be fetched');
}

// In our words (1.0, 8.1 Purpose): The agent makes an Agent Card available.
export const published = check('card/published', 'card.published')
  .given('exchange', cardAnswer)
  .when('the client fetches the card', async ({ exchange }) => exchange)
  .expects('publish a card', (exchange, scene) => {
    const { target } = scene;
    if (target.cardDocument !== undefined) return undefined;
    if (isNoObject(exchange)) return inconclusive(`${noCardAt(target)}; card/is-object judges it`);
    const there =
      target.whyNoCard?.exchange === undefined
        ? `${exchange.request.url}: ${evidence(exchange)}`
        : target.whyNoCard.told;
    return closed(exchange, scene) ?? `no card at ${target.url} nor at the well-known paths; ${there}`;
  })
  .advice('Serve the card at /.well-known/agent-card.json, or give its URL with --url.');

const strict = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON in UTF-8. Returns `value`, or a text that says what was found instead. */
function readJson(body: Uint8Array): { readonly value: unknown } | string {
  let text: string;
  try {
    text = strict.decode(body);
  } catch {
    return `the body is not UTF-8: ${brief(bodyText(body.subarray(0, 200)))}`;
  }
  const fault = jsonFault(text);
  if (fault === undefined) return { value: JSON.parse(text) };
  const { line, column, what, near } = fault;
  return `the body is not JSON: line ${line}, column ${column} is ${what}${near === '' ? '' : `: ${brief(near)}`}`;
}
const isReadable = ({ body }: { readonly body: Uint8Array }): boolean => {
  const read = readJson(body);
  return typeof read !== 'string' && isObject(read.value);
};

// In our words (1.0, 14.3 Well-Known URI Registration): Whatever is served at the well-known URI is an AgentCard
//   object.
export const object = check('card/is-object', 'card.is-object')
  .given('exchange', cardAnswer)
  .when('the client fetches the card', async ({ exchange }) => exchange)
  .expects('serve a JSON object in UTF-8', (exchange, scene) => {
    const { target } = scene;
    const { failure, response } = exchange;
    const status = response?.status ?? 0;
    const open = closed(exchange, scene);
    if (open !== undefined) return open;
    if (failure !== undefined || response === undefined || status < 200 || status > 299) {
      return inconclusive('the kit found no card that it can read');
    }
    const read = readJson(response.body);
    const where = exchange.request.url;
    if (typeof read === 'string') return `${where}: ${read}`;
    if (!isObject(read.value)) return `${where}: the root is not an object: ${brief(read.value)}`;
    return target.cardDocument === undefined ? inconclusive(noCardAt(target)) : undefined;
  })
  .advice(
    'Serve the card as one JSON object in UTF-8, not in a list. Check that no web page, of an app or of a proxy, answers at this path.',
  );

/** Distinguishes the card of one agent from that of another agent on the same host. */
const identity = (scene: Scene, document: unknown): string =>
  JSON.stringify([member(document, 'name'), scene.client.dialect.card.decode(document)?.interfaces[0]?.url]);

// In our words (1.0, 8.2 Discovery Mechanisms): The card is served at /.well-known/agent-card.json of the agent's host.
export const wellKnown = check('card/well-known-path', 'card.well-known-path')
  .when('the client fetches the card at the well-known path', async (scene) => {
    const { target, client } = scene;
    if (target.cardUrl === recommendedUrl(scene)) return target.cardExchange;
    if (target.cardUrl !== undefined && target.cardUrl === new URL(target.url).href) {
      throw new NotApplicable('the agent was configured by the URL of its card (§5.2)');
    }
    return target.cardUrl === undefined
      ? scene.use(cardAnswer)
      : client.get(recommendedUrl(scene), versionHeaders(scene));
  })
  .expects('serve it there', (exchange, scene) => {
    const { target } = scene;
    if (exchange === undefined || exchange === target.cardExchange) return undefined;
    const open = closed(exchange, scene);
    if (open !== undefined) return open;
    if (target.cardDocument === undefined) return inconclusive(`${noCardAt(target)}; card/published judges it`);
    const elsewhere = `; the card was found at ${target.cardUrl}`;
    let value: unknown;
    try {
      value = JSON.parse(bodyText(exchange.response?.body));
    } catch {
      value = undefined;
    }
    const there = exchange.response?.status === 200 && isObject(value);
    if (there && identity(scene, value) === identity(scene, target.cardDocument)) return undefined;
    return `${exchange.request.url}: ${there ? 'the card of another agent' : evidence(exchange)}${elsewhere}`;
  })
  .advice('Clients look at /.well-known/agent-card.json first; serve the card there as well.');

// In our words (1.0, 14.3 Well-Known URI Registration): The card response carries a JSON media type.
export const jsonType = law(
  'card/media-type',
  'card.media-type',
  'come with a JSON media type',
  { otherwise: noCard, advice: 'Send Content-Type: application/json with the card.' },
  ({ exchange }, { cardExchange }) => {
    if (exchange !== cardExchange || exchange.response === undefined) return 'not-concerned';
    const type = mediaType(exchange.response.headers);
    if (isString(type) && /^application\/json$|\+json$/.test(type)) return 'holds';
    return `the card comes ${type === undefined ? 'without a content type' : `as ${brief(type)}`}`;
  },
);
