import { isObject, type JsonObject, member, stringMember } from '../../../src/model/index.js';
import { askUpstream, createExpiring, type Upstream, type World } from '../../../src/reference/patching.js';
import { sleep } from '../../../src/wire/index.js';
import { isBytes32 } from '../payments/index.js';
import type { X402Whole } from './patches.js';
import { PaymentRefusal, type X402Seams } from './seams.js';

export type SettlingSeams = Pick<X402Seams, 'mark' | 'claim' | 'release' | 'request' | 'ask' | 'verify' | 'settle'>;

/** Wait before a pending settlement is asked for again, ms. */
const pendingMs = 1000;

/** Takes each payment once, and verifies and settles it with the facilitator. x402 core v1 §7, v2 §7. */
export function settling({ clock }: World, whole: X402Whole, facilitator: Upstream | undefined): SettlingSeams {
  /** An authorization that has expired cannot be used, so it need not be remembered. */
  const claims = createExpiring<true>(clock);

  return {
    mark({ option, payment }) {
      const { from, nonce } = payment.payload.authorization;
      return [option.network, option.asset, from, nonce].join(' ').toLowerCase();
    },
    claim(attempt) {
      const mark = whole.x402.mark(attempt);
      if (claims.get(mark) !== undefined) return false;
      const until = Number(attempt.payment.payload.authorization.validBefore) * 1000;
      // An expired authorization is kept until it is refused as expired.
      return claims.set(mark, true, Math.max(until, clock.now() + 60_000));
    },
    release: (attempt) => claims.delete(whole.x402.mark(attempt)),
    request: ({ offer, option, payment }) => ({
      x402Version: offer.x402Version,
      paymentPayload: payment,
      paymentRequirements: option.raw,
    }),
    async ask(path, body) {
      if (facilitator === undefined) throw new Error('the facilitator is missing');
      return askUpstream(facilitator, clock, path, body);
    },
    async verify(attempt) {
      const answer = await asked('/verify', whole.x402.request(attempt), whole);
      if (answer === undefined) return new PaymentRefusal('unexpected_verify_error');
      if (answer.isFine && member(answer.json, 'isValid') === true) return undefined;
      return new PaymentRefusal(reasonIn(answer.json, 'invalidReason', 'unexpected_verify_error'));
    },
    async settle(attempt) {
      const body = whole.x402.request(attempt);
      let answer = await asked('/settle', body, whole);
      // As the published server does: the same call once more.
      if (stringMember(answer?.json, 'errorReason') === 'settlement_pending') {
        await sleep(clock, pendingMs);
        answer = await asked('/settle', body, whole);
      }
      if (answer === undefined) return new PaymentRefusal('unexpected_settle_error');
      const transaction = member(answer.json, 'transaction');
      const isDone = answer.isFine && member(answer.json, 'success') === true;
      if (isDone && isBytes32(transaction)) return transaction;
      return new PaymentRefusal(reasonIn(answer.json, 'errorReason', 'unexpected_settle_error'));
    },
  };
}

/** The JSON object of an answer; undefined where there is none. */
async function asked(path: '/verify' | '/settle', body: JsonObject, whole: X402Whole) {
  try {
    const { status, json } = await whole.x402.ask(path, body);
    return isObject(json) ? { json, isFine: status >= 200 && status <= 299 } : undefined;
  } catch {
    return undefined;
  }
}

const longestReason = 100;

/** The reason of the facilitator where it is a name; other texts might be anything. */
function reasonIn(json: JsonObject, name: string, otherwise: string): string {
  const reason = stringMember(json, name) ?? '';
  return /^\w+$/.test(reason) ? reason.slice(0, longestReason) : otherwise;
}
