import type { Task } from '../model/index.js';
import { noting } from './execute/captured-ids.js';
import { bringScript, type PaymentScript } from './generate/scripting.js';
import type { WireMutationKind } from './mutate/wire-mutation.js';
import { addWireMutations } from './mutate/wire-mutations.js';
import { addOracle } from './oracles/index.js';
import { addLaws, type PackLaws } from './oracles/law-fitness.js';
import type { Oracle } from './oracles/oracle.js';

// The door for packs: what they add to the fuzzer is made of this.

export { type CallStep, type Case, type Step, type Value, type WireMutation, withCalls } from './case/case.js';
export { valueAt, withAt } from './case/pointer.js';
export { isMembers } from './case/values.js';
export type { Sent, Sight, Trace } from './execute/trace.js';
export type { RandomSource } from './generate/random-source.js';
export { callOf, quickly, reference, type ScriptTools, uuidOf } from './generate/scripting.js';
export {
  countOf,
  open,
  type Payer,
  type RequestTools,
  textOf,
  type WireMutationKind,
  type WireMutationTools,
} from './mutate/wire-mutation.js';
export { isPaymentMutation, isSignedMutation } from './mutate/wire-mutations.js';
export { placeOf } from './oracles/mutation.js';
export type { Oracle, OracleContext, Symptom } from './oracles/oracle.js';
export { demanded, remembered, symptomOf } from './oracles/symptom.js';
export { sightsIn } from './oracles/task-views.js';

/** What a pack adds to the fuzzer. */
export interface FuzzPart {
  readonly pack: string;
  /** By name. One that has `signed` is for callers who sign. */
  readonly mutations: Readonly<Record<string, WireMutationKind>>;
  readonly oracle: Oracle;
  /** What it notes of a task in an answer, for wire mutations; undefined: nothing new. */
  readonly note?: (task: Task) => unknown;
  /** Its laws that need another treatment. */
  readonly laws?: PackLaws;
  /** For agents that charge. */
  readonly script?: PaymentScript;
}

/** Adds it, once for the whole process: cases name wire mutations, and each reader of a case needs them. */
export function bring({ pack, mutations, oracle, laws, note, script }: FuzzPart): void {
  addWireMutations(mutations);
  addOracle(oracle);
  if (laws !== undefined) addLaws(pack, laws);
  if (note !== undefined) noting(note);
  if (script !== undefined) bringScript(script);
}
