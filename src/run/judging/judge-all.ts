import type { ClientOptions } from '../../client/index.js';
import type { TextFollowed } from '../../dialect/index.js';
import {
  heeding,
  type Inspector,
  knowingProbes,
  lackedByChance,
  leftBy,
  type MoreDocuments,
  madeBy,
  type Reading,
  type Scene,
  suiteOf,
  takeNotes,
} from '../../kit/index.js';
import { inText, type Ledger, loadLedger, overlaid } from '../../ledger/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { createSemaphore, defined, memo, type Semaphore } from '../../model/index.js';
import {
  type Acceptance,
  applyBaseline,
  asOffer,
  type Cause,
  type CheckResult,
  type ExpectationResult,
  failsGate,
  type RunEvent,
} from '../../report/index.js';
import { breather, plural, type Redactor, type Tape, type Wire } from '../../wire/index.js';
import { type Detected, probe } from '../detection/detect.js';
import { peersOf } from '../detection/interfaces.js';
import type { PreparedCharges } from '../extensions/charging.js';
import type { Prepared } from '../extensions/signing.js';
import type { FuzzOutcome } from '../fuzz-phase.js';
import { fuzz } from '../fuzzing.js';
import { inSet } from '../planning/frozen.js';
import type { Planned } from '../planning/plan.js';
import { seedOfShard } from '../planning/shard.js';
import { uuidsByPurpose } from '../random.js';
import type { RunOptions } from '../run-options.js';
import { isLate, type Neighbours, scheduleChecks } from '../schedule/check-scheduler.js';
import { createEase, observed } from '../schedule/congestion.js';
import type { GuardedWire } from '../schedule/guard.js';
import { restarted } from '../schedule/restart.js';
import { inTurn, sideBySide } from '../schedule/side-by-side.js';
import { createSession, type Session } from '../session.js';
import type { Webhooks } from '../webhooks.js';
import { acceptanceOf } from './acceptance.js';
import { causeOfBinding, isOfCard, namingBinding } from './binding.js';
import { causesOf, standingOf } from './causes.js';
import { judgeCheck, type LawTrial, notJudged, readTape, tryLaw } from './judge.js';
import { answeredOneByOne } from './one-by-one.js';
import { type FailedControl, sanityControls } from './sanity-controls.js';
import { foreignAnswerOf } from './shared-answers.js';
import { textClues } from './text-clues.js';

/** The rows of the dialect, and those of payments and packs if they are judged. */
export const ledgerFor = (
  { charging, packs = [] }: Pick<RunOptions, 'charging' | 'packs'>,
  { dialect }: Pick<Detected, 'dialect'>,
): Ledger => {
  const ledger = loadLedger(dialect.ledger);
  const others = [...(charging === undefined ? [] : [charging.ledger]), ...packs.map((pack) => pack.ledger)];
  return others.length === 0 ? ledger : overlaid(ledger, ...others);
};

/**
 * Whether a pass counts without the control of the whole run. It does for checks of the card; for checks of credentials
 * if the kit has none, since it then expects refusals only; and for signed requests and payments, which have their own
 * controls. All others count only on an agent that accepts and refuses.
 */
const countsAlone = ({ rule }: Planned, { options: { prepared, charging }, session: { client } }: RunState): boolean =>
  /^(card|signature)\//.test(rule.id) ||
  [prepared?.callers.pack, charging?.pack].includes(suiteOf(rule)) ||
  (!client.isSomebody && rule.id.startsWith('auth/'));

/** Whether a result is inconclusive for want of credentials: all of these get the same reason. */
const isForWant = ({ verdict, reason }: CheckResult): boolean =>
  verdict === 'inconclusive' &&
  /HTTP 40[13]: credentials are needed|an authentication error:|the agent wants credentials/.test(reason);

/** What a check lacks that the agent may show by chance; undefined: it was judged, or lacks nothing of the kind. */
const lackedBy = ({ verdict, reason }: CheckResult) =>
  verdict === 'inconclusive' ? lackedByChance(reason) : undefined;

/** One task by chance serves all checks with the same source: the source of most of them comes first. */
function sharedFirst<Each extends { readonly check: Planned }>(all: readonly Each[]): readonly Each[] {
  const sourcesOf = ({ check: { rule } }: Each) =>
    rule.kind === 'check' ? rule.givens.map(([, source]) => source) : [];
  const count = (each: Each): number =>
    Math.max(0, ...sourcesOf(each).map((own) => all.filter((other) => sourcesOf(other).includes(own)).length));
  return all.toSorted((each, other) => count(other) - count(each));
}

