import { fuzzPartsOf } from '../packs/index.js';
import { paymentCase } from '../packs/x402/fuzz/payments.js';
import type { Dialect } from '../src/dialect/index.js';
import { dialectById } from '../src/dialect/index.js';
import type { Generator } from '../src/fuzz/generate/generator.js';
import type { RandomSource } from '../src/fuzz/generate/random-source.js';
import { callOf, type ScriptTools } from '../src/fuzz/generate/scripting.js';
import { createWeightedChoice } from '../src/fuzz/generate/weighted-choice.js';
import { bring, createFuzzPhase, fuzzParts } from '../src/fuzz/index.js';
import { makeWireMutation, signedMutationNames } from '../src/fuzz/mutate/wire-mutations.js';
import { fuzzPhase } from '../src/fuzz/schedule/campaign.js';
import { stageAgent, toldOf } from '../src/proof/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import { type FuzzOutcome, type FuzzPhase, type FuzzStage, run } from '../src/run/index.js';
import { openly } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

/** Nothing but requests that are signed or paid wrongly; the campaign ends with the first finding of these oracles. */
export interface Focus {
  readonly callers: 'sign' | 'pay';
  readonly until?: readonly string[];
  /** The only wire mutation with signatures. */
  readonly trick?: string;
}

function focusedOn({ callers, trick: only }: Focus, { client: { dialect }, charges }: FuzzStage): Generator {
  const dealt = createWeightedChoice();
  const tools: ScriptTools = {
    dialect,
    operations: [],
    behaviours: {},
    outputModes: [],
    webhook: '',
    hasSecond: false,
  };
  const signed = (randomSource: RandomSource) => {
    // Headers have more to them than all the others together.
    const name = only ?? (randomSource.chance(0.5) ? 'signed-header' : randomSource.pick(signedMutationNames()));
    const trick = makeWireMutation(name, { randomSource: dealt(randomSource), maxBytes: 1 << 16, objects: [] });
    return { dialect: dialect.id, steps: [callOf(tools, 'get', { id: 'no-such-task' }, { tricks: [trick] })] };
  };
  const paid = (randomSource: RandomSource) =>
    paymentCase(dealt(randomSource), { ...tools, message: charges?.message ?? '' });
  const fresh = callers === 'sign' ? signed : paid;
  const call = () => callOf(tools, 'get', { id: 'no-such-task' });
  return {
    operations: ['get'],
    valid: call,
    mutant: call,
    tricked: call,
    fresh,
    near: fresh,
    remember: () => undefined,
    story: fresh,
    race: fresh,
  };
}

const focusedPhase =
  (runs: number, focus: Focus): FuzzPhase =>
  async (stage) => {
    for (const part of await fuzzPartsOf(stage)) bring(part);
    const { until = [] } = focus;
    const stop = new AbortController();
    const ending: FuzzStage = {
      ...stage,
      signal: stop.signal,
      onFinding: ({ oracle }) => (until.includes(oracle) ? stop.abort() : undefined),
    };
    const parts = { ...fuzzParts(stage, { kit: 'test', shrinkCap: 10 }), generator: () => focusedOn(focus, stage) };
    return fuzzPhase({ runs, guided: false, races: 0 }, parts)(ending);
  };

/** An agent whose callers sign or pay, in memory and virtual time. */
export interface Trial {
  readonly profile: Dialect['id'];
  readonly charges?: boolean;
  readonly variant?: string;
  readonly patches?: readonly Patch[];
  readonly seed?: number;
  readonly runs: number;
  /** Left out: all that `a2a-tck fuzz` tries. */
  readonly focus?: Focus;
}

/** A whole campaign on it, as `a2a-tck fuzz` runs it. */
export async function campaignOn({ profile, charges = false, seed = 1, runs, ...cast }: Trial): Promise<FuzzOutcome> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const variant = variants.find(({ id }) => id === cast.variant);
  if (cast.variant !== undefined && variant === undefined) throw new Error(`no variant ${cast.variant}`);
  const patches = [...(variant === undefined ? [] : [variant.patch]), ...(cast.patches ?? [])];
  const agent = await stageAgent({ dialect, charges }, patches, variant);
  let outcome: FuzzOutcome | undefined;
  const campaign =
    cast.focus === undefined
      ? createFuzzPhase({ runs, kit: 'test', shrinkCap: 10, partsOf: fuzzPartsOf })
      : focusedPhase(runs, cast.focus);
  await run(
    {
      ...plainRun,
      ...toldOf(agent),
      profile,
      seed,
      limits: { timeoutMs: 5000, maxBytes: 4 << 20 },
      redactor: openly,
      fuzz: {
        alone: true,
        phase: async (stage) => {
          outcome = await campaign(stage);
          return outcome;
        },
      },
      anyTarget: true,
    },
    () => undefined,
  );
  agent.end();
  if (agent.crashes.length > 0) throw new Error(`the agent threw: ${String(agent.crashes[0])}`);
  if (outcome === undefined) throw new Error('no campaign ran');
  return outcome;
}
