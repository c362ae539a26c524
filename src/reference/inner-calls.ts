import type { Operation } from '../model/index.js';
import type { HttpCall, Incoming } from './calls.js';
import { jsonHeaders } from './replies.js';
import type { World } from './seams.js';

// HTTP+JSON and gRPC stand in front of the same operations: a request becomes a call as JSON-RPC has it, and what that
// is answered with becomes an answer of the binding.

const encoder = new TextEncoder();

/** JSON in which a number that is too large for one stays a number: JSON.stringify makes null of it. */
function written(value: unknown): string {
  const large = 'number-beyond-all-numbers';
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'number' && !Number.isFinite(item) ? (item > 0 ? large : `-${large}`) : item,
  );
  return text.includes(large) ? text.replaceAll(`"${large}"`, '1e999').replaceAll(`"-${large}"`, '-1e999') : text;
}

const withoutType = ({ headers }: Incoming): Incoming['headers'] =>
  headers.filter(([name]) => name.toLowerCase() !== 'content-type');

export interface InnerCalls {
  /** The call as the operations get it. */
  inner(request: Incoming, call: HttpCall): Incoming;
  /** The request with its body as it came, for what refuses a body unread. */
  unread(request: Incoming): Incoming;
}

/** `over`: the binding that stands in front. */
export function innerCalls({ dialect, baseUrl }: World, over: 'http+json' | 'grpc'): InnerCalls {
  const endpoint = `${baseUrl}${dialect.endpointPath || '/'}`;
  let calls = 0;
  return {
    inner(request, { op, params }) {
      const { search } = new URL(request.url);
      const call = { jsonrpc: '2.0', id: `inner ${++calls}`, method: dialect.operations[op]?.rpc, params };
      return {
        ...request,
        over,
        method: 'POST',
        url: `${endpoint}${search}`,
        headers: [...withoutType(request), ...jsonHeaders],
        body: encoder.encode(written(call)),
      };
    },
    unread: (request) => ({ ...request, over, url: endpoint, headers: [...withoutType(request), ...jsonHeaders] }),
  };
}

export async function gathered(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The JSON of a text; undefined: it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** One server-sent event. */
export interface SentEvent {
  readonly data: string;
  /** The event with other data; everything around them stays unchanged. */
  withData(data: string): string;
}

/** The event of a chunk; undefined: it holds none. */
export function dataIn(chunk: Uint8Array): SentEvent | undefined {
  let text: string;
  try {
    text = strict.decode(chunk);
  } catch {
    return undefined;
  }
  const lines = /(?:^data: ?[^\r\n]*(?:\r?\n|$))+/m.exec(text);
  if (lines === null) return undefined;
  const [data] = lines;
  const end = /\r?\n$/.exec(data)?.[0] ?? '';
  return {
    data: data.replaceAll(/^data: ?|\r?\n/gm, ''),
    withData: (other) => `${text.slice(0, lines.index)}data: ${other}${end}${text.slice(lines.index + data.length)}`,
  };
}

/** Operations that are answered with a stream. */
export const streamed: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);
