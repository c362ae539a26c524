import { type Dialect, isFor } from '../dialect/index.js';
import type { ClientCheck, ClientRun } from '../kit/index.js';
import type { FrozenSet, ScenarioId } from '../ledger/index.js';
import { createInspector } from '../ledger/schemas.js';
import { TckError } from '../model/index.js';
import {
  applyBaseline,
  asOffer,
  type Baseline,
  type Cause,
  checkBaseline,
  judgeGate,
  type Report,
  type RunEvent,
  type Selection,
  type TargetReport,
  tally,
} from '../report/index.js';
import {
  baselineNames,
  inSet,
  type Planned,
  plan,
  refuseUnknownProfile,
  skippedOf,
  withoutOldStale,
} from '../run/index.js';
import { createRedactor, type Exchange, exchangeIds, plural, type Redactor, shortExchange } from '../wire/index.js';
import type { Ended, StartClient } from './client-process.js';
import { type ClientRuling, neverStarted, plainOf, resultOf, ruleOn } from './judge.js';
import { type OpenPort, ownPort, type Playing, play, type Staged, setStage } from './play.js';
import { clientLedger, clientProfileOf } from './profile.js';
import { roomFor } from './recorder.js';
import type { Scenario } from './scenario.js';
import { maySpell } from './spelling.js';
import { endedBy } from './stdin.js';

export interface ClientOptions {
  readonly dialect: Dialect;
  readonly rules: readonly ClientCheck[];
  readonly scenarios: readonly Scenario[];
  /** Starts the client under test. */
  readonly start: StartClient;
  /** The client for people: its command, or where it was waited for. */
  readonly name: string;
  /** The option by which it is run again: `--command 'node client.js'`, `--serve`. */
  readonly way: string;
  /** Texts that are shown nowhere. */
  readonly secrets?: readonly string[];
  readonly selection: Selection;
  /** Ids of scenarios; empty: all that the checks need. */
  readonly chosen?: readonly string[];
  /** Scenarios that are played at once. */
  readonly concurrency?: number;
  /** Factor of the time limits. */
  readonly patience?: number;
  readonly strict?: boolean;
  readonly minProof?: number | undefined;
  readonly baseline?: Baseline;
  /** Only its checks count for the gate. */
  readonly set?: FrozenSet;
  readonly signal?: AbortSignal;
  readonly kit: Report['kit'];
}

/**
 * Most bytes of requests and answers that are kept until the end. Where clients come by themselves all scenarios live at
 * once, and their agents keep what they get too.
 */
const mostOfRun = 64 << 20;
const mostServed = 16 << 20;

/** How many scenarios are played at once, where nothing else is said. */
export const usualConcurrency = 4;

/** The scenarios of a version and binding that checks need; all others would show nothing. */
export function scenariosFor(
  all: readonly Scenario[],
  dialect: Dialect,
  planned: readonly Planned<ClientCheck>[],
): readonly Scenario[] {
  const needed = new Set<ScenarioId>(
    planned.flatMap(({ rule }) => [...(rule.plays === 'all' ? [] : rule.plays), ...plainOf(rule)]),
  );
  const needsAny = planned.some(({ rule }) => rule.plays === 'all');
  return all.filter((scenario) => isFor(scenario, dialect) && (needsAny || needed.has(scenario.id)));
}

/** Scenarios by their ids. Throws `TckError('usage')` for one that does not exist, or not in this profile. */
export function chosenScenarios(
  all: readonly Scenario[],
  dialect: Dialect,
  ids: readonly string[],
): readonly Scenario[] {
  const wanted = ids.map((id) => {
    const found = all.find((scenario) => scenario.id === id);
    if (found === undefined) throw new TckError('usage', `unknown scenario ${id}`, 'a2a-tck list scenarios shows them');
    if (!isFor(found, dialect))
      throw new TckError(
        'usage',
        `the scenario ${id} does not exist for ${dialect.id}`,
        'a2a-tck list scenarios shows them',
      );
    return found;
  });
  return all.filter((scenario) => wanted.includes(scenario));
}

