import type { Dialect } from '../dialect/index.js';
import type {
  Card,
  JsonObject,
  ListQuery,
  Message,
  Operation,
  PushConfig,
  SecurityScheme,
  SendConfiguration,
  StreamEvent,
  Task,
  TaskPage,
} from '../model/index.js';
import type { SigningKey } from '../signing/index.js';
import type { Carrier, Clock, Header, WireRequest } from '../wire/index.js';
import type {
  Act,
  Command,
  GrpcCall,
  GrpcEnd,
  HttpCall,
  HttpReply,
  IdKind,
  Incoming,
  Outcome,
  Problem,
  Reply,
  Route,
  RpcCall,
  Script,
  StreamCommand,
} from './calls.js';
import type { RpcFailure } from './failure.js';
import type { AgentTraits } from './spelling.js';
import type { Store, TaskEvent } from './store.js';

// The seams of the reference agent. Faults and variants replace some of them and leave the rest alone.

export interface World {
  readonly dialect: Dialect;
  readonly spelling: AgentTraits;
  readonly clock: Clock;
  readonly store: Store;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The way to webhooks. Without one no notification is sent. */
  readonly outbound: Carrier | undefined;
}

/** Each calls the others through the patched set, so that wrapping one changes the agent everywhere. */
export interface Seams {
  // -- HTTP
  /** The whole agent: every answer comes out here. */
  serve(request: Incoming): Promise<Reply>;
  route(request: Incoming): Route;
  serveCard(request: Incoming): Promise<Reply> | Reply;
  serveRpc(request: Incoming): Promise<Reply>;
  /** The extended card, where it is fetched by a plain GET (0.2 §7.10). */
  serveExtendedCard(request: Incoming): Promise<Reply>;
  /** The public keys of the signatures of the card. */
  serveKeys(request: Incoming): Reply;
  httpStatus(response: unknown): number;
  /** JSON text of the card and of every JSON-RPC answer. */
  print(value: unknown): string | Uint8Array;

  // -- Callers, as the card declares them or as a pack knows them
  /**
   * The caller of a request; undefined where no caller needs to be known. Throws Unauthorized, and AuthenticationError
   * where each call shows its caller: that refusal answers a call, after its envelope was read.
   */
  authenticate(request: Incoming): Promise<string | undefined>;
  /** The caller that has these credentials. */
  account(scheme: SecurityScheme, credentials: string): string | undefined;
  /** The answer to a caller that is not known. */
  challenge(): Reply;
  /** Whether a caller may know of a task. */
  visible(taskId: string, caller: string | undefined): boolean;
  /** The steps that packs add, by the names of the packs. */
  readonly parts: Readonly<Record<string, unknown>>;

  // -- Card
  card(): Card;
  /** The card for a caller who is known. */
  extendedCard(caller: string): Card | undefined;
  /** The card as the dialect spells it, signed where there are keys. */
  cardDocument(): unknown;
  /** Keys that sign the card; served at `/.well-known/jwks.json`. */
  signingKeys(): readonly SigningKey[];

  // -- JSON-RPC
  /** Paths below the base URL at which JSON-RPC is served. */
  rpcPaths(): readonly string[];
  /** Throws ParseError. */
  parse(body: Uint8Array): unknown;
  /** The response to one parsed body; undefined when no answer is due. */
  answer(value: unknown, request: Incoming): Promise<unknown>;
  /** Throws InvalidRequest. */
  admit(value: unknown, request: Incoming): RpcCall;
  /** The version of the protocol that a call is made in. Throws VersionNotSupported. */
  negotiate(call: RpcCall): void;
  /** Declared extensions that a request asks for. They are named in the answer. */
  activated(request: Incoming): readonly string[];
  /** Throws ExtensionSupportRequired. */
  demandExtensions(call: RpcCall, op: Operation): void;
  /** The operation of a method name. Throws MethodNotFound, or the refusal due where the card declares no such thing. */
  operation(method: string): Operation;
  /** The error object of a refusal. */
  error(failure: RpcFailure, call: RpcCall | undefined): JsonObject;
  /** The final form of a response object, success or error; `call` is absent where the envelope could not be read. */
  envelope(response: JsonObject, call: RpcCall | undefined): unknown;

  // -- HTTP+JSON
  /** Paths below which HTTP+JSON is served, without a slash at the end. */
  httpBases(): readonly string[];
  /** One request below one of them. */
  serveHttp(request: Incoming): Promise<Reply>;
  /** The call of a verb and path; undefined: the path does not exist. Throws for a wrong verb, and for a wrong body. */
  httpCall(request: Incoming): HttpCall | undefined;
  /** What a result becomes, as an answer and in an event. */
  httpResult(result: unknown, call: HttpCall): HttpReply;
  /** What an error object becomes. */
  httpRefusal(error: JsonObject): HttpReply;
  /** Media type of answers. */
  httpType(): string;

