import type { Report, TapedRun } from '../src/report/index.js';
import { exchangeOf, type JsonExchange, jsonExchange } from './json-exchange.js';
import { jsonPieces } from './json-text.js';
import { fromReport, type Reporter } from './reporter.js';

type Exchange = Report['exchanges'][number];

interface TapedExchange extends JsonExchange {
  readonly taped: NonNullable<Exchange['taped']>;
  readonly call?: Exchange['call'];
  readonly fetches?: Exchange['fetches'];
  /** When each piece of the body came, ms, and its length, bytes. */
  readonly chunks?: readonly (readonly [atMs: number, bytes: number])[];
}

/** `$defs/tape` of `schemas/kit/report.schema.json`. */
export interface JsonTape {
  readonly schema: typeof tapeSchema;
  readonly kit: Report['kit'];
  readonly url: string;
  readonly profile: string;
  readonly exchanges: readonly TapedExchange[];
}

const tapeSchema = 'a2a-tck-tape/1';

/** As the run holds them, which has a limit for all. */
const whole = { body: Number.POSITIVE_INFINITY, headers: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY };

function* tapedIn({ exchanges }: Report): Generator<TapedExchange, void, undefined> {
  for (const exchange of exchanges) {
    const { taped, call, fetches, response } = exchange;
    if (taped === undefined) continue;
    yield {
      ...jsonExchange(exchange, whole),
      taped,
      ...(call === undefined ? {} : { call }),
      ...(fetches === undefined ? {} : { fetches }),
      ...(response === undefined ? {} : { chunks: response.chunks.map(({ atMs, bytes }) => [atMs, bytes.length]) }),
    };
  }
}

function* pieces(report: Report): Generator<string, void, undefined> {
  const { kit, target } = report;
  const head = { schema: tapeSchema, kit, url: target.url, profile: target.profile };
  yield* jsonPieces(head, ['exchanges', tapedIn(report)], 1);
  yield '\n';
}

/** What was taped. The document must fit its schema. */
export function readTape({ url, profile, kit, exchanges }: JsonTape): TapedRun {
  return {
    url,
    profile,
    version: kit.version,
    exchanges: exchanges.map((stored) => {
      const { taped, call, fetches, chunks = [] } = stored;
      const { response, ...exchange } = exchangeOf(stored);
      let end = 0;
      const views = chunks.map(([atMs, length]) => {
        end += length;
        return { atMs, bytes: (response?.body ?? new Uint8Array()).subarray(end - length, end) };
      });
      return {
        ...exchange,
        ...(response === undefined ? {} : { response: { ...response, chunks: views } }),
        taped,
        ...(call === undefined ? {} : { call }),
        ...(fetches === undefined ? {} : { fetches }),
      };
    }),
  };
}

export const tape: Reporter = {
  id: 'tape',
  readers: 'judging laws and expectations again without the agent ([expectations](expectations.md#without-the-agent))',
  begin: fromReport(pieces),
};