/** Requests in flight at the start, when nothing is known of the agent. */
const gentleStart = 2;

export interface Judged {
  readonly checks: readonly CheckResult[];
  /** Causes that kept checks from being judged, each once; redacted. */
  readonly causes: readonly Cause[];
  readonly tasks: number;
  /** Why nothing more is judged, if a check failed and the run ends with it. */
  readonly failFast: string | undefined;
  /** Why the run ended early. */
  readonly cut: string | undefined;
  /** Whether laws have judged an exchange. */
  readonly isCounted: (id: string) => boolean;
  /** Which text of the version the agent was seen to follow, where the version has several. */
  readonly text: TextFollowed | undefined;
  /** Runs the campaign of the fuzzer, where there is one; `used`: what the whole run has used of its budgets. */
  readonly fuzz: (used: Used) => Promise<FuzzOutcome | undefined>;
  /** Asks what the user expects beside the protocol, where there is something. */
  readonly expect: () => Promise<readonly ExpectationResult[] | undefined>;
  /** Undefined where no chosen check needs a message, or none may be sent. */
  readonly messages: Acceptance | undefined;
}

/** What a run has used of its budgets. */
export interface Used {
  readonly requests: number;
  readonly tasks: number;
}

type JudgeAllOptions = RunOptions &
  Webhooks & { readonly prepared: Prepared | undefined; readonly payments: PreparedCharges | undefined };

/** Everything that a run has once its target is known. */
export interface RunContext {
  readonly detected: Detected;
  readonly planned: readonly Planned[];
  readonly wire: GuardedWire;
  readonly tape: Tape;
  readonly redactor: Redactor;
  readonly uuid: () => string;
  readonly publish: (event: RunEvent) => void;
  /** Called when a check has been played. */
  readonly ended: (check: string) => void;
  /** Other interfaces of the run. */
  readonly neighbours: Neighbours;
}

type Caller = Omit<ClientOptions, 'wire' | 'taskBudget'>;

function callerOf(
  options: JudgeAllOptions,
  { detected: { dialect, target, tenant, unspoken }, uuid, publish }: RunContext,
): Caller {
  const { clock, prepared, payments, signal, query, secondCredentials, secondQuery, readOnly, limits } = options;
  return {
    clock,
    dialect,
    endpoint: target.endpoint,
    credentials: payments?.credentials ?? options.credentials,
    tenant,
    readOnly,
    // Rate limits count per minute, but an agent that always limits must not hold up a run with a short timeout.
    limitPatienceMs: 6.5 * limits.timeoutMs,
    timeoutMs: limits.timeoutMs,
    onWait: (ms) => publish({ type: 'run.waiting', ms, for: 'answered' }),
    uuid,
    ...defined({
      query,
      secondCredentials,
      secondQuery,
      signer: prepared?.signer,
      secondSigner: prepared?.secondSigner,
      sendsOff: prepared?.sendsOff,
      isPaid: payments && (true as const),
      unspoken: unspoken?.fact,
      signal,
    }),
  };
}

/** A run while it judges. */
interface RunState extends RunContext {
  readonly options: JudgeAllOptions;
  readonly now: () => number;
  readonly began: number;
  readonly slots: Semaphore;
  readonly caller: Caller;
  readonly inspectors: { readonly plain: Inspector; readonly more: MoreDocuments | undefined };
  readonly restart: Scene['restart'];
  readonly session: Session;
  /** By id of the check. */
  readonly results: Map<string, CheckResult>;
  /** Why no pass counts that needs an agent which accepts and refuses. */
  doubt: FailedControl | undefined;
  /** The check that ends a run with `failFast`. */
  firstFailed: string | undefined;
}

/** Judges every planned check: first on the live agent, then the laws on its answers; then looks for causes. */
export async function judgeAll(options: JudgeAllOptions, context: RunContext): Promise<Judged> {
  const run = begin(options, context);
  if (isWeighed(run) && context.detected.unspoken === undefined)
    run.doubt = await run.slots.withPermit(() => sanityControls(run.session.scene('control', () => undefined)));
  if (options.failFast === true) judgeCardFirst(run);
  const superseded = await playChecks(run);
  return conclude(run, await judgeLaws(run, superseded));
}

