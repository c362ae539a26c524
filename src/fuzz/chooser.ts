import type { CampaignSettings } from './campaign-settings.js';
import type { Case } from './case.js';
import { createCorpus } from './corpus.js';
import type { Dice } from './dice.js';
import type { Generator } from './generator.js';
import type { Noted } from './novelty.js';

/** Decides what is tried next. */
export interface Chooser {
  choose(): Case;
  /** A case that brought something new, and what. */
  keep(found: Case, noted: Noted): void;
}

/** Share of cases that are near one that was kept: while there are some that lead on, and otherwise. */
const eagerShare = 0.6;
const nearShare = 0.15;
/** Of those, how many take parts of a second one. */
const spliceShare = 0.3;
const usualRaces = 0.05;

/** `countOf`: how often a feature of an answer was seen by now. */
export function createChooser(
  generator: Generator,
  dice: Dice,
  countOf: (feature: number) => number,
  { guided = true, races = usualRaces, corpus: given = [] }: CampaignSettings,
): Chooser {
  const corpus = createCorpus(countOf);
  let seeded = 0;
  function near(own: Dice): Case | undefined {
    const parent = corpus.pick(own);
    if (parent === undefined) return undefined;
    const other = own.chance(spliceShare) ? corpus.pick(own) : undefined;
    return generator.near(own, parent, other);
  }
  return {
    choose() {
      const stored = given[seeded++];
      if (stored !== undefined) return stored;
      // Dice of its own for each case: how many throws one takes changes nothing for the next.
      const own = dice.branch('case');
      // Races are few: they keep their share.
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
