import { createHash } from 'node:crypto';
import type { Payer as Campaign } from '../../../src/fuzz/extending.js';
import { isObject, member, type Task, weakMemo } from '../../../src/model/index.js';
import { metadataKeys, type Offer, readOffer, type ThrowawayWallet, throwawayWallet } from '../payments/index.js';

// The wallets of a campaign, which are made up for it and never funded. They have nothing to do with funded payments;
// see ../payments/funded-signer.ts.

/** Makes payments of a campaign. The same seed gives the same wallets and nonces. */
export interface Payer {
  /** One of several wallets; the same number always gives the same wallet. */
  wallet(number: number): ThrowawayWallet;
  /** 32 bytes in hex: the same for the same text. */
  nonce(text: string): string;
  /** Unix seconds by the agent's clock. */
  seconds(): number;
}

/** How many payers can differ; more are never needed. */
const mostWallets = 8;

/** The payer of a campaign. */
export const payerOf = weakMemo(({ seed, seconds }: Campaign): Payer => {
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
});

/** The payment that a task asks for; undefined: it asks for none. a2a-x402 v0.1 §4.3. */
export function offerIn({ status: { state, message } }: Task): Offer | undefined {
  if (state !== 'input-required') return undefined;
  const wanted = member(message?.metadata, metadataKeys.required);
  return isObject(wanted) ? readOffer(wanted) : undefined;
}
