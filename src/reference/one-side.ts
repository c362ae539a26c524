import type { BindingId } from '../dialect/index.js';
import { methodOf } from '../dialect/index.js';
import type { ErrorName, Message, Operation, Part, StreamEvent, Task } from '../model/index.js';
import type { Command, Incoming, Outcome, RpcCall } from './calls.js';
import { RpcFailure } from './failure.js';
import type { Patch, World } from './seams.js';

// Short ways to write a patch that changes the agent over one of its bindings, and leaves it alone over the others.

/** Whether a request came over a binding. */
export const cameOver = ({ over }: Incoming, binding: BindingId): boolean => (over ?? 'jsonrpc') === binding;

const isOver = ({ request }: RpcCall, binding: BindingId): boolean => cameOver(request, binding);

/** The commands that come over a binding, before they are carried out. */
export const asking =
  (binding: BindingId, edit: (command: Command) => Command): Patch =>
  (inner) => ({
    execute: (command, call) => inner.execute(isOver(call, binding) ? edit(command) : command, call),
    stream: (command, call) => inner.stream(isOver(call, binding) ? (edit(command) as typeof command) : command, call),
  });

/** The message of each send over a binding. */
export const saying = (binding: BindingId, edit: (message: Message) => Message): Patch =>
  asking(binding, (command) =>
    command.op === 'send' || command.op === 'stream'
      ? { ...command, params: { ...command.params, message: edit(command.params.message) } }
      : command,
  );

/** The results over a binding, still canonical; events of streams too. */
export const showing =
  (binding: BindingId, edit: (outcome: Outcome, call: RpcCall) => Outcome): Patch =>
  (inner) => ({
    async execute(command, call) {
      const outcome = await inner.execute(command, call);
      return isOver(call, binding) ? edit(outcome, call) : outcome;
    },
    streamEvent(event, call, index) {
      const events = inner.streamEvent(event, call, index);
      if (!isOver(call, binding)) return events;
      return events.map((event) => edit({ op: 'subscribe', result: event }, call).result as StreamEvent);
    },
  });

function withTasks(outcome: Outcome, edit: (task: Task) => Task): Outcome {
  switch (outcome.op) {
    case 'get':
    case 'cancel':
      return { ...outcome, result: edit(outcome.result) };
    case 'list':
      return { ...outcome, result: { ...outcome.result, tasks: outcome.result.tasks.map(edit) } };
    case 'send':
    case 'stream':
    case 'subscribe':
      return outcome.result.type === 'task'
        ? ({ ...outcome, result: { type: 'task', task: edit(outcome.result.task) } } as Outcome)
        : outcome;
    default:
      return outcome;
  }
}

/** Each task that is shown over a binding. */
export const showingTasks = (binding: BindingId, edit: (task: Task) => Task): Patch =>
  showing(binding, (outcome) => withTasks(outcome, edit));

/** Each message of a history that is shown over a binding. */
export const showingHistory = (binding: BindingId, edit: (message: Message) => Message): Patch =>
  showingTasks(binding, (task) => (task.history === undefined ? task : { ...task, history: task.history.map(edit) }));

/** Each part of them. */
export const showingParts = (binding: BindingId, edit: (part: Part) => Part): Patch =>
  showingHistory(binding, (message) => ({ ...message, parts: message.parts.map(edit) }));

/** One operation over a binding, carried out in another way; `usual` is the right one. */
export const doing =
  (
    binding: BindingId,
    op: Operation,
    act: (command: Command, usual: () => Promise<Outcome>, world: World) => Outcome | Promise<Outcome>,
  ): Patch =>
  (inner, world) => ({
    async execute(command, call) {
      if (command.op !== op || !isOver(call, binding)) return inner.execute(command, call);
      return act(command, () => inner.execute(command, call), world);
    },
  });

/** One operation that is refused over a binding. */
export const refusingOver = (binding: BindingId, op: Operation, failure: ErrorName): Patch =>
  op === 'stream' || op === 'subscribe'
    ? (inner) => ({
        stream(command, call) {
          if (command.op === op && isOver(call, binding)) throw new RpcFailure(failure);
          return inner.stream(command, call);
        },
      })
    : doing(binding, op, () => {
        throw new RpcFailure(failure);
      });

/** A refusal over a binding, reported as another: of one operation, or of all. */
export const misnaming =
  (binding: BindingId, from: ErrorName, to: ErrorName, op: Operation | 'any' = 'any'): Patch =>
  (inner, { dialect }) => ({
    error(failure, call) {
      const isMeant =
        call !== undefined &&
        isOver(call, binding) &&
        failure.failure === from &&
        (op === 'any' || call.method === methodOf(dialect, op));
      return inner.error(isMeant ? new RpcFailure(to) : failure, call);
    },
  });
