import { check, x402, x402Text } from '../../src/kit/index.js';
import { allRefused, flaw, flaws, trying, type Way } from './trying.js';

// Who signed what. a2a-x402 v0.1 §9; x402 core v2 §6.1.2; scheme exact on EVM; EIP-712.

/** A merchant may take the name from what the client repeats; the contract of the token does not. */
const nameInCopy: Way = {
  about: 'signed with another name, which accepted has too',
  versions: [2],
  async make(scene, offered) {
    await x402.payer(scene, offered);
    const domain = x402Text.domainOf(offered.option);
    if (domain === undefined) return undefined;
    const name = `${domain.name} II`;
    const made = x402Text.payment(x402.paying(scene, offered, { domain: { ...domain, name } }));
    if (made.x402Version === 1) return undefined;
    return { ...made, accepted: { ...made.accepted, extra: { ...offered.option.extra, name } } };
  },
};

export const signatureBroken = check('x402/signature-broken', 'x402.signature-broken')
  .given('control', x402.control)
  .when(
    'the signature of a payment is broken, zeros, too short or too long',
    trying(...flaws('n18', 'n19', 'n20', 'n21', 'n22', 'n23', 'n24')),
  )
  .expects('be refused', allRefused)
  .advice('A signature of a plain wallet has 65 bytes, v is 27 or 28, and the recovered address is the payer.')
  .killedBy(
    'x402-signature-unchecked',
    'x402-signature-length-only',
    'x402-signer-not-compared',
    'x402-signature-unrecoverable-taken',
    'x402-signature-parity-ignored',
    'x402-signature-without-v-taken',
    'x402-signature-tail-ignored',
    'x402-signature-empty-taken',
  );

export const signerOther = check('x402/signer-other', 'x402.signer-other')
  .given('control', x402.control)
  .when(
    'somebody else signed a payment, or its payer or nonce was replaced after signing',
    trying(...flaws('n11', 'n12', 'n13')),
  )
  .expects('be refused', allRefused)
  .advice('Compare the recovered address with the payer in the authorization.')
  .killedBy('x402-signature-unchecked', 'x402-signature-length-only', 'x402-signer-not-compared');

export const domainOther = check('x402/domain-other', 'x402.domain-other')
  .given('control', x402.control)
  .when('a payment is signed under another name or version of the token', trying(flaw('n09'), flaw('n10'), nameInCopy))
  .expects('be refused', allRefused)
  .advice('Name and version of the domain are those of the token contract, as the offer has them in extra.')
  .killedBy(
    'x402-domain-name-unchecked',
    'x402-domain-version-unchecked',
    'x402-domain-of-copy-believed',
    'x402-signature-unchecked',
    'x402-signer-not-compared',
  );

export const signatureHighS = check('x402/signature-high-s', 'x402.signature-high-s')
  .given('control', x402.control)
  .when('the signature of a payment has a high s', trying(flaw('n25')))
  .expects('be refused', allRefused)
  .advice('Token contracts refuse a high s; libraries recover the payer from it all the same.')
  .killedBy('x402-signature-high-s-taken', 'x402-signature-unchecked');
