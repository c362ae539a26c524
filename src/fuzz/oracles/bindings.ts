import { difference, type Outcome } from '../../kit/index.js';
import type { ErrorName, Operation } from '../../model/index.js';
import type { CallStep, Case } from '../case/case.js';
import { refsOf } from '../case/values.js';
import type { Sent, Trace } from '../execute/trace.js';
import { lastOf, unchangedStep } from './mutation.js';
import type { Oracle, OracleContext, Peer, Symptom } from './oracle.js';
import { demanded, remembered, shownOf, symptomOf } from './symptom.js';

// A2A 1.0 §5.1, 0.3 §3.4.1: all interfaces of an agent do the same for the same request, and map the same errors. A case
// is sent over another binding of the same version and tenant, and the last answer is compared: whether the request is
// accepted, and if not, which error of A2A it is. Words, ids, times and states are not.

/**
 * Operations whose answer depends on the request and on a task that is at rest. A listing shows what other cases have
 * left, and not all of it has a form in each binding.
 */
const compared: ReadonlySet<Operation> = new Set(['send', 'get', 'cancel', 'pushSet', 'pushGet', 'pushList']);

/** Most comparisons of a campaign, beside those of what differed once. */
const mostCompared = 3000;
/** Of changed requests a share is compared. */
const everyNth = 3;

/** What an answer says of a request; undefined: nothing that could be compared. */
type Said = 'accepted' | readonly ErrorName[] | undefined;

/** Errors of params: which of them it is, is open (AMB03-21, AMB10-33). */
const ofParams: ReadonlySet<ErrorName> = new Set(['InvalidParams', 'InvalidRequest', 'ParseError']);
const kindOf = (name: ErrorName): ErrorName => (ofParams.has(name) ? 'InvalidParams' : name);

function saidBy(outcome: Outcome<unknown>): Said {
  if (outcome.kind === 'result') return 'accepted';
  // A server may refuse before the agent reads the request: a path that is too long, a proxy.
  if (outcome.kind !== 'refusal' || !outcome.inForm) return undefined;
  const { error, fits = [], byStatus = [] } = outcome;
  const names = error === undefined ? [...fits, ...byStatus] : [error];
  return names.length === 0 ? undefined : [...new Set(names.map(kindOf))];
}

/**
 * An error that is a status alone agrees with each that has the status. A message may be refused for two reasons
 * at once, and which is found first is open.
 */
const agree = (first: Exclude<Said, undefined>, second: Exclude<Said, undefined>, operation: Operation): boolean =>
  first === 'accepted' || second === 'accepted'
    ? first === second
    : operation === 'send' || first.some((name) => second.includes(name));

const wordOf = (said: Exclude<Said, undefined>): string =>
  said === 'accepted' ? 'accepted' : [...said].sort().join('|');

const isPlain = ({ edits = [], tricks = [], caller }: CallStep): boolean =>
  edits.length === 0 && tricks.length === 0 && caller === undefined;

/**
 * The case that ends with a request: the request alone, or behind a message and a wait for its task. The outcome of any
 * other depends on how fast the agent is. Undefined: no such case.
 */
function restingCase({ case: { dialect, steps } }: Trace, { place: [at, among] }: Sent): Case | undefined {
  const step = steps[at];
  if (among !== undefined || step?.step !== 'call' || step.caller !== undefined) return undefined;
  const names = new Set(refsOf(step.params ?? null).map((ref) => ref.slice(0, ref.lastIndexOf('.'))));
  // A changed request is compared as it was before: most cases have one.
  if (names.size === 0) return { dialect, steps: [unchangedStep(step)] };
  if (!isPlain(step)) return undefined;
  const [first, second] = steps;
  const isRested = first?.step === 'call' && second?.step === 'wait' && first.as === second.for && isPlain(first);
  if (!isRested || at < 2 || names.size > 1 || !names.has(second.for)) return undefined;
  return { dialect, steps: [first, second, step] };
}

/** The state in which the wait of a resting case has left the task. */
function stateBefore({ sent, case: { steps } }: Trace): unknown {
  if (steps.length < 3) return 'none';
  const last = sent.findLast(({ place }) => place[0] === 1)?.reading.outcome;
  const value =
    last?.kind === 'result' ? (last.value as { readonly status?: { readonly state?: unknown } }) : undefined;
  return value?.status?.state;
}

/** The case over another binding of the same version, whose params have the same spelling. */
const caseOver = ({ dialect }: Peer, own: Case): Case => ({ ...own, dialect: dialect.id });

