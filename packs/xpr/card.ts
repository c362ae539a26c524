import { isDeepStrictEqual } from 'node:util';
import {
  bodyText,
  brief,
  check,
  conforms,
  type Exchange,
  evidence,
  inconclusive,
  isObject,
  type JsonObject,
  type Judgement,
  NotApplicable,
  type Scene,
  unseen,
} from '../../src/kit/index.js';
import { noCard, own, unless } from '../../suites/shared/declared.js';

// XPR document, Discovery, Agent Card Schema, XPR Extensions. AMBX-01: which members are required.

const always = { otherwise: noCard };
const whereThere = (name: string) => ({ otherwise: noCard, unless: unless(`the card has no ${name}`, own(name)) });

// XPR, XPR Extensions: "The card has `xpr:account`, the account of the agent."
export const account = conforms('card/xpr-account', 'card.xpr-account', 'name the account of the agent', {
  ...always,
  advice: 'Write the account as the chain has it: 1 to 12 of a-z, 1-5 and dot, with no capitals and no dot at the end.',
});
// XPR, XPR Extensions: "The card has `xpr:protocol`, a string."
export const protocol = conforms(
  'card/xpr-protocol',
  'card.xpr-protocol',
  'give the protocol of the registration as a string',
  { ...always, advice: 'Copy `protocol` of the registration into `xpr:protocol`, as one text and not as a list.' },
);
// XPR, XPR Extensions: "The card has `xpr:registeredAt`, the Unix time of the registration."
export const registeredAt = conforms(
  'card/xpr-registered-at',
  'card.xpr-registered-at',
  'give the time of the registration as a number',
  { ...always, advice: 'Write Unix seconds, as the chain does.' },
);
// XPR, XPR Extensions: "A present `xpr:trustScore` is a number from 0 to 100."
export const trustScore = conforms(
  'card/xpr-trust-score',
  'card.xpr-trust-score',
  'give the trust score as a number from 0 to 100',
  {
    ...whereThere('xpr:trustScore'),
    advice: 'Write a number without quotes, and leave the member out if the score is unknown: null is not a number.',
  },
);
// XPR, XPR Extensions: "A present `xpr:kycLevel` is a number from 0 to 3."
export const kycLevel = conforms(
  'card/xpr-kyc-level',
  'card.xpr-kyc-level',
  'give the KYC level as a number from 0 to 3',
  {
    ...whereThere('xpr:kycLevel'),
    advice:
      'Write the level as a number, and leave the member out if it is not known: a count of claims and true are not levels.',
  },
);
// XPR, XPR Extensions: "A present `xpr:owner` is a string, the account of the human who owns the agent."
export const owner = conforms('card/xpr-owner', 'card.xpr-owner', 'name the owner by an account', {
  ...whereThere('xpr:owner'),
  advice:
    'Write the account of the owner, not the name of a person. If the agent has no owner, leave it empty or out: null is neither.',
});

/**
 * The URLs of the card's two paths, below the base URL where the card was found: an agent may be served below a path.
 */
function wellKnownUrls({ client, target }: Scene): readonly [string, string | undefined] {
  const [first = '', second] = client.dialect.cardPaths;
  const known = client.dialect.cardPaths.find((path) => target.cardUrl?.endsWith(path) === true);
  const base = known === undefined ? new URL(target.url).origin : (target.cardUrl ?? '').slice(0, -known.length);
  return [`${base}${first}`, second === undefined ? undefined : `${base}${second}`];
}

const unread = 'the card could not be fetched';

/** The body, if it is a JSON object with status 200. */
function objectIn({ response }: Exchange): JsonObject | undefined {
  if (response?.status !== 200) return undefined;
  try {
    const value: unknown = JSON.parse(bodyText(response.body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Members that must be the same in two cards of one agent. Others may change, or say how the agent is reached. */
const lasting = ['name', 'version', 'xpr:account', 'xpr:protocol', 'xpr:registeredAt', 'xpr:owner'];

/** The first of these members that both cards have with different values. */
const difference = (first: JsonObject, other: JsonObject): string | undefined =>
  lasting.find(
    (name) => Object.hasOwn(first, name) && Object.hasOwn(other, name) && !isDeepStrictEqual(first[name], other[name]),
  );

/** Has at least one of these members. Other JSON may be served at the path. */
const isCard = (value: JsonObject | undefined): value is JsonObject =>
  value !== undefined && lasting.some((name) => Object.hasOwn(value, name));

// XPR, Discovery: "The card is served at /.well-known/agent.json, to callers without credentials."
export const path = check('card/xpr-path', 'card.xpr-path')
  .when('the client fetches the card at its path without credentials', (scene) => {
    const { target, client } = scene;
    const [url] = wellKnownUrls(scene);
    if (target.cardUrl !== undefined && target.cardUrl !== url && target.cardUrl === new URL(target.url).href) {
      throw new NotApplicable('the agent was configured by the URL of its card');
    }
    return client.get(url, [], 'none');
  })
  .expects('serve it', (exchange, { target }): Judgement => {
    const open = unseen(exchange, unread);
    if (open !== undefined) return open;
    const card = objectIn(exchange);
    const elsewhere = target.cardUrl === undefined ? '' : `; the card was found at ${target.cardUrl}`;
    if (card === undefined) return `${exchange.request.url}: ${evidence(exchange)}${elsewhere}`;
    if (!isCard(card)) return `${exchange.request.url}: no card but ${brief(card)}`;
    const known = isObject(target.cardDocument) ? target.cardDocument : card;
    const differs = difference(card, known);
    return differs === undefined ? undefined : `${exchange.request.url}: another card, ${differs} differs${elsewhere}`;
  })
  .advice('Clients look at /.well-known/agent.json, unsigned: discovery is public.');

// XPR, Discovery: "A card at the path of A2A 0.3 is the card at /.well-known/agent.json."
export const pathsAgree = check('card/xpr-paths-agree', 'card.xpr-paths-agree')
  .when('the client fetches the card at the path of A2A 0.3 as well', async (scene) => {
    const [url, newer] = wellKnownUrls(scene);
    if (newer === undefined) throw new NotApplicable('this dialect has one path');
    return { first: await scene.client.get(url), second: await scene.client.get(newer) };
  })
  .expects('serve the same card', ({ first, second }): Judgement => {
    const open = unseen(first, unread) ?? unseen(second, unread);
    if (open !== undefined) return open;
    const [card, other] = [objectIn(first), objectIn(second)];
    // Some agents answer every GET with some document.
    if (!isCard(other)) throw new NotApplicable('the agent has one card only');
    if (card === undefined) return inconclusive(`no card came to compare with: ${evidence(first)}`);
    const differs = difference(card, other);
    if (differs === undefined) return undefined;
    return `${differs} is ${brief(card[differs])} at ${first.request.url}, ${brief(other[differs])} at ${second.request.url}`;
  })
  .advice('Serve one document at both paths.');
