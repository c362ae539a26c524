import { cardTo, resultTo } from '../dialect/index.js';
import { isObject } from '../model/index.js';
import type { Patch } from '../reference/index.js';

/** Whether a client is known to write ProtoJSON where the version lets it choose. */
export interface Spelling {
  isProto: boolean;
}

/** A message in ProtoJSON of 0.3 has `content`, and no `parts`. */
function isInProto(body: Uint8Array | undefined): boolean {
  if (body === undefined) return false;
  try {
    const sent: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const message = isObject(sent) ? sent['message'] : undefined;
    return isObject(message) && Array.isArray(message['content']) && message['parts'] === undefined;
  } catch {
    return false;
  }
}

/**
 * Over HTTP+JSON a client of 0.3 may write and read the spelling of the schema or ProtoJSON (AMB03-15): the agent
 * answers as it is asked, and as the client has asked before.
 */
export const asAsked =
  (known: Spelling): Patch =>
  (inner) => ({
    serveHttp(request) {
      known.isProto ||= isInProto(request.body);
      return inner.serveHttp(request);
    },
    httpResult(result, call) {
      const reply = inner.httpResult(result, call);
      if (!known.isProto) return reply;
      const { value } = reply;
      return { ...reply, value: call.op === 'extendedCard' ? cardTo(value) : resultTo(value, call.op) };
    },
  });
