import { extensionUris, localToken, type Token, type X402Version } from '../payments/index.js';

/** A skill that costs something, asked for by messages that begin with its id. */
export interface PaidSkill {
  readonly id: string;
  /** Atomic units. */
  readonly amount: string;
}

/** Settings of an agent that charges. */
export interface MerchantSettings {
  readonly x402Version: X402Version;
  /** URIs of the extension, as the card declares them; each activates it. */
  readonly uris: readonly string[];
  /** The card declares the extension as required, and calls that do not activate it are refused. */
  readonly required: boolean;
  /** `work-first`: the agent does the work first, and keeps the result back until it is paid. */
  readonly order: 'settle-first' | 'work-first';
  /** State of the task after a payment that failed; `ask-again`: input-required, with the offer in a message of its own. */
  readonly onFailure: 'failed' | 'input-required' | 'ask-again';
  /** State of the task after a rejected offer. */
  readonly onRejection: 'failed' | 'input-required';
  readonly skills: readonly PaidSkill[];
  /** Each token is one option of an offer, for each flow. */
  readonly tokens: readonly Token[];
  /**
   * Each flow makes an option of each token. `upfront`: the agent settles before it works, and asks the facilitator for
   * nothing before that.
   */
  readonly flows: readonly ('authorization' | 'upfront')[];
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  /** The extension is named in answers. */
  readonly echo: boolean;
  /** How often one task is charged. */
  readonly steps: number;
}

export const usualMerchant: MerchantSettings = {
  x402Version: 2,
  uris: [extensionUris.v01],
  required: true,
  order: 'settle-first',
  onFailure: 'failed',
  onRejection: 'failed',
  skills: [
    { id: 'paid-echo', amount: '10000' },
    { id: 'paid-report', amount: '25000' },
  ],
  tokens: [localToken],
  flows: ['authorization'],
  payTo: '0x052Cfa6a69289bd7c17624E876b69902859C69c2',
  maxTimeoutSeconds: 300,
  echo: true,
  steps: 1,
};
