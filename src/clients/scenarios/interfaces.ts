import type { Scenario } from '../scenario.js';

export const interfacesScenarios: readonly Scenario[] = [];
