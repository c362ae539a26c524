import { repliesOf } from '../../client/index.js';
import type { TextClues } from '../../dialect/index.js';
import { isObject, member } from '../../model/index.js';
import { breather, type Exchange, mediaType } from '../../wire/index.js';

const isErrorInfo = (detail: unknown): boolean =>
  member(detail, '@type') === 'type.googleapis.com/google.rpc.ErrorInfo';

/**
 * Counts what the exchanges of a run show of the points in which two texts of one version differ. Each answer is read for
 * that, so other work gets its turn between them.
 */
export async function textClues(exchanges: readonly Exchange[]): Promise<TextClues> {
  const clues = { errorsWithInfo: 0, errorsWithoutInfo: 0, objectsAsData: 0, notificationTypes: new Set<string>() };
  const breathe = breather();
  for (const exchange of exchanges) {
    const pause = breathe();
    if (pause !== undefined) await pause;
    if (exchange.toWebhook === true) {
      const type = mediaType(exchange.request.headers);
      if (type !== undefined) clues.notificationTypes.add(type);
      continue;
    }
    // The codes are those of JSON-RPC: no answer of gRPC has one.
    if (exchange.call?.operation === undefined || exchange.request.http2 === true) continue;
    for (const reply of repliesOf(exchange)) {
      const error = reply.type === 'json' ? member(reply.value, 'error') : undefined;
      const code = member(error, 'code');
      if (!isObject(error) || typeof code !== 'number') continue;
      const data = member(error, 'data');
      // Errors of JSON-RPC itself need no ErrorInfo in either text.
      if (code <= -32600) clues.objectsAsData += isObject(data) ? 1 : 0;
      else if (code > -32001 || code < -32099) continue;
      else if (Array.isArray(data) && data.some(isErrorInfo)) clues.errorsWithInfo++;
      else clues.errorsWithoutInfo++;
    }
  }
  return clues;
}