function begin(options: JudgeAllOptions, context: RunContext): RunState {
  const { clock, concurrency, limits, prepared, payments, witness } = options;
  const { detected, planned, wire, tape, redactor, uuid } = context;
  const now = (): number => clock.now();
  const { dialect, target } = detected;
  const slots = createSemaphore(concurrency, defined({ start: gentleStart, slowWidth: options.slowConcurrency }));
  const easeOf = createEase(limits.timeoutMs);
  const ask = (over: Wire) =>
    probe({ ...options, wire: over, uuid }, target.endpoint, dialect).then((seen) => seen.exchange);
  const { restart: restartNow, signal } = options;
  const restarting = restartNow && { restart: restartNow, ask: () => ask(wire.plain), clock, signal };
  const restart = restarting && (() => wire.whileAway(() => restarted(restarting)));
  const plain = inspectorFor(dialect.schemas);
  const caller = callerOf(options, context);
  const session = createSession({
    lend: slots.withoutPermit,
    // One request at a time means that nothing goes on beside one that waits.
    aside: concurrency === 1 ? (waiting) => waiting : slots.withoutPermit,
    sideBySide: concurrency === 1 ? inTurn : sideBySide(slots),
    ...options,
    ...caller,
    find: tape.find,
    uuidsFor: uuidsByPurpose(seedOfShard(options.idSeed ?? options.seed, options.shard)),
    additions: [prepared?.addition, payments?.addition].filter((addition) => addition !== undefined),
    signing: prepared?.callers,
    restart,
    wire: observed(wire, (exchange) => slots.note(easeOf(exchange))),
    target,
    inspector: plain,
    peers: peersOf(detected),
    patienceMs: limits.timeoutMs,
  });
  witness?.planned(planned.map((check) => notJudged(check, target, 'the run ended before it was judged', redactor)));
  /** The control of refusals asks for a task that does not exist, as the canary does. */
  const hasAnswered = (): boolean =>
    tape.exchanges.some(
      ({ purpose, call, failure, response }) =>
        purpose === 'control' && call?.operation === 'get' && failure === undefined && (response?.status ?? 500) < 500,
    );
  wire.watch({ canary: ask, clock, onReturn: session.forgetAll, hasAnswered });
  return {
    ...context,
    options,
    began: now(),
    now,
    slots,
    caller,
    inspectors: { plain, more: payments?.documents },
    restart,
    session,
    results: new Map(),
    doubt: undefined,
    firstFailed: undefined,
  };
}

/** One inspector per folder: it has no state, and compiling schemas costs more than a whole run in memory. */
const inspectorFor = memo((folder: string) => folder, createInspector);

/** Whether some check counts only on an agent that accepts and refuses. */
const isWeighed = (run: RunState): boolean => run.planned.some((check) => !countsAlone(check, run));

/** Why a check that needs a call cannot be judged; undefined: the agent can be called, or only the card is needed. */
const whyOff = ({ detected }: RunState, check: Planned): string | undefined =>
  isOfCard(check) ? undefined : detected.unspoken?.fact;

/** Why nothing more is judged: what ended the run, where the caller says it; undefined: the run goes on. */
function whyEnded({ options: { signal }, firstFailed }: RunState): string | undefined {
  if (signal?.aborted !== true) return firstFailed && `${firstFailed} failed first (--fail-fast)`;
  const { reason } = signal;
  if (typeof reason !== 'string' || reason === 'interrupted') return 'the run was interrupted';
  return `the run ended before it was judged: ${reason}`;
}

/** Whether a result fails the gate. */
function isFatal({ options, detected }: RunState, result: CheckResult): boolean {
  const { baseline = { entries: [] }, clock, strict } = options;
  const { id } = detected.dialect;
  const [counted = result] = inSet([result], options, id);
  return applyBaseline([counted], baseline, clock.now(), id).some((result) => failsGate(result, strict));
}

/** A failed or inconclusive result may have a cause, and causes are known only at the end. */
const isFinal = ({ verdict }: CheckResult): boolean => verdict !== 'fail' && verdict !== 'inconclusive';

/** What a result counts for on this agent. */
function weigh(run: RunState, check: Planned, result: CheckResult): CheckResult {
  const { detected, doubt, tape } = run;
  const { otherForm } = detected;
  if (otherForm !== undefined && result.verdict === 'fail' && isOfCard(check)) {
    const { advice: _, ...rest } = result;
    return { ...rest, verdict: 'inconclusive', reason: otherForm };
  }
  if (doubt === undefined || countsAlone(check, run)) return result;
  const isLateToo = doubt.isLate === true && isLate(result, tape);
  if (result.verdict !== 'pass' && !isForWant(result) && !isLateToo) return result;
  return { ...result, verdict: 'inconclusive', reason: doubt.reason };
}

