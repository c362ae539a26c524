import {
  type Exchange,
  isObject,
  type JsonObject,
  type Law,
  type LawJudgement,
  type Reading,
  repliesOf,
  type Target,
} from '../../src/kit/index.js';

// How the laws of this chapter find JSON-RPC responses on the tape. No rules: index.ts does not collect this file.

const has = (value: JsonObject, name: string): boolean => Object.hasOwn(value, name);

/**
 * A gateway may answer in JSON of its own. JSON with neither `jsonrpc` nor an id is a response only with a 2xx status.
 */
function isResponse(value: unknown, status: number): value is JsonObject {
  if (!isObject(value)) return false;
  if (has(value, 'jsonrpc')) return true;
  return (has(value, 'result') || has(value, 'error')) && (has(value, 'id') || status < 300);
}

/** The response objects of an answer; those of a batch or stream one by one. */
export function responsesIn(exchange: Exchange): readonly JsonObject[] {
  const { response, failure } = exchange;
  // A truncated body is not evidence: the connection broke, or the tape kept only the beginning.
  if (response === undefined || failure !== undefined || response.cut === true) return [];
  const found: JsonObject[] = [];
  for (const reply of repliesOf(exchange)) {
    if (reply.type !== 'json') continue;
    const values: readonly unknown[] = Array.isArray(reply.value) ? reply.value : [reply.value];
    for (const value of values) if (isResponse(value, response.status)) found.push(value);
  }
  return found;
}

/** A query may carry credentials or the version. */
const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? url;

/** A call to the agent's own endpoint, or below it. Detection also calls other URLs, and in other dialects. */
export function isJudged({ isCall, exchange }: Reading, { endpoint }: Target): boolean {
  if (!isCall || exchange.purpose === 'detection') return false;
  const [url, base] = [withoutQuery(exchange.request.url), withoutQuery(endpoint)];
  return url === base || url.startsWith(base.endsWith('/') ? base : `${base}/`);
}

/** Judges each response on the tape. Denials, rate limits and requests that were not sent are exempt. */
export const eachResponse =
  (judge: (response: JsonObject, reading: Reading, target: Target) => LawJudgement): Law['judge'] =>
  (reading, target) => {
    if (!isJudged(reading, target)) return 'not-concerned';
    const { kind } = reading.outcome;
    if (kind === 'busy' || kind === 'denied' || kind === 'not-sent') return 'not-concerned';
    const judgements = responsesIn(reading.exchange).map((response) => judge(response, reading, target));
    return (
      judgements.find((judgement) => judgement !== 'holds' && judgement !== 'not-concerned') ??
      judgements.find((judgement) => judgement === 'holds') ??
      'not-concerned'
    );
  };
