import { cardTo, type Dialect, resultTo } from '../dialect/index.js';
import { isObject } from '../model/index.js';
import type { HttpCall, Patch } from '../reference/index.js';
import { header, type WireRequest } from '../wire/index.js';

/** Whether clients write ProtoJSON where the version lets them choose, by the name that they give themselves. */
export type Spellings = Map<string, boolean>;

/** Over HTTP+JSON a client of 0.3 may write and read the spelling of the schema or ProtoJSON (AMB03-15). */
export const maySpell = ({ binding, otherSpellings }: Dialect): boolean =>
  binding.id === 'http+json' && otherSpellings !== undefined;

/** Whether a message is in ProtoJSON, which has `content` and no `parts`; undefined: the request has no message. */
function isInProto(body: Uint8Array | undefined): boolean | undefined {
  if (body === undefined) return undefined;
  try {
    const sent: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    const message = isObject(sent) ? sent['message'] : undefined;
    return isObject(message) ? Array.isArray(message['content']) && message['parts'] === undefined : undefined;
  } catch {
    return undefined;
  }
}

/** The agent distinguishes so many clients. */
const mostNames = 100;

/** Several clients may come to one address: their libraries have names of their own. */
const nameIn = ({ headers }: WireRequest): string => header(headers, 'user-agent') ?? '';

/**
 * The agent answers in the spelling of the request; a request without a message in that of the same client's earlier
 * ones.
 */
export const asAsked =
  (known: Spellings): Patch =>
  (inner) => {
    const inProto = new WeakSet<HttpCall>();
    return {
      httpCall(request) {
        const name = nameIn(request);
        const asked = isInProto(request.body);
        if (asked !== undefined) {
          if (known.size >= mostNames) known.clear();
          known.set(name, asked);
        }
        const call = inner.httpCall(request);
        if (call !== undefined && known.get(name) === true) inProto.add(call);
        return call;
      },
      httpResult(result, call) {
        const reply = inner.httpResult(result, call);
        if (!inProto.has(call)) return reply;
        const { value } = reply;
        return { ...reply, value: call.op === 'extendedCard' ? cardTo(value) : resultTo(value, call.op) };
      },
    };
  };
