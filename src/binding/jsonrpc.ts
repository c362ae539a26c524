import { type ErrorName, isObject, member } from '../model/index.js';
import { type Binding, type ErrorTable, isErrorText, streamingOperations } from './binding.js';

const encoder = new TextEncoder();

function nameOf(code: unknown, errors: ErrorTable): ErrorName | undefined {
  for (const [name, known] of Object.entries(errors)) if (known.rpc === code) return name as ErrorName;
  return undefined;
}

/** JSON-RPC 2.0 over HTTP POST (A2A 1.0 §9, 0.3 §3.2.1). */
export const jsonrpc: Binding = {
  id: 'jsonrpc',
  title: 'JSON-RPC',
  transport: 'JSONRPC',
  letters: /^jsonrpc/,
  nameOf: ({ rpc }) => rpc,
  typed: () => true,
  emptyIsResult: false,
  verbs: new Set(['POST']),
  hasErrorSchema: true,
  hasEnvelope: true,
  requests: 'envelopes',
  missing: new Set(),
  request({ operation, endpoint, names, params, id, edit }) {
    const whole: Record<string, unknown> = { jsonrpc: '2.0', id, method: names?.rpc };
    if (params !== undefined) whole['params'] = params;
    const sent = edit === undefined ? whole : edit(whole);
    return {
      method: 'POST',
      url: endpoint,
      contentType: 'application/json',
      accept: streamingOperations.has(operation) ? 'text/event-stream, application/json' : 'application/json',
      body: encoder.encode(JSON.stringify(sent) ?? ''),
    };
  },
  said(reply, errors, { status }) {
    if (!isObject(reply)) return undefined;
    const { error } = reply;
    if (isObject(error)) {
      const code = member(error, 'code');
      return {
        type: 'error',
        error: {
          code,
          // HTTP+JSON has error objects too, with the status as their code (1.0 §11.6).
          inForm: typeof code === 'number' && (Object.hasOwn(reply, 'jsonrpc') || status < 400 || code !== status),
          name: nameOf(code, errors),
          message: member(error, 'message'),
          data: member(error, 'data'),
          id: member(reply, 'id'),
          wire: error,
        },
      };
    }
    // A refusal in an odd shape; a server of another kind says the same under an error status.
    if (isErrorText(error) && status < 400 && !Object.hasOwn(reply, 'result')) {
      const message = [error, member(reply, 'message')].filter(isErrorText).join(': ');
      const id = member(reply, 'id');
      return {
        type: 'error',
        error: { code: undefined, inForm: false, name: undefined, message, data: undefined, id, wire: reply },
      };
    }
    return Object.hasOwn(reply, 'result') ? { type: 'result', wire: reply['result'] } : undefined;
  },
};
