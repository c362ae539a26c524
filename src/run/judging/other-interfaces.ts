import type { Dialect } from '../../dialect/index.js';
import { withoutVersionInPaths } from '../../dialect/index.js';
import { suiteOf } from '../../kit/index.js';
import type { Requirement } from '../../ledger/index.js';
import { defined } from '../../model/index.js';
import type { Cause, CheckResult, ExpectationResult, InterfaceReport, RunEvent } from '../../report/index.js';
import { createWire, type Exchange, excerpt, type Redactor, type Tape } from '../../wire/index.js';
import type { Detected } from '../detection/detect.js';
import type { OtherInterface } from '../detection/interfaces.js';
import { probeFollowing } from '../detection/redirects.js';
import { type Planned, plan, selectedFor } from '../planning/plan.js';
import { mixed } from '../random.js';
import type { RunOptions } from '../run-options.js';
import type { Neighbours } from '../schedule/check-scheduler.js';
import { type Crew, type GuardedWire, guard } from '../schedule/guard.js';
import { paced } from '../schedule/pace.js';
import { openWebhooks } from '../webhooks.js';
import type { Witness } from '../witness.js';
import { isOfCard } from './binding.js';
import { notJudged } from './judge.js';
import { judgeAll, ledgerFor, type Used } from './judge-all.js';

// A card may declare several interfaces. The first one that the kit speaks is judged in full (`run.ts`), the others here.

/** How much of each other interface is judged. */
type Extent = 'in-full' | 'in-part';

/** Most requests to an interface that is judged in part. */
const mostInPart = 80;
/** A card may list any number of interfaces, and each costs a run. */
const mostOthers = 8;
const whyInPart =
  'by what its binding alone has, and by whether each operation is there; --binding all judges each in full';

/** What a run shares among its interfaces. */
export interface OtherBasis {
  readonly redactor: Redactor;
  readonly uuid: () => string;
  readonly publish: (event: RunEvent) => void;
  readonly crew: Crew;
  /** A tape whose exchanges have ids of their own in the run. */
  newTape(): Tape;
  /** Called when a check has been played. */
  ended(check: string): void;
}

/** An interface that answers, and what will be judged of it. */
export interface FoundInterface {
  readonly label: string;
  readonly extent: Extent;
  /** It has the origin of the first one. */
  readonly isBesides: boolean;
  readonly detected: Detected;
  readonly planned: readonly Planned[];
  readonly options: RunOptions;
}

export interface OthersFound {
  readonly found: readonly FoundInterface[];
  /** All interfaces, with what is judged of each. */
  readonly interfaces: readonly InterfaceReport[];
  /** The requests that it took. */
  readonly exchanges: readonly Exchange[];
}

/** The rows of the operations: each must be there over every binding. */
const isOfOperation = ({ key }: Requirement): boolean => key?.endsWith('.implemented') === true;

/**
 * Whether a rule is judged of an interface beside the first. In part: rules about its binding alone, and whether each
 * operation is there. The card is the same for all interfaces of a version.
 */
function isJudged(check: Planned, { binding, version }: Dialect, first: Dialect, extent: Extent): boolean {
  // Relations are between the first interface and each other one.
  if (suiteOf(check.rule) === 'equivalence') return false;
  if (extent === 'in-full') return !isOfCard(check) || version !== first.version;
  const own = check.rows.filter((row) => row.binding === binding.id);
  return !isOfCard(check) && own.length > 0 && (own.length === check.rows.length || own.some(isOfOperation));
}

/**
 * The result of a law that had nothing to judge, where an interface is judged in part: the kit sends few requests, so the
 * law need not have a proof.
 */
function settled(result: CheckResult, extent: Extent, laws: ReadonlySet<string>): CheckResult {
  const { id, verdict, exchanges, cause, reason } = result;
  if (extent === 'in-full' || verdict !== 'inconclusive' || exchanges.length > 0 || cause !== undefined) return result;
  if (!laws.has(id)) return result;
  return { ...result, verdict: 'not-applicable', reason: `${reason}; --binding all judges this interface in full` };
}

/** Which other interfaces the options ask for; undefined: none. A part of a run leaves them to the first part. */
function extentOf({ binding = 'auto', fuzz, shard }: RunOptions): Extent | undefined {
  if (fuzz?.alone === true || (shard?.index ?? 1) > 1) return undefined;
  return binding === 'auto' ? 'in-part' : binding === 'all' ? 'in-full' : undefined;
}

/** The profile of an interface; with a number where several have the same. */
function labelOf(dialect: Dialect, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count++) {
    const label = count === 1 ? dialect.id : `${dialect.id}.${count}`;
    if (!taken.has(label)) return label;
  }
}

