import { neutralPrompt } from '../../kit/index.js';
import type { Operation } from '../../model/index.js';
import type { CallStep, Step, Value } from '../case/case.js';
import { valueAt, withAt } from '../case/pointer.js';
import { isMembers, mapValue } from '../case/values.js';
import { trust } from '../confirm/trust.js';
import { type Place, paramsOf } from '../generate/places.js';
import { isMain, isRead, type ProbeTools } from '../generate/probes.js';
import type { RandomSource } from '../generate/random-source.js';
import { manyMembers } from './schema-mutators.js';

// One request with one of its fields at four sizes, each twice the one before. The oracle `cost` compares what they
// take.

/** Makes the steps; undefined: the drawn request has no such field. */
export type SizeSeries = (randomSource: RandomSource) => readonly Step[] | undefined;

const rungs = [1, 2, 4, 8];
/**
 * The smallest size of each kind. The largest is little work for an agent whose work grows with the size, and much if
 * it grows with the square.
 */
const least = { text: 4096, list: 64, members: 64, depth: 8 } as const;
type Sort = keyof typeof least;

/** Their answers come while the agent works. */
const streams: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);

function sortsOf({ path, shape }: Place): readonly Sort[] {
  const { types, forms, enum: words, const: constant, format, pattern } = shape;
  if (path === '' || [words, constant, format, pattern].some((limit) => limit !== undefined)) return [];
  if (types.includes('string')) return ['text'];
  if (types.includes('array')) return ['list'];
  return types.includes('object') && forms.length === 0 ? ['members', 'depth'] : [];
}

function grown(sort: Sort, item: Value | undefined, times: number): Value | undefined {
  const count = least[sort] * times;
  if (sort === 'text') return { $text: ['a', count] };
  if (sort === 'members') return manyMembers(count);
  if (sort === 'depth') return { nested: { $nest: ['[', count] } };
  return item === undefined ? undefined : { $list: [item, count] };
}

/**
 * Params with a neutral text and an id of their own: an agent that is asked to fail answers little, and an agent may
 * accept a message id only once.
 */
function plain(params: Value, rung: number): Value {
  const id = valueAt(params, '/message/messageId');
  if (typeof id !== 'string') return params;
  const worded = mapValue(params, (value) =>
    isMembers(value) && typeof value['text'] === 'string' ? { ...value, text: neutralPrompt } : undefined,
  );
  return withAt(worded, '/message/messageId', `tck-ladder-${id.slice(-8)}-${rung}`) ?? params;
}

const throws = 6;
/** Draws again while the message names a task: a message to an unknown task is refused before any work. */
function alone(draw: () => CallStep): CallStep {
  let step = draw();
  for (let count = 1; count < throws && namesTask(step); count++) step = draw();
  return step;
}
const namesTask = ({ params }: CallStep): boolean =>
  valueAt({ params: params ?? {} }, '/params/message/taskId') !== undefined;

/** `wanted`: a place that the drawn request must have: the field, or its first item in one of its forms. */
function ladder({ valid }: ProbeTools, operation: Operation, place: Place, sort: Sort, wanted = place): SizeSeries {
  return (randomSource) => {
    const step = alone(() => valid(randomSource, operation, [], wanted));
    const item = valueAt({ params: plain(step.params ?? {}, 0) }, `${place.pointer}/0`);
    const steps = rungs.flatMap((times): readonly CallStep[] => {
      const value = grown(sort, item, times);
      if (value === undefined || step.params === undefined) return [];
      const params = plain(step.params, times);
      const edits = [{ at: place.pointer, op: 'set', value, keyword: 'bounds' }] as const;
      trust(edits);
      return [{ ...step, params, edits, as: `r${times}` }];
    });
    if (steps.length < rungs.length) return undefined;
    // The finished task may be larger than the first answer.
    return operation === 'send'
      ? [...steps, { step: 'wait', for: `r${rungs.at(-1)}` }]
      : steps.map(({ as: _, ...rest }) => rest);
  };
}

/** One ladder for each field that can be large, of each operation. */
export function sizeSeriesOf(operations: readonly Operation[], tools: ProbeTools): readonly SizeSeries[] {
  return operations.flatMap((operation) => {
    if (streams.has(operation)) return [];
    const met = new Set<string>();
    const places = paramsOf(tools.dialect, operation)?.places ?? [];
    return places.flatMap((place) => {
      if (met.has(place.path) || !isMain(place) || !isRead(tools, place)) return [];
      met.add(place.path);
      const forms = places.filter(({ path, forms: own }) => path === `${place.path}/*` && own.has(path));
      return sortsOf(place).flatMap((sort) =>
        sort === 'list' && forms.length > 0
          ? forms.map((form) => ladder(tools, operation, place, sort, form))
          : [ladder(tools, operation, place, sort)],
      );
    });
  });
}
