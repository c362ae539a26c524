import type { Case } from './case.js';
import type { Dice } from './dice.js';
import type { Noted } from './novelty.js';

interface Kept {
  readonly case: Case;
  /** What it was the first to show. */
  readonly features: readonly number[];
  /** It was granted something new. */
  readonly leads: boolean;
  /** It takes long, each time. */
  readonly slow: boolean;
  picks: number;
  /** As it was last reckoned. */
  energy: number;
}

/** Inputs that brought an answer which none had brought before. */
export interface Corpus {
  add(kept: Case, noted: Noted): void;
  /** One of them: what leads on, is new and shows rare things comes first. undefined: there is none. */
  pick(dice: Dice): Case | undefined;
  /** There are some that lead on, are rare, and were not followed enough by now. */
  readonly isEager: boolean;
  readonly size: number;
}

/** What leads on is followed so often before anything else. */
const follows = 16;
/** What was seen elsewhere more often is met by fresh cases as well. */
const common = 8;
/** What was only refused, beside what was granted something. */
const shallow = 0.2;
/** What is to be followed, beside what was. */
const eager = 20;
/** What waits for the agent, beside what is answered as usual: many others are tried meanwhile. */
const waiting = 0.2;
/** How common things are is looked up again after so many picks. */
const refresh = 16;
/** Of what one case was the first to show. */
const mostFeatures = 16;

/**
 * A bounded corpus. `countOf`: how often a feature was seen by now. The same additions and dice give the same choices.
 */
export function createCorpus(countOf: (feature: number) => number, capacity = 192): Corpus {
  const kept: Kept[] = [];
  /** How often the rarest thing that it shows was seen elsewhere. */
  const elsewhere = ({ features, picks }: Kept): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const feature of features) least = Math.min(least, countOf(feature));
    return Math.max(1, least - picks);
  };
  const mayBeDue = ({ leads, slow, picks }: Kept): boolean => leads && !slow && picks < follows;
  const isDue = (one: Kept): boolean => mayBeDue(one) && elsewhere(one) <= common;
  const energyOf = (one: Kept): number => {
    const { case: found, leads, slow, picks } = one;
    const seen = elsewhere(one);
    const worth = (leads ? (mayBeDue(one) && seen <= common ? eager : 1) : shallow) * (slow ? waiting : 1);
    // What was tried often and is common by now is left alone, but never for good. Long cases cost more requests.
    return (worth * (Math.sqrt(1 / seen) + 0.02)) / (1 + picks / 4) / (2 + found.steps.length);
  };
  let picked = 0;
  /** Those that may be due: few of many, and asked for at each choice. */
  let leading: readonly Kept[] = [];
  /** Of all, which is most of the work of a choice. */
  function reckon(): void {
    for (const one of kept) one.energy = energyOf(one);
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
    add(one, { fresh, slowAt }) {
      const granted = fresh.filter((feature) => feature.granted);
      const leads = granted.length > 0;
      const telling = leads ? granted : fresh;
      // What came after it has no part in it.
      const end = 1 + Math.min(...telling.map(({ step }) => step));
      keep({
        case: end < one.steps.length ? { ...one, steps: one.steps.slice(0, end) } : one,
        features: telling.slice(0, mostFeatures).map(({ feature }) => feature),
        leads,
        slow: slowAt !== undefined && slowAt < end,
      });
    },
    pick(dice) {
      if (++picked >= refresh) reckon();
      let total = 0;
      for (const { energy } of kept) total += energy;
      let left = (dice.below(1_000_000) / 1_000_000) * total;
      // Sums of fractions may leave a little at the end.
      let entry = kept.at(-1);
      for (const one of kept) {
        left -= one.energy;
        if (left > 0) continue;
        entry = one;
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
