import { admission, check, isAdmitted, turnedAway } from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';
import type { Scheme } from './signing/index.js';

// Signed recipients of a request, where the signature covers them. XPR document, Request Signing.

/** Chain ids: two of existing chains, and one of none. */
const mainnet = '384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0';
const testnet = '71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd';
const nowhere = '0'.repeat(64);

export const otherAudience = check('xpr/other-audience', 'xpr.other-audience')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client sends a request that was signed for another agent', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const { scheme, stranger } = xpr.xprOf(scene);
    const sent = (about: string, change: Partial<Scheme>) => ({
      about,
      async send() {
        const outcome = await xpr.send(scene, xpr.signed(scene, caller, { scheme: { ...scheme, ...change } }));
        // Counted only now, since only an accepted request counts.
        if (isAdmitted(outcome)) await xpr.xprOf(scene).as(caller, { paced: false }).signer?.turn();
        return outcome;
      },
    });
    const chains = [mainnet, testnet, nowhere].filter((id) => id !== scheme.chainId);
    const audiences = [stranger().account, caller.account].filter((name) => name !== scheme.audience);
    return xpr.untilLetIn([
      ...audiences.map((audience) => sent(`for ${audience}`, { audience })),
      sent('for an empty audience', { audience: '' }),
      ...chains.map((chainId) => sent(`for the chain ${chainId.slice(0, 8)}…`, { chainId })),
    ]);
  })
  .expects('refuse each request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts('a request signed for the agent', async (scene) =>
    admission(await xpr.probeAs(scene, xpr.firstCaller(scene))),
  )
  .advice('Verify over the own account and the chain id of get_info; take neither from the request.');
