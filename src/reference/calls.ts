import type { ErrorName, JsonObject, Operation, Operations, Part, TaskState } from '../model/index.js';
import type { Header, StopSignal, WireRequest } from '../wire/index.js';

/** A request, with the signal by which its sender gives up. */
export interface Incoming extends WireRequest {
  readonly signal: StopSignal;
  /** The caller, once it is known; undefined: no particular caller. */
  readonly caller?: string | undefined;
  /** The binding that it came over, where that is not JSON-RPC. */
  readonly over?: 'http+json' | 'grpc';
}

export interface Reply {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** What happens instead of the answer, or in the middle of it; `cut` sends half of the body and then resets. */
  readonly fate?: 'hang' | 'reset' | 'cut';
  /** Headers after the body, once it has ended: over HTTP/2 only. */
  readonly trailers?: () => readonly Header[];
}

/** A valid envelope. `id` is absent on a notification (JSON-RPC 2.0 §4.1). */
export interface RpcCall {
  readonly id?: unknown;
  readonly method: string;
  readonly params: unknown;
  readonly request: Incoming;
}

/** One operation with its decoded parameters; `op` gives the type of both. */
export type Command = { [Op in Operation]: { readonly op: Op; readonly params: Operations[Op]['params'] } }[Operation];
export type Outcome = { [Op in Operation]: { readonly op: Op; readonly result: Operations[Op]['result'] } }[Operation];

/** A command that is answered with a stream of events. */
export type StreamCommand = Extract<Command, { readonly op: 'stream' | 'subscribe' }>;

/** What is wrong with the params of a call. `path` is canonical and without indices: `message.parts.kind`. */
export interface Problem {
  readonly path: string;
  /** The same place in the names of the dialect, where they differ. */
  readonly field?: string;
  readonly about: string;
  readonly failure: ErrorName;
}

/** What the agent does next, before ids and times are known. */
export type Act =
  | { readonly type: 'status'; readonly state: TaskState; readonly say?: string }
  | {
      readonly type: 'artifact';
      readonly name: string;
      readonly parts: readonly Part[];
      /** Continues the newest artifact of that name. */
      readonly append?: boolean;
      readonly lastChunk?: boolean;
    };
/** `afterMs` counts from the step before. */
export interface Step {
  readonly afterMs: number;
  readonly act: Act;
}
export type Script =
  | { readonly reply: 'task'; readonly steps: readonly Step[] }
  | { readonly reply: 'message'; readonly afterMs: number; readonly parts: readonly Part[] };

export type IdKind = 'task' | 'context' | 'message' | 'artifact' | 'config';
export type Route = 'card' | 'extended-card' | 'endpoint' | 'http-json' | 'grpc' | 'keys' | 'nowhere';

/** A call over HTTP+JSON: the operation of its path and verb, and its params as the dialect spells them. */
export interface HttpCall {
  readonly op: Operation;
  readonly params: JsonObject;
}

/** An answer over HTTP+JSON; undefined: without a body. */
export interface HttpReply {
  readonly status: number;
  readonly value: unknown;
}

/** A call over gRPC: the operation of its path, and its params as the dialect spells them. */
export interface GrpcCall extends HttpCall {
  /** Of the method: "/lf.a2a.v1.A2AService/GetTask". */
  readonly path: string;
}

/** How a call over gRPC ends. */
export interface GrpcEnd {
  readonly code: number;
  /** Empty: none is sent. */
  readonly message: string;
  /** Those of a google.rpc.Status, each with its `@type`. */
  readonly details?: readonly JsonObject[];
}
