// What may pass on impostors.

/** Checks of the card alone, which some impostors serve rightly. */
export const onCardAlone = [
  'xpr-account',
  'xpr-protocol',
  'xpr-registered-at',
  'xpr-trust-score',
  'xpr-kyc-level',
  'xpr-owner',
  'xpr-path',
];

export const others = [
  {
    check: 'xpr/error-envelope',
    impostors: ['card-and-right-refusals'],
    reason: 'The impostor is a reference agent without a chain, so its refusals are correct.',
  },
  {
    check: 'xpr/no-disclosure',
    impostors: ['card-and-right-refusals'],
    reason: 'Its refusals come from the reference agent and disclose nothing internal.',
  },
  {
    check: 'xpr/robust',
    impostors: ['card-and-right-refusals'],
    reason: 'It does answer every signed request, with an authentication error.',
  },
];
