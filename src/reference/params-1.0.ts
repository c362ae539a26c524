import { isObject, isString, type Operation } from '../model/index.js';
import type { Problem } from './calls.js';
import {
  aBoolean,
  aHeaderValue,
  aLength,
  anObject,
  anything,
  arrayOf,
  aString,
  aText,
  being,
  canonical,
  oneOf,
  type Rule,
  shapeWhere,
  wrong,
} from './rules.js';

// What 1.0 demands of params, in the terms of ProtoJSON: specification/a2a.proto, REQUIRED members and their types.

/** ProtoJSON: null is the same as nothing, except in a google.protobuf.Value. */
const shape = shapeWhere((value) => value !== null);

const contents = ['text', 'raw', 'url', 'data'];
const base64 = being('base64', (value) => isString(value) && /^[\w+/-]*={0,2}$/.test(value));
/** §4.1.6: exactly one of the contents; `data: null` is one. */
const part: Rule = (value, path) => {
  if (!isObject(value)) return wrong(path, `${path} must hold objects`);
  const given = contents.filter((name) => Object.hasOwn(value, name) && (value[name] !== null || name === 'data'));
  if (given.length !== 1) return wrong(`${path}.kind`, `${path} must hold exactly one of ${contents.join(', ')}`);
  return shape({
    'text?': aString,
    'raw?': base64,
    'url?': aString,
    'data?': anything,
    'filename?': aString,
    'mediaType?': aString,
    'metadata?': anObject,
  })(value, path);
};

/** §4.1.4 */
const message = shape({
  messageId: aText,
  role: oneOf('ROLE_USER', 'ROLE_AGENT'),
  parts: arrayOf(part, 1),
  'contextId?': aString,
  'taskId?': aString,
  'referenceTaskIds?': arrayOf(aString),
  'extensions?': arrayOf(aString),
  'metadata?': anObject,
});

/** §4.3.1, §4.3.2. Token and credentials become headers, so they must fit into one. */
const pushConfig = {
  url: aText,
  'id?': aString,
  'token?': aHeaderValue,
  'authentication?': shape({ scheme: aHeaderValue, 'credentials?': aHeaderValue }),
} as const;
const configuration = shape({
  'acceptedOutputModes?': arrayOf(aString),
  'historyLength?': aLength,
  'returnImmediately?': aBoolean,
  'taskPushNotificationConfig?': shape({ ...pushConfig, 'taskId?': aString, 'tenant?': aString }),
});
const states = [
  'UNSPECIFIED',
  'SUBMITTED',
  'WORKING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'INPUT_REQUIRED',
  'REJECTED',
  'AUTH_REQUIRED',
].map((name) => `TASK_STATE_${name}`);
/** google.protobuf.Timestamp in ProtoJSON: RFC 3339. */
const instant = being(
  'a timestamp of RFC 3339',
  (value) =>
    isString(value) &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
);
const pageSize = being(
  'an integer from 1 to 100',
  (size) => typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= 100,
);

const send = { message, 'configuration?': configuration, 'metadata?': anObject };
const rules: Readonly<Record<Operation, Readonly<Record<string, Rule>>>> = {
  send,
  stream: send,
  get: { id: aText, 'historyLength?': aLength },
  list: {
    'contextId?': aString,
    'status?': oneOf(...states),
    'pageSize?': pageSize,
    'pageToken?': aString,
    'historyLength?': aLength,
    'statusTimestampAfter?': instant,
    'includeArtifacts?': aBoolean,
  },
  cancel: { id: aText, 'metadata?': anObject },
  subscribe: { id: aText },
  pushSet: { taskId: aText, ...pushConfig },
  pushGet: { taskId: aText, id: aText },
  pushList: { taskId: aText, 'pageSize?': aLength, 'pageToken?': aString },
  pushDelete: { taskId: aText, id: aText },
  extendedCard: {},
};

const config = { id: 'configId' };
const sending = {
  'configuration.returnImmediately': 'configuration.blocking',
  'configuration.taskPushNotificationConfig': 'configuration.push',
};
const names: Readonly<Partial<Record<Operation, Readonly<Record<string, string>>>>> = {
  send: sending,
  stream: sending,
  list: { status: 'state', statusTimestampAfter: 'updatedAfter' },
  pushSet: Object.fromEntries(['id', 'url', 'token', 'authentication'].map((name) => [name, `config.${name}`])),
  pushGet: config,
  pushDelete: config,
};

export function problems10(op: Operation, wire: unknown): readonly Problem[] {
  // Empty params may be left out altogether.
  const params = wire === undefined && (op === 'list' || op === 'extendedCard') ? {} : wire;
  return canonical(shape({ ...rules[op], 'tenant?': aString })(params, 'params'), names[op] ?? {});
}

/** Values of members without presence that say the same as no member. */
const unset: ReadonlySet<unknown> = new Set(['', 'TASK_STATE_UNSPECIFIED', 'ROLE_UNSPECIFIED']);
/** Contents of a part, which are there when they are empty; what stands in the others is the user's. */
const kept: ReadonlySet<string> = new Set(['text', 'raw', 'metadata', 'data']);

/** §5.7, §8.4: in proto3 a text without presence that is empty is one that is not set, and printers may write it. */
export function given10(params: unknown): unknown {
  if (Array.isArray(params)) return params.map(given10);
  if (!isObject(params)) return params;
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]): [string, unknown][] =>
      kept.has(name) ? [[name, value]] : unset.has(value) ? [] : [[name, given10(value)]],
    ),
  );
}

/** §3.1.1: every part may name its type. */
export function mediaTypes10(wire: unknown): readonly string[] {
  const sent = isObject(wire) && isObject(wire['message']) ? wire['message']['parts'] : undefined;
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((item) => (isObject(item) && isString(item['mediaType']) ? [item['mediaType']] : []));
}
