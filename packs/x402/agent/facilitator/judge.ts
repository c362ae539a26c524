import { isObject, type JsonObject, member, stringMember } from '../../../../src/model/index.js';
import {
  domainOf,
  isAddress,
  isUint256,
  type Option,
  type PaymentPayload,
  readOffer,
  readPayment,
  recoverAuthorization,
  sameAddress,
} from '../../payments/index.js';
import type { Ledger, Transfer } from './ledger.js';
import type { Reason } from './reasons.js';

/**
 * The judgement of a facilitator on a payment. `network` and `payer` as the caller spells them, where they can be read.
 */
export type Verdict = { readonly network: string; readonly payer?: string } & (
  | { readonly transfer: Transfer }
  | { readonly reason: Reason }
);

/** How long a payment must still be valid, at least, seconds. */
const margin = 6n;

interface Asked {
  readonly payment: PaymentPayload;
  readonly option: Option;
}

/** Judges the body of a call; nothing is compared loosely. Order: scheme exact on EVM, verification; x402 core v2 §6.1.2. */
export function judge(body: unknown, ledger: Ledger, seconds: number): Verdict {
  const requirements = member(body, 'paymentRequirements');
  const network = stringMember(requirements, 'network') ?? '';
  const payer = stringMember(member(member(member(body, 'paymentPayload'), 'payload'), 'authorization'), 'from');
  const context = { network, ...(payer === undefined || !isAddress(payer) ? {} : { payer }) };
  const asked = read(body, requirements);
  if (typeof asked === 'string') return { ...context, reason: asked };
  const found = check(asked, ledger, BigInt(Math.floor(seconds)));
  return typeof found === 'string' ? { ...context, reason: found } : { ...context, transfer: found };
}

function read(body: unknown, requirements: unknown): Asked | Reason {
  const version = member(body, 'x402Version');
  if (version !== 1 && version !== 2) return 'version';
  const payment = readPayment(member(body, 'paymentPayload'));
  if (payment === undefined) return 'payload';
  if (payment.x402Version !== version) return 'version';
  const option = readOffer({ x402Version: version, accepts: [requirements] })?.options[0];
  if (option === undefined || !isObject(requirements)) return 'requirements';
  if (!isUint256(option.amount) || !isAddress(option.asset) || !isAddress(option.payTo)) return 'requirements';
  return { payment, option };
}

/** Scheme and network that a payment names: in the copy of the option, or beside the payload in version 1. */
const namedBy = (payment: PaymentPayload): JsonObject =>
  payment.x402Version === 1 ? { ...payment } : payment.accepted;

function check({ payment, option }: Asked, ledger: Ledger, now: bigint): Transfer | Reason {
  const { authorization, signature } = payment.payload;
  const named = namedBy(payment);
  const method = member(option.extra, 'assetTransferMethod');
  if (named['scheme'] !== 'exact' || option.scheme !== 'exact') return 'scheme';
  if (method !== undefined && method !== 'eip3009') return 'scheme';
  if (['name', 'version'].some((name) => [undefined, ''].includes(member(option.extra, name) as string)))
    return 'domain';
  if (named['network'] !== option.network || option.chainId === undefined) return 'network';
  const domain = domainOf(option);
  if (domain === undefined) return 'domain';
  if (!sameAddress(recoverAuthorization(domain, authorization, signature), authorization.from)) return 'signature';
  if (!sameAddress(authorization.to, option.payTo)) return 'recipient';
  if (BigInt(authorization.validBefore) < now + margin) return 'expired';
  if (BigInt(authorization.validAfter) > now) return 'early';
  if (authorization.value !== option.amount) return 'amount';
  const token = ledger.token(option.chainId, option.asset);
  if (token === undefined) return 'token';
  const transfer = { token, authorization };
  if (ledger.isUsed(transfer)) return 'nonce';
  if (domain.name !== token.name) return 'token-name';
  if (domain.version !== token.version) return 'token-version';
  return ledger.balance(authorization.from, token) < BigInt(authorization.value) ? 'funds' : transfer;
}
