import type { Dialect } from '../../dialect/index.js';
import { dialectById } from '../../dialect/index.js';
import { isObject, isString, member, type Operation } from '../../model/index.js';
import { paramsOf } from '../generate/places.js';
import { isUsable, kindOf } from '../mutate/wire-mutations.js';
import { placesOf, translated } from './canonical.js';
import { type CallStep, type Case, type Edit, type Value, type WireMutation, withCalls } from './case.js';
import { isInPath } from './in-path.js';
import { pointerTo, stepsOf, withAt } from './pointer.js';
import { mapValue, specialOf } from './values.js';

// Translates a case into another dialect: params are decoded and encoded again, and edits and wire mutations move to the place
// with the same meaning.

/** A case, or why it cannot be translated. */
export type Transcoded = { readonly case: Case } | { readonly reason: string };

class Unsayable extends Error {}

const placeholder = '\u0001tck:';

/** Params that codecs can read: texts in place of short forms, and lists of one item in place of long ones. */
interface Plain {
  readonly value: unknown;
  readonly texts: readonly Value[];
  /** Pointers of shortened lists, below params. */
  readonly lists: readonly { readonly at: string; readonly times: number }[];
}

function plainOf(params: Value): Plain {
  const texts: Value[] = [];
  const lists: { at: string; times: number }[] = [];
  const plain = (value: Value, steps: readonly (string | number)[]): unknown => {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((item: Value, at) => plain(item, [...steps, at]));
    const special = specialOf(value);
    if (special?.is === 'list') {
      lists.push({ at: pointerTo(steps), times: special.times });
      return [plain(special.item, [...steps, 0])];
    }
    if (special !== undefined) {
      texts.push(value);
      return `${placeholder}${texts.length - 1}`;
    }
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member, [...steps, name])]));
  };
  return { value: plain(params, []), texts, lists };
}

/** Leaves out undefined members, which JSON does not have. */
function asValue(value: unknown): Value {
  if (Array.isArray(value)) return value.map(asValue);
  if (!isObject(value)) return value as Value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, asValue(member)]])),
  );
}

function paramsIn(from: Dialect, to: Dialect, step: CallStep): Value | undefined {
  const { operation, params } = step;
  const target = to.operations[operation];
  const isThere = target !== undefined && target.url === undefined && to.binding.nameOf(target) !== undefined;
  if (!isThere || paramsOf(to, operation) === undefined) {
    throw new Unsayable(`${to.title} has no method for ${operation}`);
  }
  const plain = params === undefined ? undefined : plainOf(params);
  const decoded = plain === undefined ? undefined : from.operations[operation]?.params.decode(plain.value);
  if (plain !== undefined && decoded === undefined) throw new Unsayable(`the params of ${operation} cannot be read`);
  const encoded = target.params.encode(completed(decoded ?? {}, to, operation) as never);
  if (encoded === undefined) return undefined;
  let made = mapValue(asValue(encoded), (value) => {
    if (!isString(value) || !value.startsWith(placeholder)) return undefined;
    return plain?.texts[Number(value.slice(placeholder.length))];
  });
  // Inner lists first: an outer one repeats them.
  for (const { at, times } of [...(plain?.lists ?? [])].reverse()) {
    const theirs = translated(from, to, operation, at);
    const item = theirs === undefined ? undefined : itemAt(made, theirs);
    const next = item === undefined ? undefined : withAt(made, theirs ?? '', { $list: [item, times] });
    if (next === undefined) throw new Unsayable(`no place exists for ${at}`);
    made = next;
  }
  return made;
}

/**
 * Adds what the target dialect demands and the other may lack: ids of messages and configurations, the type of a file.
 */
