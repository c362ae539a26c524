import { hex, sameAddress } from './addresses.js';
import { type Domain, isBytes32 } from './eip712.js';
import { testNetworks } from './networks.js';
import {
  type Authorization,
  type Offer,
  type Option,
  type PaymentPayload,
  X402Error,
  type X402Version,
} from './objects.js';
import { authorizationFor, envelope } from './payments.js';
import { type Purse, takeFrom } from './purse.js';
import { shownSignature, signWith } from './signature.js';
import {
  type Agreed,
  agreed,
  fundedDomain,
  type Limits,
  type NamedAsset,
  objection,
  type Refused,
  refuse,
} from './spending-policy.js';
import type { Wallet } from './wallets.js';

// The only code that signs with a funded wallet. Any program can cash a signature, so it signs only within its limits,
// and only an option that a merchant offered twice in the same form.

export interface FundedSignerSettings {
  /** Without a wallet every payment is refused. */
  readonly wallet?: Wallet;
  /** Atomic units per payment. */
  readonly maxAmount: bigint;
  /** Atomic units of all payments ever signed, settled or not; `maxAmount` by default. */
  readonly maxTotal?: bigint;
  /** Of other signers too: what is signed is taken out of it as well. */
  readonly purse?: Purse;
  /** Chain ids; test networks by default. */
  readonly allowedNetworks?: ReadonlySet<bigint>;
  /** In addition to the known tokens. */
  readonly assets?: readonly NamedAsset[];
  /** Pays options too that charge before the work; default false. */
  readonly allowUpfront?: boolean;
  /** Unix seconds. */
  readonly now: () => number;
  readonly random: (length: number) => Uint8Array;
  /** Signs nothing and returns what it would sign. */
  readonly dryRun?: boolean;
}

export type Treatment =
  | { readonly payment: PaymentPayload }
  | { readonly wouldSign: { readonly domain: Domain; readonly authorization: Authorization } }
  | Refused;

/** An authorization that the funded wallet has signed, or in a dry run would have. */
export interface Funded {
  readonly x402Version: X402Version;
  readonly network: string;
  readonly chainId: bigint;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: string;
  readonly nonce: string;
  /** Unix seconds: from this time on no program can cash it. */
  readonly validBefore: number;
  /** Outstanding: a program can still cash it. */
  readonly state: 'planned' | 'outstanding' | 'settled' | 'expired';
  /** The beginning of the signature; empty when nothing was signed. */
  readonly signature: string;
}

export interface FundedSigner {
  /** The address that pays. */
  readonly payer: string | undefined;
  /** `seen` is the first offer, `again` the current one; `option` is in both. Never throws because of them. */
  pay(seen: Offer, again: Offer, option: Option): Treatment;
  /** To be called when a receipt for the payment has come. */
  settled(nonce: string): void;
  /** Everything signed so far. */
  list(): readonly Funded[];
  /** Whole signatures, for redaction. */
  signatures(): readonly string[];
}

/** @throws X402Error when a limit is negative */
export function createFundedSigner(settings: FundedSignerSettings): FundedSigner {
  const { wallet, now, random, maxAmount, maxTotal = maxAmount, purse, dryRun = false } = settings;
  if (maxAmount < 0n || maxTotal < 0n) throw new X402Error('limit: is below 0');
  const limits: Limits = {
    maxAmount,
    allowedNetworks: new Set(settings.allowedNetworks ?? testNetworks),
    assets: structuredClone(settings.assets ?? []),
    allowUpfront: settings.allowUpfront ?? false,
  };
  const records: { readonly funded: Funded; readonly signature: string }[] = [];
  const paid = new Set<string>();
  // Never reduced: an authorization that has expired by this clock may have been cashed.
  let total = 0n;

  function pay(seen: Offer, again: Offer, option: Option): Treatment {
    if (wallet === undefined) return refuse('no-wallet');
    const asked = agreed(seen, again, option);
    if ('refused' in asked) return asked;
    const time = Math.floor(now());
    const nonce = hex(random(32));
    // From here to the end no outside code is called, so that no second payment can come in between.
    const objected = objection(asked.option, limits);
    if (objected !== undefined) return refuse(objected);
    return sign(wallet, asked, time, nonce);
  }

  function sign(payer: Wallet, { offer, option }: Agreed, time: number, nonce: string): Treatment {
    const domain = fundedDomain(option, limits.assets);
    if (domain === undefined) return refuse('unknown-token');
    if (sameAddress(option.payTo, payer.address)) return refuse('pays-itself');
    if (!isBytes32(nonce) || records.some(({ funded }) => funded.nonce === nonce)) return refuse('nonce-used');
    if (!Number.isSafeInteger(time) || time < 0) return refuse('no-time');
    const authorization = authorizationFor(option, payer.address, time, nonce);
    if (Number(authorization.validBefore) <= time) return refuse('no-time');
    if (total + BigInt(option.amount) > maxTotal) return refuse('above-total');
    // Taken before anything is signed: another thread may pay at this moment.
    if (purse !== undefined && !takeFrom(purse, BigInt(option.amount))) return refuse('above-shared-total');
    total += BigInt(option.amount);
    const signature = dryRun ? '' : signWith(payer, domain, authorization);
    records.push({ funded: fundedBy(offer, option, domain, authorization, signature), signature });
    return dryRun
      ? { wouldSign: { domain, authorization } }
      : { payment: envelope(offer, option, { signature, authorization }) };
  }

  const stateAt = (time: number, { nonce, validBefore, state }: Funded): Funded['state'] => {
    if (state === 'planned') return state;
    if (paid.has(nonce)) return 'settled';
    return time >= validBefore ? 'expired' : 'outstanding';
  };

  return {
    payer: wallet?.address,
    pay,
    settled: (nonce) => void paid.add(nonce.toLowerCase()),
    list() {
      const time = now();
      return records.map(({ funded }) => ({ ...funded, state: stateAt(time, funded) }));
    },
    signatures: () => records.map(({ signature }) => signature).filter((signature) => signature !== ''),
  };
}

const fundedBy = (
  offer: Offer,
  option: Option,
  { chainId }: Domain,
  { nonce, validBefore, value }: Authorization,
  signature: string,
): Funded => ({
  x402Version: offer.x402Version,
  network: option.network,
  chainId,
  asset: option.asset,
  payTo: option.payTo,
  amount: value,
  nonce,
  validBefore: Number(validBefore),
  state: signature === '' ? 'planned' : 'outstanding',
  signature: signature === '' ? '' : shownSignature(signature),
});
