import type { Reading } from '../../kit/index.js';
import { bodyText } from '../../wire/index.js';

/** Longer bodies are rarely the same twice. */
const longestBody = 2048;
/** Most refusals that are remembered in one campaign. */
const mostKnown = 4096;

/** Headers that are never the same twice, or follow from the rest. */
const passing: ReadonlySet<string> = new Set(['date', 'content-length']);

/**
 * Everything that laws can see of the refusal of a broken request, with the id of the request replaced: two refusals
 * with one key are judged alike. Refusals show no task, so no law compares them with other answers. undefined: any
 * other answer.
 */
function keyOf({ exchange, outcome, operation, valid, sentId, rpcId }: Reading): string | undefined {
  const { request, response } = exchange;
  if (valid || outcome.kind !== 'refusal' || response === undefined || exchange.failure !== undefined) return undefined;
  if (response.body.length > longestBody || (request.body?.length ?? 0) > 64 * 1024) return undefined;
  const sent = request.headers.map(([name, value]) => `${name}:${value}`).join('\n');
  const came = response.headers
    .flatMap(([name, value]) => (passing.has(name.toLowerCase()) ? [] : [`${name}:${value}`]))
    .join('\n');
  const id = sentId && typeof rpcId === 'string' && rpcId.length > 4 ? JSON.stringify(rpcId) : undefined;
  const body = bodyText(response.body);
  // A number or a short id may be any part of the text.
  if (sentId && id === undefined) return undefined;
  const shown = id === undefined ? body : body.replaceAll(id, '$id');
  return `${operation} ${request.method} ${sentId} ${response.status}\n${sent}\n${came}\n${shown}`;
}

/** Refusals that were judged by all laws, and that broke none. */
export interface LawMemo {
  /** undefined: it has to be judged each time. */
  keyOf(reading: Reading): string | undefined;
  isClean(key: string | undefined): boolean;
  noteClean(key: string | undefined): void;
}

export function createLawMemo(): LawMemo {
  const clean = new Set<string>();
  return {
    keyOf,
    isClean: (key) => key !== undefined && clean.has(key),
    noteClean(key) {
      if (key !== undefined && clean.size < mostKnown) clean.add(key);
    },
  };
}
