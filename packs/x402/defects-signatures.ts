import { check } from '../../src/kit/index.js';
import * as x402Text from './payments/index.js';
import * as x402 from './shared/index.js';
import { allRefused, changed, flaw, flaws, trying, type Way, withInner } from './trying.js';

// Signers and signed contents. a2a-x402 v0.1 §9; x402 core v2 §6.1.2; scheme exact on EVM; EIP-712.

/** A merchant may read the name from the client's copy of the option; the token contract does not. */
const inCopy = (member: 'name' | 'version'): Way => ({
  about: `signed with another ${member}, which accepted has too`,
  versions: [2],
  async make(scene, offered) {
    await x402.payer(scene, offered);
    const domain = x402Text.domainOf(offered.option);
    if (domain === undefined) return undefined;
    const other = { [member]: `${domain[member]}1` };
    const made = x402Text.payment(x402.paying(scene, offered, { domain: { ...domain, ...other } }));
    if (made.x402Version === 1) return undefined;
    return { ...made, accepted: { ...made.accepted, extra: { ...offered.option.extra, ...other } } };
  },
});

/**
 * A long signature, as contract wallets have; the payer is none. The ERC-6492 magic says that the wallet is yet to be
 * deployed.
 */
const long = (about: string, end: string): Way =>
  changed(about, (payment) => withInner(payment, { signature: `0x${'00'.repeat(160)}${end}` }));

// In our words (x402, a2a-x402 v0.1, 9; x402 core v2, 6.1.2): A signature that does not verify is refused.
export const signatureBroken = check('x402/signature-broken', 'x402.signature-broken')
  .given('control', x402.control)
  .when(
    'the signature of a payment is broken, zeros, too short or too long',
    trying(
      ...flaws('n18', 'n19', 'n20', 'n21', 'n22', 'n23', 'n24'),
      long('160 zero bytes, as of a contract wallet', ''),
      long('160 zero bytes, as of a contract wallet that is not there yet', '6492'.repeat(16)),
    ),
  )
  .expects('refuse the payment', allRefused)
  .advice('A signature of a plain wallet has 65 bytes, v is 27 or 28, and the recovered address is the payer.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): An authorization that another key signed is refused, and
//   one whose payer or nonce was replaced.
export const signerOther = check('x402/signer-other', 'x402.signer-other')
  .given('control', x402.control)
  .when('another key signed a payment, or its payer or nonce was replaced', trying(...flaws('n11', 'n12', 'n13')))
  .expects('refuse the payment', allRefused)
  .advice('Compare the recovered address with the payer in the authorization.');

// In our words (x402, x402 core v2, 6.1.2; exact on EVM, 1): A signature under another domain name or version is
//   refused.
export const domainOther = check('x402/domain-other', 'x402.domain-other')
  .given('control', x402.control)
  .when(
    'a payment is signed under another name or version of the token',
    trying(flaw('n09'), flaw('n10'), inCopy('name'), inCopy('version')),
  )
  .expects('refuse the payment', allRefused)
  .advice('Name and version of the domain are those of the token contract, as the offer has them in extra.');

// In our words (x402, exact on EVM, 1): A signature with a high s is refused, at settlement at the latest.
export const signatureHighS = check('x402/signature-high-s', 'x402.signature-high-s')
  .given('control', x402.control)
  .when('the signature of a payment has a high s', trying(flaw('n25')))
  .expects('refuse the payment', allRefused)
  .advice('Refuse a signature whose s is above half of the order of the curve: token contracts do, libraries do not.');
