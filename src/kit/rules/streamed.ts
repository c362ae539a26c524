import { isStream, mostEvents } from '../../client/index.js';
import type { Dialect } from '../../dialect/index.js';
import { type Exchange, framingProblems, header, mediaType } from '../../wire/index.js';
import type { ReadReply, StreamReading } from './reading.js';

/** undefined when the answer is not an event stream. `replies` are those of the exchange. */
export function readStream(
  exchange: Exchange,
  dialect: Dialect,
  replies: readonly ReadReply[],
): StreamReading | undefined {
  const { response, failure, call } = exchange;
  const operation = call?.operation;
  if (operation !== 'stream' && operation !== 'subscribe') return undefined;
  if (response === undefined || !isStream(response.headers)) return undefined;
  // An error of HTTP is not a stream, whatever its media type.
  if (response.status >= 400) return undefined;
  const isOfEvents = mediaType(response.headers) === 'text/event-stream';
  // A call of gRPC that ends with its first header block was refused (grpc/doc/PROTOCOL-HTTP2.md).
  if (!isOfEvents && header(response.headers, 'grpc-status') !== undefined) return undefined;
  const codec = dialect.operations[operation]?.result;
  const isWhole = failure === undefined && response.cut !== true && replies.length < mostEvents;
  return {
    operation,
    events: replies.map(({ said }) => (said?.type === 'result' ? codec?.decode(said.wire) : undefined)),
    ended: isWhole,
    refused: replies.some(({ said }) => said?.type === 'error'),
    framing: () => (isOfEvents ? framingProblems(response.body, isWhole) : []),
  };
}
