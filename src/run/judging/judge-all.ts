import type { ClientOptions } from '../../client/index.js';
import type { TextFollowed } from '../../dialect/index.js';
import { heeding, type Inspector, knowingProbes, lackedByChance, leftBy, madeBy, takeNotes } from '../../kit/index.js';
import { inText, type Ledger, loadLedger, overlaid } from '../../ledger/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { createSemaphore } from '../../model/index.js';
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
import type { PreparedX402 } from '../extensions/x402.js';
import type { Prepared } from '../extensions/xpr.js';
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
import { createSession } from '../session.js';
import type { Webhooks } from '../webhooks.js';
import { acceptanceOf } from './acceptance.js';
import { causeOfBinding, isOfCard, namingBinding } from './binding.js';
import { causesOf, standingOf } from './causes.js';
import { judgeCheck, type LawTrial, notJudged, readTape, tryLaw } from './judge.js';
import { answeredOneByOne } from './one-by-one.js';
import { sanityControls } from './sanity-controls.js';
import { foreignAnswerOf } from './shared-answers.js';
import { textClues } from './text-clues.js';

type Publish = (event: RunEvent) => void;

const chargesOf = ({ scene: { trigger, seconds } }: PreparedX402) => ({ message: trigger, seconds });

/** The rows of the dialect, and those of payments and packs if they are judged. */
export const ledgerFor = (
  { x402, packs = [] }: Pick<RunOptions, 'x402' | 'packs'>,
  { dialect }: Pick<Detected, 'dialect'>,
): Ledger => {
  const ledger = loadLedger(dialect.ledger);
  const others = [...(x402 === undefined ? [] : [loadLedger('x402')]), ...packs.map((one) => one.ledger)];
  return others.length === 0 ? ledger : overlaid(ledger, ...others);
};

/**
 * Whether a pass counts without the control of the whole run. It does for checks of the card; for checks of credentials
 * if the kit has none, since it then expects refusals only; and for signed requests and payments, which have their own
 * controls. All others count only on an agent that accepts and refuses.
 */
const countsAlone = (one: Planned, isSomebody: boolean): boolean =>
  /^(card|signature|xpr|x402)\//.test(one.rule.id) || (!isSomebody && one.rule.id.startsWith('auth/'));

/** Whether a result is inconclusive for want of credentials: all of these get the same reason. */
const isForWant = ({ verdict, reason }: CheckResult): boolean =>
  verdict === 'inconclusive' &&
  /HTTP 40[13]: credentials are needed|an authentication error:|the agent wants credentials/.test(reason);

/** One inspector per folder: it has no state, and compiling schemas costs more than a whole run in memory. */
const inspectors = new Map<string, Inspector>();
function inspectorFor(folder: string): Inspector {
  const known = inspectors.get(folder) ?? createInspector(folder);
  inspectors.set(folder, known);
  return known;
}

/** Why a check was not begun: what ended the run, where somebody said it. */
const stoppedBefore = ({ reason }: AbortSignal): string =>
  typeof reason === 'string' && reason !== 'interrupted'
    ? `the run ended before it was judged: ${reason}`
    : 'the run was interrupted';

/** What a check lacks that the agent may show by chance; undefined: it was judged, or lacks nothing of the kind. */
const lackedBy = ({ verdict, reason }: CheckResult) =>
  verdict === 'inconclusive' ? lackedByChance(reason) : undefined;

