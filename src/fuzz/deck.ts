import type { Dice } from './dice.js';

/**
 * Dice that pick from a lasting list as from a deck of cards: each of it once, in random order, before any comes again.
 * What is rare is met after as many throws as the list is long, not after some times as many. Lists that are made for one
 * throw are thrown for as ever. The same throws in the same order give the same picks.
 */
export function createDeck(): (dice: Dice) => Dice {
  const met = new WeakSet<readonly unknown[]>();
  const decks = new WeakMap<readonly unknown[], number[]>();

  function indexOf(dice: Dice, list: readonly unknown[]): number {
    if (!met.has(list)) {
      met.add(list);
      return dice.below(list.length);
    }
    let left = decks.get(list);
    if (left === undefined || left.length === 0) {
      left = list.map((_, at) => at);
      decks.set(list, left);
    }
    const at = dice.below(left.length);
    const chosen = left[at] ?? 0;
    // Order among what is left means nothing.
    left[at] = left.at(-1) ?? 0;
    left.pop();
    return chosen;
  }

  return function decked(dice: Dice): Dice {
    return {
      draw: dice.draw,
      below: dice.below,
      chance: dice.chance,
      branch: (name) => decked(dice.branch(name)),
      pick: <T>(list: readonly T[]): T => (list.length < 2 ? dice.pick(list) : (list[indexOf(dice, list)] as T)),
    };
  };
}
