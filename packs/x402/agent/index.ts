export { hidingFailures, onOffer, onPayment, onReceipt, optionsOf } from './edits.js';
export { facilitatorControlHandle } from './facilitator/control.js';
export { createFacilitator, type Facilitator } from './facilitator/facilitator.js';
export {
  authorizationIn,
  reading,
  requiring,
  takingSignatures,
  takingUnread,
  takingUnsigned,
  trustingCopy,
} from './lenient-verification.js';
export { merchant } from './merchant.js';
export { payloadOf } from './offers.js';
export { believing, onSeller, onX402, selling, withX402, type X402Whole } from './patches.js';
export { type Account, type Attempt, PaymentRefusal } from './seams.js';
export { stub, type Till, till } from './till.js';
export { x402Variants } from './variants.js';
export { mandate, previewing } from './variants-embedded.js';
export { isExtensionHeader } from './x402.js';
