import type { BindingId, ErrorName, Operation } from '../model/index.js';

/**
 * Verb and path of one operation in HTTP+JSON, relative to the base URL of the interface. `{id}` is the member `id` of
 * the params, percent-encoded; the other members are the query of a GET or DELETE, or the body of a POST.
 */
export interface HttpRoute {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /** The verb that another text of the version has. */
  readonly or?: 'GET';
  readonly path: string;
}

/** The names of one operation in the bindings. */
export interface OperationNames {
  /** Method of JSON-RPC. */
  readonly rpc: string;
  /** Left out: the version has no such operation over HTTP+JSON. */
  readonly http?: HttpRoute;
  /** Path of the method of gRPC: "/lf.a2a.v1.A2AService/GetTask". Left out: the version has no such method. */
  readonly grpc?: string;
}

/** The numbers of one error in the bindings. */
export interface ErrorNumbers {
  /** Code of JSON-RPC. */
  readonly rpc: number;
  /** Statuses of HTTP+JSON, those of every text of the version, and the reason in a google.rpc.ErrorInfo. */
  readonly http?: {
    readonly statuses: readonly number[];
    /** Left out: the status alone names the error. */
    readonly reason?: string;
    /** A reason that agents give where the version asks for none. */
    readonly usualReason?: string;
  };
  /** Status codes of gRPC, those of every text of the version; the reason is that of HTTP+JSON. */
  readonly grpc?: readonly number[];
}
export type ErrorTable = Readonly<Partial<Record<ErrorName, ErrorNumbers>>>;

/** The suffix that 1.0 §10.6 and §11.6 leave out of reasons, and some agents do not. */
export const reasonSuffix = '_ERROR';

/** The error that has this reason in a google.rpc.ErrorInfo, also where the agent adds the suffix. */
export function errorOfReason(reason: string | undefined, errors: ErrorTable): ErrorName | undefined {
  return (Object.keys(errors) as ErrorName[]).find((name) => {
    const { reason: own, usualReason } = errors[name]?.http ?? {};
    const named = own === undefined ? [usualReason] : [own, own + reasonSuffix, usualReason];
    return reason !== undefined && named.includes(reason);
  });
}

/** An operation that is to be called. */
export interface NativeCall {
  readonly operation: Operation;
  readonly endpoint: string;
  /** `undefined`: the version has no such operation, but the call asks for it anyway. */
  readonly names: OperationNames | undefined;
  /** As the version spells them; `undefined`: none are sent. */
  readonly params: unknown;
  /** Identifies an answer, in bindings that have such an id. */
  readonly id: unknown;
  /** Last change to the request object, in bindings that have one. */
  readonly edit?: ((request: Record<string, unknown>) => unknown) | undefined;
  /**
   * For how long the kit waits for the answer, ms, in bindings that announce it to the agent. Left out: the request
   * does not announce it.
   */
  readonly timeoutMs?: number | undefined;
}

/** A call right before the kit sends it, without the parts that the version and the caller add to every call. */
export interface NativeRequest {
  readonly method: string;
  readonly url: string;
  readonly contentType?: string;
  /** Left out: the binding has no such header. */
  readonly accept?: string;
  readonly body?: Uint8Array;
  /** Headers that the binding adds to the usual ones. */
  readonly headers?: readonly (readonly [string, string])[];
  /** It travels over HTTP/2. */
  readonly http2?: true;
  /** How it uses its connection, where that is unusual: over HTTP/2 only. */
  readonly manner?: Http2Manner;
  /** The kit sends the path literally, with its dot segments and odd escapes. */
  readonly asIs?: true;
}

/** As src/wire has it. Each such request has a connection of its own. */
export interface Http2Manner {
  /** So many streams with the same head are opened and reset before it. */
  readonly resets?: number;
  /** Bytes of an answer that the agent may send before it is allowed more. */
  readonly window?: number;
  /** Most bytes of its body in one frame. */
  readonly pieces?: number;
}

/** Why a call has no form in a binding: a path holds no number, a query no object. */
export interface Inexpressible {
  readonly inexpressible: string;
}

/** Where a JSON value stood. */
export interface ReplyPlace {
  /** HTTP status of the answer. */
  readonly status: number;
  /** It is the data of one event of a stream. */
  readonly isEvent: boolean;
}

/** An error in the form of the binding. */
export interface NativeError {
  /** The code of JSON-RPC as sent, even if it is not a number; undefined: none. */
  readonly code: unknown;
  /** It says in the form of the binding which error it is: by a number in JSON-RPC, by a status in HTTP+JSON. */
  readonly inForm: boolean;
  /** Its name in the version; undefined: the version does not define the code. */
  readonly name: ErrorName | undefined;
  /** Where it has no name: the errors that fit what it does say. Left out: none. */
  readonly fits?: readonly ErrorName[];
  /** Those of them for which the version asks for no more than the status. */
  readonly byStatus?: readonly ErrorName[];
  /** Where it has a name: the statuses that the version gives to the error. Left out: none. */
  readonly statuses?: readonly number[];
  readonly message: unknown;
  readonly data: unknown;
  readonly id: unknown;
  /** It says that the caller is unknown, or may not do this. Left out where the form of the binding cannot say so. */
  readonly denied?: 'credentials' | 'permission';
  /** It says that the agent is at its limit. */
  readonly isBusy?: true;
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
  /** Its name in cards (1.0 §4.4.6, 0.3 §5.5.5): "JSONRPC". */
  readonly transport: string;
  /** Fits its name in a card, of which only the letters a to z are left: other spellings are a fault, but mean it too. */
  readonly letters: RegExp;
  /** The name of an operation in it; undefined: a version with these names cannot be spoken over it. */
  nameOf(names: OperationNames): string | HttpRoute | undefined;
  /** To be awaited before the first call. Left out: nothing has to be loaded. */
  readonly load?: () => Promise<void>;
  /** The http(s) URL that an address means; undefined: it is none. Left out: addresses are URLs. */
  readonly urlOf?: (address: string) => string | undefined;
  /** It usually has a port of its own, which an agent has beside that of its card. */
  readonly hasOwnPort?: true;
  request(call: NativeCall): NativeRequest | Inexpressible;
  /** Whether this member of the params goes out as the JSON value that it is: a path and a query hold texts. */
  typed(member: string, names: OperationNames): boolean;
  /** Reads the JSON value of an answer, or of one event of a stream; undefined: it is neither a result nor an error. */
  said(reply: unknown, errors: ErrorTable, place: ReplyPlace): Said | undefined;
  /**
   * What a request is: one object with the params in it; a path, a query and a body; or a message of its method, in
   * bytes that are not text.
   */
  readonly requests: 'envelopes' | 'paths' | 'messages';
  /** An answer without a body, status 2xx, is a result without content. */
  readonly emptyIsResult: boolean;
  /** The verbs of its calls; what comes under another verb is answered by HTTP alone. */
  readonly verbs: ReadonlySet<string>;
  /** Error objects have the form of the schema of errors that the version has. */
  readonly hasErrorSchema: boolean;
  /** Results have an envelope, so that no other answer looks like one. */
  readonly hasEnvelope: boolean;
  /** Statuses by which a server says that it has no such operation, or perhaps no such task. */
  readonly missing: ReadonlySet<number>;
}

/** Operations that are answered with a stream of events. */
export const streamingOperations: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);

/** An error that is a word or a sentence where an object belongs: a refusal, though in an odd shape. */
export const isErrorText = (value: unknown): value is string => typeof value === 'string' && value !== '';
