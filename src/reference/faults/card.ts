import { onReply } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { pathBelow, plainReply } from '../http.js';
import type { Patch } from '../seams.js';

const html = '<!doctype html><title>Agent</title>\n';
const typed = (type: string | undefined): Patch =>
  onReply('card', (reply) => ({ ...reply, headers: type === undefined ? [] : [['content-type', type]] }));
const body = (change: (text: string) => string | Uint8Array): Patch =>
  onReply('card', (reply) => ({ ...reply, body: change(String(reply.body)) }));

/** Where and how the card is served. */
export const cardFaults: readonly Fault[] = [
  fault('card-not-served', {
    about: 'There is no card anywhere.',
    breaks: ['card.published', 'card.well-known-path', 'card.xpr-path'],
    patch: onReply('card', () => plainReply(404, 'Not found')),
  }),
  fault('card-server-error', {
    about: 'Asking for the card ends in a web page with status 500.',
    breaks: ['card.published', 'card.well-known-path'],
    patch: onReply('card', () => ({ status: 500, headers: [['content-type', 'text/html']], body: html })),
  }),
  fault('card-only-elsewhere', {
    about: 'The card stands at the path of another version only.',
    breaks: ['card.well-known-path'],
    patch: (inner, { baseUrl, dialect, spelling }) => ({
      route(request) {
        const path = pathBelow(new URL(baseUrl).pathname.replace(/\/$/, ''), request.url);
        if (path === dialect.cardPaths.find((one) => !spelling.cardPaths.includes(one))) return 'card';
        const route = inner.route(request);
        return route === 'card' ? 'nowhere' : route;
      },
    }),
  }),
  fault('card-is-html', {
    about: 'A web page stands in the place of the card.',
    breaks: ['card.is-object', 'card.published'],
    patch: body(() => html),
  }),
  fault('card-is-array', {
    about: 'The card is wrapped in a list.',
    breaks: ['card.is-object', 'card.published'],
    patch: body((text) => `[${text}]`),
  }),
  fault('card-truncated', {
    about: 'The last bytes of the card are missing.',
    breaks: ['card.is-object', 'card.published'],
    patch: body((text) => text.slice(0, -20)),
  }),
  fault('card-in-latin1', {
    about: 'The card is encoded in Latin-1.',
    breaks: ['card.is-object'],
    patch: body((text) => Uint8Array.from(Buffer.from(text.replace('Agent', 'Ägent'), 'latin1'))),
  }),
  fault('card-as-html-type', {
    about: 'The card comes as text/html.',
    breaks: ['card.media-type'],
    patch: typed('text/html; charset=utf-8'),
  }),
];
