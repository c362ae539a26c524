import { setMaxListeners } from 'node:events';
import { joinedRules } from '../kit/index.js';
import { type Ledger, publishedAt } from '../ledger/index.js';
import { defined, TckError } from '../model/index.js';
import {
  applyBaseline,
  applyBaselineToFindings,
  type Cause,
  type CheckResult,
  checkBaseline,
  createStopwatch,
  judgeGate,
  type PackReport,
  type PaymentReport,
  type Report,
  type RunEvent,
  type Selection,
  type TargetReport,
  tally,
  type Waited,
} from '../report/index.js';
import {
  createRedactor,
  createTape,
  createWire,
  type Exchange,
  excerpt,
  exchangeIds,
  type LateSecret,
  plural,
  type Redactor,
  shortExchange,
  type Tape,
} from '../wire/index.js';
import { cardDigest } from './detection/card-digest.js';
import { type Detected, detect } from './detection/detect.js';
import type { PreparedCharges } from './extensions/charging.js';
import type { Prepared } from './extensions/signing.js';
import { judgeFuzzGate } from './fuzzing.js';
import { judgeAll, ledgerFor } from './judging/judge-all.js';
import { type FoundInterface, findOthers, judgeOther, type OtherJudged } from './judging/other-interfaces.js';
import { baselineNames } from './planning/baseline-names.js';
import { estimateOf } from './planning/estimate.js';
import { foundInSet, inSet, refuseUnknownProfile, withoutOldStale } from './planning/frozen.js';
import { type Planned, plan, selectedFor, skippedOf } from './planning/plan.js';
import { planDigest, seedOfShard, shareOf } from './planning/shard.js';
import { random, uuids } from './random.js';
import type { RunOptions } from './run-options.js';
import type { Neighbours } from './schedule/check-scheduler.js';
import { createCrew, type GuardedWire, guard } from './schedule/guard.js';
import { createPace, paced } from './schedule/pace.js';
import { openWebhooks } from './webhooks.js';

export type { RunOptions } from './run-options.js';

type Publish = (event: RunEvent) => void;

/**
 * Judges one target. Events come in order; the last is `run.ended`, with everything that is known. Throws `TckError`
 * when there is nothing to judge (wrong options, nothing there, no agent).
 */
