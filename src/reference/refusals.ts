import { isTerminal, type Task } from '../model/index.js';
import type { Command } from './calls.js';
import { RpcFailure } from './failure.js';
import type { AgentTraits } from './spelling.js';

/** Why a task refuses a command in its present state; undefined: it takes it. */
export function refusalOf(
  command: Command,
  task: Task,
  { refusesFinished, finished: refused }: Pick<AgentTraits, 'refusesFinished' | 'finished'>,
): RpcFailure | undefined {
  const { state } = task.status;
  const finished = isTerminal(state);
  switch (command.op) {
    case 'cancel':
      return finished ? new RpcFailure('TaskNotCancelable') : undefined;
    case 'subscribe':
      return finished && refusesFinished ? new RpcFailure('UnsupportedOperation', `the task is ${state}`) : undefined;
    case 'send':
    case 'stream': {
      if (finished) return new RpcFailure(refused, `the task is ${state}`);
      const { contextId } = command.params.message;
      return contextId === undefined || contextId === task.contextId
        ? undefined
        : new RpcFailure('InvalidParams', 'message.contextId is not that of the task', 'message.contextId');
    }
    default:
      return undefined;
  }
}
