import { isObject } from '../../../model/index.js';
import type { Begun, Sent, Trace } from '../../execute/trace.js';
import type { Slot } from './output.js';

/** Values that are known only from an answer, and how the script gets them. */
export interface Picked {
  readonly slots: readonly Slot[];
  /** Lines that take values out of the answer of this name. */
  picks(name: string): readonly string[];
}

/** Values of an answer that are looked at for an id: it stands near the top. */
const mostLooked = 10_000;

const step = (key: string | number): string =>
  typeof key === 'number' ? `[${key}]` : /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;

/** The shortest path of jq to a text; undefined: it is not in the value, or far from the top. */
function pathTo(document: unknown, text: string): string | undefined {
  const open: { readonly path: string; readonly value: unknown }[] = [{ path: '', value: document }];
  for (let at = 0; at < open.length && at < mostLooked; at++) {
    const { path, value } = open[at] as (typeof open)[number];
    if (value === text) return path;
    if (!Array.isArray(value) && !isObject(value)) continue;
    const members = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
    for (const [key, member] of members.slice(0, mostLooked)) open.push({ path: path + step(key), value: member });
  }
  return undefined;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The words of a shell that take a text out of the answer in a file: JSON, or a stream of events with JSON. */
function pickOf(body: string, value: string, file: string): string | undefined {
  const path = pathTo(parsed(body), value);
  if (path !== undefined) return `jq -r '${path.startsWith('.') ? '' : '.'}${path}' ${file}`;
  // The same data that sed finds in it.
  const events = body.split('\n').flatMap((line) => (line.startsWith('data:') ? [parsed(line.slice(5))] : []));
  const inEvents = events.includes(undefined) ? undefined : pathTo(events, value);
  return inEvents === undefined ? undefined : `sed -n 's/^data://p' ${file} | jq -rs '.${inEvents}'`;
}

const has = (bytes: Uint8Array, value: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(value);

const isInUrl = (url: string, value: string): boolean => url.includes(encodeURIComponent(value));

/** Whether a request has the value: in its body, or percent-encoded in its URL. */
const names = ({ body, exchange }: Sent, value: string): boolean =>
  has(body, value) || isInUrl(exchange.request.url, value);

const plain = /^[\w.:~+/=-]{4,200}$/;

function slotOf(trace: Trace, name: string, member: keyof Begun, value: string, nameOf: (sent: Sent) => string) {
  const begins = trace.sent.find(({ step: { as } }) => as === name);
  // An id that the request itself sent is known; an id that no later request uses is not needed.
  if (begins === undefined || !plain.test(value) || has(begins.body, value)) return undefined;
  if (!trace.sent.some((request: Sent) => request.sentAt > begins.sentAt && names(request, value))) return undefined;
  const from = nameOf(begins);
  const body = Buffer.from(begins.exchange.response?.body ?? []).toString('utf8');
  const words = pickOf(body, value, `"$dir/${from}"`);
  if (words === undefined) return undefined;
  const variable = `${member}_${name.replace(/\W/g, '_')}`;
  return {
    slot: { value, variable },
    from,
    line: `${variable}=$(${words})`,
    // Only few values look otherwise in a URL.
    encoded:
      encodeURIComponent(value) !== value && trace.sent.some(({ exchange }) => isInUrl(exchange.request.url, value))
        ? [`${variable}_url=$(printf %s "$${variable}" | jq -sRr @uri)`]
        : [],
  };
}

/** The values that later requests of a trace take from earlier answers. `nameOf`: of a request, and of its answer. */
export function picksOf(trace: Trace, nameOf: (sent: Sent) => string): Picked {
  const found = [...trace.begun].flatMap(([name, begun]) =>
    (['task', 'context', 'config', 'token'] as const).flatMap((member) => {
      const value = begun[member];
      return value === undefined ? [] : (slotOf(trace, name, member, value, nameOf) ?? []);
    }),
  );
  return {
    slots: found.map(({ slot }) => slot),
    picks: (name) => found.filter(({ from }) => from === name).flatMap(({ line, encoded }) => [line, ...encoded]),
  };
}
