import { check } from '../../src/kit/index.js';
import { wrongVersions } from './malformed.js';
import * as x402 from './shared/index.js';
import { allRefused, flaw, trying } from './trying.js';

// Recipient, asset and network must be those of the offer. a2a-x402 v0.1 §4.1; x402 core v2 §5.2.2, §6.1.2.

const kept =
  'Keep the offer by task id. The member accepted of the payment only selects an option: it must equal one of them.';
const domain =
  'Recover the signer with the chain id and the token contract of the offer, and compare it with the payer.';

// In our words (x402, a2a-x402 v0.1, 4.1; x402 core v2, 5.2.2): The price is that of the offer, not that of `accepted`.
export const acceptedCheaper = check('x402/accepted-cheaper', 'x402.accepted-cheaper')
  .given('control', x402.control)
  .when('accepted has a cheaper amount, and the signature covers that', trying(flaw('n28')))
  .expects('refuse the payment', allRefused)
  .advice(kept);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization to another recipient is refused.
export const recipientOther = check('x402/recipient-other', 'x402.recipient-other')
  .given('control', x402.control)
  .when('a payment is signed to the payer', trying(flaw('n05')))
  .expects('refuse the payment', allRefused)
  .advice('Compare the recipient of the authorization with payTo of the offer.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): A recipient that was edited after signing is refused.
export const recipientEdited = check('x402/recipient-edited', 'x402.recipient-edited')
  .given('control', x402.control)
  .when('the recipient of a payment was edited after signing', trying(flaw('n06')))
  .expects('refuse the payment', allRefused)
  .advice('Recover the signer from what the authorization says, not from what the offer says.');

// In our words (x402, a2a-x402 v0.1, 4.1; x402 core v2, 5.2.2): The recipient is that of the offer, not that of
//   `accepted`.
export const acceptedRecipient = check('x402/accepted-recipient', 'x402.accepted-recipient')
  .given('control', x402.control)
  .when('accepted has the payer as recipient, and the signature covers that', trying(flaw('n29')))
  .expects('refuse the payment', allRefused)
  .advice(kept);

// In our words (x402, x402 core v2, 5.2.2, 6.1.2; x402 core v1, 5.2.2): A network that was not offered is refused.
export const networkNotOffered = check('x402/network-not-offered', 'x402.network-not-offered')
  .given('control', x402.control)
  .when('a payment names a network that was not offered', trying(flaw('n26')))
  .expects('refuse the payment', allRefused)
  .advice(kept);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): A signature for another chain is refused.
export const chainOther = check('x402/chain-other', 'x402.chain-other')
  .given('control', x402.control)
  .when('a payment is signed for another chain', trying(flaw('n07')))
  .expects('refuse the payment', allRefused)
  .advice(domain);

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): A signature for another token is refused.
export const assetOther = check('x402/asset-other', 'x402.asset-other')
  .given('control', x402.control)
  .when('a payment is signed for another token', trying(flaw('n08')))
  .expects('refuse the payment', allRefused)
  .advice(domain);

// In our words (x402, a2a-x402 v0.1, 4.1; x402 core v2, 5.2.2): The token is that of the offer, not that of `accepted`.
export const acceptedAsset = check('x402/accepted-asset', 'x402.accepted-asset')
  .given('control', x402.control)
  .when('accepted has another token, and the signature covers that', trying(flaw('n30')))
  .expects('refuse the payment', allRefused)
  .advice(kept);

// In our words (x402, x402 core v2, 5.2.2; x402 core v1, 5.2.2): A scheme that was not offered is refused.
export const schemeNotOffered = check('x402/scheme-not-offered', 'x402.scheme-not-offered')
  .given('control', x402.control)
  .when('a payment names a scheme that was not offered', trying(flaw('n27')))
  .expects('refuse the payment', allRefused)
  .advice(kept);

// In our words (x402, x402 core v2, 5.2.2; x402 core v1, 5.2.2): `x402Version` of the payload is the number of the
//   offer.
export const versionOther = check('x402/version-other', 'x402.version-other')
  .given('control', x402.control)
  .given('versions', wrongVersions)
  .when('the x402Version of a payment is another, a text, or missing', async ({ versions }) => versions)
  .expects('refuse the payment', allRefused)
  .advice('Read x402Version first: it is a number, and that of the offer.');
