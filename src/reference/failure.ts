import { type ErrorName, errorMessages } from '../model/index.js';

/** The agent refuses a call. Thrown by seams, answered as a JSON-RPC error. */
export class RpcFailure extends Error {
  readonly failure: ErrorName;
  /** The parameter that is to blame, as the dialect calls it. */
  readonly field: string | undefined;
  constructor(failure: ErrorName, detail?: string, field?: string) {
    const { stackTraceLimit } = Error;
    // A refusal is an ordinary answer: no stack trace is needed.
    Error.stackTraceLimit = 0;
    super(detail === undefined ? errorMessages[failure] : `${errorMessages[failure]}: ${detail}`);
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
