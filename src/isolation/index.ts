export { canBeIsolated, inTime, type Patience, runIsolated } from './isolated.js';