/** Keeps a result, and publishes it if no cause can change it. */
function settle(run: RunState, result: CheckResult): void {
  const { options, detected, results, redactor, publish } = run;
  const { unspoken } = detected;
  const named = unspoken === undefined ? result : namingBinding(unspoken, result);
  const clean = {
    ...named,
    reason: redactor.text(heeding(options.behaviours, named.reason)),
    actual: redactor.text(named.actual),
  };
  results.set(clean.id, clean);
  if (options.failFast === true && isFatal(run, clean)) run.firstFailed ??= clean.id;
  if (isFinal(clean)) publish({ type: 'check.judged', result: clean });
  else options.witness?.settled(clean);
}

/** What the card breaks is known before anything else is sent. */
function judgeCardFirst(run: RunState): void {
  const { detected, planned, inspectors, redactor } = run;
  const { target, dialect } = detected;
  if (target.cardExchange === undefined) return;
  const card = readTape([target.cardExchange], dialect, inspectors, target.cardExchange);
  for (const check of planned) {
    if (check.rule.kind !== 'law' || run.firstFailed !== undefined) continue;
    const trial = tryLaw(check, { target, text: undefined }, run.now, redactor);
    for (const reading of card) trial.see(reading, card);
    const result = weigh(run, check, trial.end());
    if (isFatal(run, result)) run.firstFailed = result.id;
  }
}

async function judge(run: RunState, check: Planned): Promise<CheckResult> {
  const { options, detected, session, redactor, publish } = run;
  const why = whyEnded(run) ?? whyOff(run, check);
  if (why !== undefined) return notJudged(check, detected.target, why, redactor);
  options.witness?.doing(check.rule.id);
  publish({ type: 'check.started', id: check.rule.id, title: check.title });
  const result = await judgeCheck(check, session, detected.target, run.now, redactor);
  const own = session.client.for(check.rule.id);
  await own.endWork();
  // A check that needs a task which waits for the client may have those of this one.
  own.offer();
  return result;
}

/** Judges the checks that call the agent. Returns the ids of the exchanges that do not count. */
async function playChecks(run: RunState): Promise<ReadonlySet<string>> {
  const { options, planned, slots, wire, session } = run;
  const isFailFast = options.failFast === true;
  const done = (check: Planned, result: CheckResult): void => {
    run.ended(result.id);
    settle(run, weigh(run, check, result));
  };
  /** Those for which no prompt led to what they look at: others may lead there by chance. */
  const unlucky: { readonly check: Planned; readonly result: CheckResult }[] = [];
  const superseded = await scheduleChecks(
    planned.filter(({ rule }) => rule.kind === 'check'),
    {
      ...options,
      ...run,
      ...session,
      timeoutMs: options.limits.timeoutMs,
      isPaced: options.prepared?.signer !== undefined,
      isFailFast,
      judge: (check) => judge(run, check),
      settle: (check, result) =>
        lackedBy(result) !== undefined && !isFailFast ? void unlucky.push({ check, result }) : done(check, result),
      waitUntilResponsive: wire.waitUntilResponsive,
      waiting: () => session.client.waiting,
      isHopeless: () => run.doubt?.isLate === true || wire.lostReason() !== undefined,
    },
  );
  if (unlucky.length > 0) {
    session.forgetUnmet();
    // Only these are left, one after the other: what all others began is theirs.
    session.client.offerAll();
  }
  const there = new Set(unlucky.flatMap(({ result }) => lackedBy(result) ?? []).filter(session.client.hasOffered));
  for (const { check, result } of sharedFirst(unlucky)) {
    const lacked = lackedBy(result);
    const isThere = lacked !== undefined && there.has(lacked);
    const isOver = wire.lostReason() !== undefined || options.signal?.aborted === true;
    const again = isThere && !isOver ? await slots.withPermit(() => judge(run, check)) : result;
    done(check, lackedBy(again) === undefined ? again : result);
  }
  return superseded;
}

/** What the laws have read. */
interface Read {
  readonly readings: readonly Reading[];
  readonly text: TextFollowed | undefined;
  readonly counted: ReadonlySet<string>;
}

