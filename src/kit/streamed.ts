import type { Dialect } from '../dialect/index.js';
import type { StreamEvent } from '../model/index.js';
import { type Exchange, framingProblems, mediaType } from '../wire/index.js';
import type { ReadReply } from './reading.js';

/** A streamed answer as laws see it: everything before the agent ended it, or before the kit closed it. */
export interface StreamReading {
  readonly operation: 'stream' | 'subscribe';
  /** One update for each event; undefined where none could be read. */
  readonly events: readonly (StreamEvent | undefined)[];
  /** The server ended it in good order. */
  readonly ended: boolean;
  /** One of the events is an error. */
  readonly refused: boolean;
  /** Faults of its lines as server-sent events. */
  framing(): readonly string[];
}

/** undefined when the answer is no event stream. `replies` are those of the exchange. */
export function readStream(
  exchange: Exchange,
  dialect: Dialect,
  replies: readonly ReadReply[],
): StreamReading | undefined {
  const { response, failure, call } = exchange;
  const operation = call?.operation;
  if (operation !== 'stream' && operation !== 'subscribe') return undefined;
  if (response === undefined || mediaType(response.headers) !== 'text/event-stream') return undefined;
  const codec = dialect.operations[operation]?.result;
  const isWhole = failure === undefined && response.cut !== true;
  return {
    operation,
    events: replies.map(({ said }) => (said?.type === 'result' ? codec?.decode(said.wire) : undefined)),
    ended: isWhole,
    refused: replies.some(({ said }) => said?.type === 'error'),
    framing: () => framingProblems(response.body, isWhole),
  };
}
