import type { Scenario } from '../scenario.js';

export const listsScenarios: readonly Scenario[] = [];
