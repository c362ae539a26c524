import { header } from '../../wire/index.js';
import type { Incoming } from '../calls.js';
import { onCard, onReply, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { pathBelow, plainReply } from '../http.js';
import type { Patch, World } from '../seams.js';

const member = (name: string, value: unknown): Patch => onCard((card) => set(card, name, value));
const missing = (name: string): Patch => onCard((card) => without(card, name));

/** Whether the request is for the card path of the dialect that the reference agent does not serve by default. */
const isNewer = (request: Incoming, { baseUrl, dialect, spelling }: World): boolean =>
  pathBelow(new URL(baseUrl).pathname.replace(/\/$/, ''), request.url) ===
  dialect.cardPaths.find((one) => !spelling.cardPaths.includes(one));

/** Defects of the card of an XPR agent. */
export const cardXprFaults: readonly Fault[] = [
  fault('card-xpr-no-account', {
    about: 'The card does not say which account the agent has.',
    breaks: ['card.xpr-account'],
    patch: missing('xpr:account'),
  }),
  fault('card-xpr-account-in-capitals', {
    about: 'The account is written as people write names.',
    breaks: ['card.xpr-account'],
    patch: member('xpr:account', 'TckAgent'),
  }),
  fault('card-xpr-account-with-dot', {
    about: 'The account ends in a dot, which no name of the chain does.',
    breaks: ['card.xpr-account'],
    patch: member('xpr:account', 'tckagent.'),
  }),
  fault('card-xpr-no-protocol', {
    about: 'The card does not repeat the protocol of the registration.',
    breaks: ['card.xpr-protocol'],
    patch: missing('xpr:protocol'),
  }),
  fault('card-xpr-protocol-list', {
    about: 'The protocol is a list.',
    breaks: ['card.xpr-protocol'],
    patch: member('xpr:protocol', ['https']),
  }),
  fault('card-xpr-no-registration', {
    about: 'The card does not say when the agent was registered.',
    breaks: ['card.xpr-registered-at'],
    patch: missing('xpr:registeredAt'),
  }),
  fault('card-xpr-registration-date', {
    about: 'The time of the registration is a date in words.',
    breaks: ['card.xpr-registered-at'],
    patch: member('xpr:registeredAt', '2024-01-01T00:00:00Z'),
  }),
  fault('card-xpr-registration-negative', {
    about: 'An agent without registration says -1.',
    breaks: ['card.xpr-registered-at'],
    patch: member('xpr:registeredAt', -1),
  }),
  fault('card-xpr-score-above', {
    about: 'The trust score is above 100.',
    breaks: ['card.xpr-trust-score'],
    patch: member('xpr:trustScore', 820),
  }),
  fault('card-xpr-score-text', {
    about: 'The trust score is a text.',
    breaks: ['card.xpr-trust-score'],
    patch: member('xpr:trustScore', '82'),
  }),
  fault('card-xpr-score-null', {
    about: 'An unknown trust score is null.',
    breaks: ['card.xpr-trust-score'],
    patch: member('xpr:trustScore', null),
  }),
  fault('card-xpr-kyc-above', {
    about: 'The KYC level counts claims, of which there are more than three.',
    breaks: ['card.xpr-kyc-level'],
    patch: member('xpr:kycLevel', 7),
  }),
  fault('card-xpr-kyc-flag', {
    about: 'The KYC level only says that there is one.',
    breaks: ['card.xpr-kyc-level'],
    patch: member('xpr:kycLevel', true),
  }),
  fault('card-xpr-owner-full-name', {
    about: 'The owner is a person, not an account.',
    breaks: ['card.xpr-owner'],
    patch: member('xpr:owner', 'Alice Smith'),
  }),
  fault('card-xpr-owner-null', {
    about: 'An unknown owner is null.',
    breaks: ['card.xpr-owner'],
    patch: member('xpr:owner', null),
  }),
  fault('card-xpr-only-at-newer-path', {
    about: 'The card stands at the path of A2A 0.3 only.',
    breaks: ['card.xpr-path'],
    patch: (inner, world) => ({
      route(request) {
        if (isNewer(request, world)) return 'card';
        const route = inner.route(request);
        return route === 'card' ? 'nowhere' : route;
      },
    }),
  }),
  fault('card-xpr-wants-signature', {
    about: 'The card is served only for signed requests.',
    breaks: ['card.xpr-path'],
    patch: onReply('card', (reply, { headers }) =>
      header(headers, 'x-xpr-signature') === undefined ? plainReply(401, 'Authentication required') : reply,
    ),
  }),
  fault('card-xpr-other-card-at-newer-path', {
    about: 'The path of A2A 0.3 shows the card of another account.',
    breaks: ['card.xpr-paths-agree'],
    patch: (inner, world) => ({
      route: (request) => (isNewer(request, world) ? 'card' : inner.route(request)),
      async serveCard(request) {
        const reply = await inner.serveCard(request);
        if (!isNewer(request, world)) return reply;
        const card = JSON.parse(String(reply.body)) as object;
        return { ...reply, body: JSON.stringify({ ...card, 'xpr:account': 'tckother' }) };
      },
    }),
  }),
];
