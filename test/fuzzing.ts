import { xprAgent } from '../packs/xpr/agent/index.js';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import type { CallStep, Value } from '../src/fuzz/case/case.js';
import type { Spell } from '../src/fuzz/case/spelled.js';
import type { Generator } from '../src/fuzz/generate/generator.js';
import type { RandomSource } from '../src/fuzz/generate/random-source.js';
import type { CampaignParts, Settle } from '../src/fuzz/schedule/campaign-settings.js';
import { loadLedger } from '../src/ledger/index.js';
import { createInspector } from '../src/ledger/schemas.js';
import { isObject, type Operation } from '../src/model/index.js';
import { type Agent, createAgent, type Patch, variants } from '../src/reference/index.js';
import { detect, type FuzzStage } from '../src/run/index.js';
import { type Carrier, createTape, createWire, openly, realClock, virtualClock } from '../src/wire/index.js';
import { rules } from '../suites/index.js';

/** A stage on a reference agent in memory and virtual time, and the bodies of all requests that reached it. */
export interface Staged {
  readonly stage: FuzzStage;
  readonly bodies: string[];
  /** That which runs now: a restart begins a new one. */
  readonly agent: () => Agent;
}

export interface StagedOptions {
  readonly profile?: Dialect['id'];
  readonly patches?: readonly Patch[];
  /** The id of a conforming variant, in place of the plain agent. */
  readonly variant?: string;
  /** Stands before the agent. */
  readonly through?: (agent: Carrier) => Carrier;
  /** Whether the agent can be restarted. */
  readonly restarts?: boolean;
  readonly stage?: Partial<FuzzStage>;
}

export async function staged(options: StagedOptions = {}): Promise<Staged> {
  const { profile = 'a2a-0.3', patches = [], through = (agent) => agent, restarts = false } = options;
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const clock = virtualClock();
  const variant = variants.find(({ id }) => id === options.variant);
  if (variant === undefined && options.variant !== undefined) throw new Error(`no variant ${options.variant}`);
  const all = variant === undefined ? patches : [variant.patch, ...patches];
  const part = dialect.signed && xprAgent(dialect);
  const born = () =>
    createAgent({
      dialect,
      clock,
      baseUrl: 'http://agent.test',
      patches: all,
      ...(part === undefined ? {} : { part }),
    });
  let agent = born();
  const bodies: string[] = [];
  const before = through((request, signal) => agent.handle(request, signal));
  const carrier: Carrier = (request, signal) => {
    bodies.push(Buffer.from(request.body ?? []).toString('latin1'));
    return before(request, signal);
  };
  const stage = await stageOn(carrier, dialect, clock, false, {
    ...(restarts
      ? {
          restart: async () => {
            agent.stop();
            agent = born();
          },
        }
      : {}),
    ...options.stage,
  });
  bodies.length = 0;
  return { stage, bodies, agent: () => agent };
}

/** A stage on whatever a carrier reaches. */
export async function stageOn(
  carrier: Carrier,
  dialect: Dialect,
  clock = realClock,
  rawSocket = true,
  changes: Partial<FuzzStage> = {},
  url = 'http://agent.test',
): Promise<FuzzStage> {
  const limits = { timeoutMs: 2000, maxBytes: 4 << 20 };
  const uuid = () => '00000000-0000-4000-8000-000000000001';
  const wire = createWire({ carrier, clock, tape: createTape(), limits });
  const { target } = await detect({
    url,
    profile: dialect.id,
    wire,
    credentials: [],
    uuid,
    allowedOrigins: [],
  });
  let ids = 0;
  return {
    target,
    rules,
    ledger: loadLedger(dialect.ledger),
    inspector: createInspector(dialect.schemas),
    behaviours: {},
    carrier,
    clock,
    limits,
    rawSocket,
    broken: new Set(),
    client: {
      clock,
      dialect,
      endpoint: target.endpoint,
      credentials: [],
      readOnly: false,
      limitPatienceMs: 1000,
      uuid,
    },
    seed: 1,
    readOnly: false,
    redactor: openly,
    nextId: () => `x${++ids}`,
    onProgress: () => undefined,
    onFinding: () => undefined,
    ...changes,
  };
}

const encoder = new TextEncoder();

