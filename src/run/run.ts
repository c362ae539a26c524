import { setMaxListeners } from 'node:events';
import type { Behaviours, Inspector, Parameter, Rule } from '../kit/index.js';
import { type Ledger, loadLedger, overlaid } from '../ledger/index.js';
import { createInspector } from '../ledger/schemas.js';
import { TckError } from '../model/index.js';
import {
  type Carrier,
  type Clock,
  createRedactor,
  createTape,
  createWire,
  type Header,
  type Limits,
  type OpenWebhooks,
  type Redactor,
  type Tape,
  type Wire,
} from '../wire/index.js';
import { applyBaseline, type Baseline } from './baseline.js';
import { type Detected, detect, probe } from './detect.js';
import { judgeGate } from './gate.js';
import { type GuardedWire, guard } from './guard.js';
import { judgeCheck, judgeLaw, readTape } from './judge.js';
import { type Planned, plan, type Selection } from './plan.js';
import { random, uuids, uuidsByPurpose } from './random.js';
import { restarted } from './restart.js';
import { type CheckResult, type Report, type RunEvent, type TargetReport, tally } from './result.js';
import { createSession } from './session.js';
import { createSlots } from './slots.js';
import { standing } from './standing.js';
import { textClues } from './text-clues.js';
import { openWebhooks, type Webhooks } from './webhooks.js';
import { lateSecrets, type PreparedX402, prepareX402, type X402Options } from './x402.js';
import { type Prepared, prepareXpr, withoutAccount, type XprOptions } from './xpr.js';

export interface RunOptions {
  readonly url: string;
  readonly profile: string;
  readonly rules: readonly Rule[];
  readonly selection: Selection;
  readonly carrier: Carrier;
  /** Offers exact bytes on sockets; false in memory. */
  readonly rawSocket: boolean;
  readonly clock: Clock;
  readonly seed: number;
  readonly limits: Limits;
  readonly concurrency: number;
  readonly requestBudget?: number;
  readonly taskBudget?: number;
  readonly readOnly: boolean;
  /** Sent with every request; their values are secrets. */
  readonly credentials: readonly Header[];
  /** Credentials that belong into the URL of the endpoint: name and value, not yet encoded. Secrets too. */
  readonly query?: readonly Parameter[];
  /** The same of a second caller, who must have no access to what the first one does. */
  readonly secondCredentials?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
  /** For agents whose callers sign; left out: no account, and all defaults. */
  readonly xpr?: XprOptions;
  /** For agents that charge; left out: payments are not judged. */
  readonly x402?: X402Options;
  readonly secrets: readonly string[];
  /** Default: hides all secrets. */
  readonly redactor?: Redactor;
  readonly allowedOrigins: readonly string[];
  readonly behaviours: Behaviours;
  /** How webhooks of the kit are opened, or why there are none. */
  readonly webhooks?: OpenWebhooks | string;
  /** Restarts the agent. Rejects when it could not be done. */
  readonly restart?: () => Promise<void>;
  readonly strict: boolean;
  readonly minProof?: number;
  readonly baseline?: Baseline;
  /** Run although the target does not look like an agent: the proof does so with impostors. */
  readonly anyTarget?: boolean;
  readonly kit: Report['kit'];
  /** Ends the run early with what is known. */
  readonly signal?: AbortSignal;
}

type Publish = (event: RunEvent) => void;

/**
 * Judges one target. Events come in order; the last is `run.ended`, with everything that is known. Throws `TckError`
 * when there is nothing to judge (wrong options, nothing there, no agent).
 */