/** One task by chance serves all checks with the same source: the source of most of them comes first. */
function sharedFirst<Each extends { readonly one: Planned }>(all: readonly Each[]): readonly Each[] {
  const sourcesOf = ({ one: { rule } }: Each) => (rule.kind === 'check' ? rule.givens.map(([, source]) => source) : []);
  const count = (each: Each): number =>
    Math.max(0, ...sourcesOf(each).map((own) => all.filter((other) => sourcesOf(other).includes(own)).length));
  return all.toSorted((one, other) => count(other) - count(one));
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
  Webhooks & { readonly prepared: Prepared | undefined; readonly payments: PreparedX402 | undefined };

/** Everything that a run has once its target is known. */
export interface RunContext {
  readonly detected: Detected;
  readonly planned: readonly Planned[];
  readonly wire: GuardedWire;
  readonly tape: Tape;
  readonly redactor: Redactor;
  readonly uuid: () => string;
  readonly publish: Publish;
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
  const { clock, prepared, payments, signal, query, secondCredentials, secondQuery, readOnly } = options;
  return {
    clock,
    dialect,
    endpoint: target.endpoint,
    credentials: payments?.credentials ?? options.credentials,
    ...(query === undefined ? {} : { query }),
    ...(secondCredentials === undefined ? {} : { secondCredentials }),
    ...(secondQuery === undefined ? {} : { secondQuery }),
    ...(prepared?.signer === undefined ? {} : { signer: prepared.signer }),
    ...(prepared?.secondSigner === undefined ? {} : { secondSigner: prepared.secondSigner }),
    ...(prepared?.sendsOff === undefined ? {} : { sendsOff: prepared.sendsOff }),
    ...(payments === undefined ? {} : { isPaid: true }),
    ...(unspoken === undefined ? {} : { unspoken: unspoken.fact }),
    tenant,
    readOnly,
    // Rate limits count per minute, but an agent that always limits must not hold up a run with a short timeout.
    limitPatienceMs: 6.5 * options.limits.timeoutMs,
    timeoutMs: options.limits.timeoutMs,
    onWait: (ms) => publish({ type: 'run.waiting', ms, for: 'answered' }),
    ...(signal === undefined ? {} : { signal }),
    uuid,
  };
}

export async function judgeAll(options: JudgeAllOptions, ground: RunContext): Promise<Judged> {
  const { clock, restart, signal, prepared, payments } = options;
  const { detected, planned, wire, tape, redactor, uuid, publish } = ground;
  const { dialect, target, unspoken, otherForm } = detected;
  const inspector = inspectorFor(dialect.schemas);
  const now = () => clock.now();
  const began = now();
  const slots = createSemaphore(options.concurrency, {
    start: gentleStart,
    ...(options.slowConcurrency === undefined ? {} : { slowWidth: options.slowConcurrency }),
  });
  const easeOf = createEase(options.limits.timeoutMs);
  const ask = (over: Wire) =>
    probe({ ...options, wire: over, uuid }, target.endpoint, dialect).then((seen) => seen.exchange);
  const caller = callerOf(options, ground);
  const restarts =
    restart &&
    (() =>
      wire.whileAway(() =>
        restarted({ restart, ask: () => ask(wire.plain), clock, ...(signal === undefined ? {} : { signal }) }),
      ));
  const session = createSession({
    lend: slots.withoutPermit,
    // One request at a time means that nothing goes on beside one that waits.
    aside: options.concurrency === 1 ? (waiting) => waiting : slots.withoutPermit,
    sideBySide: options.concurrency === 1 ? inTurn : sideBySide(slots),
    ...options,
    ...caller,
    find: tape.find,
    uuidsFor: uuidsByPurpose(seedOfShard(options.idSeed ?? options.seed, options.shard)),
    xpr: prepared?.scene,
    x402: payments?.scene,
    restart: restarts,
    wire: observed(wire, (exchange) => slots.note(easeOf(exchange))),
    target,
    inspector,
    peers: peersOf(detected),
    patienceMs: options.limits.timeoutMs,
  });
  const results = new Map<string, CheckResult>();
  /** The check that ends a run with `failFast`. */
  let firstFailed: string | undefined;
  const isFatal = (result: CheckResult): boolean => {
    const { baseline = { entries: [] } } = options;
    const [counted = result] = inSet([result], options, dialect.id);
    return applyBaseline([counted], baseline, now(), dialect.id).some((one) => failsGate(one, options.strict));
  };
  /** A failed or inconclusive result may have a cause, and causes are known only at the end. */
  const isFinal = ({ verdict }: CheckResult): boolean => verdict !== 'fail' && verdict !== 'inconclusive';
  const settle = (result: CheckResult) => {
    const named = unspoken === undefined ? result : namingBinding(unspoken, result);
    const clean = cleanResult({ ...named, reason: heeding(options.behaviours, named.reason) }, redactor);
    results.set(clean.id, clean);
    if (options.failFast === true && isFatal(clean)) firstFailed ??= clean.id;
    if (isFinal(clean)) publish({ type: 'check.judged', result: clean });
    else options.witness?.settled(clean);
  };
  options.witness?.planned(
    planned.map((one) => notJudged(one, target, 'the run ended before it was judged', redactor)),
  );
  /** The control of refusals asks for a task that does not exist, as the canary does. */
  const hasAnswered = (): boolean =>
    tape.exchanges.some(
      ({ purpose, call, failure, response }) =>
        purpose === 'control' && call?.operation === 'get' && failure === undefined && (response?.status ?? 500) < 500,
    );
  wire.watch({ canary: ask, clock, onReturn: session.forgetAll, hasAnswered });
  const { isSomebody } = session.client;
  const isOff = (one: Planned): boolean => unspoken !== undefined && !isOfCard(one);
  const weighs = planned.some((one) => !countsAlone(one, isSomebody));
  const doubt =
    weighs && unspoken === undefined
      ? await slots.withPermit(() => sanityControls(session.scene('control', () => undefined)))
      : undefined;
  const counts = (result: CheckResult): boolean =>
    result.verdict !== 'pass' && !isForWant(result) && !(doubt?.isLate === true && isLate(result, tape));
  const weigh = (one: Planned, result: CheckResult): CheckResult => {
    if (otherForm !== undefined && result.verdict === 'fail' && isOfCard(one)) {
      const { advice: _, ...rest } = result;
      return { ...rest, verdict: 'inconclusive', reason: otherForm };
    }
    return doubt === undefined || countsAlone(one, isSomebody) || counts(result)
      ? result
      : { ...result, verdict: 'inconclusive', reason: doubt.reason };
  };
  const live = planned.filter((one) => one.rule.kind === 'check');
  const judge = async (one: Planned): Promise<CheckResult> => {
    if (signal?.aborted === true) return notJudged(one, target, stoppedBefore(signal), redactor);
    if (firstFailed !== undefined) return notJudged(one, target, `${firstFailed} failed first (--fail-fast)`, redactor);
    if (unspoken !== undefined && isOff(one)) return notJudged(one, target, unspoken.fact, redactor);
    options.witness?.doing(one.rule.id);
    publish({ type: 'check.started', id: one.rule.id, title: one.title });
    const result = await judgeCheck(one, session, target, now, redactor);
    const own = session.client.for(one.rule.id);
    await own.endWork();
    // A check that needs a task which waits for the client may have those of this one.
    own.offer();
    return result;
  };
  const { cardExchange } = target;
  if (options.failFast === true && cardExchange !== undefined) {
    // What the card breaks is known before anything else is sent.
    const card = readTape(
      [cardExchange],
      dialect,
      { plain: inspector, payments: payments?.scene.inspector },
      cardExchange,
    );
    firstFailed = planned.flatMap((one) => {
      if (one.rule.kind !== 'law') return [];
      const trial = tryLaw(one, { target, text: undefined }, now, redactor);
      for (const reading of card) trial.see(reading, card);
      const result = weigh(one, trial.end());
      return isFatal(result) ? [result.id] : [];
    })[0];
  }
  /** Those for which no prompt led to what they look at: others may lead there by chance. */
  const unlucky: { readonly one: Planned; readonly result: CheckResult }[] = [];
  const superseded = await scheduleChecks(live, {
    slots,
    concurrency: options.concurrency,
    clock,
    tape,
    timeoutMs: options.limits.timeoutMs,
    isPaced: prepared?.signer !== undefined,
    isFailFast: options.failFast === true,
    neighbours: ground.neighbours,
    judge,
    settle(one, result) {
      if (lackedBy(result) !== undefined && options.failFast !== true) {
        unlucky.push({ one, result });
        return;
      }
      ground.ended(result.id);
      settle(weigh(one, result));
    },
    waitUntilResponsive: wire.waitUntilResponsive,
    sendTogether: session.sendTogether,
    forgetLate: session.forgetLate,
    waiting: () => session.client.waiting,
    startAnew: session.startAnew,
    isHopeless: () => doubt?.isLate === true || wire.lostReason() !== undefined,
  });
  if (unlucky.length > 0) {
    session.forgetUnmet();
    // Only these are left, one after the other: what all others began is theirs.
    session.client.offerAll();
  }
  const there = new Set(unlucky.flatMap(({ result }) => lackedBy(result) ?? []).filter(session.client.hasOffered));
  for (const { one, result } of sharedFirst(unlucky)) {
    const lacked = lackedBy(result);
    const isThere = lacked !== undefined && there.has(lacked);
    const isOver = wire.lostReason() !== undefined || signal?.aborted === true;
    const again = isThere && !isOver ? await slots.withPermit(() => judge(one)) : result;
    ground.ended(result.id);
    settle(weigh(one, lackedBy(again) === undefined ? again : result));
  }
  const inspectors = { plain: inspector, payments: payments?.scene.inspector };
  const { replayed } = options;
  // If the card declares no JSON-RPC, the answers to the search for it say nothing about the agent.
  const counted =
    replayed?.exchanges.filter(({ taped }) => taped !== 'asked') ??
    tape.exchanges.filter(({ id, call }) => !superseded.has(id) && (unspoken === undefined || call === undefined));
  const judgedIds = new Set(counted.map(({ id }) => id));
  options.witness?.doing('reading the answers for all laws');
  const judged =
    replayed === undefined ? target : { ...target, cardExchange: counted.find(({ taped }) => taped === 'card') };
  const recorded = readTape(counted, dialect, inspectors, judged.cardExchange);
  const text = dialect.textOf?.(await textClues(replayed?.exchanges ?? tape.exchanges));
  const laws = planned.filter((one) => one.rule.kind === 'law');
  const trials = new Map<Planned, LawTrial>(
    laws.filter((one) => !isOff(one)).map((one) => [one, tryLaw(one, { target: judged, text }, now, redactor)]),
  );
  await takeNotes(recorded, [
    leftBy,
    madeBy,
    standingOf,
    foreignAnswerOf,
    ...[...trials.values()].flatMap(({ notes }) => notes),
  ]);
  const readings = knowingProbes(recorded);
  options.onTape?.({ target, text, dialect, readings, laws: [...trials.keys()] });
  const breathe = breather();
  // All laws judge one answer before the next one, because large answers are not kept parsed for long.
  for (const reading of readings) {
    for (const [{ rule }, trial] of trials) {
      options.witness?.doing(rule.id);
      trial.see(reading, readings);
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
  }
  for (const one of laws) {
    const trial = trials.get(one);
    settle(trial === undefined ? notJudged(one, target, unspoken?.fact ?? '', redactor) : weigh(one, trial.end()));
  }
  options.witness?.doing('looking for causes');
  const { checks, causes } = causesOf({
    planned,
    results,
    readings,
    target,
    dialect,
    ledger: ledgerFor(options, detected),
    doubt,
    stuck: session.stuck,
    clues: session.clues,
    queued: answeredOneByOne(tape.exchanges),
    messages: session.client.messages,
    waiting: session.client.waiting,
    deaths: wire.deaths(),
    gone: wire.lostReason(),
    redirect: unspoken === undefined ? detected.redirect : undefined,
    xpr: prepared?.scene,
    redactor,
  });
  for (const result of checks) {
    const before = results.get(result.id);
    if (before === undefined || !isFinal(before)) publish({ type: 'check.judged', result: asOffer(result) });
  }
  const failed = new Set(checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const broken = planned.filter(({ rule }) => failed.has(rule.id)).flatMap(({ rule }) => rule.keys);
  const checksMs = now() - began;
  const fuzzed = async (used: Used): Promise<FuzzOutcome | undefined> =>
    options.fuzz === undefined ||
    firstFailed !== undefined ||
    unspoken !== undefined ||
    (options.shard?.index ?? 1) > 1 ||
    wire.lostReason() !== undefined
      ? undefined
      : fuzz({
          ...options,
          fuzz: options.fuzz,
          client: caller,
          ...(payments === undefined ? {} : { charges: chargesOf(payments) }),
          target,
          peers: peersOf({ ...detected, barred: [] }),
          inspector,
          ledger: inText(ledgerFor(options, detected), text?.text),
          broken: new Set(broken),
          used,
          checksMs,
          redactor,
          restart: restarts,
          nextId: tape.nextId,
          publish,
          ...(options.witness === undefined ? {} : { doing: options.witness.doing }),
        });
  const off = (): string | undefined => {
    if (signal?.aborted === true) return stoppedBefore(signal);
    if (firstFailed !== undefined) return `${firstFailed} failed first (--fail-fast)`;
    return unspoken?.fact ?? wire.lostReason();
  };
  const expected = async (): Promise<readonly ExpectationResult[] | undefined> =>
    (options.shard?.index ?? 1) > 1
      ? undefined
      : options.expect?.({
          off,
          scene: session.scene,
          lacking: replayed?.lacking,
          clock,
          redactor,
        });
  return {
    checks: checks.map(asOffer),
    causes: [...causeOfBinding(detected, checks, redactor), ...causes],
    get tasks() {
      return session.client.tasksSent;
    },
    messages: weighs && !options.readOnly ? acceptanceOf(session.client.messages) : undefined,
    text,
    isCounted: (id) => judgedIds.has(id),
    fuzz: fuzzed,
    expect: expected,
    failFast: firstFailed === undefined ? undefined : `${firstFailed} failed first (--fail-fast)`,
    cut:
      (firstFailed === undefined ? undefined : `${firstFailed} failed (--fail-fast)`) ??
      wire.lostReason() ??
      (wire.spent() ? `the budget of ${plural(options.requestBudget ?? 0, 'request')} is spent` : undefined),
  };
}

function cleanResult(result: CheckResult, redactor: Redactor): CheckResult {
  return {
    ...result,
    reason: redactor.text(result.reason),
    actual: redactor.text(result.actual),
  };
}
