import { type Card, giveCredentials, header, law, type Recorded, repliesOf, weakMemo } from '../../src/kit/index.js';
import { secretsIn, shortest } from '../shared/secrets.js';

// A2A 1.0 §13.4: credentials are secrets; §7.1, §13.4: HSTS.

/** The secrets of both callers, in all requests: an agent that shows a secret to one caller may show it to another. */
const secretsOf = weakMemo(
  (tape: readonly Recorded[], card: Card): ReadonlySet<string> =>
    new Set(tape.flatMap(({ exchange }) => secretsIn(exchange, card))),
);

// In our words (1.0, 13.4 General Security Best Practices): Credentials and tokens are not disclosed in replies.
export const noDisclosure = law(
  'auth/no-disclosure',
  'sec.no-disclosure',
  'keep the credentials of callers out of its answers',
  {
    subject: 'the agent',
    otherwise: `${giveCredentials()} of ${shortest} letters or more: shorter ones may stand in an answer by chance`,
    unless: ({ card }) =>
      Object.keys(card.securitySchemes).length === 0 ? 'the card declares no security' : undefined,
    advice: 'Take headers and URLs of requests out of error messages and results.',
  },
  ({ exchange }, { card }, tape) => {
    const { response, toWebhook } = exchange;
    if (response === undefined || toWebhook) return 'not-concerned';
    const body = Buffer.from(response.body.buffer, response.body.byteOffset, response.body.byteLength);
    const secrets = secretsOf(tape, card);
    const said =
      body.length === 0
        ? repliesOf(exchange)
            .map(({ text }) => text)
            .join('\n')
        : '';
    for (const secret of secrets) {
      if (body.includes(secret) || said.includes(secret)) return 'the body shows credentials that were sent';
    }
    return secrets.size > 0 ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 13.4 General Security Best Practices): HSTS is sent by HTTP interfaces.
export const hsts = law(
  'auth/hsts',
  'sec.hsts',
  'carry Strict-Transport-Security',
  {
    otherwise: 'give an https URL with --url: no answer came over https',
    advice: 'Send Strict-Transport-Security: max-age=31536000 with every answer over https; a proxy can add it.',
  },
  ({ exchange: { request, response } }) => {
    if (response === undefined || !request.url.startsWith('https:')) return 'not-concerned';
    return header(response.headers, 'strict-transport-security') === undefined ? 'it is missing' : 'holds';
  },
);
