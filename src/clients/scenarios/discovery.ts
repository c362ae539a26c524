import type { Scenario } from '../scenario.js';

export const discoveryScenarios: readonly Scenario[] = [];
