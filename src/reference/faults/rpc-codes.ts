import { methodOf } from '../../dialect/index.js';
import type { ErrorName, JsonObject } from '../../model/index.js';
import { member } from '../../model/index.js';
import { mistaking, onError } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { jsonHeaders, peek } from '../http.js';
import { allBut } from '../variant.js';

const onFailure = (name: ErrorName, edit: (error: JsonObject) => JsonObject) =>
  onError((error, failure) => (failure === name ? edit(error) : error));

/** All profiles but XPR, whose document has neither code. */
const withCodes = allBut('xpr', 'xpr-v2');

export const rpcCodeFaults = [
  fault('err-reserved-code', {
    about: 'An unknown task has the code -32500, which JSON-RPC reserves.',
    breaks: ['rpc.reserved-codes', 'err.server-codes'],
    patch: onFailure('TaskNotFound', (error) => ({ ...error, code: -32500 })),
  }),
  fault('err-empty-message', {
    about: 'Error messages are empty.',
    breaks: ['err.message-text'],
    patch: onError((error) => ({ ...error, message: '' })),
  }),
  fault('err-blank-message', {
    about: 'The message of one error is blank.',
    breaks: ['err.message-text'],
    patch: onFailure('MethodNotFound', (error) => ({ ...error, message: ' \n' })),
  }),
  fault('err-push-code-for-unknown-task', {
    about: 'An unknown task is reported as missing push notifications.',
    breaks: ['err.code-meaning'],
    notOver: ['a2a-0.3-grpc'],
    profiles: withCodes,
    patch: mistaking('TaskNotFound', 'PushNotificationNotSupported', 'get'),
  }),
  fault('err-card-code-for-unknown-task', {
    about: 'An unknown task is reported as a missing extended card.',
    breaks: ['err.code-meaning'],
    notOver: ['a2a-0.3-grpc'],
    // 0.2 has no such code.
    profiles: ['a2a-0.3', 'a2a-1.0', 'terminal-bench', 'openclaw'],
    patch: mistaking('TaskNotFound', 'ExtendedCardNotConfigured', 'cancel'),
  }),
  fault('err-media-code-for-unknown-task', {
    about: 'An unknown task is reported as an unsupported media type.',
    breaks: ['err.code-meaning'],
    notOver: ['a2a-0.3-grpc'],
    profiles: withCodes,
    patch: mistaking('TaskNotFound', 'ContentTypeNotSupported', 'get'),
  }),
  fault('err-cancel-code-for-unknown-task', {
    about: 'A read of an unknown task is reported as a task that cannot be canceled.',
    breaks: ['err.code-meaning'],
    notOver: ['a2a-0.3-grpc'],
    patch: mistaking('TaskNotFound', 'TaskNotCancelable', 'get'),
  }),
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
  fault('err-unknown-task-for-credentials', {
    about: 'Every cancel is answered with HTTP 401 and the code of TaskNotFound.',
    breaks: ['err.code-meaning'],
    binding: 'jsonrpc',
    patch: (inner, { dialect }) => ({
      async serveRpc(request) {
        const sent = peek(request);
        if (member(sent, 'method') !== methodOf(dialect, 'cancel')) return inner.serveRpc(request);
        const error = { code: dialect.errors.TaskNotFound?.rpc, message: 'Sign in first' };
        const body = JSON.stringify({ jsonrpc: '2.0', id: member(sent, 'id') ?? null, error });
        return { status: 401, headers: [...jsonHeaders, ['www-authenticate', 'Bearer']], body };
      },
    }),
  }),
];
