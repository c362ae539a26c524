import { isObject, type JsonObject } from '../../model/index.js';
import { bodyText, type Carrier, mediaType } from '../../wire/index.js';
import type { FacilitatorControl, FacilitatorOrder, FacilitatorToken } from '../../x402/index.js';
import { carry } from '../carrier.js';
import { ChainInputError, object, optional, type Reader } from '../chain/reader.js';
import { jsonReply } from '../chain/refusal.js';
import type { Incoming, Reply } from '../seams.js';
import { readAddress, readAmount, readOffset, readOrder, readToken } from './input.js';

const prefix = '/control/';
const mostBytes = 16 * 1024;

type Order = (control: FacilitatorControl, body: JsonObject) => Promise<JsonObject>;

/** An operation with a body of its own shape. */
const operation =
  <T>(read: Reader<T>, give: (control: FacilitatorControl, read: T) => Promise<JsonObject>): Order =>
  (control, body) =>
    give(control, read(body, 'body'));

const nothing = object<Record<never, never>>({});
const wallet = object<{ readonly address: string; readonly token: FacilitatorToken }>({
  address: readAddress,
  token: readToken,
});
const grant = object<{ readonly address: string; readonly token: FacilitatorToken; readonly amount: string }>({
  address: readAddress,
  token: readToken,
  amount: readAmount,
});
const behaviour = object<{ readonly order?: FacilitatorOrder }>({
  order: optional(readOrder) as Reader<FacilitatorOrder>,
});
const offset = object<{ readonly ms: number }>({ ms: readOffset });

const done: JsonObject = { done: true };

/** The operations by the last part of their path. */
const operations: ReadonlyMap<string, Order> = new Map<string, Order>([
  [
    'fund',
    operation(grant, async (control, { address, token, amount }) => {
      await control.fund(address, token, amount);
      return done;
    }),
  ],
  [
    'balance',
    operation(wallet, async (control, { address, token }) => ({ balance: await control.balance(address, token) })),
  ],
  [
    'set-behaviour',
    operation(behaviour, async (control, { order }) => {
      await control.setBehaviour(order);
      return done;
    }),
  ],
  [
    'set-clock-offset',
    operation(offset, async (control, { ms }) => {
      await control.setClockOffset(ms);
      return done;
    }),
  ],
  ['settlements', operation(nothing, async (control) => ({ settlements: await control.settlements() }))],
  ['calls', operation(nothing, async (control) => ({ calls: await control.calls() }))],
  ['now', operation(nothing, async (control) => ({ now: await control.now() }))],
  [
    'reset',
    operation(nothing, async (control) => {
      await control.reset();
      return done;
    }),
  ],
]);

const refuse = (status: number, error: string): Reply => jsonReply(status, { error });

/** Throws `ChainInputError`. */
function bodyOf({ body }: Incoming): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(bodyText(body));
  } catch {
    throw new ChainInputError('the body is no JSON');
  }
  if (!isObject(value)) throw new ChainInputError('the body must be a JSON object');
  return value;
}

/**
 * The control of a stub over HTTP: `POST /control/<operation>` with a JSON object. 200 with `{ done: true }`,
 * `{ balance }`, `{ settlements }`, `{ calls }` or `{ now }`; otherwise `{ error }`, a sentence. Nothing else is served.
 */
export function facilitatorControlHandle(control: FacilitatorControl): Carrier {
  async function serve(request: Incoming): Promise<Reply> {
    const { pathname } = new URL(request.url);
    const give = pathname.startsWith(prefix) ? operations.get(pathname.slice(prefix.length)) : undefined;
    if (give === undefined) {
      return refuse(404, `there is only POST ${prefix}<operation>; operations: ${[...operations.keys()].join(', ')}`);
    }
    if (request.method !== 'POST') return refuse(405, 'the method must be POST');
    // A page in a browser can send text anywhere, but no JSON.
    if (mediaType(request.headers) !== 'application/json') {
      return refuse(415, 'the content type must be application/json');
    }
    if ((request.body?.byteLength ?? 0) > mostBytes) return refuse(413, `the body is larger than ${mostBytes} bytes`);
    return jsonReply(200, await give(control, bodyOf(request)));
  }
  return carry(async (request) => {
    try {
      return await serve(request);
    } catch (cause) {
      if (!(cause instanceof ChainInputError)) throw cause;
      return refuse(400, cause.message);
    }
  });
}
