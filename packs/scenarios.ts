import { paymentsScenarios } from './x402/clients/scenarios.js';
import { xprScenarios } from './xpr/clients/scenarios.js';

/** Scenarios of the packs that ship with the kit, for clients under test. */
export const bundledScenarios = [...paymentsScenarios, ...xprScenarios] as const;
