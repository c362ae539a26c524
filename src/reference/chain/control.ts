import { isObject, type JsonObject } from '../../model/index.js';
import { bodyText, type Carrier, mediaType } from '../../wire/index.js';
import type { ChainControl } from '../../xpr/index.js';
import { carry } from '../carrier.js';
import type { Incoming, Reply } from '../seams.js';
import { readAccount, readAgent, readFailure, readKyc, readName } from './input.js';
import { ChainInputError, object } from './reader.js';
import { jsonReply } from './refusal.js';

const prefix = '/control/';
const mostBytes = 256 * 1024;

const readNothing = object<Record<never, never>>({});
const readOnlyName = object<{ readonly account: string }>({ account: readName });

type Order = (control: ChainControl, body: JsonObject) => Promise<JsonObject>;

const done: JsonObject = { done: true };
/** An order with a body of its own shape and nothing to answer but that it was done. */
const order =
  <T>(read: (body: unknown, where: string) => T, give: (control: ChainControl, read: T) => Promise<void>): Order =>
  async (control, body) => {
    await give(control, read(body, 'body'));
    return done;
  };

/** The operations by the last part of their path. */
const orders: ReadonlyMap<string, Order> = new Map<string, Order>([
  ['set-account', order(readAccount, (control, account) => control.setAccount(account))],
  ['remove-account', order(readOnlyName, (control, { account }) => control.removeAccount(account))],
  ['set-agent', order(readAgent, (control, row) => control.setAgent(row))],
  ['remove-agent', order(readOnlyName, (control, { account }) => control.removeAgent(account))],
  ['set-kyc', order(readKyc, (control, row) => control.setKyc(row))],
  ['remove-kyc', order(readOnlyName, (control, { account }) => control.removeKyc(account))],
  ['set-failure', order(readFailure, (control, { account, mode }) => control.setFailure(account, mode))],
  ['reset', order(readNothing, (control) => control.reset())],
  [
    'calls',
    async (control, body) => {
      readNothing(body, 'body');
      return { calls: await control.calls() };
    },
  ],
  [
    'chain-id',
    async (control, body) => {
      readNothing(body, 'body');
      return { chainId: await control.chainId() };
    },
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
 * `{ calls }` or `{ chainId }`; otherwise `{ error }`, a sentence. Nothing else is served.
 */
export function controlHandle(control: ChainControl): Carrier {
  async function serve(request: Incoming): Promise<Reply> {
    const { pathname } = new URL(request.url);
    const give = pathname.startsWith(prefix) ? orders.get(pathname.slice(prefix.length)) : undefined;
    if (give === undefined) {
      return refuse(404, `there is only POST ${prefix}<operation>; operations: ${[...orders.keys()].join(', ')}`);
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