/** The chosen scenarios, and those that their checks are compared with: without them a failure might show nothing. */
function withControls(
  all: readonly Scenario[],
  dialect: Dialect,
  chosen: readonly Scenario[],
  planned: readonly Planned<ClientCheck>[],
): readonly Scenario[] {
  const ids = new Set<string>(chosen.map(({ id }) => id));
  const compared = new Set<string>(
    planned.flatMap(({ rule }) => (rule.plays !== 'all' && rule.plays.some((id) => ids.has(id)) ? plainOf(rule) : [])),
  );
  return all.filter((scenario) => chosen.includes(scenario) || (compared.has(scenario.id) && isFor(scenario, dialect)));
}

/** What a run of clients is about to do. */
export interface ClientPlan {
  readonly profile: string;
  readonly planned: readonly Planned<ClientCheck>[];
  readonly scenarios: readonly Scenario[];
  readonly skipped: readonly string[];
}

/**
 * Throws `TckError`: `usage` for choices that match nothing, and for a profile without requirements for clients;
 * `config` for a baseline that names what there is not.
 */
export function planClients(
  options: Pick<ClientOptions, 'dialect' | 'rules' | 'scenarios' | 'selection' | 'chosen' | 'baseline' | 'set'>,
): ClientPlan {
  const { dialect, rules, selection, chosen = [], baseline } = options;
  if (baseline !== undefined) checkBaseline(baseline, baselineNames(rules, 'clients'));
  const profile = clientProfileOf(dialect);
  if (profile === undefined)
    throw new TckError(
      'usage',
      `the kit has no checks of clients for ${dialect.id}`,
      'give --profile a2a-1.0, a2a-0.3 or a2a-0.2',
    );
  refuseUnknownProfile(options, profile);
  const ledger = clientLedger(dialect);
  const all = plan(rules, ledger, selection);
  const scenarios =
    chosen.length === 0
      ? scenariosFor(options.scenarios, dialect, all)
      : withControls(options.scenarios, dialect, chosenScenarios(options.scenarios, dialect, chosen), all);
  const ids = new Set(scenarios.map(({ id }) => id));
  // A check none of whose scenarios exists here says nothing about this client.
  const planned = all.filter(({ rule }) => rule.plays === 'all' || rule.plays.some((id) => ids.has(id)));
  return { profile, planned, scenarios, skipped: skippedOf(rules, ledger, selection) };
}

/** Plays the scenarios with a client that is started for each, and judges it. */
export async function runClients(options: ClientOptions, publish: (event: RunEvent) => void): Promise<Report> {
  const { start, concurrency = usualConcurrency, dialect, patience } = options;
  const planned = planClients(options);
  const controller = new AbortController();
  const signal =
    options.signal === undefined ? controller.signal : AbortSignal.any([options.signal, controller.signal]);
  const nextId = exchangeIds();
  await dialect.binding.load?.();
  const begun = begin(options, planned, publish);
  const playing: Playing = {
    dialect,
    inspector: createInspector(dialect.schemas),
    nextId,
    signal,
    mute: { isKnown: false },
    spellings: new Map(),
    room: roomFor(mostOfRun),
    redactor: begun.redactor,
    ...(patience === undefined ? {} : { patience }),
  };
  const waiting = [...planned.scenarios];
  const runs: ClientRun[] = [];
  let failure: unknown;
  const work = async (most = waiting.length): Promise<void> => {
    for (let count = 0; count < most && !signal.aborted; count++) {
      const next = waiting.shift();
      if (next === undefined) return;
      publish({ type: 'check.started', id: next.id, title: next.about });
      const run = await play(next, start, playing);
      for (const exchange of exchangesOf(run)) publish({ type: 'exchange', exchange: begun.shown(exchange) });
      runs.push(run);
    }
  };
  const worker = (most?: number): Promise<void> =>
    work(most).catch((error) => {
      failure ??= error;
      controller.abort();
    });
  // The first scenario has a message, which shows how the client spells; others have none.
  if (maySpell(dialect)) await worker(1);
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, () => worker()));
  await start.close?.();
  // A command that cannot start is not a client.
  if (failure !== undefined) throw failure;
  const cut = options.signal?.aborted === true ? 'interrupted' : undefined;
  return begun.end(runs, cut);
}

