import { bundledKinds, paymentDocuments } from '../../packs/documents.js';
import { type Dialect, lineage } from '../dialect/index.js';
import { isObject, isString, member } from '../model/index.js';
import { isCardLike } from '../run/index.js';

/** Every kind of document that is judged alone, for people. */
export const kindTitles = {
  card: 'an agent card',
  task: 'a task',
  message: 'a message',
  part: 'a part',
  artifact: 'an artifact',
  event: 'an event of a stream',
  'push-config': 'a push notification config',
  ...bundledKinds,
} as const;
export type DocumentKind = keyof typeof kindTitles;
export const documentKinds = Object.keys(kindTitles) as readonly DocumentKind[];

/** The schema of a kind, below the folder of the dialect; undefined: the kind has one schema for every version. */
export function schemaOf(kind: DocumentKind, value: unknown, dialect: Dialect): string | undefined {
  switch (kind) {
    case 'card':
      return 'agent-card.schema.json';
    case 'event':
      return 'rpc.schema.json#/$defs/stream.result';
    case 'push-config':
      return !lineage(dialect).includes('a2a-1.0') && member(value, 'pushNotificationConfig') !== undefined
        ? 'push-config.schema.json#/$defs/of-task'
        : 'push-config.schema.json';
    case 'task':
    case 'message':
    case 'part':
    case 'artifact':
      return `${kind}.schema.json`;
    default:
      return undefined;
  }
}

/** A kind that was found out, and where in the text its document stands. */
export interface FoundKind {
  readonly kind: DocumentKind;
  /** JSON pointer; '' unless the document stands in an envelope. */
  readonly at: string;
  /** For people: "it has parts". */
  readonly because: string;
}

const tags: Readonly<Record<string, DocumentKind>> = {
  task: 'task',
  message: 'message',
  'status-update': 'event',
  'artifact-update': 'event',
  text: 'part',
  file: 'part',
  data: 'part',
};
const wrappers = ['task', 'message', 'statusUpdate', 'artifactUpdate'];
const contents = ['text', 'file', 'data', 'raw', 'url'];

const has = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => member(value, name) !== undefined);

/** Kinds that cannot be mistaken for another one. */
function marked(value: unknown): readonly [kind: DocumentKind, because: string] | undefined {
  if (!isObject(value)) return undefined;
  const payment = paymentDocuments.marked(value);
  if (payment !== undefined) return payment;
  const tag = member(value, 'kind');
  const tagged = isString(tag) && Object.hasOwn(tags, tag) ? tags[tag] : undefined;
  if (tagged !== undefined) return [tagged, `its kind is "${String(tag)}"`];
  const wrapper = wrappers.find((name) => isObject(value[name]));
  if (wrapper !== undefined && Object.keys(value).length <= 2) return ['event', `it holds ${wrapper}`];
  if (has(value, 'pushNotificationConfig')) return ['push-config', 'it has pushNotificationConfig'];
  if (has(value, 'taskId') && (has(value, 'status') || has(value, 'artifact')))
    return ['event', 'it has a taskId and an update'];
  if (isObject(value['status'])) return ['task', 'it has a status'];
  if (has(value, 'artifactId')) return ['artifact', 'it has an artifactId'];
  if (has(value, 'parts') || has(value, 'messageId')) return ['message', 'it has the members of a message'];
  return undefined;
}

/** Kinds that the kit recognizes by a few members only. */
function likely(value: unknown): readonly [kind: DocumentKind, because: string] | undefined {
  if (!isObject(value)) return undefined;
  if (has(value, 'url') && (has(value, 'token') || has(value, 'authentication')))
    return ['push-config', 'it has a url and a token or authentication'];
  const names = Object.keys(value);
  if (names.length <= 5 && names.some((name) => contents.includes(name)) && !has(value, 'name'))
    return ['part', 'it has the content of a part'];
  const inner = names.find((name) => isCardLike(value[name]));
  if (inner !== undefined) return ['card', `the members of a card stand below ${inner}`];
  return ['name', 'description', 'skills'].some((name) => has(value, name))
    ? ['card', 'it has members of a card']
    : undefined;
}

/** The place of the document in an answer or request of JSON-RPC; undefined: it is not such an envelope. */
function enveloped(value: unknown): readonly [at: string, inner: unknown] | undefined {
  if (!has(value, 'jsonrpc')) return undefined;
  const result = member(value, 'result');
  if (isObject(result)) return ['/result', result];
  const message = member(member(value, 'params'), 'message');
  return isObject(message) ? ['/params/message', message] : undefined;
}

/** What kind of document a JSON value is; undefined: none that the kit knows. */
export function kindOf(value: unknown): FoundKind | undefined {
  const envelope = enveloped(value);
  const [at, inner] = envelope ?? ['', value];
  if (envelope === undefined && has(value, 'jsonrpc')) return undefined;
  const card = isCardLike(inner) ? (['card', 'it has members of a card'] as const) : undefined;
  const found = marked(inner) ?? card ?? likely(inner);
  return found && { kind: found[0], at, because: found[1] };
}