/** Asks whether the interface speaks what the card says, with and without `/v1` in its paths (AMB03-40). */
async function spoken(
  options: RunOptions,
  { dialect, endpoint }: OtherInterface,
  { target: { origins } }: Detected,
  wire: GuardedWire,
  uuid: () => string,
): Promise<{ readonly dialect: Dialect; readonly endpoint: string } | string> {
  let why = '';
  await dialect.binding.load?.();
  for (const spelling of [dialect, withoutVersionInPaths(dialect)]) {
    if (spelling === undefined) continue;
    const { probe, endpoint: reached } = await probeFollowing({ ...options, wire, uuid }, endpoint, spelling, origins);
    if (probe.understood !== 'no' && probe.understood !== 'other') return { dialect: spelling, endpoint: reached };
    // Where no server answers, the kit need not ask at other paths.
    if (probe.exchange.failure !== undefined) return `nothing answers there: ${probe.exchange.failure.kind}`;
    why ||= `it does not answer in ${dialect.title}: ${excerpt(probe.seen, 300)}`;
  }
  return why;
}

/** A wire of its own for each interface: one that falls silent does not keep the others from being judged. */
function wireFor(
  { carrier, clock, limits, rawSocket, signal, pace }: RunOptions,
  tape: Tape,
  requestBudget: number | undefined,
  crew: Crew,
): GuardedWire {
  const wire = guard(
    createWire({
      carrier,
      clock,
      tape,
      limits,
      rawSocket,
      ...defined({ requestBudget, signal }),
    }),
    crew,
  );
  return pace === undefined ? wire : paced(wire, pace);
}

/** The same choices as the first interface has, and ids that the agent has not seen. */
function optionsFor(options: RunOptions, label: string): RunOptions {
  const { fuzz: _, charging: __, signing: ___, onPayments: ____, shard: _____, witness, ...rest } = options;
  return {
    ...rest,
    idSeed: mixed(options.idSeed ?? options.seed, label),
    ...(witness === undefined ? {} : { witness: labelledWitness(witness, label) }),
  };
}

/**
 * Looks which of the other interfaces that the card declares answer. Payments are judged at the first interface only:
 * each interface would cost the user the same again.
 */
export async function findOthers(options: RunOptions, detected: Detected, basis: OtherBasis): Promise<OthersFound> {
  const { interfaces, others, dialect: first } = detected;
  const extent = extentOf(options);
  if (extent === undefined || others.length === 0) return { found: [], interfaces, exchanges: [] };
  const tape = basis.newTape();
  const wire = wireFor(options, tape, options.requestBudget, basis.crew);
  const reports = [...interfaces];
  const found: FoundInterface[] = [];
  const tell = (at: number, said: Partial<InterfaceReport>): void => {
    const before = reports[at];
    if (before === undefined) return;
    const { why: _, ...rest } = before;
    reports[at] = { ...rest, ...said };
  };
  const taken = new Set<string>([first.id]);
  const placeOf = (dialect: Dialect, endpoint: string, tenant: string | undefined): string =>
    JSON.stringify([dialect.id, endpoint, tenant]);
  const places = new Set([placeOf(first, detected.target.endpoint, detected.tenant)]);
  const tried: { readonly other: OtherInterface; readonly label: string; readonly planned: readonly Planned[] }[] = [];
  for (const other of others) {
    const place = placeOf(other.dialect, other.endpoint, other.tenant);
    if (places.has(place)) {
      tell(other.at, { why: 'another entry of the card means the same' });
      continue;
    }
    if (tried.length >= mostOthers) {
      tell(other.at, { why: `a run looks at ${mostOthers} other interfaces at most` });
      continue;
    }
    const label = labelOf(other.dialect, taken);
    const selection = selectedFor(options.selection, label);
    const chosen = selection === undefined ? [] : plan(options.rules, ledgerFor({}, other), selection);
    const planned = chosen.filter((check) => isJudged(check, other.dialect, first, extent));
    if (planned.length === 0) {
      tell(other.at, { why: 'none of the chosen checks is about this interface' });
      continue;
    }
    places.add(place);
    taken.add(label);
    tried.push({ other, label, planned });
  }
  // All at once: a card may name many places where no server answers.
  const heards = await Promise.all(tried.map(({ other }) => spoken(options, other, detected, wire, basis.uuid)));
  for (const [index, { other, label, planned }] of tried.entries()) {
    const answer = heards[index];
    if (answer === undefined || typeof answer === 'string') {
      tell(other.at, { why: basis.redactor.text(answer ?? '') });
      continue;
    }
    tell(other.at, { judged: extent, label, ...(extent === 'in-part' ? { why: whyInPart } : {}) });
    const { endpoint, dialect } = answer;
    const { otherForm: _, redirect: __, unspoken: ___, ...rest } = detected;
    found.push({
      label,
      extent,
      isBesides: new URL(endpoint).origin === new URL(detected.target.endpoint).origin,
      detected: {
        ...rest,
        dialect,
        tenant: other.tenant,
        redirect: undefined,
        target: { ...detected.target, endpoint, card: other.card },
      },
      planned,
      options: optionsFor(options, label),
    });
  }
  return { found, interfaces: reports, exchanges: tape.exchanges };
}