/** What the last request of a case came to, if it is one that must be answered alike. */
function lastSaid(trace: Trace): { readonly sent: Sent; readonly said: Exclude<Said, undefined> } | undefined {
  const sent = trace.isWithheld === true ? undefined : lastOf(trace);
  if (sent === undefined || sent.demand !== 'valid' || sent.unresolved.length > 0) return undefined;
  const said = saidBy(sent.reading.outcome);
  return said === undefined ? undefined : { sent, said };
}

/** One comparison; undefined: they agree, or nothing could be compared. */
async function differing(own: Case, there: Case, peer: Peer, oracleContext: OracleContext) {
  const here = await oracleContext.perform(own);
  const other = await peer.perform(there);
  const [first, two] = [lastSaid(here), lastSaid(other)];
  if (first === undefined || two === undefined || agree(first.said, two.said, first.sent.step.operation))
    return undefined;
  const state = stateBefore(here);
  if (state === undefined || state !== stateBefore(other)) return undefined;
  return { one: first, two, name: `${wordOf(first.said)} ${wordOf(two.said)}` };
}

async function compare(
  sent: Sent,
  own: Case,
  trace: Trace,
  peer: Peer,
  oracleContext: OracleContext,
): Promise<Symptom | undefined> {
  const there = caseOver(peer, own);
  const said = isPlain(sent.step) ? saidBy(sent.reading.outcome) : lastSaid(await oracleContext.perform(own))?.said;
  if (said === undefined) return undefined;
  const seen = lastSaid(await peer.perform(there));
  if (seen === undefined || agree(said, seen.said, sent.step.operation)) return undefined;
  // An agent may answer the same request in two ways by itself: each side must say the same twice.
  const first = await differing(own, there, peer, oracleContext);
  const second = first && (await differing(own, there, peer, oracleContext));
  if (first === undefined || second?.name !== first.name) return undefined;
  const { operation } = sent.step;
  const titles = [oracleContext.dialect.binding.title, peer.title] as const;
  const names = [first.one.said, first.two.said].flat();
  const symptom = symptomOf(
    'bindings',
    `bindings/${operation} ${titles.join(' ')} ${first.name}`,
    `${operation} is ${wordOf(first.one.said)} over ${titles[0]}, and ${wordOf(first.two.said)} over ${titles[1]}`,
    first.one.sent,
    demanded(oracleContext, names.includes('TaskNotFound') ? 'equivalence.unknown-task' : undefined),
    `over ${titles[0]}: ${shownOf(first.one.sent)}; over ${titles[1]}: ${shownOf(first.two.sent)}`,
  );
  const isWhole = difference(own.steps, trace.case.steps) === undefined;
  return { ...symptom, beside: [first.two.sent], ...(isWhole ? {} : { case: own }) };
}

const asked = remembered(() => ({ compared: 0, changed: 0, suspected: new Set<Operation>() }));

/** Whether a request is still compared. What differed once is looked at again each time: it is confirmed, and made small. */
function isChosen(oracleContext: OracleContext, { step }: Sent): boolean {
  const memory = asked(oracleContext);
  if (memory.suspected.has(step.operation)) return true;
  // It has to be sent once more on each side.
  if (!isPlain(step) && memory.changed++ % everyNth !== 0) return false;
  return memory.compared++ < mostCompared;
}

/** The same request is accepted, or refused for the same reason, whichever binding it comes over. */
export const bindings: Oracle = (trace, oracleContext) => {
  const { peers = [], dialect } = oracleContext;
  if (peers.length === 0) return [];
  const chosen = trace.sent.flatMap((sent): readonly (readonly [Sent, Case])[] => {
    const { operation } = sent.step;
    if (!compared.has(operation) || dialect.optional.includes(operation) || sent.unresolved.length > 0) return [];
    if (isPlain(sent.step) && (sent.demand !== 'valid' || saidBy(sent.reading.outcome) === undefined)) return [];
    const own = restingCase(trace, sent);
    return own === undefined || sent.place[0] !== own.steps.length - 1 || !isChosen(oracleContext, sent)
      ? []
      : [[sent, own]];
  });
  return chosen.length === 0 ? [] : comparedAll(trace, oracleContext, peers, chosen);
};

async function comparedAll(
  trace: Trace,
  oracleContext: OracleContext,
  peers: readonly Peer[],
  chosen: readonly (readonly [Sent, Case])[],
): Promise<readonly Symptom[]> {
  const found: Symptom[] = [];
  for (const [sent, own] of chosen) {
    for (const peer of peers) {
      const { optional, schemas } = peer.dialect;
      if (optional.includes(sent.step.operation) || schemas !== oracleContext.dialect.schemas) continue;
      const symptom = await compare(sent, own, trace, peer, oracleContext);
      if (symptom === undefined) continue;
      asked(oracleContext).suspected.add(sent.step.operation);
      found.push(symptom);
    }
  }
  return found;
}
