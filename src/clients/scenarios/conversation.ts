import type { Scenario } from '../scenario.js';

export const conversationScenarios: readonly Scenario[] = [];
