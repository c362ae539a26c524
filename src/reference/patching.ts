// The door for faults and packs: what their patches and parts of the agent are made of.

export { alice, bearerOf, bob } from './accounts.js';
export { said, script } from './behaviours.js';
export type {
  Act,
  Command,
  GrpcEnd,
  HttpCall,
  HttpReply,
  Incoming,
  Outcome,
  Problem,
  Reply,
  RpcCall,
  Script,
  Step,
  StreamCommand,
} from './calls.js';
export { carry } from './carrier.js';
export { type ControlOperation, controlOver, operation } from './control.js';
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
export { createExpiring, type Expiring } from './expiring.js';
export { RpcFailure, Unauthorized } from './failure.js';
export { isCall, onCall } from './first-call.js';
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
export { problems03 } from './params-0.3.js';
export { placesOf } from './places.js';
export { attempt, executing, refusingPush, resulting, telling, underWay } from './pushing.js';
export { jsonReply, plainReply } from './replies.js';
export { aString, being, canonical, shapeWhere } from './rules.js';
export { type AgentPart, type Patch, type Seams, together, type World } from './seams.js';
export type { AgentTraits } from './spelling.js';
export type { TaskEvent } from './store.js';
export {
  array,
  flag,
  object,
  oneOf,
  optional,
  type Reader,
  StubInputError,
  text,
  textThat,
  whole,
} from './stub-input.js';
export {
  type Answer,
  createTestClient,
  message03,
  message10,
  type TestClient,
  type TestClientOptions,
} from './test-client.js';
export { askUpstream, type Stub, type Upstream } from './upstream.js';
export { a2a, allBut, before10, signers, streamers, type Variant, variant } from './variant.js';
export { able, declaring } from './variants/declaring.js';
export { variants } from './variants/index.js';
export { plainWord, spelledLike } from './words.js';
