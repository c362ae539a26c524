import type { Allowance } from './allowance.js';

export const authAllowances: readonly Allowance[] = [
  {
    check: 'auth/challenge*',
    impostors: ['unauthorized'],
    reason: 'Each of its 401 names Bearer in WWW-Authenticate, which is what the sentence asks for.',
  },
];
