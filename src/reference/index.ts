export { type Agent, type AgentOptions, createAgent } from './agent.js';
export { memoryArchive } from './archive.js';
export { bodyLimit } from './body-limit.js';
export type { HttpCall, Incoming, Reply, RpcCall, Script, Step } from './calls.js';
export { type Chain, type ChainOptions, createChain, isChainId, testChainId } from './chain/chain.js';
export { controlHandle } from './chain/control.js';
export { type ChainResident, chainResidents, residentKey, residentOwnerKey, residents } from './chain/residents.js';
export { edited, onCard, onEnvelope, onEvent, onReply, onResult, onStatus, set } from './edits.js';
export { facilitatorControlHandle } from './facilitator/control.js';
export { createFacilitator, type Facilitator, type FacilitatorOptions } from './facilitator/facilitator.js';
export { RpcFailure, Unauthorized } from './failure.js';
export type { Impostor, ImpostorContext } from './impostor.js';
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
  signedWith,
  testJwk,
} from './scenes.js';
export { assemble, type Patch, type Seams, together, type World } from './seams.js';
export type { Spelling } from './spelling.js';
export type { Archive, Keeping, StoreLimits } from './store.js';
export type { Upstream } from './upstream.js';
export type { Variant } from './variant.js';
export { allBindings } from './variants/all-bindings.js';
export { able, declaring } from './variants/declaring.js';
export { variants } from './variants/index.js';
export { kitWebhooks, testWebhookHosts, type WebhookHosts } from './webhooks.js';
export { merchant } from './x402/merchant.js';
export { believing, onX402, selling } from './x402/patches.js';
export { type MerchantSettings, type PaidSkill, usualMerchant } from './x402/settings.js';
export type { XprSettings } from './xpr/settings.js';
