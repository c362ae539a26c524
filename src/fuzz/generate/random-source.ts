import { type Arbitrary, Random } from 'fast-check';
import { bitsOf, mixed, stepped } from '../../run/index.js';

/** Every random choice of a campaign. The same seed gives the same choices in the same order. */
export interface RandomSource {
  /** A value of an arbitrary of fast-check. */
  draw<T>(arbitrary: Arbitrary<T>): T;
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  chance(probability: number): boolean;
  /** New dice that depend only on the seed, the name, and how often this name was asked for. */
  branch(name: string): RandomSource;
}

/** mulberry32, with the interface that fast-check asks for. */
function generator(seed: number) {
  let state = seed >>> 0;
  return {
    clone: () => generator(state),
    next(): number {
      state = stepped(state);
      return bitsOf(state) | 0;
    },
    getState: () => [state],
  };
}

export function createRandomSource(seed: number): RandomSource {
  const source = new Random(generator(seed));
  const branches = new Map<string, number>();
  const below = (most: number): number => source.nextInt(0, Math.max(0, most - 1));
  return {
    draw: (arbitrary) => arbitrary.generate(source, undefined).value,
    below,
    pick(list) {
      const found = list[below(list.length)];
      if (found === undefined && list.length === 0) throw new RangeError('nothing to pick from');
      return found as (typeof list)[number];
    },
    chance: (probability) => source.nextDouble() < probability,
    branch(name) {
      const times = branches.get(name) ?? 0;
      branches.set(name, times + 1);
      return createRandomSource(mixed(seed, `${name} ${times}`));
    },
  };
}
