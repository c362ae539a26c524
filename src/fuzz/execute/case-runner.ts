import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Client, createClient } from '../../client/index.js';
import { createSemaphore } from '../../model/index.js';
import type { FuzzStage } from '../../run/index.js';
import { createWire, type Tape, type Wire } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import { type JudgedCase, judgeCase } from '../oracles/judge-case.js';
import type { Oracle, OracleContext } from '../oracles/oracle.js';
import type { CampaignParts, CampaignSettings } from '../schedule/campaign-settings.js';
import { type Canary, createCanary } from './canary.js';
import { createExecutor, type Executor, type PerformOptions } from './executor.js';
import { lendingLate } from './lending-late.js';
import { isSilent, type Trace } from './trace.js';
import { learnWays } from './ways.js';

export interface Examined extends JudgedCase {
  readonly trace: Trace;
}

/** The tools of a campaign: its own wire and client, and the executor and canary that use them. */
export interface CaseRunner {
  readonly executor: Executor;
  readonly canary: Canary;
  /**
   * Does work in a place of its own. The settings limit how many places are taken at once; work that only waits takes
   * none.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Learns in which of several ways the agent is called; before all cases. */
  learn(): Promise<void>;
  /** Runs a case, in the place that the caller holds. */
  perform(next: Case, number: number, how?: PerformOptions): Promise<Trace>;
  /** Asks all oracles. `inTurn`: gives a place to an oracle that sends; left out: the caller holds a place for them. */
  judge(trace: Trace, number: number, inTurn?: CaseRunner['inTurn']): Promise<Examined>;
  /** Runs a case and asks all oracles. */
  examine(next: Case, number: number): Promise<Examined>;
  /** Requests and sends so far. */
  readonly requests: number;
  readonly tasks: number;
}

/** The label of a run: the number of its case in the campaign, and the number of the run for that case. */
const labelOf = (number: number, run: number): string =>
  (number % 36 ** 4).toString(36).padStart(4, '0') + (run % 36 ** 2).toString(36).padStart(2, '0');

/** Another interface of the agent, and what sends cases to it once it is needed. */
interface PeerAt {
  readonly title: string;
  readonly client: Client;
  /** Resolves once it is known in which of several ways the interface is called. */
  readonly ready: Promise<void>;
  executor?: Promise<Executor>;
}

/** Clients of the other interfaces. Their sends are not in the budget of tasks: where there is one, they send none. */
function peersOf(stage: FuzzStage, own: Client, wire: Wire): readonly PeerAt[] {
  return (stage.peers ?? []).flatMap(({ endpoint, transport }): readonly PeerAt[] => {
    const dialect = own.at(endpoint, transport)?.dialect;
    if (dialect === undefined || dialect.signed !== undefined) return [];
    const budget = stage.taskBudget === undefined ? {} : { taskBudget: 0 };
    const client = createClient({ ...stage.client, ...budget, dialect, endpoint, wire }).for('fuzz');
    let ready: Promise<void> | undefined;
    return [
      {
        title: dialect.binding.title,
        client,
        // Nothing is sent to it before it is needed.
        get ready() {
          ready ??= (async () => {
            await dialect.binding.load?.();
            await learnWays(client, stage.target);
          })();
          return ready;
        },
      },
    ];
  });
}

