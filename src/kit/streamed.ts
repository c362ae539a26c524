import type { Dialect } from '../dialect/index.js';
import { type Exchange, framingProblems, mediaType } from '../wire/index.js';
import type { ReadReply, StreamReading } from './reading.js';

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
  // An error of HTTP is no stream, whatever its media type.
  if (response.status >= 400) return undefined;
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
