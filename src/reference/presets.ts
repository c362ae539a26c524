import type { ProfileId } from '../dialect/index.js';
import { faults } from './faults/index.js';
import type { Patch } from './seams.js';
import { variants } from './variants/index.js';

/** Several faults at once, by their ids: an agent like some that exist. */
export interface Preset {
  readonly id: string;
  /** For people. */
  readonly about: string;
  readonly profile: ProfileId;
  readonly faults: readonly string[];
  /** The variant in which the faults show, where the plain agent does not show them. */
  readonly variant?: string;
}

/** What the published starter agent did when its document was written. */
const upstream = [
  'xpr-timestamps-joined',
  'xpr-timestamp-parsed',
  'xpr-signature-published-parser',
  'xpr-threshold-ignored',
  'xpr-body-decoded-first',
  'xpr-refusal-quotes-chain',
  'xpr-replays-taken',
  'xpr-foreign-send-is-denied',
  'xpr-restarts-completed',
  'cancel-completes-later',
  'xpr-gates-off',
  'xpr-invalid-json-page',
  'xpr-large-body-page',
  'xpr-content-type-page',
];

export const presets: readonly Preset[] = [
  {
    id: 'upstream-g1',
    about: 'All that the published starter agent did when its document was written.',
    profile: 'xpr',
    // HTTP servers refuse headers of 16 KiB by themselves.
    variant: 'xpr-small-headers',
    faults: upstream,
  },
  {
    id: 'upstream-g1-optional',
    about: 'The same, but it accepts unsigned requests, and trusts the caller that they name.',
    profile: 'xpr',
    variant: 'xpr-optional',
    faults: [
      'xpr-unsigned-account-believed',
      'xpr-empty-signature-is-identity',
      'xpr-unsigned-owner-shown',
      'xpr-anonymous-unlimited',
    ],
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
