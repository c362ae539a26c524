// Why a payment is refused, and what facilitators call it.

export type Reason =
  | 'version'
  | 'payload'
  | 'requirements'
  | 'scheme'
  | 'domain'
  | 'network'
  | 'signature'
  | 'recipient'
  | 'expired'
  | 'early'
  | 'amount'
  | 'token'
  | 'nonce'
  | 'token-name'
  | 'token-version'
  | 'funds'
  | 'transaction'
  | 'pending';

/** `core`: the list of the documents. `published`: what the published library says. */
export type Wording = 'core' | 'published';

/** x402 core v2 §9. It has no reasons of its own for what a chain finds, such as a used nonce. */
const core: Readonly<Record<Reason, string>> = {
  version: 'invalid_x402_version',
  payload: 'invalid_payload',
  requirements: 'invalid_payment_requirements',
  scheme: 'invalid_scheme',
  domain: 'invalid_payment_requirements',
  network: 'invalid_network',
  signature: 'invalid_exact_evm_payload_signature',
  recipient: 'invalid_exact_evm_payload_recipient_mismatch',
  expired: 'invalid_exact_evm_payload_authorization_valid_before',
  early: 'invalid_exact_evm_payload_authorization_valid_after',
  amount: 'invalid_exact_evm_payload_authorization_value_mismatch',
  token: 'invalid_payment_requirements',
  nonce: 'invalid_transaction_state',
  'token-name': 'invalid_exact_evm_payload_signature',
  'token-version': 'invalid_exact_evm_payload_signature',
  funds: 'insufficient_funds',
  transaction: 'unexpected_settle_error',
  pending: 'settlement_pending',
};

/** `@x402/evm` 2.27. It throws for malformed input; the reasons for that come from the documents. */
const published: Readonly<Record<Reason, string>> = {
  ...core,
  scheme: 'invalid_exact_evm_scheme',
  domain: 'invalid_exact_evm_missing_eip712_domain',
  network: 'invalid_exact_evm_network_mismatch',
  signature: 'invalid_exact_evm_signature',
  recipient: 'invalid_exact_evm_recipient_mismatch',
  token: 'invalid_exact_evm_eip3009_not_supported',
  nonce: 'invalid_exact_evm_nonce_already_used',
  'token-name': 'invalid_exact_evm_token_name_mismatch',
  'token-version': 'invalid_exact_evm_token_version_mismatch',
  funds: 'invalid_exact_evm_insufficient_balance',
  transaction: 'invalid_exact_evm_transaction_failed',
};

const wordings: Readonly<Record<Wording, Readonly<Record<Reason, string>>>> = { core, published };

export const reasonText = (wording: Wording, reason: Reason): string => wordings[wording][reason];
