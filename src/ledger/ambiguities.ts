import { readData } from './data-file.js';

/** A point where a text is unclear, and the verdict that is unfair to no agent. */
export interface Ambiguity {
  readonly id: string;
  readonly point: string;
  readonly verdict: string;
}

/** The list of `schemas/ambiguities.yaml`, by id. */
export function loadAmbiguities(): ReadonlyMap<string, Ambiguity> {
  const { ambiguities } = readData('ambiguities') as { readonly ambiguities: readonly Ambiguity[] };
  return new Map(ambiguities.map((ambiguity) => [ambiguity.id, ambiguity]));
}