/** Judges the laws on all answers that count: those of this run, or those of an earlier run on a tape. */
async function judgeLaws(run: RunState, superseded: ReadonlySet<string>): Promise<Read> {
  const { options, detected, planned, tape, redactor } = run;
  const { dialect, unspoken } = detected;
  const { witness, replayed } = options;
  // If the card declares no JSON-RPC, the answers to the search for it say nothing about the agent.
  const counted =
    replayed?.exchanges.filter(({ taped }) => taped !== 'asked') ??
    tape.exchanges.filter(({ id, call }) => !superseded.has(id) && (unspoken === undefined || call === undefined));
  witness?.doing('reading the answers for all laws');
  const target =
    replayed === undefined
      ? detected.target
      : { ...detected.target, cardExchange: counted.find(({ taped }) => taped === 'card') };
  const recorded = readTape(counted, dialect, run.inspectors, target.cardExchange);
  const text = dialect.textOf?.(await textClues(replayed?.exchanges ?? tape.exchanges));
  const laws = planned.filter((check) => check.rule.kind === 'law');
  const trials = new Map<Planned, LawTrial>();
  for (const check of laws)
    if (whyOff(run, check) === undefined) trials.set(check, tryLaw(check, { target, text }, run.now, redactor));
  const notes = [...trials.values()].flatMap((trial) => trial.notes);
  await takeNotes(recorded, [leftBy, madeBy, standingOf, foreignAnswerOf, ...notes]);
  const readings = knowingProbes(recorded);
  options.onTape?.({ target, text, dialect, readings, laws: [...trials.keys()] });
  const breathe = breather();
  // All laws judge one answer before the next one, because large answers are not kept parsed for long.
  for (const reading of readings) {
    for (const [{ rule }, trial] of trials) {
      witness?.doing(rule.id);
      trial.see(reading, readings);
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
  }
  for (const check of laws) {
    const result = trials.get(check)?.end();
    settle(run, result ? weigh(run, check, result) : notJudged(check, target, whyOff(run, check) ?? '', redactor));
  }
  return { readings, text, counted: new Set(counted.map(({ id }) => id)) };
}

/** Applies the causes to the results, and tells what is left to do. */
function conclude(run: RunState, { readings, text, counted }: Read): Judged {
  const { options, detected, planned, wire, tape, redactor, publish, session, results, firstFailed } = run;
  const { target, unspoken } = detected;
  const { client } = session;
  const ledger = ledgerFor(options, detected);
  options.witness?.doing('looking for causes');
  const { checks, causes } = causesOf({
    ...detected,
    ...session,
    ...run,
    readings,
    ledger,
    queued: answeredOneByOne(tape.exchanges),
    messages: client.messages,
    waiting: client.waiting,
    deaths: wire.deaths(),
    gone: wire.lostReason(),
    redirect: unspoken === undefined ? detected.redirect : undefined,
    signing: options.prepared?.callers,
    charging: options.charging?.pack,
  });
  for (const result of checks) {
    const before = results.get(result.id);
    if (before === undefined || !isFinal(before)) publish({ type: 'check.judged', result: asOffer(result) });
  }
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const broken = new Set(planned.filter(({ rule }) => failed.has(rule.id)).flatMap(({ rule }) => rule.keys));
  const charges = options.payments?.charges;
  const checksMs = run.now() - run.began;
  const isFirstShard = (options.shard?.index ?? 1) <= 1;
  const off = (): string | undefined => whyEnded(run) ?? unspoken?.fact ?? wire.lostReason();
  // A campaign that a signal ends says so itself.
  const isOut = (): boolean => unspoken !== undefined || wire.lostReason() !== undefined;
  return {
    checks: checks.map(asOffer),
    causes: [...causeOfBinding(detected, checks, redactor), ...causes],
    get tasks() {
      return client.tasksSent;
    },
    messages: isWeighed(run) && !options.readOnly ? acceptanceOf(client.messages) : undefined,
    text,
    isCounted: (id) => counted.has(id),
    fuzz: async (used) =>
      options.fuzz === undefined || !isFirstShard || firstFailed !== undefined || isOut()
        ? undefined
        : fuzz({
            ...options,
            fuzz: options.fuzz,
            client: run.caller,
            target,
            peers: peersOf({ ...detected, barred: [] }),
            inspector: run.inspectors.plain,
            ledger: inText(ledger, text?.text),
            broken,
            used,
            checksMs,
            redactor,
            restart: run.restart,
            nextId: tape.nextId,
            publish,
            ...defined({ charges, doing: options.witness?.doing }),
          }),
    expect: async () =>
      isFirstShard
        ? options.expect?.({
            off,
            scene: session.scene,
            lacking: options.replayed?.lacking,
            clock: options.clock,
            redactor,
          })
        : undefined,
    failFast: firstFailed && `${firstFailed} failed first (--fail-fast)`,
    cut:
      (firstFailed && `${firstFailed} failed (--fail-fast)`) ??
      wire.lostReason() ??
      (wire.spent() ? `the budget of ${plural(options.requestBudget ?? 0, 'request')} is spent` : undefined),
  };
}
