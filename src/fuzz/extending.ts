import type { WireMutationKind } from './mutate/wire-mutation.js';
import { addWireMutations } from './mutate/wire-mutations.js';
import { addOracle } from './oracles/index.js';
import type { Oracle } from './oracles/oracle.js';

// The door for packs: what they add to the fuzzer is made of this.

export type { CallStep, Value, WireMutation } from './case/case.js';
export type { Sent } from './execute/trace.js';
export { countOf, open, textOf, type WireMutationKind, type WireMutationTools } from './mutate/wire-mutation.js';
export { isSignedMutation } from './mutate/wire-mutations.js';
export type { Oracle, OracleContext, Symptom } from './oracles/oracle.js';
export { demanded, remembered, symptomOf } from './oracles/symptom.js';

/** What a pack adds to the fuzzer. */
export interface FuzzPart {
  /** By name. One that has `signed` is for callers who sign. */
  readonly mutations: Readonly<Record<string, WireMutationKind>>;
  readonly oracle: Oracle;
}

/** Adds it, once for the whole process: cases name wire mutations, and each reader of a case needs them. */
export function bring({ mutations, oracle }: FuzzPart): void {
  addWireMutations(mutations);
  addOracle(oracle);
}
