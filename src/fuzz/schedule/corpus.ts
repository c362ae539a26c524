import type { Case } from '../case/case.js';
import type { RandomSource } from '../generate/random-source.js';
import type { Noted } from './novelty.js';

interface Kept {
  readonly case: Case;
  /** Features that it was the first to show. */
  readonly features: readonly number[];
  /** A new feature came with an answer that was not a refusal. */
  readonly leads: boolean;
  /** Each run of it takes long. */
  readonly slow: boolean;
  picks: number;
  /** Its weight in `pick`, as last computed. */
  energy: number;
}

/** Cases whose answers showed something new. */
export interface Corpus {
  add(kept: Case, noted: Noted): void;
  /** One of the cases. Those that lead on, are new or show rare features are more likely. undefined: there is none. */
  pick(randomSource: RandomSource): Case | undefined;
  /** Some cases lead on, are rare, and were not followed enough so far. */
  readonly isEager: boolean;
  readonly size: number;
}

/** How often a case that leads on is followed before others. */
const follows = 16;
/** A feature that was seen elsewhere more often than this comes with new cases as well. */
const common = 8;
/** Weight of a case that was only refused, relative to one that leads on. */
const shallow = 0.2;
/** Weight of a case that is still to be followed, relative to one that was. */
const eager = 20;
/** Weight of a slow case, relative to others: many others can run meanwhile. */
const waiting = 0.2;
/** Picks between two computations of all weights. */
const refresh = 16;
/** Features that are kept of one case. */
const mostFeatures = 16;

/**
 * A bounded corpus. `countOf`: how often a feature was seen so far. The same additions and randomSource give the same choices.
 */
export function createCorpus(countOf: (feature: number) => number, capacity = 192): Corpus {
  const kept: Kept[] = [];
  /** How often the rarest feature of a case was seen elsewhere. */
  const elsewhere = ({ features, picks }: Kept): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const feature of features) least = Math.min(least, countOf(feature));
    return Math.max(1, least - picks);
  };
  const mayBeDue = ({ leads, slow, picks }: Kept): boolean => leads && !slow && picks < follows;
  const isDue = (kept: Kept): boolean => mayBeDue(kept) && elsewhere(kept) <= common;
  const energyOf = (kept: Kept): number => {
    const { case: found, leads, slow, picks } = kept;
    const seen = elsewhere(kept);
    const worth = (leads ? (mayBeDue(kept) && seen <= common ? eager : 1) : shallow) * (slow ? waiting : 1);
    // A case that was picked often and shows common features has little weight, but never none. Long cases cost more
    // requests.
    return (worth * (Math.sqrt(1 / seen) + 0.02)) / (1 + picks / 4) / (2 + found.steps.length);
  };
  let picked = 0;
  /** Cases that may still be followed: few, and needed at each choice. */
  let leading: readonly Kept[] = [];
  /** Computes all weights, which is most of the work of a choice. */
  function reckon(): void {
    for (const item of kept) item.energy = energyOf(item);
    leading = kept.filter(mayBeDue);
    picked = 0;
  }
  function keep(entry: Omit<Kept, 'picks' | 'energy'>): void {
    kept.push({ ...entry, picks: 0, energy: 0 });
    reckon();
    if (kept.length <= capacity) return;
    let worst = 0;
    for (const [at, { energy }] of kept.entries()) if (energy < (kept[worst]?.energy ?? 0)) worst = at;
    kept.splice(worst, 1);
    leading = kept.filter(mayBeDue);
  }
  return {
    add(fuzzCase, { fresh, slowAt }) {
      const granted = fresh.filter((feature) => feature.granted);
      const leads = granted.length > 0;
      const telling = leads ? granted : fresh;
      // Steps after the new feature have no part in it.
      const end = 1 + Math.min(...telling.map(({ step }) => step));
      keep({
        case: end < fuzzCase.steps.length ? { ...fuzzCase, steps: fuzzCase.steps.slice(0, end) } : fuzzCase,
        features: telling.slice(0, mostFeatures).map(({ feature }) => feature),
        leads,
        slow: slowAt !== undefined && slowAt < end,
      });
    },
    pick(randomSource) {
      if (++picked >= refresh) reckon();
      let total = 0;
      for (const { energy } of kept) total += energy;
      let left = (randomSource.below(1_000_000) / 1_000_000) * total;
      // Rounding may leave a little at the end: then the last case is taken.
      let entry = kept.at(-1);
      for (const item of kept) {
        left -= item.energy;
        if (left > 0) continue;
        entry = item;
        break;
      }
      if (entry === undefined) return undefined;
      entry.picks++;
      entry.energy = energyOf(entry);
      return entry.case;
    },
    get isEager() {
      return leading.some(isDue);
    },
    get size() {
      return kept.length;
    },
  };
}
