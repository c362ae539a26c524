// The door for faults: what their patches are made of.

export { alice } from './accounts.js';
export { said, script } from './behaviours.js';
export type {
  Act,
  Command,
  GrpcEnd,
  HttpCall,
  HttpReply,
  Incoming,
  Outcome,
  Reply,
  RpcCall,
  Step,
  StreamCommand,
} from './calls.js';
export { withHistory } from './core.js';
export {
  behindRefusal,
  edited,
  lacking,
  mistaking,
  moved,
  onArtifact,
  onCard,
  onEnvelope,
  onError,
  onEvent,
  onMessage,
  onMessageReply,
  onNotification,
  onPart,
  onReply,
  onResult,
  onSentTask,
  onStatus,
  onTask,
  overlooking,
  seeingStrangers,
  set,
  without,
} from './edits.js';
export { RpcFailure, Unauthorized } from './failure.js';
export { bodyLimit, jsonHeaders, methodIn, pathBelow, peek } from './http.js';
export { testKey } from './keys.js';
export {
  bytesOf,
  countMembers,
  depthOf,
  listOf,
  messageIn,
  paramsIn,
  partsIn,
  somewhere,
  taskIn,
  textOf,
  textsIn,
} from './looking.js';
export {
  asking,
  cameOver,
  doing,
  misnaming,
  refusingOver,
  saying,
  showing,
  showingHistory,
  showingParts,
  showingTasks,
} from './one-side.js';
export { attempt, executing, refusingPush, resulting, telling, underWay } from './pushing.js';
export { jsonReply, plainReply } from './replies.js';
export { type Patch, type Seams, together, type World } from './seams.js';
export type { TaskEvent } from './store.js';
export { type Answer, createTestClient, message03, message10 } from './test-client.js';
export { a2a, allBut, before10, streamers } from './variant.js';
export { declaring } from './variants/declaring.js';
export { variants } from './variants/index.js';
export { mandate, previewing } from './variants/x402-embedded.js';
export { plainWord, spelledLike } from './words.js';
export { hidingFailures, onOffer, onPayment, onReceipt, optionsOf } from './x402/edits.js';
export {
  authorizationIn,
  reading,
  requiring,
  takingSignatures,
  takingUnread,
  takingUnsigned,
  trustingCopy,
} from './x402/lenient-verification.js';
export { payloadOf } from './x402/offers.js';
export { believing, onX402, selling } from './x402/patches.js';
export { type Account, type Attempt, PaymentRefusal } from './x402/seams.js';
export { isExtensionHeader } from './x402/x402.js';
export { denied } from './xpr/denied.js';
export { createExpiring } from './xpr/expiring.js';
export { onXpr, setting } from './xpr/patches.js';
export type { XprAgent, XprClaim, XprPermission, XprProof, XprSeams } from './xpr/seams.js';
