import type { Case } from './case.js';
import type { Dice } from './dice.js';

interface Kept {
  readonly case: Case;
  /** What it was the first to show. */
  readonly features: readonly number[];
  picks: number;
}

/** Inputs that brought an answer which none had brought before. */
export interface Corpus {
  add(kept: Case, features: readonly number[]): void;
  /** One of them: what is new and what shows rare things comes first. undefined: there is none. */
  pick(dice: Dice): Case | undefined;
  readonly size: number;
}

/**
 * A bounded corpus. `countOf`: how often a feature was seen by now. The same additions and dice give the same choices.
 */
export function createCorpus(countOf: (feature: number) => number, capacity = 192): Corpus {
  const kept: Kept[] = [];
  const energyOf = ({ case: { steps }, features, picks }: Kept): number => {
    let rarity = 0;
    for (const feature of features) rarity = Math.max(rarity, 1 / countOf(feature));
    // What was tried often and is common by now is left alone, but never for good. Long cases cost more requests.
    return (Math.sqrt(rarity) + 0.02) / (1 + picks / 4) / (2 + steps.length);
  };
  return {
    add(one, features) {
      kept.push({ case: one, features: features.slice(0, 16), picks: 0 });
      if (kept.length <= capacity) return;
      let worst = 0;
      let least = Number.POSITIVE_INFINITY;
      for (const [at, entry] of kept.entries()) {
        const energy = energyOf(entry);
        if (energy < least) [worst, least] = [at, energy];
      }
      kept.splice(worst, 1);
    },
    pick(dice) {
      const energies = kept.map(energyOf);
      const total = energies.reduce((sum, energy) => sum + energy, 0);
      let left = (dice.below(1_000_000) / 1_000_000) * total;
      for (const [at, entry] of kept.entries()) {
        left -= energies[at] ?? 0;
        if (left > 0 && at < kept.length - 1) continue;
        entry.picks++;
        return entry.case;
      }
      return undefined;
    },
    get size() {
      return kept.length;
    },
  };
}
