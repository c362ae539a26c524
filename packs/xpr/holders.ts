import { admission, describe, isAdmitted, type Outcome, PreconditionUnmet, type Scene } from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';
import * as xprText from './signing/index.js';

// New accounts of the kit's chain, and their keys.

export type Permission = Parameters<typeof xpr.withAccount>[2][number];

export const keyText = ({ key }: XprCaller): string => xprText.publicKeyText(key.publicKey);
export const permission = (name: string, ...holders: readonly XprCaller[]): Permission => ({
  name,
  threshold: 1,
  keys: holders.map((holder) => ({ key: keyText(holder), weight: 1 })),
});

/** Several callers that can sign for the same new account. */
export function holders(scene: Scene): { readonly account: string; readonly next: () => XprCaller } {
  const { stranger } = xpr.xprOf(scene);
  const { account } = stranger();
  return { account, next: () => stranger(account) };
}

/**
 * The answer to an account with the usual `active` permission. It shows that the agent asks this chain and that no gate
 * refuses.
 */
function usual(scene: Scene): Promise<Outcome<unknown>> {
  const { account, next } = holders(scene);
  const holder = next();
  return xpr.withAccount(scene, account, [permission('active', holder)], () => xpr.probeAs(scene, holder));
}

export const usualAdmitted = async (scene: Scene): Promise<Outcome<unknown>> => admission(await usual(scene));
export const usualAccount = 'an account with a key of its own';

/** Throws `PreconditionUnmet` unless a usual account is accepted. */
export async function mustTakeUsual(scene: Scene): Promise<void> {
  const outcome = await usual(scene);
  if (isAdmitted(outcome)) return;
  const exchange = outcome.kind === 'not-sent' ? undefined : outcome.exchange;
  throw new PreconditionUnmet(
    `check that the agent asks this chain: it refuses ${usualAccount} (${describe(outcome)})`,
    exchange,
  );
}

/** A probe of an account with the given permissions. */
export const probeOf = (
  scene: Scene,
  about: string,
  make: (next: () => XprCaller) => { readonly signer: XprCaller; readonly permissions: readonly Permission[] },
): xpr.Attempt => ({
  about,
  send() {
    const { account, next } = holders(scene);
    const { signer, permissions } = make(next);
    return xpr.withAccount(scene, account, permissions, () => xpr.probeAs(scene, signer));
  },
});
