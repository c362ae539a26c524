export { type NativeRequest, rpcCodes, urlBelow } from '../binding/index.js';
export {
  answeredText,
  type Caller,
  type CallOptions,
  type Client,
  type Credentials,
  describe,
  errorOf,
  isSameError,
  type LiveStream,
  type Opened,
  type Outcome,
  type Parameter,
  type PostOptions,
  type Refusal,
  type Result,
  repliesOf,
  type StreamItem,
  sentText,
  tellsError,
} from '../client/index.js';
export * from '../model/index.js';
export { cardVerifier, protectedHeader, type Verification, verificationProblems } from '../signing/index.js';
export {
  bodyText,
  type Exchange,
  excerpt,
  header,
  mediaType,
  type Notification,
  plural,
  type Receiver,
  seconds,
  sleep,
} from '../wire/index.js';
export * as x402Text from '../x402/index.js';
export * as xprText from '../xpr/index.js';
export { callablePlace, callableUrl, placeOf } from './callable.js';
export * from './callers.js';
export { type Difference, difference, isSameInstant, told } from './canonical.js';
export { versionHeaders } from './card-fetch.js';
export { type Check, type Control, check, type Expectation, type Given, type Givens } from './check.js';
export * from './client-judges.js';
export * from './client-rule.js';
export { comesAgain } from './comes-again.js';
export * from './grpc.js';
export type { Finding, Inspection, Inspector } from './inspection.js';
export {
  brokenPatterns,
  type Disclosure,
  disclosureIn,
  internalDisclosure,
  type LeakPattern,
  leakPatterns,
} from './internal-disclosure.js';
export * from './judges.js';
export { type BrokenPlace, conforms, foundIn, type Law, type LawJudgement, type LawOptions, law } from './law.js';
export { drop, type Mutation, rewrite, set, setHeader } from './mutants.js';
export { keyOf, kindOf, type Note, noteOf, type Recorded, takeNotes } from './notes.js';
export { otherBinding } from './other-binding.js';
export { allPairs, eachPair, type Interfaces, interfacesOf, type Pair, type Side } from './peers.js';
export { placesOf, severally } from './places.js';
export { isOfProbe, isProbed, leftBy, madeBy } from './probes.js';
export { type Alone, readAlone } from './read-alone.js';
export { evidence, knowingProbes, readAgain, readExchange } from './read-exchange.js';
export type { Document, Probes, Reading, ReadReply, StreamReading } from './reading.js';
export {
  type Behaviour,
  type Behaviours,
  fresh,
  type Goal,
  neutralPrompt,
  noCard,
  noCardAt,
  type PeerPlace,
  type Scene,
  type Source,
  type Stuck,
  source,
  spoken,
  type Target,
  type WhyNoCard,
} from './scene.js';
export { findSecret, secretForm } from './secret-forms.js';
export { fileFor, mediaRefused, sendingBytes, unlistedFile, withText } from './sent-files.js';
export * from './steering.js';
export { type AnyRule, expectationOf, type Rule, storyOf, subjectOf, suiteOf } from './story.js';
export * from './stream-collector.js';
export {
  type Clue,
  Inconclusive,
  ifMet,
  inconclusive,
  type Judgement,
  NotApplicable,
  PreconditionUnmet,
} from './verdict.js';
export * as x402 from './x402.js';
export { declarationIn, paymentsIn } from './x402-reading.js';
export type { X402Scene } from './x402-scene.js';
export * as xpr from './xpr.js';
export type { XprCaller, XprScene, XprSigning } from './xpr-scene.js';
