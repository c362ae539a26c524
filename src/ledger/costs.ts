import { readFileSync } from 'node:fs';

/** Messages that the agent must work on, and other requests. */
export type Cost = readonly [messages: number, requests: number];

/** What checks cost on the reference agent: `scripts/costs.js` measures it. */
export interface Costs {
  /** What checks find together, each once in a run, by the purpose of its requests. */
  readonly sources: Readonly<Record<string, Cost>>;
  /** What a check sends itself, and the names of the sources that it uses. */
  readonly checks: Readonly<Record<string, { readonly own: Cost; readonly uses: readonly string[] }>>;
}

let loaded: Costs | undefined;

/** Reads `schemas/costs.json`. */
export const loadCosts = (): Costs =>
  (loaded ??= JSON.parse(readFileSync(new URL('../../schemas/costs.json', import.meta.url), 'utf8')) as Costs);
