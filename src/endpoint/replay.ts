import { isObject, member } from '../model/index.js';
import type { TapedRun } from '../report/index.js';
import type { Replayed } from '../run/index.js';
import {
  type Carrier,
  CarrierFailure,
  type Clock,
  type Exchange,
  excerpt,
  plural,
  type Redactor,
  sleep,
  virtualClock,
} from '../wire/index.js';

// The answers of an earlier run in the place of the agent: in its time, and without one that the tape does not hold.

const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;
const allUuids = new RegExp(uuid.source, 'gi');
/** What the redactor leaves in the place of a secret. */
const mask = /\[secret-\d+\]|\[hidden\]/;
const ofGrpc = /\/Send(?:Streaming)?Message$/;
/** Purposes of requests whose ids are made up, so that every run has others. */
const ofAnyId: ReadonlySet<string> = new Set(['detection', 'control']);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const latin = (body: Uint8Array | undefined): string => Buffer.from(body ?? []).toString('latin1');

/** What two runs send alike: ids of envelopes and messages are new in each, and so are the numbers of secrets. */
function keyOf({ method, url, body }: Exchange['request']): { readonly key: string; readonly isPrompt: boolean } {
  const text = latin(body);
  const value = text.startsWith('{') ? parsed(text) : undefined;
  const message = member(member(value, 'params'), 'message') ?? member(value, 'message');
  let said = text;
  if (isObject(value)) {
    const { id: _, ...rest } = value;
    said = JSON.stringify(rest, (name, inner: unknown) => (name === 'messageId' ? undefined : inner));
  } else if (ofGrpc.test(url)) said = text.replace(uuid, '');
  return {
    key: `${method} ${url} ${said.replaceAll(/\[secret-\d+\]/g, '[hidden]')}`,
    isPrompt: isObject(message) || ofGrpc.test(url),
  };
}

interface Kept {
  readonly exchange: Exchange;
  isUsed: boolean;
}

/** Plays what came, piece by piece. Throws `CarrierFailure` where the exchange had failed. */
async function* bodyOf({ response, failure, durationMs }: Exchange, clock: Clock, from: number) {
  const until = (ms: number): Promise<void> => sleep(clock, from + ms - clock.now());
  if (response !== undefined) {
    if (response.chunks.length === 0) yield response.body;
    for (const { atMs, bytes } of response.chunks) {
      await until(atMs);
      yield bytes;
    }
  }
  await until(durationMs);
  if (failure !== undefined) throw new CarrierFailure(failure.kind, failure.detail);
}

/** An agent that gives the answers of a tape, and the clock by which it does. `redactor`: of this run. */
export function replayOf(
  { exchanges, version }: TapedRun,
  redactor: () => Redactor,
): {
  readonly carrier: Carrier;
  readonly clock: Clock;
  readonly replayed: Replayed;
  readonly about: string;
} {
  const from = exchanges[0]?.startedAt ?? 0;
  const clock = virtualClock(Number.isFinite(from) ? from : 0);
  const byKey = new Map<string, Kept[]>();
  const note = (key: string, kept: Kept): void => void byKey.set(key, [...(byKey.get(key) ?? []), kept]);
  const loose = (key: string): string => `any ${key.replaceAll(allUuids, '')}`;
  for (const exchange of exchanges) {
    if (exchange.toWebhook === true) continue;
    const { key } = keyOf(exchange.request);
    const kept = { exchange, isUsed: false };
    note(key, kept);
    if (ofAnyId.has(exchange.purpose)) note(loose(key), kept);
  }
  let lacking: string | undefined;
  const headersAlike = (taped: Exchange['request'], { headers }: Exchange['request']): number =>
    headers.filter(([name, value]) => taped.headers.some(([other, same]) => other === name && same === value)).length;

  /** The first answer to this request that was not given yet. Throws `CarrierFailure` where there is none. */
  function answerTo(request: Exchange['request']): Exchange {
    const { key, isPrompt } = keyOf(request);
    const exact = byKey.get(key) ?? [];
    const free = [exact, isPrompt ? [] : (byKey.get(loose(key)) ?? [])]
      .map((list) => list.filter(({ isUsed }) => !isUsed))
      .find((list) => list.length > 0);
    const [best] = (free ?? []).toSorted(
      (left, right) => headersAlike(right.exchange.request, request) - headersAlike(left.exchange.request, request),
    );
    if (best === undefined) {
      const what = isPrompt ? 'this prompt' : `${request.method} ${excerpt(request.url, 200)}`;
      const count = plural(exact.length, 'answer');
      lacking ??= `the tape holds ${exact.length === 0 ? 'no answer' : `no more than ${count}`} to ${what}`;
      throw new CarrierFailure('aborted', lacking);
    }
    best.isUsed = true;
    return best.exchange;
  }

  // As the tape has it.
  const hidden = (request: Exchange['request']): Exchange['request'] =>
    redactor().redactExchange({ id: '', purpose: '', request, startedAt: 0, durationMs: 0 }).request;

  return {
    clock,
    about: `the agent was not asked: its answers are those of a tape of ${new Date(clock.now()).toISOString()} (a2a-tck ${version})`,
    async carrier(request) {
      const from = clock.now();
      const exchange = answerTo(hidden(request));
      const { response } = exchange;
      if (response !== undefined && mask.test(latin(response.body)))
        lacking ??= 'the tape holds no whole answer: a secret in it is hidden';
      const body = bodyOf(exchange, clock, from);
      if (response === undefined) {
        await body.next();
        throw new CarrierFailure('aborted', 'the tape holds no answer');
      }
      await sleep(clock, response.chunks[0]?.atMs ?? exchange.durationMs);
      const headers = response.headers.filter(([name]) => !/^content-(?:encoding|length)$/i.test(name));
      return { status: response.status, headers, body, trailers: () => response.trailers };
    },
    replayed: {
      // Laws cannot judge what the redactor has changed.
      exchanges: exchanges.map((exchange) => {
        const { response } = exchange;
        return response === undefined || !mask.test(latin(response.body))
          ? exchange
          : { ...exchange, response: { ...response, cut: true } };
      }),
      lacking() {
        const sentence = lacking;
        lacking = undefined;
        return sentence;
      },
    },
  };
}
