import type { Begun, Sent, Trace } from '../../execute/trace.js';
import type { Slot } from './output.js';
import { flat } from './pattern.js';
import { nameOf } from './signs.js';

/** Values that are known only from an answer, and how the script gets them. */
export interface Picked {
  readonly slots: readonly Slot[];
  /** Lines that take values out of the answer of this name. */
  picks(name: string): readonly string[];
}

/** Which text of which member it is: the second `taskId`. */
interface Spot {
  readonly member: string;
  readonly nth: number;
}

const texts = /"([A-Za-z_]+)"[ \t]*:[ \t]*"([^"]*)"/g;

/** The spot with the fewest others of its name before it. */
function spotOf(body: string, value: string): Spot | undefined {
  let best: Spot | undefined;
  /** The number of texts of each name so far. */
  const before = new Map<string, number>();
  for (const [, member = '', text] of body.matchAll(texts)) {
    const nth = (before.get(member) ?? 0) + 1;
    before.set(member, nth);
    if (text !== value || (best !== undefined && nth >= best.nth)) continue;
    best = { member, nth };
    if (nth === 1) break;
  }
  return best;
}

const has = (bytes: Uint8Array, value: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(value);

const isInUrl = (url: string, value: string): boolean => url.includes(encodeURIComponent(value));

/** Whether a request has the value: in its body, or percent-encoded in its URL. */
const names = ({ body, exchange }: Sent, value: string): boolean =>
  has(body, value) || isInUrl(exchange.request.url, value);

const plain = /^[\w.:~+/=-]{4,200}$/;

function slotOf(trace: Trace, name: string, member: keyof Begun, value: string) {
  const begins = trace.sent.find(({ step }) => step.as === name);
  // An id that the request itself sent is known; an id that no later request uses is not needed.
  if (begins === undefined || !plain.test(value) || has(begins.body, value)) return undefined;
  if (!trace.sent.some((one: Sent) => one.sentAt > begins.sentAt && names(one, value))) return undefined;
  const spot = spotOf(flat(begins.exchange.response?.body ?? new Uint8Array()), value);
  if (spot === undefined) return undefined;
  const variable = `${member}_${name.replace(/\W/g, '_')}`;
  return {
    slot: { value, variable },
    from: nameOf(begins, trace),
    line: `${variable}=$(pick ${nameOf(begins, trace)} ${spot.member} ${spot.nth})`,
    // Only few values look otherwise in a URL.
    encoded:
      encodeURIComponent(value) !== value && trace.sent.some(({ exchange }) => isInUrl(exchange.request.url, value))
        ? [`${variable}_url=$(encoded "$${variable}")`]
        : [],
  };
}

/** The values that later requests of a trace take from earlier answers. */
export function picksOf(trace: Trace): Picked {
  const found = [...trace.begun].flatMap(([name, begun]) =>
    (['task', 'context', 'config', 'token'] as const).flatMap((member) => {
      const value = begun[member];
      return value === undefined ? [] : (slotOf(trace, name, member, value) ?? []);
    }),
  );
  return {
    slots: found.map(({ slot }) => slot),
    picks: (name) => found.filter(({ from }) => from === name).flatMap(({ line, encoded }) => [line, ...encoded]),
  };
}