  // -- gRPC
  /** Whether gRPC is served, at the root of the origin. */
  grpcServed(): boolean;
  /** One request of gRPC. */
  serveGrpc(request: Incoming): Promise<Reply>;
  /** The call of a request. Throws for a body that is not one message. */
  grpcCall(request: Incoming, op: Operation): GrpcCall;
  /** The bytes of a result as a message. */
  grpcMessage(result: unknown, call: GrpcCall): Uint8Array;
  /** A message on the wire, with its prefix. */
  grpcFrame(message: Uint8Array, call: GrpcCall): Uint8Array;
  /** What an error object becomes. */
  grpcRefusal(error: JsonObject): GrpcEnd;
  /** The headers of an answer; `headers`: those that the operation gives. */
  grpcHead(headers: readonly Header[]): readonly Header[];
  /** The headers that end a call. */
  grpcTrailers(end: GrpcEnd): readonly Header[];

  // -- Parameters and results
  /** What is wrong with the params; the first problem refuses the call. */
  problems(op: Operation, wire: unknown): readonly Problem[];
  /** Decodes valid params; throws the first problem. */
  command(op: Operation, wire: unknown): Command;
  execute(command: Command, call: RpcCall): Promise<Outcome>;
  /** The wire form of a result. */
  encode(outcome: Outcome, call: RpcCall): unknown;

  // -- Streams. There is one call for each stream, the same object from its beginning to its end.
  /** The events of a stream; a refusal is thrown before the stream begins. */
  stream(command: StreamCommand, call: RpcCall): Promise<AsyncIterable<StreamEvent>>;
  /** Which of the open streams of a task are sent an event, in this order. */
  audience(event: StreamEvent, calls: readonly RpcCall[]): readonly RpcCall[];
  /** What is sent for one event, the `index`th of its stream: nothing, it, or several. */
  streamEvent(event: StreamEvent, call: RpcCall, index: number): readonly StreamEvent[];
  /** Whether a stream ends after an event. */
  closes(event: StreamEvent, call: RpcCall): boolean;
  /** One JSON-RPC response as a server-sent event. */
  frame(text: string | Uint8Array, call: RpcCall): string | Uint8Array;
  /** The client went before its stream had ended. */
  abandoned(taskId: string, call: RpcCall): void;

  // -- Push notifications
  /** Whether a webhook may be called at all. */
  permitsWebhook(url: URL): boolean;
  /** Which configurations of a task get an event. */
  recipients(event: TaskEvent, task: Task): readonly PushConfig[];
  /** What a webhook is sent; undefined: nothing. */
  notification(event: TaskEvent, task: Task, config: PushConfig): WireRequest | undefined;
  /** One attempt to deliver. Never rejects. */
  deliver(request: WireRequest, config: PushConfig): Promise<void>;

  // -- Work
  /** One page of what a caller may see. Throws InvalidParams for an invalid page token. */
  page(tasks: readonly Task[], query: ListQuery): TaskPage;
  id(kind: IdKind): string;
  find(taskId: string, op: Operation): Task | undefined;
  /** Why a task refuses this command in its present state; undefined: it takes it. */
  refusal(command: Command, task: Task): RpcFailure | undefined;
  /** A new task for a message that names none. */
  create(message: Message): Task;
  /** What the agent does about a message; `task` is the waiting task that it continues. */
  script(message: Message, task: Task | undefined): Script;
  stamp(act: Act, task: Task): TaskEvent;
  /** The life cycle, pure: an illegal event returns the same task. */
  transition(task: Task, event: TaskEvent): Task;
  /** For how many milliseconds an answer waits for the task to settle. */
  patience(configuration: SendConfiguration | undefined): number;
  /** How many tasks are worked on at a time, at most; further ones stay submitted. */
  workers(): number;
  /** A task in an answer, with the history for which the client asked. */
  view(task: Task, historyLength: number | undefined): Task;
}

/** Wraps some seams; `inner` is the set before this patch, `whole` the finished one. */
export type Patch = (inner: Seams, world: World, whole: Seams) => Partial<Seams>;

/** What a pack makes of one agent, below all patches. */
export interface AgentChange {
  readonly spelling: Partial<AgentTraits>;
  readonly patch: Patch;
}
/** Makes the change anew for each agent. */
export type AgentPart = () => AgentChange;

/** Builds the seams. `base` gets the finished set, which is still empty while it is built. */
export function assemble(base: (whole: Seams) => Seams, world: World, patches: readonly Patch[]): Seams {
  const whole = {} as Seams;
  Object.assign(whole, base(whole));
  for (const patch of patches) Object.assign(whole, patch({ ...whole }, world, whole));
  return whole;
}

/** Several patches as one; later ones wrap earlier ones. */
export const together =
  (...patches: readonly Patch[]): Patch =>
  (inner, world, whole) => {
    const made: Partial<Seams> = {};
    for (const patch of patches) Object.assign(made, patch({ ...inner, ...made }, world, whole));
    return made;
  };
