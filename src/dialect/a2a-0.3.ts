import type { TaskPushConfig } from '../model/index.js';
import { card } from './a2a-0.3-card.js';
import { list, nothing } from './codec.js';
import { dataModel } from './data-model.js';
import type { Dialect } from './dialect.js';

// A2A 0.3.0, JSON-RPC binding: https://github.com/a2aproject/A2A/tree/v0.3.0, docs/specification.md.

const {
  sendParams,
  sendReply,
  event,
  task,
  taskQuery,
  taskRef,
  taskPushConfig,
  pushRef,
  listQuery,
  taskPage,
  noParams,
} = dataModel({ partTag: 'kind', tagged: true });

export const a2a03: Dialect = {
  id: 'a2a-0.3',
  title: 'A2A 0.3.0 over JSON-RPC',
  ledger: 'a2a-0.3',
  schemas: 'a2a/0.3.0',
  cardPaths: ['/.well-known/agent-card.json', '/.well-known/agent.json', '/.well-known/agent-card', '/agent-card'],
  endpointPath: '',
  headers: [],
  extensionHeader: 'X-A2A-Extensions',
  finalFlag: true,
  card,
  operations: {
    send: { method: 'message/send', params: sendParams, result: sendReply },
    stream: { method: 'message/stream', params: sendParams, result: event },
    get: { method: 'tasks/get', params: taskQuery, result: task },
    list: { method: 'tasks/list', params: listQuery, result: taskPage },
    cancel: { method: 'tasks/cancel', params: taskRef, result: task },
    subscribe: { method: 'tasks/resubscribe', params: taskRef, result: event },
    pushSet: { method: 'tasks/pushNotificationConfig/set', params: taskPushConfig, result: taskPushConfig },
    pushGet: { method: 'tasks/pushNotificationConfig/get', params: pushRef, result: taskPushConfig },
    pushList: {
      method: 'tasks/pushNotificationConfig/list',
      params: pushRef,
      result: list<TaskPushConfig>(taskPushConfig),
    },
    pushDelete: { method: 'tasks/pushNotificationConfig/delete', params: pushRef, result: nothing },
    extendedCard: { method: 'agent/getAuthenticatedExtendedCard', params: noParams, result: card },
  },
  // §11.1.3 lists each push method as optional; without set and get there is nothing to declare (AMB03-33). It lists
  // tasks/resubscribe there too (AMB03-10).
  optional: ['pushList', 'pushDelete', 'subscribe'],
  codes: {
    ParseError: -32700,
    InvalidRequest: -32600,
    MethodNotFound: -32601,
    InvalidParams: -32602,
    InternalError: -32603,
    TaskNotFound: -32001,
    TaskNotCancelable: -32002,
    PushNotificationNotSupported: -32003,
    UnsupportedOperation: -32004,
    ContentTypeNotSupported: -32005,
    InvalidAgentResponse: -32006,
    ExtendedCardNotConfigured: -32007,
  },
};
