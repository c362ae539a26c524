import type { Scenario } from '../scenario.js';

export const pushScenarios: readonly Scenario[] = [];
