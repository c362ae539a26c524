import { isTerminal, type Task } from '../model/index.js';
import { RpcFailure } from './failure.js';
import type { Command } from './seams.js';

/** Why a task does not take a command in the state in which it is. */
export function refusalOf(command: Command, task: Task, refusesFinished: boolean): RpcFailure | undefined {
  const { state } = task.status;
  const finished = isTerminal(state);
  switch (command.op) {
    case 'cancel':
      return finished ? new RpcFailure('TaskNotCancelable') : undefined;
    case 'subscribe':
      return finished && refusesFinished ? new RpcFailure('UnsupportedOperation', `the task is ${state}`) : undefined;
    case 'send':
    case 'stream': {
      // §7.1 demands an error and names none (AMB03-04). The request itself is well-formed, so neither -32600 nor
      // -32602 fits; "a specific aspect of it (perhaps implied by parameters) is not supported" (§8.2) does, and
      // 1.0 §3.1.1 chose the same.
      if (finished) return new RpcFailure('UnsupportedOperation', `the task is ${state}`);
      const { contextId } = command.params.message;
      return contextId === undefined || contextId === task.contextId
        ? undefined
        : new RpcFailure('InvalidParams', 'message.contextId is not that of the task', 'message.contextId');
    }
    default:
      return undefined;
  }
}
