import { type Binding, grpc } from '../binding/index.js';
import { isObject, type JsonObject, type Operation } from '../model/index.js';
import { a2a03 } from './a2a-0.3.js';
import { a2a10 } from './a2a-1.0.js';
import type { Dialect, OperationTable } from './dialect.js';
import { paramsFrom, paramsTo, resultFrom, resultTo } from './proto-0.3.js';
import { cardFrom, cardTo } from './proto-0.3-card.js';
import { operationsInProto } from './rest.js';

// The versions over gRPC. What they send and read here is ProtoJSON: the binding makes bytes of it.

type Methods = Readonly<Partial<Record<Operation, string>>>;

/** 0.3.0: the names of the proto; those of the table in §3.5.6 differ (AMB03-17). */
const methods03: Methods = {
  send: 'SendMessage',
  stream: 'SendStreamingMessage',
  get: 'GetTask',
  cancel: 'CancelTask',
  subscribe: 'TaskSubscription',
  pushSet: 'CreateTaskPushNotificationConfig',
  pushGet: 'GetTaskPushNotificationConfig',
  pushList: 'ListTaskPushNotificationConfig',
  pushDelete: 'DeleteTaskPushNotificationConfig',
  extendedCard: 'GetAgentCard',
};

/** The operations that a version has over gRPC, with the paths of their methods: left out, they are those of JSON-RPC. */
function over(operations: OperationTable, service: string, methods?: Methods): OperationTable {
  const named = Object.entries(operations).flatMap(([name, codec]) => {
    const method = methods === undefined ? codec.rpc : methods[name as Operation];
    const { url: _, ...rest } = codec as typeof codec & { readonly url?: unknown };
    return method === undefined ? [] : [[name, { ...rest, grpc: `/${service}/${method}` }] as const];
  });
  return Object.fromEntries(named) as unknown as OperationTable;
}

/** A2A 1.0 §10: service parameters are metadata in lower case (§10.2), the methods those of §10.3. */
export const a2a10Grpc: Dialect<'a2a-1.0-grpc', never> = {
  ...a2a10,
  id: 'a2a-1.0-grpc',
  derivedFrom: [a2a10],
  title: 'A2A 1.0 over gRPC',
  ledger: 'a2a-1.0-grpc',
  binding: grpc,
  headers: a2a10.headers.map(([name, value]) => [name.toLowerCase(), value]),
  extensionHeader: a2a10.extensionHeader.toLowerCase(),
  operations: over(a2a10.operations, 'lf.a2a.v1.A2AService'),
};

const task = (id: unknown): string => `tasks/${String(id)}`;
const config = (id: unknown, of: unknown): string => `${task(of)}/pushNotificationConfigs/${String(id)}`;

/** Names of resources in the place of ids (0.3 specification/grpc/a2a.proto). Ids that are not texts stay unchanged. */
function resourcesOf(params: JsonObject, operation: Operation): JsonObject {
  const { id, taskId, ...rest } = params;
  const ids = [id, taskId, rest['configId'], rest['pushNotificationConfigId']];
  if (ids.some((id) => id !== undefined && typeof id !== 'string')) return params;
  switch (operation) {
    case 'get':
    case 'cancel':
    case 'subscribe':
      return id === undefined ? params : { name: task(id), ...rest };
    case 'pushGet':
    case 'pushDelete': {
      const { pushNotificationConfigId, ...others } = rest;
      return { name: config(pushNotificationConfigId ?? '', id), ...others };
    }
    case 'pushList':
      return id === undefined ? params : { parent: task(id), ...rest };
    case 'pushSet': {
      const { config: inner, ...others } = rest;
      const own = isObject(inner) ? inner : {};
      return { ...others, config: { name: config(rest['configId'] ?? '', taskId), ...own } };
    }
    default:
      return params;
  }
}