/** Scenarios on ports, for clients that come by themselves. */
export interface ServedClients {
  readonly staged: readonly Staged[];
  /**
   * Takes what a client says that it understood of a scenario, as the line that a command prints; undefined: the
   * scenario does not exist. What cannot be read changes nothing.
   */
  tell(scenario: string, line: string): 'kept' | 'unreadable' | undefined;
  /** What is known so far, as the report of a run that ends now. */
  report(): Report;
  /** Ends the servers, and publishes what was seen. */
  end(): Promise<Report>;
}

/** Puts the scenarios on ports and waits for clients. `open`: where each is. */
export async function serveScenarios(
  options: Omit<ClientOptions, 'start'>,
  publish: (event: RunEvent) => void,
  open: OpenPort = ownPort,
): Promise<ServedClients> {
  const { dialect } = options;
  const planned = planClients(options);
  const nextId = exchangeIds();
  await dialect.binding.load?.();
  const begun = begin(options, planned, publish);
  const playing: Playing = {
    dialect,
    inspector: createInspector(dialect.schemas),
    nextId,
    signal: options.signal ?? new AbortController().signal,
    open,
    spellings: new Map(),
    room: roomFor(mostServed),
    redactor: begun.redactor,
    isServed: true,
  };
  const staged: Staged[] = [];
  for (const scenario of planned.scenarios) staged.push(await setStage(scenario, playing));
  const reported = new Map<Staged, { readonly last: Ended; readonly reports: number }>();
  const runs = (): readonly ClientRun[] =>
    staged
      .map((item): ClientRun => {
        const { last, reports = 0 } = reported.get(item) ?? {};
        return { ...item.run(last), reports };
      })
      .filter((run) => run.calls.length > 0 || run.leftOut !== undefined || run.ending.kind !== 'served');
  return {
    staged,
    tell(id, line) {
      const item = staged.find(({ scenario }) => scenario.id === id);
      if (item === undefined) return undefined;
      const ended = endedBy(line);
      if (ended === undefined) return 'unreadable';
      reported.set(item, { last: ended, reports: (reported.get(item)?.reports ?? 0) + 1 });
      return 'kept';
    },
    report: () => begun.report(runs(), undefined),
    async end() {
      const seen = runs();
      await Promise.all(staged.map((item) => item.close()));
      for (const exchange of seen.flatMap(exchangesOf)) publish({ type: 'exchange', exchange: begun.shown(exchange) });
      return begun.end(seen, undefined);
    },
  };
}

const exchangesOf = ({ calls, deliveries }: ClientRun): readonly Exchange[] => [
  ...calls.map(({ exchange }) => exchange),
  ...deliveries.map(({ exchange }) => exchange),
];

/** What a reader of the report must know of a run besides its verdicts. */
const notesOn = ({ scenario, leftOut, leftRunning, note }: ClientRun): readonly string[] => [
  ...(leftOut === undefined ? [] : [`${scenario}: ${leftOut.why}`]),
  ...(note === undefined ? [] : [`${scenario}: ${note}`]),
  ...(leftRunning === true ? [`${scenario}: a process that the client started goes on, which the kit cannot end`] : []),
];

/** Each cause once, with the checks that it kept from being judged. */
function causesOf(
  rulings: readonly { readonly planned: Planned<ClientCheck>; readonly ruled: ClientRuling }[],
  redactor: Redactor,
  again: (scenario: ScenarioId) => string,
): readonly Cause[] {
  const known = new Map<string, Cause>();
  for (const { planned: rule, ruled } of rulings) {
    if (ruled.cause === undefined || ruled.shown === undefined) continue;
    const { fact, ...cause } = ruled.cause;
    const checks = [...(known.get(cause.id)?.checks ?? []), rule.rule.id];
    known.set(cause.id, { ...cause, fact: redactor.text(fact), checks, curl: again(ruled.shown.scenario) });
  }
  return [...known.values()];
}

