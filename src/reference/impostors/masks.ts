import { createAgent } from '../agent.js';
import { RpcFailure } from '../failure.js';
import { impostor } from '../impostor.js';
import { aMessage, aTask, behindCard, echo, error, json, result, text } from './answers.js';

/** A perfect card, and the same refusal for every call. */
const refusing = (id: string, code: number, message: string) =>
  impostor(id, {
    about: `A perfect card, and ${code} for every call.`,
    carrier: behindCard((request) => error(request, code, message)),
  });

/** Perfect cards with no agent behind them. Checks of the card alone pass on these, and rightly so. */
export const masks = [
  impostor('card-and-empty-200', {
    about: 'A perfect card, and HTTP 200 without a body for every call.',
    carrier: behindCard(() => ({ status: 200, headers: [], body: '' })),
  }),
  impostor('card-and-empty-object', {
    about: 'A perfect card, and {} for every call.',
    carrier: behindCard(() => json({})),
  }),
  impostor('card-and-empty-result', {
    about: 'A perfect card, and an empty result under the right id for every call.',
    carrier: behindCard((request) => result(request, {})),
  }),
  impostor('card-and-null-result', {
    about: 'A perfect card, and the result null under the right id for every call.',
    carrier: behindCard((request) => result(request, null)),
  }),
  impostor('card-and-echo', { about: 'A perfect card, and every call sent back.', carrier: behindCard(echo) }),
  impostor('card-and-html', {
    about: 'A perfect card, and a web page for every call.',
    carrier: behindCard(() => text(200, '<!doctype html><title>It works!</title>\n', 'text/html')),
  }),
  impostor('card-and-hang', {
    about: 'A perfect card, and no answer to any call.',
    carrier: behindCard(() => ({ status: 200, headers: [], body: '', fate: 'hang' })),
  }),
  impostor('card-and-one-task', {
    about: 'A perfect card, and the same completed task under the right id for every call.',
    carrier: behindCard((request, context) => result(request, aTask(context))),
  }),
  impostor('card-and-one-message', {
    about: 'A perfect card, and the same message under the right id for every call.',
    carrier: behindCard((request) => result(request, aMessage())),
  }),
  refusing('card-and-parse-error', -32700, 'Invalid JSON payload'),
  refusing('card-and-invalid-request', -32600, 'Invalid JSON-RPC Request'),
  refusing('card-and-method-not-found', -32601, 'Method not found'),
  refusing('card-and-invalid-params', -32602, 'Invalid method parameters'),
  refusing('card-and-internal-error', -32603, 'Internal server error'),
  refusing('card-and-task-not-found', -32001, 'Task not found'),
  refusing('card-and-rate-limit', -32000, 'Rate limit exceeded'),
  impostor('card-and-right-refusals', {
    about: 'A perfect card and every refusal right, but no send ever works.',
    carrier: (context) =>
      createAgent({
        ...context,
        patches: [
          (inner) => ({
            execute: async (command, call) => {
              const { op } = command;
              if (op === 'send' && command.params.message.taskId === undefined) throw new RpcFailure('InternalError');
              return inner.execute(command, call);
            },
          }),
        ],
      }).handle,
  }),
];
