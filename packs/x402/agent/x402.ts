import type { Upstream, World } from '../../../src/reference/patching.js';
import { headerEntries, isX402Extension } from '../payments/index.js';
import { accounts } from './accounts.js';
import { offers } from './offers.js';
import type { X402Whole } from './patches.js';
import { paymentFlow } from './payment-flow.js';
import { paymentMetadata } from './payment-metadata.js';
import type { X402Seams } from './seams.js';
import { usualMerchant } from './settings.js';
import { settling } from './settling.js';

/** Whether a header activates extensions; each version of A2A has its own name for it. */
export const isExtensionHeader = (name: string): boolean => /^(x-)?a2a-extensions$/i.test(name);

/** The seams about payments. `facilitator`: what verifies and settles them; without it no client can pay. */
export const x402 = (world: World, whole: X402Whole, facilitator: Upstream | undefined): X402Seams => ({
  settings: () => usualMerchant,
  isActive: ({ headers }) =>
    headers
      .flatMap(([name, value]) => (isExtensionHeader(name) ? headerEntries(value) : []))
      .some((uri) => isX402Extension(uri) && whole.x402.settings().uris.includes(uri)),
  ...offers(world, whole),
  ...accounts(world, whole),
  ...paymentFlow(world, whole),
  ...settling(world, whole, facilitator),
  ...paymentMetadata(world, whole),
});
