export { type Agent, type AgentOptions, createAgent } from './agent.js';
export type { Fault } from './fault.js';
export { faults } from './faults/index.js';
export type { Impostor, ImpostorContext } from './impostor.js';
export { impostors } from './impostors/index.js';
export { type Resident, type Served, type ServeOptions, serveAgent } from './node-port.js';
export { assemble, type Incoming, type Patch, type Reply, type Seams, together, type World } from './seams.js';
export type { Variant } from './variant.js';
export { variants } from './variants/index.js';
