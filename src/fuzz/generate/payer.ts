import { createHash } from 'node:crypto';
import { isObject, member, type Task } from '../../model/index.js';
import { metadataKeys, type Offer, readOffer, type ThrowawayWallet, throwawayWallet } from '../../x402/index.js';

// The wallets of a campaign, which are made up for it and never funded. They have nothing to do with funded payments;
// see x402/treasurer.ts.

/** Makes payments of a campaign. The same seed gives the same wallets and nonces. */
export interface Payer {
  /** One of several wallets; the same number always gives the same wallet. */
  wallet(number: number): ThrowawayWallet;
  /** 32 bytes in hex: the same for the same text. */
  nonce(text: string): string;
  /** Unix seconds by the agent's clock. */
  seconds(): number;
}

/** What a payment is made with, when the request is printed. */
export interface Paid {
  readonly payer: Payer | undefined;
  /** The JSON-RPC id of this request, and of no other. */
  readonly rpcId: string;
  /** The agent's offer for the task that a step began; undefined while it is unknown. */
  offer(step: string): Offer | undefined;
}

/** How many payers can differ; more are never needed. */
const mostWallets = 8;

export function createPayer(seed: number, seconds: () => number): Payer {
  const hashed = (text: string): Uint8Array =>
    new Uint8Array(createHash('sha256').update(`a2a-tck fuzz ${seed} ${text}`).digest());
  const wallets = new Map<number, ThrowawayWallet>();
  return {
    seconds,
    nonce: (text) => `0x${Buffer.from(hashed(`nonce ${text}`)).toString('hex')}`,
    wallet(number) {
      const at = Math.abs(Math.trunc(number)) % mostWallets;
      const made = wallets.get(at) ?? throwawayWallet(() => hashed(`wallet ${at}`));
      wallets.set(at, made);
      return made;
    },
  };
}

/** The payment that a task asks for; undefined: it asks for none. a2a-x402 v0.1 §4.3. */
export function offerIn({ status: { state, message } }: Task): Offer | undefined {
  if (state !== 'input-required') return undefined;
  const wanted = member(message?.metadata, metadataKeys.required);
  return isObject(wanted) ? readOffer(wanted) : undefined;
}
