import type { JsonObject } from '../model/index.js';
import type { RpcFailure } from './failure.js';
import type { World } from './seams.js';

/** 0.3 §6.12, 1.0 §9.5. A version that does not define the name says "invalid request" instead. */
export function errorObject({ dialect, spelling }: World, failure: RpcFailure): JsonObject {
  const data = spelling.details(failure);
  return {
    code: dialect.errors[failure.failure]?.rpc ?? dialect.errors.InvalidRequest?.rpc ?? -32600,
    message: failure.message,
    ...(data === undefined ? {} : { data }),
  };
}