export async function run(given: RunOptions, publish: Publish): Promise<Report> {
  const { clock, shard } = given;
  const pace = createPace({
    clock,
    rate: given.rate,
    signal: given.signal,
    onWait: (ms) => publish({ type: 'run.waiting', ms, for: 'kept' }),
  });
  let options = { ...given, pace };
  if (options.baseline !== undefined) checkBaseline(options.baseline, baselineNames(options.rules, 'agents'));
  // Every exchange under way adds a listener to the signal.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const started = clock.now();
  let payments: PreparedCharges | undefined;
  const late = (): readonly LateSecret[] => [...(payments?.lateSecrets() ?? []), ...(options.lateSecrets?.() ?? [])];
  const redactor = options.redactor ?? createRedactor(options.secrets, late);
  // Cut before redaction: only the beginning of a long answer is shown, so only that is searched for secrets.
  const { replayed } = options;
  const nextId = exchangeIds(replayed?.exchanges.reduce((most, { id }) => Math.max(most, Number(id.slice(1))), 0));
  const stopwatch = createStopwatch();
  const newTape = (): Tape =>
    createTape((exchange) => {
      stopwatch.add(exchange);
      publish({ type: 'exchange', exchange: redactor.redactExchange(shortExchange(exchange)) });
    }, nextId);
  const tape = newTape();
  const crew = createCrew();
  const wire = paced(
    guard(
      createWire({
        carrier: options.carrier,
        clock,
        tape,
        limits: options.limits,
        rawSocket: options.rawSocket,
        ...defined({ requestBudget: options.requestBudget, signal: options.signal }),
      }),
      crew,
    ),
    pace,
  );
  const uuid = uuids(random(seedOfShard(options.idSeed ?? options.seed, shard)));
  publish({
    type: 'run.started',
    at: new Date(started).toISOString(),
    seed: options.seed,
    url: redactor.text(options.url),
    kit: options.kit,
  });
  const found = await detect({ ...options, wire, uuid });
  if (!found.isAgent && options.anyTarget !== true) {
    const stop = stopOf(options.signal);
    if (stop !== undefined) throw new TckError('unreachable', `the run ended before an agent was found: ${stop}`);
    throw new TckError(
      'not-an-agent',
      `${options.url} is not an A2A agent: ${found.evidence.join('; ')}`,
      'give the base, card or endpoint URL of an agent',
    );
  }
  const prepared = await prepare(options, found, wire, uuid, publish);
  if (prepared !== undefined && options.bringsRules === true)
    options = { ...options, rules: joinedRules(options.rules, prepared.rules) };
  // Callers that sign keep the limit by themselves: their requests must not grow old.
  if (prepared?.signer !== undefined) pace.off();
  const detected: Detected =
    prepared === undefined
      ? found
      : { ...found, dialect: prepared.dialect, evidence: [...found.evidence, ...prepared.evidence] };
  refuseUnknownProfile(options, detected.dialect.id);
  payments = await options.charging?.prepare({ ...options, hear: hearing(options, redactor) }, detected);
  const isAlone = options.fuzz?.alone === true;
  const ledger = ledgerFor(options, detected);
  const selection = selectedFor(options.selection);
  const whole = isAlone || selection === undefined ? [] : plan(options.rules, ledger, selection);
  const planned = shard === undefined ? whole : shareOf(whole, shard);
  let waited: Waited | undefined;
  let endedAt = clock.now();
  const ended = (check: string): void => {
    const ms = Math.round(clock.now() - endedAt);
    endedAt = clock.now();
    if (waited === undefined || ms > waited.ms) waited = { check, ms };
  };
  const shared = { redactor, uuid, publish, newTape, ended, crew };
  const others = await findOthers(options, detected, shared);
  const described = describeTarget({ ...detected, interfaces: others.interfaces }, redactor);
  const { network = [], insecure = false } = options;
  const target: TargetReport = {
    ...described,
    ...(network.length === 0 ? {} : { network: network.map((line) => redactor.text(line)) }),
    ...(insecure ? { insecure } : {}),
  };
  const skipped = isAlone ? [] : skippedByAll(options, ledger, others.found);
  const count = others.found.reduce((sum, foundInterface) => sum + foundInterface.planned.length, planned.length);
  const estimate =
    isAlone || replayed !== undefined ? undefined : estimateOf(planned, detected.target, tape.exchanges, options);
  publish({ type: 'target.detected', target, checks: count, ...(estimate === undefined ? {} : { estimate }) });
  if (options.dryRun === true) return unjudged();
  function unjudged(): Report {
    const cut = 'a dry run: nothing was judged';
    const dry: Report = {
      kit: options.kit,
      target,
      run: {
        startedAt: new Date(started).toISOString(),
        durationMs: Math.round(clock.now() - started),
        seed: options.seed,
        requests: tape.exchanges.length,
        tasks: 0,
        cut,
      },
      gate: judgeGate([], { strict: options.strict, minProof: options.minProof, cut }),
      summary: tally([]),
      checks: [],
      findings: [],
      exchanges: tape.exchanges.map((exchange) => redactor.redactExchange(exchange)),
    };
    publish({ type: 'run.ended', report: dry });
    return dry;
  }
  const hooks = await openWebhooks(options, planned, detected.target, tape, uuid);
  // The webhook is closed even if the kit fails: an open port would keep the process alive.
  const more: OtherJudged[] = [];
  // What an interface may use of a budget is known when the ones before it are judged; so is whether the run has ended.
  const isInTurn = options.requestBudget !== undefined || options.taskBudget !== undefined || options.failFast === true;
  const beside = (at: number, waiting?: Promise<unknown>): Neighbours => ({
    waiting,
    async meanwhile(rest) {
      const foundInterface = isInTurn ? undefined : others.found[at];
      if (foundInterface === undefined) return;
      const known = { lost: wire.lostReason(), stopped: undefined };
      more[at] = await judgeOther(foundInterface, shared, { requests: 0, tasks: 0 }, known, beside(at + 1, rest));
    },
  });
  const results = await judgeAll(
    { ...options, ...hooks, prepared, payments },
    { detected, planned, wire, tape, redactor, uuid, publish, ended, neighbours: beside(0) },
  ).finally(() => hooks.webhook?.close());
  const sent = () => [...tape.exchanges, ...others.exchanges];
  const used = () => ({
    requests: [...sent(), ...more.flatMap(({ exchanges }) => exchanges)].filter(
      (exchange) => exchange.toWebhook !== true,
    ).length,
    tasks: more.reduce((sum, { tasks }) => sum + tasks, results.tasks),
  });
  for (const [at, foundInterface] of others.found.entries()) {
    const stopped = results.failFast ?? more.find(({ failFast }) => failFast !== undefined)?.failFast;
    more[at] ??= await judgeOther(foundInterface, shared, used(), { lost: wire.lostReason(), stopped }, beside(at + 1));
  }
  // Before the fuzzer: it may leave the agent in a state that no user brings it to.
  const expectations = isAlone ? undefined : await expected();
  /** Of every interface that is judged in full, one after the other; undefined: nothing is expected. */
  async function expected(): Promise<Report['expectations']> {
    const list = await results.expect();
    if (list === undefined) return undefined;
    const all = [...list];
    for (const item of more) all.push(...((await item.expect()) ?? []));
    return all;
  }
  const fuzz = await results.fuzz(used());
  const checks = [...results.checks, ...more.flatMap((item) => item.checks)];
  const counted = inSet(checks, options, detected.dialect.id);
  const { checks: baselined, set } = withoutOldStale(
    options.baseline === undefined
      ? counted
      : applyBaseline(counted, options.baseline, clock.now(), detected.dialect.id),
    options,
  );
  const findings = applyBaselineToFindings(
    foundInSet(fuzz?.findings ?? [], options),
    baselined,
    options.baseline ?? { entries: [] },
    clock.now(),
    detected.dialect.id,
  );
  const stop = stopOf(options.signal);
  const cut =
    (stop === undefined ? undefined : `${stop}${leftText(stop, checks, clock.now() - started)}`) ??
    results.cut ??
    more.find((item) => item.cut !== undefined)?.cut;
  const messages = isAlone ? fuzz?.messages : results.messages && redactor.value(results.messages);
  const causes = [
    ...results.causes,
    ...more.flatMap((item) => item.causes),
    ...(isAlone || count > 0 ? [] : [nothingChosen(detected, options, skipped)]),
  ];
  const saidAfterwards = [
    ...(results.text === undefined ? [] : [results.text.says]),
    ...(payments?.remarks() ?? []).map((line) => redactor.text(line)),
  ];
  const taped = ({ id }: Exchange): Pick<Exchange, 'taped'> =>
    replayed !== undefined
      ? {}
      : { taped: id === detected.target.cardExchange?.id ? 'card' : results.isCounted(id) ? 'judged' : 'asked' };
  const report: Report = {
    kit: options.kit,
    target: { ...target, detection: [...target.detection, ...saidAfterwards] },
    run: {
      startedAt: new Date(started).toISOString(),
      durationMs: Math.round(clock.now() - started),
      seed: options.seed,
      // A tape was asked, and no agent.
      requests: replayed === undefined ? used().requests + (fuzz?.summary.requests ?? 0) : 0,
      tasks: replayed === undefined ? used().tasks + (fuzz?.tasks ?? 0) : 0,
      ...defined({ cut, waited, set, packs: options.packs?.map(packReport) }),
      ...(options.readOnly ? { readOnly: true } : {}),
      ...(messages === undefined ? {} : { messages }),
      ...selectionOf(options.selection),
      ...(skipped.length === 0 ? {} : { skipped }),
      ...(shard === undefined ? {} : { shard: { ...shard, plan: planDigest(whole) } }),
    },
    gate: isAlone
      ? judgeFuzzGate(fuzz, detected.unspoken && redactor.value(detected.unspoken), options.minProof)
      : judgeGate(shard === undefined ? baselined : ofShard(baselined, planned), {
          strict: options.strict,
          minProof: options.minProof,
          cut,
          isPart: shard !== undefined,
          findings,
          expectations,
          messages,
          causes,
          readOnly: options.readOnly,
        }),
    ...(causes.length === 0 ? {} : { causes }),
    summary: tally(baselined),
    checks: baselined,
    findings,
    ...(fuzz === undefined ? {} : { fuzz: fuzz.summary }),
    ...(expectations === undefined ? {} : { expectations: redactor.value(expectations) }),
    ...(isAlone || replayed !== undefined ? {} : { latency: stopwatch.read() }),
    ...redactor.value(paymentsOf(payments)),
    exchanges: [
      ...(replayed?.exchanges ?? []),
      ...tape.exchanges.map((exchange) => ({ ...redactor.redactExchange(exchange), ...taped(exchange) })),
      ...[...others.exchanges, ...more.flatMap(({ exchanges }) => exchanges)].map((exchange) =>
        redactor.redactExchange(exchange),
      ),
      ...(fuzz?.exchanges ?? []),
    ],
  };
  publish({ type: 'run.ended', report });
  return report;
}

