import { type HttpRoute, jsonrpc } from '../binding/index.js';
import type { Operation, TaskPushConfig } from '../model/index.js';
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

/** §3.5.6, and the annotations of the proto. §3.5.6 has POST for a subscription, the proto GET (AMB03-10). */
const routes = {
  send: { verb: 'POST', path: '/v1/message:send' },
  stream: { verb: 'POST', path: '/v1/message:stream' },
  get: { verb: 'GET', path: '/v1/tasks/{id}' },
  list: { verb: 'GET', path: '/v1/tasks' },
  cancel: { verb: 'POST', path: '/v1/tasks/{id}:cancel' },
  subscribe: { verb: 'POST', or: 'GET', path: '/v1/tasks/{id}:subscribe' },
  pushSet: { verb: 'POST', path: '/v1/tasks/{taskId}/pushNotificationConfigs' },
  pushGet: { verb: 'GET', path: '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}' },
  pushList: { verb: 'GET', path: '/v1/tasks/{id}/pushNotificationConfigs' },
  pushDelete: { verb: 'DELETE', path: '/v1/tasks/{id}/pushNotificationConfigs/{pushNotificationConfigId}' },
  extendedCard: { verb: 'GET', path: '/v1/card' },
} as const satisfies Readonly<Record<Operation, HttpRoute>>;

export const a2a03: Dialect<'a2a-0.3', never> = {
  id: 'a2a-0.3',
  version: 'a2a-0.3',
  protocolVersion: '0.3.0',
  title: 'A2A 0.3.0 over JSON-RPC',
  binding: jsonrpc,
  ledger: 'a2a-0.3',
  clientLedger: 'client-0.3',
  schemas: 'a2a/0.3.0',
  cardPaths: ['/.well-known/agent-card.json', '/.well-known/agent.json', '/.well-known/agent-card', '/agent-card'],
  endpointPath: '',
  headers: [],
  extensionHeader: 'X-A2A-Extensions',
  finalFlag: true,
  pays: true,
  card,
  operations: {
    send: { rpc: 'message/send', http: routes.send, params: sendParams, result: sendReply },
    stream: { rpc: 'message/stream', http: routes.stream, params: sendParams, result: event },
    get: { rpc: 'tasks/get', http: routes.get, params: taskQuery, result: task },
    list: { rpc: 'tasks/list', http: routes.list, params: listQuery, result: taskPage },
    cancel: { rpc: 'tasks/cancel', http: routes.cancel, params: taskRef, result: task },
    subscribe: { rpc: 'tasks/resubscribe', http: routes.subscribe, params: taskRef, result: event },
    pushSet: {
      rpc: 'tasks/pushNotificationConfig/set',
      http: routes.pushSet,
      params: taskPushConfig,
      result: taskPushConfig,
    },
    pushGet: { rpc: 'tasks/pushNotificationConfig/get', http: routes.pushGet, params: pushRef, result: taskPushConfig },
    pushList: {
      rpc: 'tasks/pushNotificationConfig/list',
      http: routes.pushList,
      params: pushRef,
      result: list<TaskPushConfig>(taskPushConfig),
    },
    pushDelete: {
      rpc: 'tasks/pushNotificationConfig/delete',
      http: routes.pushDelete,
      params: pushRef,
      result: nothing,
    },
    extendedCard: {
      rpc: 'agent/getAuthenticatedExtendedCard',
      http: routes.extendedCard,
      params: noParams,
      result: card,
    },
  },
  // §11.1.3 lists each push method as optional; without set and get there is nothing to declare (AMB03-33). It lists
  // tasks/resubscribe there too (AMB03-10).
  optional: ['pushList', 'pushDelete', 'subscribe'],
  // §3.2.3 asks for fitting statuses and lists none, and no codes of gRPC: those that agents are known to use.
  errors: {
    ParseError: { rpc: -32700, http: { statuses: [400] } },
    InvalidRequest: { rpc: -32600, http: { statuses: [400] } },
    MethodNotFound: { rpc: -32601, grpc: [12], http: { statuses: [405, 501] } },
    InvalidParams: { rpc: -32602, grpc: [3], http: { statuses: [400, 422] } },
    InternalError: { rpc: -32603, grpc: [13, 2], http: { statuses: [500] } },
    TaskNotFound: { rpc: -32001, grpc: [5], http: { statuses: [404] } },
    TaskNotCancelable: { rpc: -32002, grpc: [9, 12], http: { statuses: [400, 409] } },
    PushNotificationNotSupported: { rpc: -32003, grpc: [12], http: { statuses: [400, 501] } },
    UnsupportedOperation: { rpc: -32004, grpc: [12], http: { statuses: [400, 501] } },
    ContentTypeNotSupported: { rpc: -32005, grpc: [3], http: { statuses: [400, 415] } },
    InvalidAgentResponse: { rpc: -32006, grpc: [13], http: { statuses: [500, 502] } },
    ExtendedCardNotConfigured: { rpc: -32007, grpc: [9, 12], http: { statuses: [400] } },
  },
};
