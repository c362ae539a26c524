import { isObject, type JsonObject } from '../../../../src/model/index.js';
import { carry, type Incoming, jsonReply, type Reply } from '../../../../src/reference/patching.js';
import {
  bodyText,
  type Carrier,
  CarrierFailure,
  type Clock,
  type StopSignal,
  sleep,
} from '../../../../src/wire/index.js';
import { caip2Of, type FacilitatorControl, tokens as knownTokens, type Token, v1NameOf } from '../../payments/index.js';
import { broken, createOrders, delayMs, type Orders, type Path } from './behaving.js';
import { readAddress, readAmount, readOffset, readOrder, readToken, tokenIn } from './input.js';
import { judge, type Verdict } from './judge.js';
import { createLedger, type Ledger } from './ledger.js';
import { type Reason, reasonText, type Wording } from './reasons.js';

/** Larger requests are refused; a payment has some thousand bytes. */
const mostBytes = 64 * 1024;
const mostLoggedBytes = 16 * 1024;
const longestPath = 100;

/** An address without an owner: the stub sends no transactions. */
const signer = '0x000000000000000000000000000000000000dEaD';

export interface FacilitatorOptions {
  readonly clock: Clock;
  /** Besides the known ones. */
  readonly tokens?: readonly Token[];
  /** Default: that of the published library. */
  readonly wording?: Wording;
}

export interface Facilitator {
  /** POST `/verify` and `/settle`, GET `/supported`; 404 for all else. x402 core v2 §7. */
  readonly handle: Carrier;
  readonly control: FacilitatorControl;
}

/**
 * A stub of a facilitator with a chain behind it: it really verifies signatures, and moves money that exists only in
 * the stub. At first all balances are 0.
 */
export function createFacilitator({ clock, tokens = [], wording = 'published' }: FacilitatorOptions): Facilitator {
  const ledger = createLedger(tokens, knownTokens);
  const orders = createOrders();
  let offset = 0;
  const now = (): number => clock.now() + offset;
  const text = (reason: Reason): string => reasonText(wording, reason);

  async function answer(path: Path, body: unknown, signal: StopSignal): Promise<Reply> {
    const order = orders.take(path);
    const reply = broken(order?.behaviour, path);
    if (reply !== undefined) return reply;
    if (order?.behaviour === 'delay') {
      await sleep(clock, order.delayMs ?? delayMs, signal);
      if (signal.aborted) throw new CarrierFailure('aborted', 'the caller has gone');
    }
    const verdict = judge(body, ledger, now() / 1000);
    const isCall = isObject(body);
    if (path === 'verify') {
      return jsonReply(isCall ? 200 : 400, verified(verdict, order?.behaviour === 'valid-then-fail', text));
    }
    return jsonReply(isCall ? 200 : 400, settled(verdict, order?.behaviour, ledger, now(), text));
  }

  async function serve(request: Incoming): Promise<Reply> {
    const { pathname } = new URL(request.url);
    const tooLarge = (request.body?.byteLength ?? 0) > mostBytes;
    const body = tooLarge ? undefined : jsonOf(request);
    const log = ledger.record({
      at: now(),
      method: request.method,
      path: pathname.slice(0, longestPath),
      ...(body === undefined || (request.body?.byteLength ?? 0) > mostLoggedBytes ? {} : { request: body }),
    });
    const path = pathname === '/verify' ? 'verify' : pathname === '/settle' ? 'settle' : undefined;
    const reply = await (async () => {
      if (pathname === '/supported' && request.method === 'GET') return jsonReply(200, supported(ledger));
      if (path === undefined) return jsonReply(404, { error: 'there is POST /verify, POST /settle, GET /supported' });
      if (request.method !== 'POST') return jsonReply(405, { error: 'the method must be POST' });
      if (tooLarge) return jsonReply(413, { error: `the body is larger than ${mostBytes} bytes` });
      return answer(path, body, request.signal);
    })();
    const shown = typeof reply.body === 'string' ? parsed(reply.body) : undefined;
    if (reply.fate === undefined) log({ status: reply.status, ...(isObject(shown) ? { answer: shown } : {}) });
    return reply;
  }

  const setOffset = (ms: number): void => {
    offset = ms;
  };
  return { handle: carry(serve), control: controlOf(ledger, orders, now, setOffset) };
}

function verified(verdict: Verdict, believes: boolean, text: (reason: Reason) => string): JsonObject {
  const { network: _, payer } = verdict;
  const paying = payer === undefined ? {} : { payer };
  if (believes || 'transfer' in verdict) return { isValid: true, ...paying };
  return {
    isValid: false,
    invalidReason: text(verdict.reason),
    invalidMessage: `the ${verdict.reason} is wrong`,
    ...paying,
  };
}

function settled(
  verdict: Verdict,
  behaviour: string | undefined,
  ledger: Ledger,
  now: number,
  text: (reason: Reason) => string,
): JsonObject {
  const { network, payer } = verdict;
  const about = { network, ...(payer === undefined ? {} : { payer }) };
  const failed = (reason: Reason, transaction = ''): JsonObject => ({
    success: false,
    errorReason: text(reason),
    errorMessage: `settling failed: ${reason}`,
    transaction,
    ...about,
  });
  if (behaviour === 'valid-then-fail') return failed('reason' in verdict ? verdict.reason : 'funds');
  if ('reason' in verdict) return failed(verdict.reason);
  const { transfer } = verdict;
  if (behaviour === 'settle-fails') return failed('transaction');
  if (behaviour === 'success-without-transaction') return { success: true, transaction: '', ...about };
  if (behaviour === 'settlement-pending-once' && ledger.suspend(transfer)) {
    return failed('pending', ledger.transaction(transfer));
  }
  // One step with the check of nonce and balance: nothing was awaited since.
  const settlement = ledger.move(transfer, now);
  if (settlement === undefined) return failed('transaction');
  return { success: true, transaction: settlement.transaction, ...about };
}

/** x402 core v2 §7.3: every token's network, under each name that it has. */
function supported({ tokens }: Ledger): JsonObject {
  const chains = [...new Set(tokens.map(({ chainId }) => chainId))];
  const kind = (x402Version: number, network: string): JsonObject => ({ x402Version, scheme: 'exact', network });
  return {
    kinds: [
      ...chains.map((chain) => kind(2, caip2Of(chain))),
      ...chains.map((chain) => kind(1, v1NameOf(chain) ?? caip2Of(chain))),
    ],
    extensions: [],
    signers: { 'eip155:*': [signer] },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const jsonOf = ({ body }: Incoming): unknown => parsed(bodyText(body));

function controlOf(
  ledger: Ledger,
  orders: Orders,
  now: () => number,
  setOffset: (ms: number) => void,
): FacilitatorControl {
  return {
    async fund(address, token, amount) {
      const wallet = readAddress(address, 'address');
      ledger.fund(wallet, tokenIn(ledger, readToken(token, 'token')), BigInt(readAmount(amount, 'amount')));
    },
    balance: async (address, token) =>
      String(ledger.balance(readAddress(address, 'address'), tokenIn(ledger, readToken(token, 'token')))),
    setBehaviour: async (order) => orders.set(order === undefined ? undefined : readOrder(order, 'order')),
    settlements: async () => ledger.settlements(),
    calls: async () => ledger.calls(),
    now: async () => now(),
    setClockOffset: async (ms) => setOffset(readOffset(ms, 'ms')),
    async reset() {
      ledger.clear();
      orders.set(undefined);
      setOffset(0);
    },
  };
}
