import type { ErrorName } from '../model/index.js';

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
  AuthenticationError: 'Authentication failed',
};

/** The agent refuses a call. Thrown by seams, answered as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly failure: ErrorName;
  /** The parameter that is to blame, as the dialect calls it. */
  readonly field: string | undefined;
  constructor(failure: ErrorName, detail?: string, field?: string) {
    const { stackTraceLimit } = Error;
    // A refusal is an ordinary answer: no stack trace is needed.
    Error.stackTraceLimit = 0;
    super(detail === undefined ? sentences[failure] : `${sentences[failure]}: ${detail}`);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'RpcFailure';
    this.failure = failure;
    this.field = field;
  }
}

/** The caller is not known, and must be. Answered with HTTP 401, not with a JSON-RPC error. */
export class Unauthorized extends Error {
  constructor() {
    super('Credentials are required');
    this.name = 'Unauthorized';
  }
}
