import {
  canParseUrl,
  conforms,
  isPublicHost,
  isString,
  law,
  member,
  type Reading,
  type Target,
} from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import { ofOptional } from './tape.js';

// How the card declares the extension. a2a-x402 v0.1 §2, §3, §9; x402 A2A transport, AgentCard Extension Declaration.

const otherwise = 'no card was found';

/** The entries of the card with one of the known URIs, as they came; undefined when the reading has no card. */
function declarationsIn({ documents }: Reading): readonly unknown[] | undefined {
  const card = documents.find((document) => document.of === 'payment-card');
  if (card === undefined) return undefined;
  const listed = member(member(card.value, 'capabilities'), 'extensions');
  return Array.isArray(listed) ? listed.filter((item) => x402Text.isX402Extension(member(item, 'uri'))) : [];
}

// In our words (x402, x402 A2A transport, AgentCard Extension Declaration; a2a-x402 v0.1, 2, 3; a2a-x402 v0.2, 2, 3):
//   The card declares the extension in `capabilities.extensions`.
export const declared = conforms(
  'x402/card-declared',
  'x402.card-declared',
  'declare the extension by one of its URIs in capabilities.extensions',
  {
    subject: 'the card',
    otherwise,
    advice:
      'Add {"uri": "…"} to capabilities.extensions, letter by letter as the extension has it: clients compare URIs whole.',
  },
);

// In our words (x402, x402 A2A transport, AgentCard Extension Declaration; a2a-x402 v0.1, 3): The declaration has the
//   types of A2A: `uri` and `description` strings, `required` a boolean.
export const entry = ofOptional(
  conforms('x402/card-entry', 'x402.card-entry', 'declare the extension with members of the right types', {
    subject: 'the card',
    otherwise,
    advice: 'Write "required": true without quotes, and the description as one text. Leave out what is not set.',
  }),
  // All members except the URI are optional.
  (reading) => (declarationsIn(reading) ?? []).length > 0,
);

// In our words (x402, a2a-x402 v0.1, 3): The extension is declared once per URI.
export const once = law(
  'x402/card-once',
  'x402.card-once',
  'declare the extension once by each URI',
  {
    subject: 'the card',
    otherwise,
    advice: 'Keep one entry for each URI: two may contradict each other.',
    places: () => [{ path: '/capabilities/extensions', problem: 'declares the extension twice by one URI' }],
  },
  (reading) => {
    const uris = (declarationsIn(reading) ?? []).map((item) => String(member(item, 'uri')));
    const twice = uris.find((uri, at) => uris.indexOf(uri) !== at);
    if (twice !== undefined) return `${twice} is declared twice`;
    return uris.length > 0 ? 'holds' : 'not-concerned';
  },
);

// In our words (x402, a2a-x402 v0.1, 3.1): The declaration says `required: true`.
export const required = conforms(
  'x402/card-required',
  'x402.card-required',
  'declare the extension with required true',
  {
    subject: 'the card',
    otherwise,
    advice: 'Write "required": true in the entry: clients that cannot pay then know that they need not ask.',
  },
);

const publicUrls = ({ card, cardUrl, endpoint }: Target): readonly URL[] =>
  [cardUrl, endpoint, ...card.interfaces.map(({ url }) => url)]
    .flatMap((text) => (isString(text) && canParseUrl(text) ? [new URL(text)] : []))
    .filter(({ hostname }) => isPublicHost(hostname));

// In our words (x402, a2a-x402 v0.1, 9): Payments go over https.
export const https = law(
  'x402/https',
  'x402.https',
  'take payments over https',
  {
    subject: 'the agent',
    otherwise,
    unless: (target) =>
      publicUrls(target).length > 0 ? undefined : 'only private and test hosts are named, which need no TLS',
    advice: 'Use TLS, and correct the URLs in the card: a reader of a signed payment can cash it.',
  },
  (reading, target) => {
    if (declarationsIn(reading) === undefined) return 'not-concerned';
    const plain = publicUrls(target).find(({ protocol }) => protocol === 'http:');
    return plain === undefined ? 'holds' : `${plain.origin} is a public host without https`;
  },
);
