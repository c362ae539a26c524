import type { Preset } from '../../../fixtures/faults/shared/preset.js';

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

export const xprPresets: readonly Preset[] = [
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
