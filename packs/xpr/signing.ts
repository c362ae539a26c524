import { describe, inconclusive, type Judgement, type Outcome, type Scene } from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';

// Shared by checks of correct signatures.

/** A request signed by the user's account, once one more may be sent. */
export async function ownSigned(scene: Scene, signing: xpr.Signing = {}): Promise<xpr.SignedRequest> {
  const caller = xpr.firstCaller(scene);
  await xpr.xprOf(scene).as(caller).signer?.turn();
  return xpr.signed(scene, caller, signing);
}

/** Expects an authenticated caller: only an authentication error fails, other refusals are unproven. */
export function authenticated(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'denied') return describe(outcome);
  const open = xpr.letIn(outcome);
  return typeof open === 'string'
    ? inconclusive(`the answer does not show whether the agent recognises the caller: ${open}`)
    : open;
}
