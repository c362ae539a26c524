import { methodOf } from '../dialect/index.js';
import {
  type ErrorName,
  isObject,
  type JsonObject,
  type Operation,
  type StreamEvent,
  type Task,
  type TaskState,
} from '../model/index.js';
import type { WireRequest } from '../wire/index.js';
import type { Incoming, Outcome, Reply, RpcCall } from './calls.js';
import { RpcFailure } from './failure.js';
import { edited } from './paths.js';
import { type Places, placesOf } from './places.js';
import type { Patch } from './seams.js';

export { edited, set, without } from './paths.js';

// Short ways to write a patch. Paths name members with dots; `*` stands for every element of an array.

type Edit = (value: JsonObject) => unknown;

/** An edit that changes objects only. */
const objects =
  (edit: Edit) =>
  (value: unknown): unknown =>
    isObject(value) ? edit(value) : value;

/** Unknown ids skip the visibility check. */
export const seeingStrangers: Patch = (inner, { store }) => ({
  visible: (taskId, caller) => store.get(taskId) === undefined || inner.visible(taskId, caller),
});

/** The agent refuses an operation, by default as an unknown method. */
export const lacking =
  (op: Operation, failure: ErrorName = 'MethodNotFound'): Patch =>
  (inner) => ({
    operation(method) {
      const found = inner.operation(method);
      if (found === op) throw new RpcFailure(failure);
      return found;
    },
  });

/** The card right before the agent serves it. */
export const onCard =
  (edit: Edit): Patch =>
  (inner) => ({ cardDocument: () => objects(edit)(inner.cardDocument()) });

/** The wire result of one operation, or of every one. */
export const onResult =
  (op: Operation | 'any', edit: (wire: unknown, outcome: Outcome, call: RpcCall) => unknown): Patch =>
  (inner) => ({
    encode(outcome, call) {
      const wire = inner.encode(outcome, call);
      return op === 'any' || op === outcome.op ? edit(wire, outcome, call) : wire;
    },
  });

/** The task that a send is answered with, wherever the dialect puts it. */
export const onSentTask =
  (edit: (task: unknown, call: RpcCall) => unknown): Patch =>
  (inner, world) => ({
    encode(outcome, call) {
      const wire = inner.encode(outcome, call);
      if (outcome.op !== 'send' || outcome.result.type !== 'task') return wire;
      return edited(wire, world.spelling.wrapper.task, (task) => edit(task, call));
    },
  });

/** Every object of one kind that results and streamed events hold. */
const onEvery =
  (kind: keyof Places, edit: Edit): Patch =>
  (inner, world) => ({
    encode: (outcome, call) =>
      placesOf(outcome, world.spelling)[kind].reduce(
        (wire, path) => edited(wire, path, objects(edit)),
        inner.encode(outcome, call),
      ),
  });

/** Every Task that the agent sends out. */
export const onTask = (edit: Edit): Patch => onEvery('tasks', edit);

/** Every TaskStatus that the agent sends out. */
export const onStatus = (edit: Edit): Patch => onEvery('statuses', edit);

/** Every Artifact that the agent sends out. */
export const onArtifact = (edit: Edit): Patch => onEvery('artifacts', edit);

/** Every Message that is a result of its own. */
export const onMessageReply = (edit: Edit): Patch => onEvery('replies', edit);

/** Every Message that the agent sends out: results, status messages, history. */
export const onMessage = (edit: Edit): Patch => onEvery('messages', edit);

/** What is sent for one event of a stream, still canonical: nothing, it, or several. */
export const onEvent =
  (
    edit: (event: StreamEvent, call: RpcCall, index: number) => StreamEvent | readonly StreamEvent[] | undefined,
  ): Patch =>
  (inner) => ({
    streamEvent: (event, call, index) =>
      inner.streamEvent(event, call, index).flatMap((streamEvent) => edit(streamEvent, call, index) ?? []),
  });

/** What a webhook is sent; undefined: nothing. */
export const onNotification =
  (edit: (request: WireRequest) => WireRequest | undefined): Patch =>
  (inner) => ({
    notification(event, task, config) {
      const request = inner.notification(event, task, config);
      return request && edit(request);
    },
  });

/** Every Part that the agent sends out, in messages and artifacts. */
export const onPart =
  (edit: Edit): Patch =>
  (inner, world, whole) => {
    const inMessages = onMessage((message) => edited(message, 'parts.*', objects(edit)));
    const inArtifacts = onArtifact((artifact) => edited(artifact, 'parts.*', objects(edit)));
    return inArtifacts({ ...inner, ...inMessages(inner, world, whole) }, world, whole);
  };

/** Every JSON-RPC response object, success or error; `call` is absent where the envelope could not be read. */
export const onEnvelope =
  (edit: (response: JsonObject, call: RpcCall | undefined) => unknown): Patch =>
  (inner) => ({
    envelope(response, call) {
      const made = inner.envelope(response, call);
      return isObject(made) ? edit(made, call) : made;
    },
  });

/** Every error object, with the refusal that it reports. */
export const onError =
  (edit: (error: JsonObject, failure: ErrorName, call: RpcCall | undefined) => JsonObject): Patch =>
  (inner) => ({ error: (failure, call) => edit(inner.error(failure, call), failure.failure, call) });

/** One refusal reported as another, of one operation or of all. */
export const mistaking =
  (from: ErrorName, to: ErrorName, op: Operation | 'any' = 'any'): Patch =>
  (inner, { dialect }) => ({
    error(failure, call) {
      const meant = failure.failure === from && (op === 'any' || call?.method === methodOf(dialect, op));
      return inner.error(meant ? new RpcFailure(to) : failure, call);
    },
  });

/** Every HTTP answer, of the card, of the endpoint, or of both. */
export const onReply =
  (of: 'card' | 'endpoint' | 'any', edit: (reply: Reply, request: Incoming) => Reply | Promise<Reply>): Patch =>
  (inner, _, whole) => {
    if (of === 'endpoint') return { serveRpc: async (request) => edit(await inner.serveRpc(request), request) };
    return {
      async serve(request) {
        const reply = await inner.serve(request);
        return of === 'any' || whole.route(request) === of ? edit(reply, request) : reply;
      },
    };
  };

/** The params of an operation are accepted although something is wrong at `path`, or below it. */
export const overlooking =
  (op: Operation | 'any', path: string): Patch =>
  (inner) => ({
    problems(asked, wire) {
      const found = inner.problems(asked, wire);
      if (op !== 'any' && op !== asked) return found;
      return found.filter((problem) => problem.path !== path && !problem.path.startsWith(`${path}.`));
    },
  });

/** The same task in another state. */
export const moved = (task: Task, state: TaskState): Task => ({ ...task, status: { ...task.status, state } });

/** A refused request changes its task all the same; undefined: it does not change this one. */
export const behindRefusal =
  (op: Operation, edit: (task: Task) => Task | undefined): Patch =>
  (inner, { store }) => ({
    refusal(command, task) {
      const refused = inner.refusal(command, task);
      const changed = refused !== undefined && command.op === op ? edit(task) : undefined;
      if (changed !== undefined) store.put(changed);
      return refused;
    },
  });
