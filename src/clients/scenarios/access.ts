import type { Scenario } from '../scenario.js';

export const accessScenarios: readonly Scenario[] = [];
