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
export * from './packs/grpc.js';
export { admission, isAdmitted, turnedAway } from './rules/admission.js';
export { type Check, type Control, check, type Expectation, type Given, type Givens } from './rules/check.js';
export * from './rules/client-judges.js';
export * from './rules/client-rule.js';
export type { Finding, Inspection, Inspector } from './rules/inspection.js';
export {
  brokenPatterns,
  type Disclosure,
  disclosureIn,
  internalDisclosure,
  type LeakPattern,
  leakPatterns,
} from './rules/internal-disclosure.js';
export * from './rules/judges.js';
export { type BrokenPlace, conforms, foundIn, type Law, type LawJudgement, type LawOptions, law } from './rules/law.js';
export { drop, type Mutation, rewrite, set, setHeader } from './rules/mutants.js';
export { keyOf, kindOf, type Note, noteOf, type Recorded, takeNotes } from './rules/notes.js';
export { placesOf, severally } from './rules/places.js';
export { isOfProbe, isProbed, leftBy, madeBy } from './rules/probes.js';
export { evidence, knowingProbes, readAgain, readExchange } from './rules/read-exchange.js';
export type { Document, MoreDocuments, Probes, Reading, ReadReply, StreamReading } from './rules/reading.js';
export { findSecret, secretForm } from './rules/secret-forms.js';
export { type AnyRule, expectationOf, joinedRules, type Rule, storyOf, subjectOf, suiteOf } from './rules/story.js';
export {
  type Clue,
  Inconclusive,
  ifMet,
  inconclusive,
  type Judgement,
  NotApplicable,
  PreconditionUnmet,
} from './rules/verdict.js';
export { callablePlace, callableUrl, placeOf } from './scenes/callable.js';
export * from './scenes/callers.js';
export { type Difference, difference, differenceText as told, isSameInstant } from './scenes/canonical.js';
export { versionHeaders } from './scenes/card-fetch.js';
export { comesAgain } from './scenes/comes-again.js';
export { otherBinding } from './scenes/other-binding.js';
export { allPairs, eachPair, type Interfaces, interfacesOf, type Pair, type Side } from './scenes/peers.js';
export { type Alone, readAlone } from './scenes/read-alone.js';
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
  type ScenePart,
  type SigningCallers,
  type Source,
  type Stuck,
  scenePart,
  source,
  spoken,
  type Target,
  type WhyNoCard,
} from './scenes/scene.js';
export { fileFor, mediaRefused, sendingBytes, unlistedFile, withText } from './scenes/sent-files.js';
export * from './scenes/steering.js';
export * from './scenes/stream-collector.js';
