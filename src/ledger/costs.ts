import { readFileSync } from 'node:fs';

/** Messages that the agent must work on, and other requests. */
export type Cost = readonly [messages: number, requests: number];

/** What checks cost on the reference agent: `scripts/costs.js` measures it. */
export interface Costs {
  /** What checks find together, once in a run. */
  readonly shared: Cost;
  readonly checks: Readonly<Record<string, Cost>>;
}

let loaded: Costs | undefined;

/** Reads `schemas/costs.json`. */
export const loadCosts = (): Costs =>
  (loaded ??= JSON.parse(readFileSync(new URL('../../schemas/costs.json', import.meta.url), 'utf8')) as Costs);