/** What the name of a task or of a configuration says. An id may hold any letter. */
function namedBy(name: string, isOfConfig: boolean): { readonly of?: string; readonly config?: string } {
  const words = '/pushNotificationConfigs/';
  if (!name.startsWith('tasks/')) return {};
  const rest = name.slice('tasks/'.length);
  const at = isOfConfig ? rest.lastIndexOf(words) : -1;
  if (at >= 0) return { of: rest.slice(0, at), config: rest.slice(at + words.length) };
  return rest === '' ? {} : { of: rest };
}

/** The params of a new configuration: its task is the parent, its id stands beside it. */
function settingOf({ parent, configId, config }: JsonObject): JsonObject {
  const { of } = namedBy(String(parent ?? ''), false);
  const inner = isObject(config) ? config['pushNotificationConfig'] : undefined;
  const given = isObject(inner) && configId !== undefined && configId !== '' ? { id: configId, ...inner } : inner;
  return {
    ...(of === undefined ? {} : { taskId: of }),
    ...(given === undefined ? {} : { pushNotificationConfig: given }),
  };
}

/** The ids of names of resources; names that are none leave them out. */
function idsOf(params: JsonObject, operation: Operation): JsonObject {
  const { name, parent, ...rest } = params;
  const isOfConfig = operation === 'pushGet' || operation === 'pushDelete';
  const { of, config } = namedBy(String(name ?? parent ?? ''), isOfConfig);
  const id = of === undefined ? {} : { id: of };
  switch (operation) {
    case 'get':
    case 'cancel':
    case 'subscribe':
    case 'pushList':
      return { ...id, ...rest };
    case 'pushGet':
    case 'pushDelete':
      return { ...id, ...(config === undefined ? {} : { pushNotificationConfigId: config }), ...rest };
    default:
      return params;
  }
}

/** A flag without presence: a configuration that does not have it says false. */
function withFlag({ configuration, ...rest }: JsonObject): JsonObject {
  if (!isObject(configuration)) return configuration === undefined ? rest : { ...rest, configuration };
  return { ...rest, configuration: { blocking: false, ...configuration } };
}

/** Params that came as ProtoJSON, as the dialect spells them. */
export const grpcParamsFrom = ({ version }: Dialect, json: JsonObject, operation: Operation): JsonObject =>
  version !== 'a2a-0.3'
    ? json
    : operation === 'pushSet'
      ? settingOf(json)
      : withFlag(idsOf(paramsFrom(json, operation), operation));

/** A result of the dialect in ProtoJSON. */
export function grpcResultTo({ version }: Dialect, wire: unknown, operation: Operation): unknown {
  if (version !== 'a2a-0.3') return wire;
  return operation === 'extendedCard' ? cardTo(wire) : resultTo(wire, operation);
}

const isCard = (wire: unknown): boolean => isObject(wire) && isObject(wire['capabilities']);

/** Sends ProtoJSON and reads it, where the dialect has the spelling of the JSON schema. */
const inProto: Binding = {
  ...grpc,
  request(call) {
    const { params, operation } = call;
    // A name is made of an id that is a text; any other has no form.
    const isOdd =
      operation === 'pushSet' && isObject(params) && !['string', 'undefined'].includes(typeof params['taskId']);
    const proto = isOdd ? params : paramsTo(params, operation);
    return grpc.request({ ...call, params: isObject(proto) ? resourcesOf(proto, operation) : proto });
  },
  said(reply, errors, place) {
    const said = grpc.said(reply, errors, place);
    return said?.type === 'result'
      ? { ...said, wire: isCard(said.wire) ? cardFrom(said.wire) : resultFrom(said.wire) }
      : said;
  },
};

/** A2A 0.3.0 §3.2.2 */
export const a2a03Grpc: Dialect<'a2a-0.3-grpc', never> = {
  ...a2a03,
  id: 'a2a-0.3-grpc',
  derivedFrom: [a2a03],
  title: 'A2A 0.3.0 over gRPC',
  ledger: 'a2a-0.3-grpc',
  binding: inProto,
  operations: over(operationsInProto, 'a2a.v1.A2AService', methods03),
};
