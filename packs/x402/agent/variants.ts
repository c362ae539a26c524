import { type Patch, together, type Variant, variant } from '../../../src/reference/patching.js';
import { extensionUris, localToken, type Token } from '../payments/index.js';
import { onX402, selling } from './patches.js';
import type { MerchantSettings } from './settings.js';
import { x402CallingVariants } from './variants-calling.js';
import { embedding } from './variants-embedded.js';
import { x402ReadingVariants } from './variants-reading.js';
import { x402TellingVariants } from './variants-telling.js';

const charging = (id: string, about: string, patch: Patch, more: Partial<Variant> = {}): Variant =>
  variant(id, { about, charges: true, patch, ...more });
const sells = (id: string, about: string, settings: Partial<MerchantSettings>): Variant =>
  charging(id, about, selling(settings));

/** Base Sepolia, which has a name in version 1 too. */
const sepolia: Token = {
  chainId: 84532n,
  asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  name: 'USDC',
  version: '2',
  decimals: 6,
};

/** Agents that charge in an unusual but conforming way. */
export const x402Variants: readonly Variant[] = [
  charging('x402-without-stub', 'No client can change its facilitator, and the kit has no money.', () => ({}), {
    told: { stub: false },
  }),
  sells('x402-version-1', 'Its payments are of version 1.', { x402Version: 1, tokens: [sepolia] }),
  sells('x402-two-options', 'Either of two tokens will do.', { tokens: [localToken, sepolia] }),
  sells('x402-extension-v02', 'It declares v0.2 of the extension.', { uris: [extensionUris.v02] }),
  sells('x402-both-extensions', 'It declares both versions of the extension.', { uris: Object.values(extensionUris) }),
  charging(
    'x402-embedded',
    'It puts its offers into cart mandates (v0.2 §4), which the kit does not pay.',
    together(selling({ uris: [extensionUris.v02] }), embedding),
  ),
  sells('x402-work-first', 'The work is done before it is paid, and kept back until then.', { order: 'work-first' }),
  sells('x402-failure-open', 'After a payment that failed the task waits for another one.', {
    onFailure: 'input-required',
  }),
  sells('x402-asks-again', 'After a payment that failed the offer is made again.', { onFailure: 'ask-again' }),
  sells('x402-rejection-open', 'After a rejected offer the task still waits.', { onRejection: 'input-required' }),
  sells('x402-two-steps', 'A task is charged twice.', { steps: 2 }),
  sells('x402-short-offers', 'Its offers are good for half a minute.', { maxTimeoutSeconds: 30 }),
  charging(
    'x402-slow-work',
    'The work takes its time once it is paid.',
    onX402((inner, { clock }) => ({
      deliver: (account, parts) => void clock.after(2000, () => inner.deliver(account, parts)),
    })),
  ),
  sells('x402-upfront', 'It is paid before it works, and says so (x402 core v2 §6.1).', { flows: ['upfront'] }),
  sells('x402-upfront-first', 'It would be paid before it works, or after that.', {
    flows: ['upfront', 'authorization'],
  }),
  charging(
    'x402-upfront-work-fails',
    'It is paid before it works, says so, and the work fails: the receipt stays, and nothing comes back.',
    together(
      selling({ flows: ['upfront'] }),
      onX402((_, { clock }, whole) => ({
        deliver: (account) =>
          void clock.after(5, () => whole.x402.publish(account, { type: 'status', state: 'failed', say: 'It broke.' })),
      })),
    ),
  ),
  ...x402CallingVariants,
  ...x402ReadingVariants,
  ...x402TellingVariants,
];
