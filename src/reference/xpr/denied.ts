import { RpcFailure } from '../failure.js';

/** The refusal of whoever is not, or may not be, the caller. `detail` says nothing that a stranger must not know. */
export const denied = (detail: string): RpcFailure => new RpcFailure('AuthenticationError', detail);
