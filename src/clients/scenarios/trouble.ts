import type { Scenario } from '../scenario.js';

export const troubleScenarios: readonly Scenario[] = [];