/** A pack as reports describe it, with its sentences: nothing else knows them. */
const packReport = ({ name, version, ledger }: NonNullable<RunOptions['packs']>[number]): PackReport => ({
  name,
  version,
  requirements: ledger.rows.map((row) => {
    const { id, section, statement } = row;
    const url = publishedAt(row);
    return { id, section, statement, ...(url === undefined ? {} : { url }) };
  }),
});

/** Why the run was stopped; undefined: it was not. */
function stopOf(signal: AbortSignal | undefined): string | undefined {
  if (signal?.aborted !== true) return undefined;
  return typeof signal.reason === 'string' ? signal.reason : 'interrupted';
}

/** What a time limit left, and the one that would do: "; 129 of 481 checks were left, --max-time 900 would do". */
function leftText(stop: string, checks: readonly CheckResult[], ms: number): string {
  const left = checks.filter(({ reason }) => reason.includes(stop)).length;
  if (!stop.includes('--max-time') || left === 0) return '';
  const wanted = (1.2 * ms * checks.length) / Math.max(1, checks.length - left);
  const seconds = 60 * Math.ceil(wanted / 60_000);
  return `; ${left} of ${plural(checks.length, 'check')} ${left === 1 ? 'was' : 'were'} left, --max-time ${seconds} would do`;
}

