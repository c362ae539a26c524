import type { Chunk, Exchange } from './exchange.js';
import { shortHeaders, shortText, weighHeaders } from './short-headers.js';

/** Every exchange of a run, in order of ending. */
export interface Tape {
  /** `x1`, `x2` … */
  nextId(): string;
  add(exchange: Exchange): void;
  /** Grows; older entries may be replaced by shorter ones (see `cut`). */
  readonly exchanges: readonly Exchange[];
  find(id: string): Exchange | undefined;
}

/** Most bytes that a tape keeps in all. */
const capacity = 12 * 1024 * 1024;
/** When the tape is full, the oldest bodies are cut to the first of these, then all again to the next. */
const cutSizes = [64 * 1024, 16 * 1024, 4 * 1024, 1024, 0] as const;
/** The newest few keep the first size as long as possible: they are about to be read. */
const spared = 16;
/** The first few answers to each operation stay whole, up to this many bytes: laws must have something to read. */
const mostSamples = 4;
const sampleCapacity = 6 * 1024 * 1024;
/** The rough cost of a chunk in addition to its bytes. */
const chunkCost = 128;

/** Headers and a URL are cut to the same sizes as bodies, but to no less than this: laws read them. */
const leastHead = 2048;

const weigh = ({ request, response }: Exchange): number =>
  request.url.length +
  weighHeaders(request.headers) +
  (request.body?.length ?? 0) +
  (response === undefined
    ? 0
    : weighHeaders(response.headers) +
      weighHeaders(response.trailers ?? []) +
      response.body.length +
      response.chunks.length * chunkCost);

/** The chunks as views of a body that was cut. */
function cutChunks(chunks: readonly Chunk[], body: Uint8Array): readonly Chunk[] {
  const kept: Chunk[] = [];
  let at = 0;
  for (const { atMs, bytes } of chunks) {
    if (at >= body.length) break;
    kept.push({ atMs, bytes: body.subarray(at, at + bytes.length) });
    at += bytes.length;
  }
  return kept;
}

/** `most`: limit of the headers of the request, of those of the response, and of the URL. */
function cut(exchange: Exchange, size: number, most = Math.max(size, leastHead)): Exchange {
  let { request, response } = exchange;
  const sent = shortHeaders(request.headers, most);
  if (sent !== request.headers) request = { ...request, headers: sent, headersCut: true };
  if (request.url.length > most) request = { ...request, url: shortText(request.url, most) };
  const came = response && shortHeaders(response.headers, most);
  if (response !== undefined && came !== undefined && came !== response.headers)
    response = { ...response, headers: came, headersCut: true };
  const after = response?.trailers && shortHeaders(response.trailers, most);
  if (response !== undefined && after !== undefined && after !== response.trailers)
    response = { ...response, trailers: after, headersCut: true };
  // `slice`, not `subarray`: a view would keep the whole buffer alive.
  if (request.body !== undefined && request.body.length > size)
    request = { ...request, body: request.body.slice(0, size), cut: true };
  if (response !== undefined && response.body.length > size) {
    const body = response.body.slice(0, size);
    response = { ...response, body, chunks: cutChunks(response.chunks, body), cut: true };
  }
  return request === exchange.request && response === exchange.response
    ? exchange
    : { ...exchange, request, ...(response === undefined ? {} : { response }) };
}

/**
 * An exchange for events during a run and for stored findings: its bodies are cut to 64 KiB, as a full tape and reports
 * have them. `mostHeaders`: limit of the headers of request and response, by weight; default: as for bodies.
 */
export const shortExchange = (exchange: Exchange, mostHeaders?: number): Exchange =>
  cut(exchange, cutSizes[0], mostHeaders);

/** `x1`, `x2` …: the ids of the exchanges of a run; `after`: how many others have one. */
export function exchangeIds(after = 0): () => string {
  let ids = after;
  return () => `x${++ids}`;
}

/**
 * A tape in memory. It keeps at most 12 MiB of bodies, headers and URLs: beyond that, the oldest are cut to 64 KiB
 * each, then to less, and marked, except the first few answers to each operation. An exchange that was handed out stays
 * whole for its holder, so code that keeps many should keep their ids and call `find`. `nextId`: shared by the tapes of one run.
 */
export function createTape(onExchange?: (exchange: Exchange) => void, nextId = exchangeIds()): Tape {
  const exchanges: Exchange[] = [];
  const places = new Map<string, number>();
  /** For each cut size, the first exchange that was not yet cut to it. */
  const cursors: number[] = cutSizes.map(() => 0);
  const samples = new Set<string>();
  const sampled = new Map<string, number>();
  let sampleWeight = 0;
  function sample(exchange: Exchange): void {
    const { id, call, response, toWebhook } = exchange;
    const operation = call?.operation;
    if (operation === undefined || call?.valid !== true || response === undefined || toWebhook === true) return;
    const count = sampled.get(operation) ?? 0;
    const own = weigh(exchange);
    if (count >= mostSamples || sampleWeight + own > sampleCapacity) return;
    samples.add(id);
    sampled.set(operation, count + 1);
    sampleWeight += own;
  }
  let weight = 0;
  function makeRoom(spare: number): void {
    for (const [rung, size] of cutSizes.entries()) {
      const end = exchanges.length - (rung === 0 ? 0 : spare);
      for (let at = cursors[rung] ?? 0; weight > capacity && at < end; at++) {
        const old = exchanges[at];
        cursors[rung] = at + 1;
        if (old === undefined || samples.has(old.id)) continue;
        const shorter = cut(old, size);
        exchanges[at] = shorter;
        weight += weigh(shorter) - weigh(old);
      }
    }
  }
  return {
    nextId,
    add(exchange) {
      places.set(exchange.id, exchanges.length);
      exchanges.push(exchange);
      sample(exchange);
      weight += weigh(exchange);
      makeRoom(spared);
      makeRoom(0);
      onExchange?.(exchange);
    },
    exchanges,
    find: (id) => exchanges[places.get(id) ?? -1],
  };
}
