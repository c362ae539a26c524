import type { Allowance } from './allowance.js';

export const xprAllowances: readonly Allowance[] = [
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