const hearing =
  ({ onPayments }: RunOptions, redactor: Redactor) =>
  (list: readonly PaymentReport[]): void =>
    onPayments?.(redactor.value(list));

/**
 * Prepares a dialect with signed requests; undefined for others. Throws `TckError('usage')` if an account was given for
 * a dialect without signatures.
 */
async function prepare(
  { signing, clock, signal }: RunOptions,
  detected: Detected,
  wire: GuardedWire,
  uuid: () => string,
  publish: Publish,
): Promise<Prepared | undefined> {
  const { id, signed } = detected.dialect;
  if (signed === undefined && signing?.account !== undefined) {
    const why = `the agent speaks ${id}, whose requests are not signed, and ${signing.account} was given to sign them`;
    throw new TckError('usage', why, signing.hint);
  }
  if (signed === undefined) return undefined;
  if (signing === undefined) throw new TckError('internal', `nothing signs the requests of ${id}`);
  const onWait = (ms: number) => publish({ type: 'run.waiting', ms, for: 'kept' });
  const isOver = () => wire.spent() || wire.lostReason() !== undefined;
  return signing.prepare({ wire, clock, uuid, onWait, isOver, ...(signal === undefined ? {} : { signal }) }, detected);
}

/** Choices that match no check of any interface that is judged. */
function skippedByAll(
  { rules, selection }: RunOptions,
  ledger: Ledger,
  others: readonly FoundInterface[],
): readonly string[] {
  const lists = others.map(({ options, detected, label }) =>
    skippedOf(rules, ledgerFor(options, detected), selection, label),
  );
  return skippedOf(rules, ledger, selection).filter((skipped) => lists.every((list) => list.includes(skipped)));
}