export function createCaseRunner(stage: FuzzStage, settings: CampaignSettings, parts: CampaignParts): CaseRunner {
  const { clock, inspector, target, ledger, rules, signal, limits } = stage;
  const { renews = (settings.corpus ?? []).length > 0 || stage.idSeed !== undefined } = settings;
  const renewal = (stage.idSeed ?? stage.seed).toString(36);
  let count = 0;
  /** Keeps nothing: a campaign may be endless, and traces hold what is looked at. */
  const tape: Tape = { nextId: () => `x${++count}`, add: () => undefined, exchanges: [], find: () => undefined };
  const wire = createWire({
    carrier: stage.carrier,
    clock,
    tape,
    limits,
    rawSocket: stage.rawSocket,
    ...(stage.requestBudget === undefined ? {} : { requestBudget: stage.requestBudget }),
    ...(signal === undefined ? {} : { signal }),
    ...(settings.rate === undefined ? {} : { pace: 1000 / settings.rate }),
  });
  const client = createClient({
    ...stage.client,
    wire,
    ...(stage.taskBudget === undefined ? {} : { taskBudget: stage.taskBudget }),
  }).for('fuzz');
  const lanes = Math.max(1, settings.concurrency ?? 1);
  const slots = createSemaphore(lanes);
  const canary = createCanary({
    client,
    clock,
    revivalMs: settings.revivalMs ?? 15_000,
    ...(stage.restart === undefined ? {} : { restart: stage.restart }),
    ...(signal === undefined ? {} : { signal }),
  });
  const usual = {
    inspector,
    clock,
    spell: parts.spell,
    patienceMs: settings.patienceMs ?? Math.min(limits.timeoutMs, 5000),
    listenMs: settings.listenMs ?? Math.min(limits.timeoutMs, 1500),
    timeoutMs: limits.timeoutMs,
    readOnly: stage.readOnly,
    lend: slots.withoutPermit,
    // With one case at a time, no other case could send meanwhile.
    ...(lanes === 1 ? {} : { lendLate: lendingLate(clock, lanes, slots.withoutPermit) }),
    ...(signal === undefined ? {} : { signal }),
  };
  const executor = createExecutor({ client, ...usual });
  const peers = peersOf(stage, client, wire);
  const oracles: readonly Oracle[] = parts.oracles(stage);
  /** Runs so far by number of the case, while it is looked at. */
  const runs = new Map<number, number>();
  const perform = (next: Case, number: number, how?: PerformOptions): Promise<Trace> => {
    const run = runs.get(number) ?? 0;
    runs.set(number, run + 1);
    // Only cases that are under way are run again.
    if (runs.size > 256) runs.delete(runs.keys().next().value ?? 0);
    const label = labelOf(number, run);
    return executor.perform(next, label, run > 0 || renews ? `${renewal}${label}` : undefined, how);
  };
  /** A run over another interface, with ids of its own. */
  const performAt = async (peer: PeerAt, next: Case, number: number): Promise<Trace> => {
    peer.executor ??= peer.ready.then(() => createExecutor({ client: peer.client, ...usual }));
    const run = runs.get(number) ?? 0;
    runs.set(number, run + 1);
    const label = labelOf(number, run);
    return (await peer.executor).perform(next, label, `${renewal}${label}`);
  };
  const known = {
    dialect: client.dialect,
    target,
    ledger,
    inspector,
    rules,
    clock,
    isAlive: canary.isAlive,
    ...(stage.client.signer === undefined ? {} : { signer: stage.client.signer }),
    memory: {},
  };
  const held: CaseRunner['inTurn'] = (work) => work();
  async function judgeOne(trace: Trace, number: number, inTurn = held): Promise<Examined> {
    // The case that has the place now sends first: the agent works while this case is judged.
    if (lanes > 1 && inTurn !== held) await nextTurn();
    stage.doing?.(`judging case ${number} of the fuzzer`);
    const wasSilent = trace.sent.some(isSilent);
    const oracleContext: OracleContext = {
      ...known,
      peers: peers.map((peer) => ({
        title: peer.title,
        dialect: peer.client.dialect,
        perform: (other: Case) => inTurn(() => performAt(peer, other, number)),
      })),
      perform: (other, how = { briefly: wasSilent }) => inTurn(() => perform(other, number, how)),
    };
    return { ...(await judgeCase(trace, oracles, oracleContext)), trace };
  }
  return {
    executor,
    canary,
    inTurn: slots.withPermit,
    learn: () => learnWays(client, target),
    perform,
    judge: judgeOne,
    examine: (next, number) => slots.withPermit(async () => judgeOne(await perform(next, number), number)),
    get requests() {
      return count;
    },
    get tasks() {
      return peers.reduce((sum, peer) => sum + peer.client.tasksSent, client.tasksSent);
    },
  };
}