export async function run(options: RunOptions, publish: Publish): Promise<Report> {
  const { clock } = options;
  // Every exchange under way listens to it.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const started = clock.now();
  let payments: PreparedX402 | undefined;
  const redactor = options.redactor ?? createRedactor(options.secrets, () => lateSecrets(payments));
  const tape = createTape((exchange) => publish({ type: 'exchange', exchange: redactor.redactExchange(exchange) }));
  const wire = guard(
    createWire({
      carrier: options.carrier,
      clock,
      tape,
      limits: options.limits,
      ...(options.requestBudget === undefined ? {} : { requestBudget: options.requestBudget }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      rawSocket: options.rawSocket,
    }),
  );
  const uuid = uuids(random(options.seed));
  publish({
    type: 'run.started',
    at: new Date(started).toISOString(),
    seed: options.seed,
    url: redactor.text(options.url),
    kit: options.kit,
  });
  const found = await detect({ ...options, wire, uuid });
  if (!found.isAgent && options.anyTarget !== true) {
    throw new TckError(
      'not-an-agent',
      `${options.url} is no A2A agent: ${found.evidence.join('; ')}`,
      'give the base, card or endpoint URL of an agent',
    );
  }
  const prepared = await prepare(options, found, wire, uuid, publish);
  const detected: Detected =
    prepared === undefined
      ? found
      : { ...found, dialect: prepared.dialect, evidence: [...found.evidence, ...prepared.evidence] };
  const target = describeTarget(detected, redactor);
  const { x402 } = options;
  payments = x402 === undefined ? undefined : await prepareX402({ ...options, x402 }, detected);
  const planned = plan(options.rules, ledgerFor(options, detected), options.selection);
  publish({ type: 'target.detected', target, checks: planned.length });
  const hooks = await openWebhooks(options, planned, detected.target, tape, uuid);
  // Closed also when the kit fails: an open port would keep the process alive.
  const results = await judgeAll(
    { ...options, ...hooks, prepared, payments },
    detected,
    planned,
    wire,
    tape,
    redactor,
    uuid,
    publish,
  ).finally(() => hooks.webhook?.close());
  const baselined =
    options.baseline === undefined ? results.checks : applyBaseline(results.checks, options.baseline, clock.now());
  const cut = options.signal?.aborted === true ? 'interrupted' : results.cut;
  const text = detected.dialect.textOf?.(textClues(tape.exchanges));
  const report: Report = {
    kit: options.kit,
    target: text === undefined ? target : { ...target, detection: [...target.detection, text] },
    run: {
      startedAt: new Date(started).toISOString(),
      durationMs: Math.round(clock.now() - started),
      seed: options.seed,
      requests: tape.exchanges.filter((one) => one.toWebhook !== true).length,
      tasks: results.tasks,
      ...(cut === undefined ? {} : { cut }),
    },
    gate: judgeGate(baselined, {
      strict: options.strict,
      ...(options.minProof === undefined ? {} : { minProof: options.minProof }),
      ...(cut === undefined ? {} : { cut }),
    }),
    summary: tally(baselined),
    checks: baselined,
    findings: [],
    ...paymentsOf(payments),
    exchanges: tape.exchanges.map((exchange) => redactor.redactExchange(exchange)),
  };
  publish({ type: 'run.ended', report });
  return report;
}

/** What a dialect with signed requests needs beyond others. */
function prepare(
  { xpr = withoutAccount, clock, signal }: RunOptions,
  detected: Detected,
  wire: GuardedWire,
  uuid: () => string,
  publish: Publish,
): Promise<Prepared | undefined> {
  const { id, signed } = detected.dialect;
  if (signed === undefined && xpr.first !== undefined) {
    const why = `the agent speaks ${id}, whose requests are not signed, and ${xpr.first.account} was given to sign them`;
    throw new TckError('usage', why, '--profile xpr judges it as an XPR agent');
  }
  if (signed === undefined) return Promise.resolve(undefined);
  const onWait = (ms: number) => publish({ type: 'run.waiting', ms, for: 'kept' });
  const isOver = () => wire.spent() || wire.gone() !== undefined;
  return prepareXpr({ xpr, wire, clock, uuid, onWait, isOver, ...(signal === undefined ? {} : { signal }) }, detected);
}

/** With payments, their rows beside those of the dialect. */
const ledgerFor = ({ x402 }: RunOptions, { dialect }: Detected): Ledger => {
  const ledger = loadLedger(dialect.ledger);
  return x402 === undefined ? ledger : overlaid(ledger, loadLedger('x402'));
};

function paymentsOf(payments: PreparedX402 | undefined): Pick<Report, 'payments'> {
  const list = payments?.payments();
  return list === undefined ? {} : { payments: list };
}

function describeTarget({ dialect, target, evidence }: Detected, redactor: Redactor): TargetReport {
  const { name, version, capabilities } = target.card;
  return {
    url: redactor.text(target.url),
    endpoint: redactor.text(target.endpoint),
    ...(target.cardUrl === undefined ? {} : { cardUrl: redactor.text(target.cardUrl) }),
    profile: dialect.id,
    agent: {
      ...(name === undefined ? {} : { name: redactor.text(name) }),
      ...(version === undefined ? {} : { version: redactor.text(version) }),
    },
    detection: evidence.map((line) => redactor.text(line)),
    extensions: capabilities.extensions.map((one) => redactor.text(one.uri)),
  };
}

/**
 * The card speaks for itself; who has no credentials can be refused only, and is to be; checks of signed requests and of
 * payments have a control each. All else counts only on an agent that accepts and refuses.
 */
const countsAlone = (one: Planned, isSomebody: boolean): boolean =>
  /^(card|signature|xpr|x402)\//.test(one.rule.id) || (!isSomebody && one.rule.id.startsWith('auth/'));

/** One reason for all that came to nothing for want of credentials. */
const isForWant = ({ verdict, reason }: CheckResult): boolean =>
  verdict === 'inconclusive' &&
  /HTTP 40[13]: credentials are needed|an authentication error:|the agent wants credentials/.test(reason);

/** Compiling schemas costs more than a whole run in memory, and an inspector has no state: one per folder is enough. */
const inspectors = new Map<string, Inspector>();
function inspectorFor(folder: string): Inspector {
  const known = inspectors.get(folder) ?? createInspector(folder);
  inspectors.set(folder, known);
  return known;
}

interface Judged {
  readonly checks: readonly CheckResult[];
  readonly tasks: number;
  /** Why the run ended early. */
  readonly cut: string | undefined;
}

async function judgeAll(
  options: RunOptions &
    Webhooks & { readonly prepared: Prepared | undefined; readonly payments: PreparedX402 | undefined },
  detected: Detected,
  planned: readonly Planned[],
  wire: GuardedWire,
  tape: Tape,
  redactor: Redactor,
  uuid: () => string,
  publish: Publish,
): Promise<Judged> {
  const { clock } = options;
  const { dialect, target } = detected;
  const inspector = inspectorFor(dialect.schemas);
  const now = () => clock.now();
  const slots = createSlots(options.concurrency);
  const ask = (over: Wire) =>
    probe({ ...options, wire: over, uuid }, target.endpoint, dialect).then((seen) => seen.exchange);
  const { restart, signal, prepared, payments } = options;
  const session = createSession({
    lend: slots.lend,
    ...options,
    find: tape.find,
    uuidsFor: uuidsByPurpose(options.seed),
    ...(prepared?.signer === undefined ? {} : { signer: prepared.signer }),
    ...(prepared?.secondSigner === undefined ? {} : { secondSigner: prepared.secondSigner }),
    ...(prepared?.sendsOff === undefined ? {} : { sendsOff: prepared.sendsOff }),
    ...(payments === undefined ? {} : { credentials: payments.credentials }),
    xpr: prepared?.scene,
    x402: payments?.scene,
    restart:
      restart &&
      (() => restarted({ restart, ask: () => ask(wire.plain), clock, ...(signal === undefined ? {} : { signal }) })),
    wire,
    dialect,
    target,
    inspector,
    uuid,
    patienceMs: options.limits.timeoutMs,
    // Limits count by the minute; an agent that limits for ever must not hold a run with a short timeout.
    limitPatienceMs: 6.5 * options.limits.timeoutMs,
    onWait: (ms) => publish({ type: 'run.waiting', ms, for: 'answered' }),
  });
  const results = new Map<string, CheckResult>();
  const settle = (result: CheckResult) => {
    const clean = cleanResult(result, redactor);
    results.set(clean.id, clean);
    publish({ type: 'check.judged', result: clean });
  };
  wire.watch(ask);
  const { isSomebody } = session.client;
  const weighs = planned.some((one) => !countsAlone(one, isSomebody));
  const doubt = weighs ? await slots.hold(() => standing(session.scene('control', () => undefined))) : undefined;
  const weigh = (one: Planned, result: CheckResult): CheckResult =>
    doubt !== undefined && !countsAlone(one, isSomebody) && (result.verdict === 'pass' || isForWant(result))
      ? { ...result, verdict: 'inconclusive', reason: doubt }
      : result;
  const live = planned.filter((one) => one.rule.kind === 'check');
  const judge = async (one: Planned) => {
    if (options.signal?.aborted === true) return;
    publish({ type: 'check.started', id: one.rule.id, title: one.title });
    settle(weigh(one, await judgeCheck(one, session, target, now, redactor)));
  };
  const isAlone = (one: Planned) => one.rule.kind === 'check' && one.rule.alone;
  await Promise.all(live.filter((one) => !isAlone(one)).map((one) => slots.hold(() => judge(one))));
  for (const one of live.filter(isAlone)) await slots.hold(() => judge(one));
  const inspectors = { plain: inspector, payments: payments?.scene.inspector };
  const readings = readTape(tape.exchanges, dialect, inspectors, target.cardExchange);
  for (const one of planned) {
    if (one.rule.kind === 'law') settle(weigh(one, judgeLaw(one, readings, target, now, redactor)));
  }
  return {
    checks: planned.flatMap((one) => results.get(one.rule.id) ?? []),
    tasks: session.client.tasksSent,
    cut: wire.gone() ?? (wire.spent() ? `the budget of ${options.requestBudget} requests is spent` : undefined),
  };
}

function cleanResult(result: CheckResult, redactor: Redactor): CheckResult {
  return {
    ...result,
    reason: redactor.text(result.reason),
    actual: redactor.text(result.actual),
  };
}
