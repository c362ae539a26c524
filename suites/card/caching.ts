import {
  brief,
  check,
  header,
  inconclusive,
  law,
  mediaType,
  NotApplicable,
  versionHeaders,
} from '../../src/kit/index.js';
import { noCard, noCardAt } from '../shared/declared.js';

// A2A 1.0 §8.6 Caching; RFC 9110 §8.8.3, §13.1.2; RFC 9111 §5.2.

// In our words (1.0, 8.6.1 Server Requirements): The card response has Cache-Control with max-age.
export const cacheControl = law(
  'card/cache-control',
  'card.cache-control',
  'come with a Cache-Control that allows caching',
  { otherwise: noCard, advice: 'Send Cache-Control with a max-age that suits how often the card changes.' },
  ({ exchange }, { cardExchange }) => {
    if (exchange !== cardExchange || exchange.response === undefined) return 'not-concerned';
    const value = header(exchange.response.headers, 'cache-control');
    if (value === undefined) return 'the card comes without Cache-Control';
    return /(^|[\s,])max-age\s*=\s*"?\d+/i.test(value) ? 'holds' : `Cache-Control has no max-age: ${brief(value)}`;
  },
);

/** RFC 9110 §8.8.3: weak or strong; the quotes are part of the tag. */
const entityTag = /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

// In our words (1.0, 8.6.1 Server Requirements): The card response has an ETag.
export const etag = law(
  'card/etag',
  'card.etag',
  'come with an ETag',
  { otherwise: noCard, advice: 'Send a hash of the card as ETag, in double quotes: ETag: "abc123".' },
  ({ exchange }, { cardExchange }) => {
    if (exchange !== cardExchange || exchange.response === undefined) return 'not-concerned';
    const value = header(exchange.response.headers, 'etag');
    if (value === undefined) return 'the card comes without ETag';
    return entityTag.test(value) ? 'holds' : `the ETag is not an entity tag: ${brief(value)}`;
  },
);

// In our words (1.0, 8.6 Caching): A conditional card request with the current ETag gives 304.
export const notModified = check('card/not-modified', 'card.not-modified')
  .when('the client fetches the card again with the ETag that it knows', async (scene) => {
    const { client, target } = scene;
    const known = target.cardExchange?.response;
    if (target.cardUrl === undefined || known === undefined) return undefined;
    const tag = header(known.headers, 'etag');
    if (tag === undefined) throw new NotApplicable('the card has no ETag');
    return { tag, answer: await client.get(target.cardUrl, [...versionHeaders(scene), ['If-None-Match', tag]]) };
  })
  .expects('answer that the card has not changed', (seen, { target }) => {
    if (seen === undefined) return inconclusive(noCardAt(target));
    const { response } = seen.answer;
    if (response === undefined) return inconclusive('no answer came');
    if (response.status === 304) return undefined;
    const now = header(response.headers, 'etag');
    if (now !== undefined && now !== seen.tag)
      return inconclusive(`run again: the card changed in between, and its ETag is now ${now}`);
    return response.status === 200
      ? `the whole card came again, under the same ETag ${seen.tag}`
      : inconclusive(`the agent answered with HTTP ${response.status} ${mediaType(response.headers) ?? ''}`);
  })
  .advice('Compare If-None-Match with the current ETag, and answer 304 without a body where they are equal.');
