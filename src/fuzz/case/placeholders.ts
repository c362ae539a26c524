import type { Dialect } from '../../dialect/index.js';
import { isObject, type Operation } from '../../model/index.js';
import { type Dictionary, hexOf, metadataValues, uuidOf } from '../generate/dictionary.js';
import type { RandomSource } from '../generate/random-source.js';
import type { Shape } from '../generate/shape.js';
import type { Value } from './case.js';
import { isInPath } from './in-path.js';

// Places whose values have a meaning that the schema does not state: it allows any text, and the agent expects the id
// of a task.

/** The values at hand to fill a place. */
export interface Filling {
  readonly randomSource: RandomSource;
  readonly dictionary: Dictionary;
  readonly operation: Operation;
  /** Names of earlier steps that began a task. */
  readonly names: readonly string[];
}

/** How often an optional member is present, and its value. Undefined: as the schema alone says. */
export interface Placeholder {
  /** Probability from 0 (only where the place is wanted) to 1. */
  readonly often: number;
  /** Left out: what the schema says. */
  readonly fill?: Fill;
}
export type Fill = (filling: Filling, shape: Shape) => Value;

const ref = ({ randomSource, names }: Filling, what: 'task' | 'context' | 'config'): Value | undefined =>
  names.length === 0 ? undefined : { $ref: `${randomSource.pick(names)}.${what}` };

/** Mostly the id of a task that a step began; otherwise an unknown id. */
const task: Fill = (filling) =>
  (filling.randomSource.chance(0.9) ? ref(filling, 'task') : undefined) ?? uuidOf(filling.randomSource);

const configIds = ['tck-config', 'tck-config-2', 'tck-config-3'];
const config: Fill = (filling) =>
  (filling.randomSource.chance(0.3) ? ref(filling, 'config') : undefined) ?? filling.randomSource.pick(configIds);

const always = (fill: Fill, often = 0.3): Placeholder => ({ often, fill });
const oneOf = (values: readonly Value[], often = 0.3): Placeholder =>
  always(({ randomSource }) => randomSource.pick(values), often);
const wanted = (value: Value): Placeholder => ({ often: 0, fill: () => value });

const fromRole = (shape: Shape): Value => (shape.enum ?? []).find((word) => /user/i.test(String(word))) ?? 'user';

/** 1 × 1 pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A media type that the agent accepts. */
const mediaType = always(({ dictionary: { inputModes }, randomSource }) => {
  const types = inputModes.filter((mode) => mode.includes('/'));
  // Some cards list words such as `text` in place of types.
  return types.length > 0 ? randomSource.pick(types) : 'text/plain';
}, 0.6);
const jsonValues: readonly Value[] = [{ a: 1 }, {}, { list: [1, 2, 3], text: 'tck', none: null }];

const metadata = always(
  ({ randomSource, dictionary: { skills } }) => randomSource.pick(metadataValues(skills[0])),
  0.12,
);

const message: Readonly<Record<string, Placeholder>> = {
  messageId: always(
    ({ randomSource, dictionary }) => `${dictionary.prompt(randomSource).messageIdWord}-${hexOf(randomSource)}`,
    0.9,
  ),
  role: always((_, shape) => fromRole(shape)),
  contextId: always((filling) => ref(filling, 'context') ?? `tck-context-${hexOf(filling.randomSource, 4)}`, 0.15),
  taskId: always(task, 0.2),
  'referenceTaskIds/*': always(task),
  referenceTaskIds: { often: 0.1 },
  'extensions/*': always(({ randomSource, dictionary: { extensions } }) =>
    extensions.length > 0 ? randomSource.pick(extensions) : 'https://example.com/extensions/none',
  ),
  'parts/*/text': always(({ randomSource, dictionary }) => dictionary.prompt(randomSource).text),
  'parts/*/raw': oneOf([pixel, 'aGVsbG8=', '']),
  'parts/*/url': oneOf(['https://example.com/tck/file.txt']),
  'parts/*/filename': oneOf(['file.txt', 'pixel.png']),
  'parts/*/mediaType': mediaType,
  'parts/*/data': oneOf(jsonValues),
  'parts/*/file/bytes': oneOf([pixel, 'aGVsbG8=']),
  'parts/*/file/uri': oneOf(['https://example.com/tck/file.txt']),
  'parts/*/file/name': oneOf(['file.txt', 'pixel.png']),
  'parts/*/file/mimeType': mediaType,
};

const webhook = (often: number): Readonly<Record<string, Placeholder>> => ({
  url: always(({ dictionary }) => dictionary.webhook),
  token: oneOf(['tck-token'], often),
  id: always(config, 0.5),
  'authentication/schemes/*': oneOf(['Bearer']),
  'authentication/scheme': oneOf(['Bearer']),
  'authentication/credentials': oneOf(['tck-credentials'], 0.5),
});

