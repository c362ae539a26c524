export { type Fleet, type FleetEntry, fileName, fleetSchema, wordFor, worstExit, worstFirst } from './fleet.js';
export { counted, fleetMarkdown, fleetPage } from './page.js';
export { pooled } from './pool.js';
