import type { Card } from '../../model/index.js';
import type { Patch } from '../seams.js';

/** The card says more, or something else; the agent does what its card says. */
export const declaring =
  (more: Partial<Card> | ((card: Card) => Partial<Card>)): Patch =>
  (inner) => ({
    card() {
      const card = inner.card();
      return { ...card, ...(typeof more === 'function' ? more(card) : more) };
    },
  });

/** Capabilities that the card declares besides those that it has. */
export const able = (more: Partial<Card['capabilities']>): Patch =>
  declaring(({ capabilities }) => ({ capabilities: { ...capabilities, ...more } }));
