export { type CallTarget, callHere } from './call.js';
export { cleanError } from './clean-error.js';
export { readIdentity } from './identity.js';
export { checkNetwork } from './network.js';
export type { DeviceRequest, OAuthTarget } from './oauth.js';
export { type FuzzTarget, type JudgedTarget, loadAhead, runHere, type TargetOptions } from './run-here.js';
export { type WebhookTarget, webhooksFor } from './webhooks.js';
