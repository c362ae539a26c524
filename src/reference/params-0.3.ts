import type { Dialect } from '../dialect/index.js';
import { isObject, isString, type Operation, taskStates } from '../model/index.js';
import type { Problem } from './calls.js';
import {
  aBoolean,
  aHeaderValue,
  aLength,
  anObject,
  arrayOf,
  aString,
  aText,
  being,
  canonical,
  fits,
  oneOf,
  type Rule,
  shapeWhere,
  wrong,
} from './rules.js';

// What 0.3 demands of params, member by member (§7.1.1, §7.3.1, §7.4.1, §6.4 to §6.10).

/** null is a value like any other. */
const shape = shapeWhere(() => true);

const fileContent: Rule = (value, path) => {
  const members = shape({ 'bytes?': aString, 'uri?': aString, 'name?': aString, 'mimeType?': aString })(value, path);
  if (members.length > 0 || !isObject(value)) return members;
  const item = Object.hasOwn(value, 'bytes') !== Object.hasOwn(value, 'uri');
  return item ? fits : wrong(path, `${path} must have either bytes or uri`);
};
const parts: Readonly<Record<string, Rule>> = {
  text: shape({ text: aString, 'metadata?': anObject }),
  file: shape({ file: fileContent, 'metadata?': anObject }),
  data: shape({ data: anObject, 'metadata?': anObject }),
};
const part =
  (tag: Strictness['partTag']): Rule =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, `${path} must hold objects`);
    const kind = value[tag];
    const rule = isString(kind) && Object.hasOwn(parts, kind) ? parts[kind] : undefined;
    if (rule !== undefined) return rule(value, path);
    return wrong(`${path}.${tag}`, `${path}.${tag} must be one of text, file, data`);
  };

/** The differences between the dialects near 0.3. */
export interface Strictness {
  readonly messageIdRequired: boolean;
  readonly partTag: 'kind' | 'type';
}

const message = ({ messageIdRequired, partTag }: Strictness): Rule =>
  shape({
    role: oneOf('user', 'agent'),
    // AMB03-31: an empty message is refused here; other agents may accept or refuse it.
    parts: arrayOf(part(partTag), 1),
    [messageIdRequired ? 'messageId' : 'messageId?']: aString,
    // AMB03-05: examples of the spec leave it out.
    'kind?': oneOf('message'),
    'contextId?': aString,
    'taskId?': aString,
    'referenceTaskIds?': arrayOf(aString),
    'extensions?': arrayOf(aString),
    'metadata?': anObject,
  });

/** Token and credentials become headers, so they must fit into one. */
const pushConfig = shape({
  url: aText,
  'id?': aString,
  'token?': aHeaderValue,
  'authentication?': shape({ schemes: arrayOf(aHeaderValue), 'credentials?': aHeaderValue }),
});
const configuration = shape({
  'acceptedOutputModes?': arrayOf(aString),
  'historyLength?': aLength,
  'blocking?': aBoolean,
  'pushNotificationConfig?': pushConfig,
});
const push = { 'configuration.pushNotificationConfig': 'configuration.push' };
/** Not in 0.3: what agents that list over JSON-RPC take. */
const listing = shape({
  'contextId?': aString,
  'status?': oneOf(...taskStates),
  'pageSize?': being(
    'an integer from 1 to 100',
    (size) => Number.isInteger(size) && Number(size) > 0 && Number(size) <= 100,
  ),
  'pageToken?': aString,
  'historyLength?': aLength,
  'lastUpdatedAfter?': aString,
  'includeArtifacts?': aBoolean,
});

/** The dialect's name of the parameter that holds the id of a task. */
function idName(dialect: Dialect, op: 'get' | 'cancel' | 'subscribe'): string {
  const encoded = dialect.operations[op]?.params.encode({ id: '?' } as never);
  return (isObject(encoded) ? Object.keys(encoded)[0] : undefined) ?? 'id';
}

export const problems03 =
  (strictness: Strictness) =>
  (op: Operation, wire: unknown, dialect: Dialect): readonly Problem[] => {
    const read = (members: Readonly<Record<string, Rule>>, names: Readonly<Record<string, string>> = {}) =>
      canonical(shape(members)(wire, 'params'), names);
    switch (op) {
      case 'send':
      case 'stream': {
        const members = { message: message(strictness), 'configuration?': configuration, 'metadata?': anObject };
        return read(
          members,
          strictness.partTag === 'kind' ? push : { ...push, 'message.parts.type': 'message.parts.kind' },
        );
      }
      case 'get':
      case 'cancel':
      case 'subscribe': {
        const id = idName(dialect, op);
        const more: Readonly<Record<string, Rule>> = op === 'get' ? { 'historyLength?': aLength } : {};
        return read({ [id]: aString, ...more, 'metadata?': anObject }, id === 'id' ? {} : { [id]: 'id' });
      }
      case 'pushSet':
        return read({ taskId: aString, pushNotificationConfig: pushConfig }, { pushNotificationConfig: 'config' });
      case 'pushGet':
      case 'pushList':
      case 'pushDelete': {
        // §7.6.1: without the id of a configuration any of the task's is meant (AMB03-13).
        const member = op === 'pushDelete' ? 'pushNotificationConfigId' : 'pushNotificationConfigId?';
        const names = { id: 'taskId', pushNotificationConfigId: 'configId' };
        return read({ id: aString, [member]: aString, 'metadata?': anObject }, names);
      }
      case 'list':
        return wire === undefined
          ? fits
          : canonical(listing(wire, 'params'), { status: 'state', lastUpdatedAfter: 'updatedAfter' });
      case 'extendedCard':
        // Methods without parameters may leave them out (§6.11.1).
        return wire === undefined ? fits : anObject(wire, 'params');
    }
  };

/** Types of the files of a message; the agent accepts a part that names no type. */
export function mediaTypes03(wire: unknown): readonly string[] {
  const sent = isObject(wire) && isObject(wire['message']) ? wire['message']['parts'] : undefined;
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((item): readonly string[] => {
    const file = isObject(item) && (item['kind'] ?? item['type']) === 'file' ? item['file'] : undefined;
    const type = isObject(file) ? file['mimeType'] : undefined;
    return isString(type) ? [type] : [];
  });
}
