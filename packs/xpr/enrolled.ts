import { admission, isAdmitted, type Outcome, type Scene } from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';
import * as xprText from './signing/index.js';

// Accounts that are created on the kit's chain for one request, and removed after it.

/** Properties of an account, besides its key. */
export interface Traits {
  /** The row of a registered agent; absent: the table has none. Default: the agent registered long ago and is active. */
  readonly agent?: { readonly active?: boolean | 0 | 1; readonly registeredAt?: number };
  /** The KYC level, 0 to 3; for 0 the table has no level. */
  readonly kyc?: number;
  /** How the table stores a level: as a number, or as a list of three claims per level. */
  readonly kycAs?: 'number' | 'claims';
  /** How the chain answers requests for this account. */
  readonly failure?: 'foreign-row';
  /** The agent asks the chain once with success; then the chain fails. */
  readonly down?: boolean;
}

const claims = ['firstname', 'lastname', 'birthdate', 'street', 'city', 'country', 'email', 'phone', 'selfie'];

/** Unix seconds; older than any score considers. */
const longAgo = 1;

/**
 * Sends a correctly signed probe as a new account of the kit's chain. Agents cache the chain's answers, so each
 * question uses its own account. Throws `PreconditionUnmet` where the chain is not the kit's.
 */
export async function probeAsNew(scene: Scene, traits: Traits): Promise<Outcome<unknown>> {
  const caller = xpr.xprOf(scene).stranger();
  const { account, key } = caller;
  const { agent, kyc = 0, kycAs = 'number', failure, down = false } = traits;
  const keys = [{ key: xprText.publicKeyText(key.publicKey), weight: 1 }];
  const claimed = { kyc_provider: 'tck', kyc_level: claims.slice(0, 3 * kyc).join(','), kyc_date: longAgo };
  const levels = kyc === 0 ? [] : [kycAs === 'number' ? kyc : claimed];
  return xpr.withAccount(scene, account, [{ name: 'active', threshold: 1, keys }], async (stub) => {
    if (agent === undefined) await stub.removeAgent(account);
    else await stub.setAgent({ account, active: true, registeredAt: longAgo, ...agent });
    await stub.setKyc({ account, verified: kyc > 0, kyc: levels });
    if (failure !== undefined) await stub.setFailure(account, failure);
    const first = await xpr.probeAs(scene, caller);
    if (!down || isAdmitted(first)) return first;
    // The agent may have cached the keys, but not whether the account is registered.
    await stub.setFailure(account, 'down');
    return xpr.probeAs(scene, caller);
  });
}

/** An account that every gate accepts: registered and active long ago, with the highest level. For `butAccepts`. */
export const probeAsTrusted = async (scene: Scene): Promise<Outcome<unknown>> =>
  admission(await probeAsNew(scene, { agent: {}, kyc: 3 }));
