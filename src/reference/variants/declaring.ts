import type { Card } from '../../model/index.js';
import type { Patch } from '../seams.js';

/** Adds to the card, or changes it; the agent does what its card says. */
export const declaring =
  (more: Partial<Card> | ((card: Card) => Partial<Card>)): Patch =>
  (inner) => ({
    card() {
      const card = inner.card();
      return { ...card, ...(typeof more === 'function' ? more(card) : more) };
    },
  });

/** Adds capabilities to those that the card declares. */
export const able = (more: Partial<Card['capabilities']>): Patch =>
  declaring(({ capabilities }) => ({ capabilities: { ...capabilities, ...more } }));
