export { defectsOf, type ExpectationDefect } from './defects.js';
export { demandsOf, type Expectation, type ExpectedAnswer, secretsOfExpectations } from './expectation.js';
export { createExpectPhase } from './phase.js';
