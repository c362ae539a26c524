import type { Dialect } from '../dialect/index.js';
import { isObject, type StreamEvent } from '../model/index.js';
import { type Exchange, framingProblems, mediaType } from '../wire/index.js';
import type { Envelope } from './reading.js';

/** A streamed answer as laws see it: whatever came before it ended, or before the kit closed it. */
export interface StreamReading {
  readonly operation: 'stream' | 'subscribe';
  /** One update for each event; undefined where none could be read. */
  readonly events: readonly (StreamEvent | undefined)[];
  /** The server ended it in good order. */
  readonly ended: boolean;
  /** One of the events is an error. */
  readonly refused: boolean;
  /** What is wrong with its lines as server-sent events. */
  framing(): readonly string[];
}

/** undefined when the answer is no event stream. `envelopes` are those of the exchange. */
export function readStream(
  exchange: Exchange,
  dialect: Dialect,
  envelopes: readonly Envelope[],
): StreamReading | undefined {
  const { response, failure, call } = exchange;
  const operation = call?.operation;
  if (operation !== 'stream' && operation !== 'subscribe') return undefined;
  if (response === undefined || mediaType(response.headers) !== 'text/event-stream') return undefined;
  const codec = dialect.operations[operation]?.result;
  const isWhole = failure === undefined && response.cut !== true;
  return {
    operation,
    events: envelopes.map(({ value }) =>
      isObject(value) && Object.hasOwn(value, 'result') && !Object.hasOwn(value, 'error')
        ? codec?.decode(value['result'])
        : undefined,
    ),
    ended: isWhole,
    refused: envelopes.some(({ value }) => isObject(value) && isObject(value['error'])),
    framing: () => framingProblems(response.body, isWhole),
  };
}
