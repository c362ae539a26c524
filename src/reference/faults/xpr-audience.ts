import { digest, publicKeyText, readSignatureLeniently, recover, type Scheme, signedHash } from '../../xpr/index.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';
import type { XprClaim } from '../xpr/seams.js';

/** Also accepts signatures for one of these other schemes. */
const verifying = (others: (own: Scheme, claim: XprClaim) => readonly Scheme[]): Patch =>
  onXpr((_, __, { xpr }) => ({
    async hash(claim, body) {
      const own = await xpr.scheme();
      const permissions = await xpr.permissions(claim.account);
      const hashes = [own, ...others(own, claim)].map((scheme) => signedHash(digest(scheme, { ...claim, body })));
      const signature = readSignatureLeniently(claim.signature);
      const found = hashes.find((hash) => {
        const key = signature && recover(hash, signature);
        return key !== undefined && xpr.authorises(publicKeyText(key), permissions);
      });
      return found ?? (hashes[0] as Uint8Array);
    },
  }));
/** The ids of the main and of the test network. */
const chains = [
  '384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0',
  '71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd',
];

/** Requests that are accepted although they were signed for others. */
export const xprAudienceFaults: readonly Fault[] = [
  fault('xpr-three-lines-too', {
    about: 'Requests whose signature names neither recipient nor chain are taken too.',
    breaks: ['xpr.digest-variants'],
    profiles: ['xpr-v2'],
    patch: verifying(() => [{ lines: 3 }]),
  }),
  fault('xpr-audience-of-caller', {
    about: 'Requests that are signed for their caller are taken too.',
    breaks: ['xpr.other-audience'],
    profiles: ['xpr-v2'],
    patch: verifying((own, { account }) => [{ ...own, audience: account }]),
  }),
  fault('xpr-audience-empty', {
    about: 'Requests that are signed for nobody are taken too.',
    breaks: ['xpr.other-audience'],
    profiles: ['xpr-v2'],
    patch: verifying((own) => [{ ...own, audience: '' }]),
  }),
  fault('xpr-several-chains', {
    about: 'Requests that are signed for the other network are taken too.',
    breaks: ['xpr.other-audience'],
    profiles: ['xpr-v2'],
    patch: verifying((own) => chains.map((chainId) => ({ ...own, chainId }))),
  }),
  fault('xpr-chain-without-id', {
    about: 'Requests that are signed for a chain of zeros are taken too.',
    breaks: ['xpr.other-audience'],
    profiles: ['xpr-v2'],
    patch: verifying((own) => [{ ...own, chainId: '0'.repeat(64) }]),
  }),
];
