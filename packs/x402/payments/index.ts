export { checksummed, hasRightChecksum, isAddress, sameAddress } from './addresses.js';
export { type Defect, type DefectId, defects, defectsOf } from './defects.js';
export {
  type Domain,
  domainSeparator,
  isBytes32,
  isUint256,
  signingHash,
  structHash,
  type TypeName,
  typeHash,
  types,
} from './eip712.js';
export type {
  FacilitatorBehaviour,
  FacilitatorCall,
  FacilitatorControl,
  FacilitatorOrder,
  FacilitatorSettlement,
  FacilitatorToken,
} from './facilitator-types.js';
export {
  createFundedSigner,
  type Funded,
  type FundedSigner,
  type FundedSignerSettings,
  type Treatment,
} from './funded-signer.js';
export { caip2Of, chainIdOf, localChainId, testNetworks, v1NameOf } from './networks.js';
export {
  type Authorization,
  type ExactPayload,
  type Offer,
  type Option,
  type PaymentPayload,
  type PaymentV1,
  type PaymentV2,
  type Receipt,
  X402Error,
  type X402Version,
} from './objects.js';
export { amountMember, domainOf, flowOf, payable, readOffer, unknownTerms } from './offers.js';
export {
  authorizationFor,
  identified,
  longestValidity,
  needsId,
  type Paying,
  payment,
  readPayment,
} from './payments.js';
export { createPurse, isPurse, leftIn, type Purse } from './purse.js';
export { readReceipts, readStatus } from './receipts.js';
export { type Rewriting, rewritings } from './rewritings.js';
export { recoverAuthorization, shownSignature, signAuthorization } from './signature.js';
export type { NamedAsset, Refusal, Refused } from './spending-policy.js';
export { localToken, type Token, tokenOf, tokens } from './tokens.js';
export { readWallet, type ThrowawayWallet, throwawayWallet, type Wallet, walletFor } from './wallets.js';
export {
  activated,
  type ErrorCode,
  errorCodeOf,
  errorCodes,
  extensionHeaders,
  extensionUris,
  headerEntries,
  isStatus,
  isX402Extension,
  metadataKeys,
  type Status,
  statuses,
} from './words.js';
