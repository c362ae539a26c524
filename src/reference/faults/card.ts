import { onCard, onReply, without } from '../edits.js';
import { fault } from '../fault.js';
import { plainReply } from '../http.js';

export const cardFaults = [
  fault('card-no-name', {
    about: 'The card has no name.',
    breaks: ['card.name'],
    patch: onCard((card) => without(card, 'name')),
  }),
  fault('card-not-served', {
    about: 'There is no card anywhere.',
    breaks: ['card.published', 'card.well-known-path'],
    patch: onReply('card', () => plainReply(404, 'Not found')),
  }),
];
