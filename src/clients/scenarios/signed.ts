import type { Scenario } from '../scenario.js';

export const signedScenarios: readonly Scenario[] = [];