/** The cause when nothing was judged because this version has none of the selected checks. */
function nothingChosen(
  { dialect }: Detected,
  { selection: { level }, onRequest = [] }: RunOptions,
  skipped: readonly string[],
): Cause {
  const left = onRequest.find(({ pack }) => skipped.some((text) => text.includes(pack)));
  return {
    id: 'selection',
    fact:
      skipped.length === 0
        ? `no check of ${dialect.id} that was chosen has the level ${level} or a higher one`
        : `${dialect.id} has no check of ${skipped.join(', ')}`,
    advice: left
      ? `${left.how}; a2a-tck list checks shows what there is`
      : `choose others (a2a-tck list checks --profile ${dialect.id} shows them), or another version with --profile`,
    checks: [],
    exchanges: [],
  };
}

/** Recorded so that a run of some checks does not look like a run of all. */
const selectionOf = ({ suites, checks, level }: Selection): Pick<Report['run'], 'selection'> =>
  suites.length + checks.length === 0 && level === 'may' ? {} : { selection: { suites, checks, level } };

/**
 * Leaves out laws with a stale baseline entry: a law that holds in one shard may be broken in another, so only all
 * shards together show that the entry is stale.
 */
const ofShard = (checks: readonly CheckResult[], planned: readonly Planned[]): readonly CheckResult[] => {
  const laws = new Set(planned.flatMap(({ rule }) => (rule.kind === 'law' ? [rule.id] : [])));
  return checks.filter((check) => check.baseline !== 'stale' || !laws.has(check.id));
};

function paymentsOf(payments: PreparedCharges | undefined): Pick<Report, 'payments'> {
  const list = payments?.payments()?.filter(({ state }) => state !== 'receipted');
  return list === undefined ? {} : { payments: list };
}

/** Most characters of each text of a card that a report quotes, and most entries of each list. */
const longestQuote = 2000;
const mostListed = 500;

/** Cut texts end with `…`; `detection` says how many list entries the report leaves out. */
function describeTarget({ dialect, target, evidence, interfaces }: Detected, redactor: Redactor): TargetReport {
  const { name, version, capabilities } = target.card;
  const digest = target.cardDocument === undefined ? undefined : cardDigest(target.cardDocument);
  const quoted = (text: string): string => redactor.text(excerpt(text, longestQuote));
  const { extensions } = capabilities;
  const left = (list: readonly unknown[], text: string): readonly string[] =>
    list.length > mostListed ? [`the card lists ${plural(list.length - mostListed, text)} more than the report`] : [];
  return {
    url: redactor.text(target.url),
    endpoint: quoted(target.endpoint),
    ...(target.cardUrl === undefined ? {} : { cardUrl: quoted(target.cardUrl) }),
    ...(digest === undefined ? {} : { cardDigest: digest }),
    profile: dialect.id,
    agent: {
      ...(name === undefined ? {} : { name: quoted(name) }),
      ...(version === undefined ? {} : { version: quoted(version) }),
    },
    detection: [...evidence.map(quoted), ...left(extensions, 'extension'), ...left(interfaces, 'interface')],
    extensions: extensions.slice(0, mostListed).map(({ uri }) => quoted(uri)),
    interfaces: interfaces.slice(0, mostListed).map(({ url, binding, version: spoken, tenant, why, ...rest }) => ({
      ...rest,
      url: quoted(url),
      binding: quoted(binding),
      ...(spoken === undefined ? {} : { version: quoted(spoken) }),
      ...(tenant === undefined ? {} : { tenant: quoted(tenant) }),
      ...(why === undefined ? {} : { why: quoted(why) }),
    })),
  };
}
