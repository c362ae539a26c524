import type { ProfileId } from '../dialect/index.js';
import { faults } from './faults/index.js';
import type { Patch } from './seams.js';
import { variants } from './variants/index.js';

/** Several faults at once, by the ids of each: an agent as there are some. */
export interface Preset {
  readonly id: string;
  /** For people. */
  readonly about: string;
  readonly profile: ProfileId;
  readonly faults: readonly string[];
  /** What the faults stand on, where the plain agent does not show them. */
  readonly variant?: string;
}

export const presets: readonly Preset[] = [
  {
    id: 'upstream-g1',
    about: 'All that the published starter agent did when its document was written.',
    profile: 'xpr',
    faults: [],
  },
];

/** The patches of a preset: the variant first, the faults in their order. Throws for an id that nothing has. */
export function patchesOf({ id, faults: named, variant }: Preset): readonly Patch[] {
  const find = <One extends { readonly id: string }>(all: readonly One[], wanted: string): One => {
    const found = all.find((one) => one.id === wanted);
    if (found === undefined) throw new Error(`preset ${id}: there is no ${wanted}`);
    return found;
  };
  return [
    ...(variant === undefined ? [] : [find(variants, variant).patch]),
    ...named.map((one) => find(faults, one).patch),
  ];
}