interface Begun {
  readonly redactor: Redactor;
  shown(exchange: Exchange): Exchange;
  report(runs: readonly ClientRun[], cut: string | undefined): Report;
  end(runs: readonly ClientRun[], cut: string | undefined): Report;
}

/** The report of a run of clients, from its beginning to its end. */
function begin(
  options: Omit<ClientOptions, 'start'>,
  { profile, planned, scenarios, skipped }: ClientPlan,
  publish: (event: RunEvent) => void,
): Begun {
  const { name, way, kit, selection, strict = false, minProof, baseline, dialect, secrets = [] } = options;
  const redactor = createRedactor(secrets);
  const startedAt = Date.now();
  const target: TargetReport = {
    url: redactor.text(name),
    endpoint: redactor.text(name),
    profile,
    agent: {},
    client: { scenarios: scenarios.map(({ id }) => id) },
    detection: [`${dialect.title}; ${plural(scenarios.length, 'scenario')}`],
    extensions: [],
  };
  publish({ type: 'run.started', at: new Date(startedAt).toISOString(), seed: 1, url: target.url, kit });
  publish({ type: 'target.detected', target, checks: planned.length });
  const shown = (exchange: Exchange): Exchange => redactor.redactExchange(shortExchange(exchange));
  const { version, binding } = dialect;
  const over = binding.id === 'jsonrpc' ? '' : ` --binding ${binding.id}`;
  const again = (scenario: ScenarioId): string =>
    redactor.text(`a2a-tck client ${way} --profile ${version}${over} --scenario ${scenario}`);
  const report = (runs: readonly ClientRun[], cut: string | undefined): Report => {
    const byId = new Map(runs.map((run) => [run.scenario, run]));
    const dead = neverStarted(runs);
    const rulings = planned.map((plannedRule) => ({
      planned: plannedRule,
      ruled: dead ?? ruleOn(plannedRule.rule, byId),
    }));
    const plain = rulings.map(({ planned: rule, ruled }) => asOffer(resultOf(rule, ruled, redactor, again)));
    const causes = causesOf(rulings, redactor, again);
    // What the agent refuses, or never gets, in a plain scenario leaves all that is compared with it open.
    const first = causes.find(({ id }) => id.startsWith('refused:') || id === 'silent:send' || id === 'never-started');
    const counted = inSet(plain, options, profile);
    const { checks: results, set } = withoutOldStale(
      baseline === undefined ? counted : applyBaseline(counted, baseline, Date.now(), profile),
      options,
    );
    const exchanges = runs.flatMap(exchangesOf);
    return {
      kit,
      target: { ...target, detection: [...target.detection, ...runs.flatMap(notesOn)] },
      run: {
        startedAt: new Date(startedAt).toISOString(),
        durationMs: Date.now() - startedAt,
        seed: 1,
        requests: exchanges.length,
        tasks: 0,
        ...(cut === undefined ? {} : { cut }),
        ...(selection.suites.length + selection.checks.length === 0 && selection.level === 'may' ? {} : { selection }),
        ...(skipped.length === 0 ? {} : { skipped }),
        ...(set === undefined ? {} : { set }),
      },
      gate: judgeGate(results, {
        strict,
        minProof,
        cut,
        ...(first === undefined ? {} : { messages: { accepted: false, why: first.fact } }),
      }),
      ...(causes.length === 0 ? {} : { causes }),
      summary: tally(results),
      checks: results,
      findings: [],
      exchanges: exchanges.map(shown),
    };
  };
  return {
    redactor,
    shown,
    report,
    end(runs, cut) {
      const made = report(runs, cut);
      for (const result of made.checks) publish({ type: 'check.judged', result });
      publish({ type: 'run.ended', report: made });
      return made;
    },
  };
}
