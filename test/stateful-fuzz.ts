import type { Case } from '../src/fuzz/case/case.js';
import { createCaseRunner } from '../src/fuzz/execute/case-runner.js';
import { race } from '../src/fuzz/generate/races.js';
import { createRandomSource } from '../src/fuzz/generate/random-source.js';
import { scenario } from '../src/fuzz/generate/scenarios.js';
import type { ScriptTools } from '../src/fuzz/generate/scripting.js';
import type { Oracle, Symptom } from '../src/fuzz/oracles/oracle.js';
import { statefulOracles } from '../src/fuzz/oracles/stateful.js';
import { type Operation, operations } from '../src/model/index.js';
import type { FuzzStage } from '../src/run/index.js';
import { type FuzzedAgent, stageFor } from './fuzz-agents.js';
import { plainParts, plainSpell } from './fuzzing.js';

// Stories and races alone, on a reference agent in memory, judged by the oracles over whole traces.

const capability = (operation: Operation): 'streaming' | 'push' | undefined => {
  if (operation === 'stream' || operation === 'subscribe') return 'streaming';
  return operation.startsWith('push') ? 'push' : undefined;
};

export function toolsFor({ target, client, inspector }: FuzzStage): ScriptTools {
  const { dialect } = client;
  return {
    dialect,
    operations: operations.filter((operation) => {
      const needed = capability(operation);
      if (operation === 'extendedCard' || !inspector.has(`rpc.schema.json#/$defs/${operation}.params`)) return false;
      return needed === undefined || target.card.capabilities[needed] === true;
    }),
    behaviours: {},
    outputModes: target.card.outputModes,
    webhook: 'https://example.com/a2a-tck',
    hasSecond: (client.secondCredentials ?? []).length > 0 || client.secondSigner !== undefined,
  };
}

export interface Seen {
  readonly symptom: Symptom;
  readonly case: Case;
  readonly number: number;
}
export interface Played {
  readonly seen: readonly Seen[];
  readonly cases: number;
  readonly requests: number;
  /** Oracles or the agent failed. */
  readonly faults: readonly string[];
}

export interface Playing {
  readonly agent: FuzzedAgent;
  readonly seed: number;
  readonly races: number;
  readonly stories: number;
  /** Cases of other seeds begin elsewhere. */
  readonly onCase?: (next: Case) => void;
}

/** Plays so many races and stories, one after the other. */
export async function play({ agent, seed, races, stories, onCase }: Playing): Promise<Played> {
  const { stage, crashes, stop } = await stageFor(agent);
  const settings = { runs: 1, patienceMs: 1500, listenMs: 2500 };
  const parts = plainParts(stage.client.dialect, { spell: plainSpell, oracles: () => statefulOracles });
  const runner = createCaseRunner(stage, settings, parts);
  const tools = toolsFor(stage);
  const dice = createRandomSource(seed);
  const seen: Seen[] = [];
  const faults: string[] = [];
  for (let number = 1; number <= races + stories; number++) {
    const make = number <= races ? race : scenario;
    const next = make(dice.branch('case'), tools);
    onCase?.(next);
    const { symptoms, fault } = await runner.examine(next, number);
    if (fault !== undefined) faults.push(fault);
    for (const symptom of symptoms) seen.push({ symptom, case: next, number });
  }
  stop();
  return { seen, cases: races + stories, requests: runner.requests, faults: [...faults, ...crashes.map(String)] };
}

/** What the oracles say of one script. */
export async function scripted(stage: FuzzStage, steps: Case['steps'], oracles: readonly Oracle[] = statefulOracles) {
  const { dialect } = stage.client;
  const parts = plainParts(dialect, { oracles: () => oracles });
  const runner = createCaseRunner(stage, { runs: 1, patienceMs: 1500 }, parts);
  return runner.examine({ dialect: dialect.id, steps }, 1);
}
