import type { Dialect } from '../dialect/index.js';
import { isObject, isString, type Operation } from '../model/index.js';
import type { Problem, World } from './seams.js';

// What 0.3 demands of params, member by member (§7.1.1, §7.3.1, §7.4.1, §6.4 to §6.6). Unknown members are nobody's concern.

type Rule = (value: unknown, path: string) => readonly Problem[];
const fits: readonly Problem[] = [];
const wrong = (path: string, about: string): readonly Problem[] => [{ path, about, failure: 'InvalidParams' }];

const being =
  (what: string, holds: (value: unknown) => boolean): Rule =>
  (value, path) =>
    holds(value) ? fits : wrong(path, `${path} must be ${what}`);

const aString = being('a string', isString);
const aBoolean = being('a boolean', (value) => typeof value === 'boolean');
const anObject = being('an object', isObject);
const aLength = being('a non-negative integer', (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const oneOf = (...words: readonly string[]): Rule =>
  being(`one of ${words.join(', ')}`, (value) => isString(value) && words.includes(value));

const arrayOf =
  (item: Rule, least = 0): Rule =>
  (value, path) => {
    if (!Array.isArray(value)) return wrong(path, `${path} must be an array`);
    if (value.length < least) return wrong(path, `${path} must not be empty`);
    return value.flatMap((one) => item(one, path));
  };

/** Members marked with `?` may be left out; null is a value like any other. */
const shape =
  (members: Readonly<Record<string, Rule>>): Rule =>
  (value, path) => {
    if (!isObject(value)) return wrong(path, `${path} must be an object`);
    return Object.entries(members).flatMap(([marked, rule]) => {
      const name = marked.replace('?', '');
      const at = path === 'params' ? name : `${path}.${name}`;
      if (Object.hasOwn(value, name)) return rule(value[name], at);
      return marked === name ? wrong(at, `${at} is missing`) : fits;
    });
  };

const fileContent: Rule = (value, path) => {
  const members = shape({ 'bytes?': aString, 'uri?': aString, 'name?': aString, 'mimeType?': aString })(value, path);
  if (members.length > 0 || !isObject(value)) return members;
  const one = Object.hasOwn(value, 'bytes') !== Object.hasOwn(value, 'uri');
  return one ? fits : wrong(path, `${path} must have either bytes or uri`);
};
const parts: Readonly<Record<string, Rule>> = {
  text: shape({ text: aString, 'metadata?': anObject }),
  file: shape({ file: fileContent, 'metadata?': anObject }),
  data: shape({ data: anObject, 'metadata?': anObject }),
};
const part: Rule = (value, path) => {
  if (!isObject(value)) return wrong(path, `${path} must hold objects`);
  const kind = value['kind'];
  const rule = isString(kind) && Object.hasOwn(parts, kind) ? parts[kind] : undefined;
  return rule === undefined ? wrong(`${path}.kind`, `${path}.kind must be one of text, file, data`) : rule(value, path);
};

const message = (messageIdRequired: boolean): Rule =>
  shape({
    role: oneOf('user', 'agent'),
    // AMB03-31: an empty message is refused here; both are tolerated of an agent.
    parts: arrayOf(part, 1),
    [messageIdRequired ? 'messageId' : 'messageId?']: aString,
    // AMB03-05: examples of the spec leave it out.
    'kind?': oneOf('message'),
    'contextId?': aString,
    'taskId?': aString,
    'referenceTaskIds?': arrayOf(aString),
    'extensions?': arrayOf(aString),
    'metadata?': anObject,
  });

const pushConfig = shape({ url: aString, 'id?': aString, 'token?': aString, 'authentication?': anObject });
const configuration = shape({
  'acceptedOutputModes?': arrayOf(aString),
  'historyLength?': aLength,
  'blocking?': aBoolean,
  'pushNotificationConfig?': pushConfig,
});

/** The dialect's name of the parameter that holds the id of a task. */
function idName(dialect: Dialect, op: 'get' | 'cancel'): string {
  const encoded = dialect.operations[op]?.params.encode({ id: '?' } as never);
  return (isObject(encoded) ? Object.keys(encoded)[0] : undefined) ?? 'id';
}

/** Paths are canonical: the id of a task is `id`, whatever the dialect calls it. */
const canonical = (problems: readonly Problem[], name: string): readonly Problem[] =>
  problems.map((problem) => (problem.path === name ? { ...problem, path: 'id' } : problem));

export function shapeProblems({ dialect, spelling }: World, op: Operation, wire: unknown): readonly Problem[] {
  switch (op) {
    case 'send':
    case 'stream':
      return shape({
        message: message(spelling.messageIdRequired),
        'configuration?': configuration,
        'metadata?': anObject,
      })(wire, 'params');
    case 'get': {
      const id = idName(dialect, op);
      return canonical(shape({ [id]: aString, 'historyLength?': aLength, 'metadata?': anObject })(wire, 'params'), id);
    }
    case 'cancel': {
      const id = idName(dialect, op);
      return canonical(shape({ [id]: aString, 'metadata?': anObject })(wire, 'params'), id);
    }
    default:
      // Methods without parameters may leave them out (§6.11.1).
      return wire === undefined ? fits : anObject(wire, 'params');
  }
}

/** 0.3 §8.2, -32005: a file of a type that the card does not list. A part that names no type is taken as it is. */
export function mediaProblems(inputModes: readonly string[], wire: unknown): readonly Problem[] {
  const sent = isObject(wire) && isObject(wire['message']) ? wire['message']['parts'] : undefined;
  if (!Array.isArray(sent)) return fits;
  return sent.flatMap((one): readonly Problem[] => {
    const file = isObject(one) && one['kind'] === 'file' ? one['file'] : undefined;
    const type = isObject(file) ? file['mimeType'] : undefined;
    if (!isString(type) || inputModes.includes(type.split(';')[0]?.trim().toLowerCase() ?? '')) return fits;
    return [{ path: 'message.parts.mimeType', about: type, failure: 'ContentTypeNotSupported' }];
  });
}