function completed(params: unknown, to: Dialect, operation: Operation): unknown {
  const isNamed = operation === 'pushGet' || operation === 'pushDelete';
  if (isNamed && isObject(params) && params['configId'] === undefined && namesConfig(to, operation)) {
    return { ...params, configId: 'tck-config' };
  }
  const message = member(params, 'message');
  if (!isObject(params) || !isObject(message)) return params;
  const messageId = message['messageId'] === '' ? 'tck-transcoded' : message['messageId'];
  const typed = paramsOf(to, 'send')?.places.some(({ path, required }) => required && path.endsWith('/file/mimeType'));
  const parts = message['parts'];
  const whole = (part: unknown): unknown =>
    member(part, 'kind') === 'file' && member(part, 'mediaType') === undefined
      ? { ...Object(part), mediaType: 'text/plain' }
      : part;
  const made = typed === true && Array.isArray(parts) ? parts.map(whole) : parts;
  return { ...params, message: { ...message, messageId, parts: made } };
}

/** Whether the id of a configuration is required, as in 1.0 (§3.1.8), and in a path. */
const namesConfig = (to: Dialect, operation: Operation): boolean => {
  const [path] = placesOf(to, operation).spelled.get('/configId') ?? [];
  if (path !== undefined && isInPath(to, operation, path.slice(1))) return true;
  return paramsOf(to, operation)?.places.some((place) => place.path === path && place.required) ?? false;
};

function itemAt(value: Value, pointer: string): Value | undefined {
  let at: unknown = value;
  for (const step of stepsOf(pointer)) at = isObject(at) || Array.isArray(at) ? (at as never)[step] : undefined;
  return Array.isArray(at) ? (at[0] as Value | undefined) : undefined;
}

const paramsPrefix = '/params';

function pointerIn(from: Dialect, to: Dialect, step: CallStep, pointer: string): string {
  if (pointer !== paramsPrefix && !pointer.startsWith(`${paramsPrefix}/`)) {
    if (to.binding.requests === 'envelopes') return pointer;
    throw new Unsayable(`${to.title} has nothing around the params, where ${pointer || 'the whole request'} would be`);
  }
  const found = translated(from, to, step.operation, pointer.slice(paramsPrefix.length));
  if (found === undefined) throw new Unsayable(`${to.title} has no place for ${pointer} of ${step.operation}`);
  return `${paramsPrefix}${found}`;
}

function editIn(from: Dialect, to: Dialect, step: CallStep, edit: Edit): Edit {
  const { value } = edit;
  const isMethod = edit.at === '/method' && isString(value);
  const known = isMethod ? Object.entries(from.operations).find(([, codec]) => codec.rpc === value) : undefined;
  const method = known === undefined ? undefined : to.operations[known[0] as CallStep['operation']]?.rpc;
  if (known !== undefined && method === undefined) throw new Unsayable(`${to.title} has no method for ${known[0]}`);
  return { ...edit, at: pointerIn(from, to, step, edit.at), ...(method === undefined ? {} : { value: method }) };
}

function wireMutationIn(from: Dialect, to: Dialect, step: CallStep, trick: WireMutation): WireMutation {
  const made = isString(trick['at']) ? { ...trick, at: pointerIn(from, to, step, trick['at']) } : trick;
  if (kindOf(trick) !== undefined && !isUsable(made, to, step.operation)) {
    throw new Unsayable(`a ${step.operation} of ${to.title} has nothing for the trick ${trick.trick}`);
  }
  return made;
}

function callIn(from: Dialect, to: Dialect, step: CallStep): CallStep {
  const { params: _, ...rest } = step;
  const params = paramsIn(from, to, step);
  return {
    ...rest,
    ...(params === undefined ? {} : { params }),
    ...(step.edits === undefined ? {} : { edits: step.edits.map((edit) => editIn(from, to, step, edit)) }),
    ...(step.tricks === undefined ? {} : { tricks: step.tricks.map((trick) => wireMutationIn(from, to, step, trick)) }),
  };
}

/** The case as a client of the other dialect would send it. */
export function transcode(source: Case, to: Dialect): Transcoded {
  if (source.dialect === to.id) return { case: source };
  const from = dialectById(source.dialect);
  if (from === undefined) return { reason: `unknown dialect ${source.dialect}` };
  try {
    return { case: { ...withCalls(source, (call) => callIn(from, to, call)), dialect: to.id } };
  } catch (error) {
    if (error instanceof Unsayable) return { reason: error.message };
    throw error;
  }
}
