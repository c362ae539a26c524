import type { Case } from '../case/case.js';
import type { Generator } from '../generate/generator.js';
import type { RandomSource } from '../generate/random-source.js';
import type { CampaignSettings } from './campaign-settings.js';
import { createCorpus } from './corpus.js';
import type { Noted } from './novelty.js';

/** Chooses the next case. */
export interface Chooser {
  choose(): Case;
  /** Keeps a case that showed something new. `noted`: what was new. */
  keep(found: Case, noted: Noted): void;
}

/** Share of cases made from a kept one: while some kept cases lead on, and otherwise. */
const eagerShare = 0.6;
const nearShare = 0.15;
/** Share of those that take parts of a second kept case. */
const spliceShare = 0.3;
const usualRaces = 0.05;

/** `countOf`: how often a feature of an answer was seen so far. */
export function createChooser(
  generator: Generator,
  randomSource: RandomSource,
  countOf: (feature: number) => number,
  { guided = true, races = usualRaces, corpus: given = [] }: CampaignSettings,
): Chooser {
  const corpus = createCorpus(countOf);
  let seeded = 0;
  function near(own: RandomSource): Case | undefined {
    const parent = corpus.pick(own);
    if (parent === undefined) return undefined;
    const other = own.chance(spliceShare) ? corpus.pick(own) : undefined;
    return generator.near(own, parent, other);
  }
  return {
    choose() {
      const stored = given[seeded++];
      if (stored !== undefined) return stored;
      // Each case has its own randomSource: the number of throws for one case changes nothing for the next.
      const own = randomSource.branch('case');
      // Races are few, so their share is decided first.
      if (own.chance(races)) return generator.race(own);
      const first = generator.first?.(own);
      if (first !== undefined) return first;
      if (guided && own.chance(corpus.isEager ? eagerShare : nearShare)) return near(own) ?? generator.fresh(own);
      return generator.fresh(own);
    },
    keep(found, noted) {
      if (!guided) return;
      corpus.add(found, noted);
      for (const { name } of noted.fresh) if (name !== undefined) generator.remember(name);
    },
  };
}
