import { type Outcome, type Scene, xpr, xprText } from '../../src/kit/index.js';

// Accounts that are made on the chain of the kit for one request, and taken away after it.

/** What is known of an account, beside its key. */
export interface Traits {
  /** The row of a registered agent; left out: there is none. Registered long ago and active unless said otherwise. */
  readonly agent?: { readonly active?: boolean | 0 | 1; readonly registeredAt?: number };
  /** 0 to 3; 0 is no row that says anything. */
  readonly kyc?: number;
  /** Levels stand in the table as numbers, or as lists of claims, three to a level. */
  readonly kycAs?: 'number' | 'claims';
  /** How the chain answers when it is asked for this account. */
  readonly failure?: 'foreign-row';
  /** It is asked for once before, and says nothing the second time. */
  readonly down?: boolean;
}

const claims = ['firstname', 'lastname', 'birthdate', 'street', 'city', 'country', 'email', 'phone', 'selfie'];

/** A second after 1970 is longer ago than any score looks. */
const longAgo = 1;

/**
 * Sends a correctly signed probe as a new account of the kit's chain. Agents remember what the chain says, so that there is
 * one account for each question. Throws `Unreached` where the chain is not the kit's.
 */
export async function probeAsNew(scene: Scene, traits: Traits): Promise<Outcome<unknown>> {
  const caller = xpr.xprOf(scene).stranger();
  const { account, key } = caller;
  const { agent, kyc = 0, kycAs = 'number', failure, down = false } = traits;
  const keys = [{ key: xprText.publicKeyText(key.publicKey), weight: 1 }];
  const claimed = { kyc_provider: 'tck', kyc_level: claims.slice(0, 3 * kyc).join(','), kyc_date: longAgo };
  const levels = kyc === 0 ? [] : [kycAs === 'number' ? kyc : claimed];
  return xpr.withAccount(scene, account, [{ name: 'active', threshold: 1, keys }], async (lab) => {
    if (agent === undefined) await lab.removeAgent(account);
    else await lab.setAgent({ account, active: true, registeredAt: longAgo, ...agent });
    await lab.setKyc({ account, verified: kyc > 0, kyc: levels });
    if (failure !== undefined) await lab.setFailure(account, failure);
    const first = await xpr.probeAs(scene, caller);
    if (!down || xpr.isAdmitted(first)) return first;
    // The keys may be known from before; whether it is registered is not.
    await lab.setFailure(account, 'down');
    return xpr.probeAs(scene, caller);
  });
}

/** Whom every gate lets in: registered and active long ago, and of the highest level. For `butAccepts`. */
export const probeAsTrusted = async (scene: Scene): Promise<Outcome<unknown>> =>
  xpr.admission(await probeAsNew(scene, { agent: {}, kyc: 3 }));
