import type { Scenario } from '../scenario.js';

export const paymentsScenarios: readonly Scenario[] = [];
