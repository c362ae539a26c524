import type { Operation } from '../../model/index.js';
import type { Edit, Value } from '../case/case.js';
import { trust } from '../confirm/trust.js';
import { paramsOf } from './places.js';
import { brokenAt, oddAt, type Probe, type ProbeTools } from './probes.js';

// Requests on which agents fail most often: null in place of a list item or a member, ids of a type that no client
// sends, empty ids. They are few, so that they come first in a campaign of any length.

const oddIds: readonly Value[] = [true, [], {}, 1.5];

/** Leaves out deeper places, which belong to webhooks and to members that may hold anything. */
const isShallow = (path: string): boolean => path.split('/').length <= 5 && !/etadata|\/data(\/|$)/.test(path);
const isItem = (path: string): boolean => path.endsWith('/*');
const isEmptied = (path: string): boolean => /(?:\/i|I)d$/.test(path);
/** Members that every agent reads. */
const isLookedAt = (path: string): boolean => /^\/(message|id|taskId)$|^\/message\/(parts|role|messageId)$/.test(path);

function ofParams(tools: ProbeTools, operation: Operation): readonly Probe[] {
  const { places = [] } = paramsOf(tools.dialect, operation) ?? {};
  const operations = [operation];
  const seen = new Set<string>();
  const found: Probe[] = [];
  for (const place of places) {
    const { path, shape } = place;
    // One place for each path, whichever form the objects around it have.
    if (!isShallow(path) || shape.types.length === 0 || seen.has(path)) continue;
    seen.add(path);
    // In a message null is a member that is not there, and no item of a list.
    const isHeld = tools.dialect.binding.requests !== 'messages';
    if (isHeld && (isItem(path) || isLookedAt(path) || /^\/message\/parts\/\*\/\w+$/.test(path))) {
      const chosen = { place, keyword: 'type', key: '' } as const;
      found.push({
        operations,
        make: (randomSource, op, names) => brokenAt(tools, randomSource, op, names, chosen, 'null'),
      });
    }
    if (isEmptied(path) && shape.types.includes('string')) {
      found.push({
        operations,
        make: (randomSource, op, names) => oddAt(tools, randomSource, op, names, place, 'empty'),
      });
    }
  }
  return found;
}

const chosen: readonly Operation[] = ['send', 'get', 'cancel', 'pushSet'];

/** Each is one request with one change. */
export function classicsOf(operations: readonly Operation[], tools: ProbeTools): readonly Probe[] {
  const asked = chosen.filter(
    (operation) => operations.includes(operation) && (tools.pushes || operation !== 'pushSet'),
  );
  // A read costs the agent least.
  const [reading] =
    tools.dialect.binding.requests === 'envelopes' ? operations.filter((operation) => operation === 'get') : [];
  const ids =
    reading === undefined
      ? []
      : oddIds.map(
          (value): Probe => ({
            operations: [reading],
            make(randomSource, operation, names) {
              const edits: readonly Edit[] = [{ at: '/id', op: 'set', value, keyword: 'type' }];
              trust(edits);
              return { ...tools.valid(randomSource, operation, names), edits };
            },
          }),
        );
  return [...ids, ...asked.flatMap((operation) => ofParams(tools, operation))];
}
