import type { Dialect } from '../dialect/index.js';
import type { ErrorName, JsonObject } from '../model/index.js';

/** 0.3 §8.1, §8.2: the typical message of each error. */
const sentences: Readonly<Record<ErrorName, string>> = {
  ParseError: 'Invalid JSON payload',
  InvalidRequest: 'Invalid JSON-RPC Request',
  MethodNotFound: 'Method not found',
  InvalidParams: 'Invalid method parameters',
  InternalError: 'Internal server error',
  TaskNotFound: 'Task not found',
  TaskNotCancelable: 'Task cannot be canceled',
  PushNotificationNotSupported: 'Push Notification is not supported',
  UnsupportedOperation: 'This operation is not supported',
  ContentTypeNotSupported: 'Incompatible content types',
  InvalidAgentResponse: 'Invalid agent response type',
  ExtendedCardNotConfigured: 'Authenticated Extended Card not configured',
  ExtensionSupportRequired: 'Extension support is required',
  VersionNotSupported: 'Protocol version is not supported',
};

/** The agent refuses a call. Thrown by seams, answered as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly failure: ErrorName;
  constructor(failure: ErrorName, detail?: string) {
    super(detail === undefined ? sentences[failure] : `${sentences[failure]}: ${detail}`);
    this.name = 'RpcFailure';
    this.failure = failure;
  }
}

/** 0.3 §6.12. A version that does not define the name says "invalid request" instead. */
export const errorObject = (dialect: Dialect, failure: RpcFailure): JsonObject => ({
  code: dialect.codes[failure.failure] ?? dialect.codes.InvalidRequest ?? -32600,
  message: failure.message,
});
