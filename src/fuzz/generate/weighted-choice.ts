import type { RandomSource } from './random-source.js';

/**
 * Dice that pick each item of a list that is used again once, in random order, before any comes a second time. A rare
 * item comes after as many throws as the list is long, not after several times as many. A list that is made for one
 * throw gets an ordinary throw. The same throws in the same order give the same picks.
 */
export function createWeightedChoice(): (randomSource: RandomSource) => RandomSource {
  const met = new WeakSet<readonly unknown[]>();
  const decks = new WeakMap<readonly unknown[], number[]>();

  function indexOf(randomSource: RandomSource, list: readonly unknown[]): number {
    if (!met.has(list)) {
      met.add(list);
      return randomSource.below(list.length);
    }
    let left = decks.get(list);
    if (left === undefined || left.length === 0) {
      left = list.map((_, at) => at);
      decks.set(list, left);
    }
    const at = randomSource.below(left.length);
    const chosen = left[at] ?? 0;
    // The order of the remaining items does not matter.
    left[at] = left.at(-1) ?? 0;
    left.pop();
    return chosen;
  }

  return function decked(randomSource: RandomSource): RandomSource {
    return {
      draw: randomSource.draw,
      below: randomSource.below,
      chance: randomSource.chance,
      branch: (name) => decked(randomSource.branch(name)),
      pick: <T>(list: readonly T[]): T =>
        list.length < 2 ? randomSource.pick(list) : (list[indexOf(randomSource, list)] as T),
    };
  };
}
