import type { Scenario } from '../scenario.js';

export const answersScenarios: readonly Scenario[] = [];