/** References in a value, in place of what they name. */
function filled(value: Value, resolve: (reference: string) => string | undefined, missing: string[]): unknown {
  if (Array.isArray(value)) return value.map((item: Value) => filled(item, resolve, missing));
  if (!isObject(value)) return value;
  if (typeof value['$ref'] === 'string') {
    const found = resolve(value['$ref']);
    if (found === undefined) missing.push(value['$ref']);
    return found ?? 'nothing';
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, filled(member as Value, resolve, missing)]),
  );
}

/** Prints params with references, and nothing else: no edits, no wire mutations. */
export const plainSpell: Spell = (step, { dialect, rpcId, resolve }) => {
  const unresolved: string[] = [];
  const method = dialect.operations[step.operation]?.rpc;
  const params = step.params === undefined ? {} : { params: filled(step.params, resolve, unresolved) };
  const request = { jsonrpc: '2.0', id: rpcId, method, ...params };
  const edits = step.edits ?? [];
  const sent = edits.some(({ at }) => at === '/method') ? { ...request, method: 'no/such' } : request;
  return {
    body: encoder.encode(JSON.stringify(sent)),
    request: () => sent,
    demand: edits.length > 0 ? 'unknown-method' : 'valid',
    rpcId,
    valid: edits.length === 0,
    unresolved,
  };
};

/** A generator of a few words, for tests of what surrounds generators. */
export function plainGenerator(
  dialect: Dialect,
  words: readonly string[] = ['hello', 'tck-complete-task', 'tck-input-required', 'tck-reject-task', 'working on it'],
): Generator {
  const send = (randomSource: RandomSource, more: object = {}): CallStep => ({
    step: 'call',
    operation: 'send',
    params: dialect.operations.send?.params.encode({
      message: {
        messageId: `m-${randomSource.below(1e9)}`,
        role: 'user',
        parts: [{ kind: 'text', text: randomSource.pick(words) }],
        ...more,
      },
      configuration: { blocking: false },
    } as never) as Value,
    as: 'a',
  });
  const on = (operation: Operation): CallStep => ({
    step: 'call',
    operation,
    params: dialect.operations[operation]?.params.encode({ id: { $ref: 'a.task' } } as never) as Value,
  });
  const mutant = (): CallStep => ({
    ...on('get'),
    edits: [{ at: '/method', op: 'set', value: 'no/such', keyword: 'enum' }],
  });
  const story = (randomSource: RandomSource) => ({
    dialect: dialect.id,
    steps: [
      send(randomSource),
      ...(randomSource.chance(0.5) ? [{ step: 'wait' as const, for: 'a' }] : []),
      randomSource.chance(0.5) ? on('cancel') : on('get'),
    ],
  });
  return {
    operations: ['send', 'get', 'cancel'],
    valid: (randomSource) => send(randomSource),
    mutant,
    tricked: mutant,
    fresh: (randomSource) =>
      randomSource.chance(0.3)
        ? { dialect: dialect.id, steps: [mutant()] }
        : randomSource.chance(0.5)
          ? story(randomSource)
          : { dialect: dialect.id, steps: [send(randomSource)] },
    near: (randomSource, parent) => ({ dialect: dialect.id, steps: [...parent.steps.slice(0, 4), send(randomSource)] }),
    remember: () => undefined,
    story,
    race: (randomSource) => ({
      dialect: dialect.id,
      steps: [
        send(randomSource),
        { step: 'together', calls: [on('get'), on('cancel'), on('get')] },
        { step: 'wait', for: 'a' },
      ],
    }),
  };
}

/** Runs a suspect again three times, and makes nothing small. */
export const plainSettle: Settle = async (suspect, bench, stage) => {
  let times = 0;
  for (let of = 0; of < 3; of++) {
    const { symptoms } = await bench.attempt(suspect.case);
    if (symptoms.some(({ bucket }) => bucket === suspect.bucket)) times++;
  }
  if (times === 0) return undefined;
  const { oracle, title, detail } = suspect.symptom;
  return {
    finding: {
      id: `f-${suspect.bucket}`,
      oracle,
      bucket: suspect.bucket,
      title,
      detail,
      requirements: [],
      confirmed: { times, of: 3 },
      steps: suspect.case.steps.length,
      seed: stage.seed,
      case: suspect.number,
      script: '',
      replay: suspect.case,
      exchanges: [],
    },
    exchanges: [],
  };
};

export const plainParts = (dialect: Dialect, changes: Partial<CampaignParts> = {}): CampaignParts => ({
  spell: plainSpell,
  generator: () => plainGenerator(dialect),
  oracles: () => [],
  settle: plainSettle,
  ...changes,
});