const withLabel = (result: CheckResult, label: string): CheckResult => ({
  ...result,
  id: `${result.id}@${label}`,
  interface: label,
  ...(result.cause === undefined ? {} : { cause: `${result.cause}@${label}` }),
});

const causeWithLabel = (cause: Cause, label: string): Cause => ({
  ...cause,
  id: `${cause.id}@${label}`,
  fact: `${label}: ${cause.fact}`,
  checks: cause.checks.map((id) => `${id}@${label}`),
  ...(cause.failures === undefined ? {} : { failures: cause.failures.map((id) => `${id}@${label}`) }),
});

function labelledWitness(witness: Witness, label: string): Witness {
  return {
    ...witness,
    planned: (results) => witness.planned(results.map((result) => withLabel(result, label))),
    settled: (result) => witness.settled(withLabel(result, label)),
    doing: (what) => witness.doing(`${what}@${label}`),
  };
}

const nowhere = (): never => {
  throw new Error('nothing is sent to an interface that is given up');
};

/** The results of an interface beside the first. */
export interface OtherJudged {
  readonly checks: readonly CheckResult[];
  readonly causes: readonly Cause[];
  readonly tasks: number;
  readonly exchanges: readonly Exchange[];
  readonly cut: string | undefined;
  /** The reason, if a check failed and the run ends with it. */
  readonly failFast: string | undefined;
  /** Asks what the user expects, of an interface that is judged in full. */
  readonly expect: () => Promise<readonly ExpectationResult[] | undefined>;
}

/**
 * Judges an interface beside the first. `used`: what the run has used before; `lost`: why nothing more is sent to the
 * first interface, and so to its origin; `stopped`: why nothing more is judged at all; `neighbours`: what goes on beside
 * it.
 */
export async function judgeOther(
  { label, extent, isBesides, detected, planned, options }: FoundInterface,
  { redactor, uuid, publish, newTape, ended, crew }: OtherBasis,
  used: Used,
  { lost, stopped }: { readonly lost: string | undefined; readonly stopped: string | undefined },
  neighbours: Neighbours,
): Promise<OtherJudged> {
  const { target } = detected;
  const laws = new Set(planned.flatMap(({ rule }) => (rule.kind === 'law' ? [rule.id] : [])));
  const labelled = (result: CheckResult): CheckResult => withLabel(settled(result, extent, laws), label);
  function send(event: RunEvent): void {
    if (event.type === 'check.started') publish({ ...event, id: `${event.id}@${label}` });
    else publish(event.type === 'check.judged' ? { ...event, result: labelled(event.result) } : event);
  }
  /** Of an interface that is judged in part, nothing is expected. */
  async function expected(ask: () => Promise<readonly ExpectationResult[] | undefined> | undefined) {
    const results = extent === 'in-full' ? await ask() : undefined;
    return results?.map((result) => ({ ...result, interface: label }));
  }
  const why = stopped ?? (isBesides ? lost : undefined);
  if (why !== undefined) {
    const results = planned.map((check) => notJudged(check, target, why, redactor));
    for (const result of results) send({ type: 'check.judged', result });
    return {
      checks: results.map(labelled),
      causes: [],
      tasks: 0,
      exchanges: [],
      cut: undefined,
      failFast: undefined,
      // Nothing can be sent, so no scene is asked for.
      expect: () =>
        expected(() => options.expect?.({ off: () => why, scene: nowhere, clock: options.clock, redactor })),
    };
  }
  const tape = newTape();
  const left = (budget: number | undefined, spent: number) =>
    budget === undefined ? undefined : Math.max(0, budget - spent);
  const rest = left(options.requestBudget, used.requests);
  const requestBudget = extent === 'in-part' ? Math.min(mostInPart, rest ?? mostInPart) : rest;
  const taskBudget = left(options.taskBudget, used.tasks);
  const wire = wireFor(options, tape, requestBudget, crew);
  const hooks = await openWebhooks(options, planned, target, tape, uuid);
  const judged = await judgeAll(
    {
      ...options,
      ...hooks,
      ...defined({ requestBudget, taskBudget }),
      prepared: undefined,
      payments: undefined,
    },
    {
      detected,
      planned,
      wire,
      tape,
      redactor,
      uuid,
      publish: send,
      ended: (check) => ended(`${check}@${label}`),
      neighbours,
    },
  ).finally(() => hooks.webhook?.close());
  const { checks, causes, cut, failFast } = judged;
  return {
    checks: checks.map(labelled),
    causes: causes.map((cause) => causeWithLabel(cause, label)),
    get tasks() {
      return judged.tasks;
    },
    exchanges: tape.exchanges,
    // The small budget of an interface that is judged in part does not end the run.
    cut: extent === 'in-part' && wire.lostReason() === undefined ? undefined : cut,
    failFast,
    expect: () => expected(judged.expect),
  };
}
