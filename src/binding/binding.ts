import type { ErrorName, Operation } from '../model/index.js';

export type BindingId = 'jsonrpc' | 'http+json' | 'grpc';

/** The names of one operation in the bindings. */
export interface OperationNames {
  /** Method of JSON-RPC. */
  readonly rpc: string;
}

/** The numbers of one error in the bindings. */
export interface ErrorNumbers {
  /** Code of JSON-RPC. */
  readonly rpc: number;
}
export type ErrorTable = Readonly<Partial<Record<ErrorName, ErrorNumbers>>>;

/** An operation that is to be called. */
export interface NativeCall {
  readonly operation: Operation;
  readonly endpoint: string;
  /** `undefined`: the version has no such operation, but the call asks for it anyway. */
  readonly names: OperationNames | undefined;
  /** As the version spells them; `undefined`: none are sent. */
  readonly params: unknown;
  /** Tells answers apart, in bindings that have such an id. */
  readonly id: unknown;
  /** Last change to the request object, in bindings that have one. */
  readonly edit?: ((request: Record<string, unknown>) => unknown) | undefined;
}

/** A call as it is sent, without the parts that the version and the caller add to every call. */
export interface NativeRequest {
  readonly method: string;
  readonly url: string;
  readonly contentType?: string;
  readonly accept: string;
  readonly body?: Uint8Array;
}

/** An error in the form of the binding. */
export interface NativeError {
  /** The code as sent, even if it is no number; undefined: none. */
  readonly code: unknown;
  /** Its name in the version; undefined: the version does not define the code. */
  readonly name: ErrorName | undefined;
  readonly message: unknown;
  readonly data: unknown;
  readonly id: unknown;
  /** The error as it came, for schemas. */
  readonly wire: Readonly<Record<string, unknown>>;
}

/** The content of a reply. */
export type Said =
  | { readonly type: 'result'; readonly wire: unknown }
  | { readonly type: 'error'; readonly error: NativeError };

/** How operations travel: everything that is the same for every version of A2A. A plain value. */
export interface Binding {
  readonly id: BindingId;
  /** For people: "JSON-RPC". */
  readonly title: string;
  request(call: NativeCall): NativeRequest;
  /** Reads the JSON value of an answer, or of one event of a stream; undefined: it is neither a result nor an error. */
  said(reply: unknown, errors: ErrorTable): Said | undefined;
}