const below = (
  prefix: string,
  placeholders: Readonly<Record<string, Placeholder>>,
): Readonly<Record<string, Placeholder>> =>
  Object.fromEntries(Object.entries(placeholders).map(([path, placeholder]) => [`${prefix}/${path}`, placeholder]));

const lengths = oneOf([0, 1, 2, 3, 10, 100]);
const configuration: Readonly<Record<string, Placeholder>> = {
  'acceptedOutputModes/*': always(({ randomSource, dictionary }) => randomSource.pick(dictionary.outputModes)),
  acceptedOutputModes: { often: 0.9 },
  historyLength: lengths,
  // Not waiting costs the least time.
  blocking: always(({ randomSource }) => randomSource.chance(0.05), 0.98),
  returnImmediately: always(({ randomSource }) => !randomSource.chance(0.05), 0.98),
  ...below('pushNotificationConfig', webhook(0.3)),
  ...below('taskPushNotificationConfig', webhook(0.3)),
  // AMB10-19: a task named here may be refused.
  'taskPushNotificationConfig/taskId': wanted('tck-task'),
  'taskPushNotificationConfig/tenant': wanted('tck'),
};

const sending: Readonly<Record<string, Placeholder>> = {
  ...below('message', message),
  ...below('configuration', configuration),
  configuration: { often: 0.97 },
  // XPR: ids that the message has in other dialects stand beside the message.
  id: always(task, 0.2),
  contextId: always((filling) => ref(filling, 'context') ?? `tck-context-${hexOf(filling.randomSource, 4)}`, 0.15),
  'metadata/xpr:jobId': oneOf([1, 42, 1.5], 0.1),
  // The signature names the caller.
  'xpr:callerAccount': wanted('tckaccount'),
};

const listing: Readonly<Record<string, Placeholder>> = {
  contextId: always((filling) => ref(filling, 'context') ?? 'tck-context', 0.3),
  pageSize: oneOf([1, 2, 10, 50, 100]),
  // A token that the agent did not issue is refused.
  pageToken: wanted('tck-page'),
  historyLength: lengths,
  lastUpdatedAfter: oneOf(['2020-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'], 0.2),
  statusTimestampAfter: oneOf(['2020-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'], 0.2),
};

const referring: Readonly<Record<string, Placeholder>> = {
  id: always(task),
  taskId: always(task),
  historyLength: lengths,
};
const tables: Readonly<Record<Operation, Readonly<Record<string, Placeholder>>>> = {
  send: sending,
  stream: sending,
  get: referring,
  list: listing,
  cancel: { ...referring, reason: oneOf(['no longer needed']) },
  subscribe: referring,
  // 1.0: inline configurations have the same schema, and name no task.
  pushSet: { ...webhook(0.3), taskId: always(task, 1), ...below('pushNotificationConfig', webhook(0.3)) },
  pushGet: referring,
  pushList: { ...referring, pageSize: oneOf([1, 10]), pageToken: wanted('tck-page') },
  pushDelete: referring,
  extendedCard: {},
};

const states = ['submitted', 'working', 'input-required', 'completed', 'canceled', 'failed'];

/** The member that names a configuration beside its task; before 1.0, `id` is the id of the task. */
function configNameOf(dialect: Dialect): string | undefined {
  const encoded = dialect.operations.pushGet?.params.encode({ taskId: 'task', configId: 'config' });
  return isObject(encoded) ? Object.keys(encoded).find((name) => encoded[name] === 'config') : undefined;
}

/** The placeholder at a path below params, such as `/message/parts/0/text` with asterisks for items. */
export function placeholderAt(
  dialect: Dialect,
  operation: Operation,
  path: string,
  shape: Shape,
  pushes: boolean,
): Placeholder | undefined {
  const name = path.slice(1);
  if (name === 'tenant') return wanted('tck');
  // Only of use to agents that push; the others may refuse it (AMB03-32, AMB10-19).
  if (/ushNotificationConfig$/.test(name) && name.startsWith('configuration')) return { often: pushes ? 0.06 : 0 };
  if (name === configNameOf(dialect) && operation.startsWith('push'))
    return always(config, isInPath(dialect, operation, name) ? 1 : 0.5);
  if (operation === 'list' && name === 'status') return oneOf(shape.enum ?? states);
  if (name === 'metadata' || name.endsWith('/metadata')) {
    return shape.forms.length > 0 ? undefined : metadata;
  }
  const table = tables[operation];
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
