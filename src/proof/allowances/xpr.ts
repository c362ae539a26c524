import type { Allowance } from './allowance.js';

export const xprAllowances: readonly Allowance[] = [
  {
    check: 'xpr/error-envelope',
    impostors: ['card-and-right-refusals'],
    reason: 'Behind it stands the reference agent, which cannot ask its chain: the refusals are really right.',
  },
  {
    check: 'xpr/no-disclosure',
    impostors: ['card-and-right-refusals'],
    reason: 'Its refusals are those of the reference agent, and show nothing of the inside.',
  },
  {
    check: 'xpr/robust',
    impostors: ['card-and-right-refusals'],
    reason: 'It does answer every signed request, with an authentication error.',
  },
];
