import { header } from '../../wire/index.js';
import type { Incoming } from '../calls.js';
import { onCard, onReply, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { pathBelow, plainReply } from '../http.js';
import type { Patch, World } from '../seams.js';

const member = (name: string, value: unknown): Patch => onCard((card) => set(card, name, value));

/** Whether the request is for the card path of the dialect that the reference agent does not serve by default. */
const isNewer = (request: Incoming, { baseUrl, dialect, spelling }: World): boolean =>
  pathBelow(new URL(baseUrl).pathname.replace(/\/$/, ''), request.url) ===
  dialect.cardPaths.find((one) => !spelling.cardPaths.includes(one));

/** Defects of the card of an XPR agent. */
export const cardXprFaults: readonly Fault[] = [
  fault('card-xpr-account-in-capitals', {
    about: 'The account is written as people write names.',
    breaks: ['card.xpr-account'],
    patch: member('xpr:account', 'TckAgent'),
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
