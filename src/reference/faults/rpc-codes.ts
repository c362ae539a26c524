import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';

export const rpcCodeFaults = [
  fault('err-unknown-task-for-new-message', {
    about: 'A message that names no task is refused as naming an unknown one.',
    breaks: ['err.code-meaning'],
    patch: (inner) => ({
      async execute(command, call) {
        if (command.op === 'send' && command.params.message?.taskId === undefined) throw new RpcFailure('TaskNotFound');
        return inner.execute(command, call);
      },
    }),
  }),
];
