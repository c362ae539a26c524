export { type Agent, createAgent } from './agent.js';
export { memoryArchive } from './archive.js';
export { bodyLimit } from './body-limit.js';
export type { HttpCall, Incoming, Reply, Script, Step } from './calls.js';
export { edited, onCard, onEnvelope, onReply, onResult, onStatus, set } from './edits.js';
export { RpcFailure } from './failure.js';
export type { Impostor } from './impostor.js';
export { impostors } from './impostors/index.js';
export { testKey } from './keys.js';
export { type Resident, type Served, type ServeOptions, serveAgent } from './node-port.js';
export {
  extendedWith,
  extendedWithForeignSignature,
  knowing,
  type MakeInterface,
  offering,
  rewritten,
  servedAt,
  signedByKeyInHeader,
  signedFirstByAnother,
  signedWith,
  signedWithNothing,
  testJwk,
} from './scenes.js';
export { type AgentPart, type Patch, type Seams, together, type World } from './seams.js';
export type { Archive, StoreLimits } from './store.js';
export type { Upstream } from './upstream.js';
export type { Variant } from './variant.js';
export { allBindings } from './variants/all-bindings.js';
export { able, declaring } from './variants/declaring.js';
export { variants } from './variants/index.js';
export { kitWebhooks } from './webhooks.js';
