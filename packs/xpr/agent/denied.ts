import { RpcFailure } from '../../../src/reference/patching.js';

/**
 * The refusal of a caller who is not authenticated or not admitted. `detail` says nothing that a stranger must not
 * know.
 */
export const denied = (detail: string): RpcFailure => new RpcFailure('AuthenticationError', detail);
