import { errorOf, rpcCodes } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { member, type Operation, type TaskPage, type TaskPushConfig } from '../../model/index.js';
import type { Sent, Sight, Trace } from '../execute/trace.js';
import { isPaymentMutation } from '../mutate/wire-mutations.js';
import { probed, reads } from './before-after.js';
import { caseUnchanged, mutationName, mutationsOf } from './mutation.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { canceledAllTheSame } from './refused-cancel.js';
import { demanded, remembered, symptomOf } from './symptom.js';
import { differenceOf, shareOf, sightsIn } from './task-views.js';

// A refused request has no effect: the agent has the same data before and after it.

const isRefused = (sent: Sent): boolean =>
  (sent.reading.outcome.kind === 'refusal' && !mayHaveDone(sent)) || sent.reading.outcome.kind === 'denied';

/** Statuses of gRPC after which the agent may have done what it was asked for (grpc/doc/statuscodes.md). */
const unknownEnds: ReadonlySet<number | undefined> = new Set(
  (['CANCELLED', 'DEADLINE_EXCEEDED'] as const).map((name) => rpcCodes.indexOf(name)),
);
const mayHaveDone = ({ reading: { outcome }, exchange }: Sent): boolean =>
  exchange.request.http2 === true && outcome.kind === 'refusal' && unknownEnds.has(outcome.code);

/** By its answer the request changed nothing: it was a plain read, or it was refused. */
export const isHarmless = (sent: Sent): boolean =>
  isRefused(sent) ||
  (reads.has(sent.step.operation) && sent.reading.operation === sent.step.operation && isPlain(sent));

/**
 * A plain read that was not refused. With a refusal and a read of another share in between, it is unknown which of the
 * two caused a change.
 */
const isPlainRead = (sent: Sent): boolean => !isRefused(sent) && isHarmless(sent);

/** The request has no wire mutations, and only its params were edited. */
const isPlain = ({ step }: Sent): boolean =>
  (step.tricks ?? []).length === 0 && (step.edits ?? []).every(({ at }) => at.startsWith('/params'));

/**
 * Requests sent after `first` had ended, and ended before `second` was sent; undefined where a request overlaps one of
 * the two.
 */
function between({ sent }: Trace, first: Sent, second: Sent): readonly Sent[] | undefined {
  if (first.endedAt > second.sentAt) return undefined;
  const found = sent.filter(
    (request) =>
      request !== first && request !== second && request.endedAt > first.sentAt && request.sentAt < second.endedAt,
  );
  return found.every((request) => request.sentAt > first.endedAt && request.endedAt < second.sentAt)
    ? found
    : undefined;
}

const keysFor: Readonly<Record<string, RequirementKey>> = {
  artifacts: 'get.artifacts-kept',
  history: 'get.stable',
  context: 'get.stable',
  'status message': 'get.stable',
};

const isInternal = ({ reading: { outcome } }: Sent): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'InternalError';

/**
 * The refused request to blame: the last one that could have changed anything. A request with an internal error is
 * blamed before one that was refused for a reason.
 */
function blamed(requests: readonly Sent[]): Sent | undefined {
  const refused = requests.filter(isRefused);
  const writes = refused.filter(({ step }) => !reads.has(step.operation));
  return writes.findLast(isInternal) ?? writes.at(-1) ?? refused.at(-1);
}

/**
 * Whether a message went to the task before: an agent may work on it while the task still says that it waits for input.
 */
const isAnswered = ({ sent }: Trace, { task, sent: seen }: Sight): boolean =>
  sent.some(
    (request) =>
      request.sentAt < seen.endedAt &&
      !isRefused(request) &&
      member(member(member(request.request, 'params'), 'message'), 'taskId') === task.id,
  );

function changed(
  trace: Trace,
  oracleContext: OracleContext,
  earlier: Sight,
  later: Sight,
  isIdle: (sent: Sent) => boolean = isHarmless,
): Symptom | undefined {
  const among = between(trace, earlier.sent, later.sent);
  // The later request may show its own effect, so it is checked as well.
  if (among === undefined || ![...among, later.sent].every(isIdle)) return undefined;
  // A refused payment ends the task that was to be paid, in whichever way it is reported.
  if ([...among, later.sent].some(({ step }) => step.tricks?.some(isPaymentMutation) === true)) return undefined;
  const what = differenceOf(earlier, later);
  if (what === undefined || (!isTerminalState(earlier) && isAnswered(trace, earlier))) return undefined;
  const culprit = blamed(among);
  // The law of state moves judges a state that changes by itself.
  if (what === 'state' && culprit === undefined) return undefined;
  const { operation } = later.sent.step;
  const by = culprit === undefined ? 'reading' : `refused ${culprit.step.operation} ${mutationName(culprit.step)}`;
  // The sentence is about reads: a change with another cause is a weakness.
  const key = culprit === undefined && isTerminalState(earlier) ? keysFor[what] : undefined;
  return symptomOf(
    'unchanged',
    `unchanged/${what} ${by}`,
    `the ${what} of a settled task changed, after nothing but ${by === 'reading' ? 'reads' : by}`,
    culprit ?? later.sent,
    demanded(oracleContext, key),
    `it was ${earlier.task.status.state} and shown by ${earlier.sent.step.operation}, then by ${operation}: another ${what}`,
  );
}
const isTerminalState = ({ task }: Sight): boolean =>
  ['completed', 'failed', 'canceled', 'rejected'].includes(task.status.state);

interface Listed {
  readonly sent: Sent;
  /** Which list was shown. */
  readonly of: string;
  /** Its entries: the tasks of a page, by id and context; of the configurations of one task only how many there are. */
  readonly entries: readonly (readonly [id: string, context: string | undefined])[];
}

/** Undefined where it shows nothing that can be compared. */
function listed(sent: Sent): Listed | undefined {
  const { reading, step, request } = sent;
  const { outcome } = reading;
  if (outcome.kind !== 'result' || (step.edits ?? []).length + (step.tricks ?? []).length > 0) return undefined;
  const of = `${step.operation} ${JSON.stringify((request as { readonly params?: unknown } | undefined)?.params ?? null)}`;
  if (step.operation === 'list') {
    const { tasks } = outcome.value as TaskPage;
    return { sent, of, entries: tasks.map(({ id, contextId }) => [id, contextId]) };
  }
  if (step.operation !== 'pushList') return undefined;
  return { sent, of, entries: (outcome.value as readonly TaskPushConfig[]).map((_, at) => [String(at), undefined]) };
}

/** Shorter texts may stand in a request by chance. */
const shortestId = 8;

/** Other users of the agent begin tasks, too: what a request has left names a task or a context that it named. */
const isLeftBy =
  ({ request }: Sent) =>
  ([id, context = '']: Listed['entries'][number]): boolean => {
    const said = JSON.stringify(request ?? null);
    return [id, context].some((name) => name.length >= shortestId && said.includes(JSON.stringify(name)));
  };

/** Lists that show a task or a configuration more after a refused request. */
function grown(trace: Trace): readonly Symptom[] {
  const lists = trace.sent.flatMap((sent) => listed(sent) ?? []);
  const found: Symptom[] = [];
  for (const [at, after] of lists.entries()) {
    const before = lists.slice(0, at).findLast(({ of }) => of === after.of);
    if (before === undefined) continue;
    const among = between(trace, before.sent, after.sent);
    const culprit = among?.every(isHarmless) === true ? blamed(among) : undefined;
    if (culprit === undefined) continue;
    const known = new Set(before.entries.map(([id]) => id));
    const fresh = after.entries.filter(([id]) => !known.has(id));
    const left = after.sent.step.operation === 'list' ? fresh.filter(isLeftBy(culprit)) : fresh;
    const [first] = left;
    if (first === undefined) continue;
    const { operation } = culprit.step;
    const what =
      after.sent.step.operation === 'list'
        ? `showed the task ${first[0]} after it, and not before`
        : `showed ${before.entries.length} before and ${after.entries.length} after it`;
    found.push(
      symptomOf(
        'unchanged',
        `unchanged/stored refused ${operation} ${mutationName(culprit.step)}`,
        `a refused ${operation} is stored`,
        culprit,
        [],
        `${after.sent.step.operation} ${what}`,
      ),
    );
  }
  return found;
}

/** The symptoms of one trace alone. */
export function changesIn(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const found = new Map<string, Symptom>();
  const last = new Map<string, Sight>();
  for (const sight of sightsIn(trace)) {
    const { id } = sight.task;
    const share = shareOf(sight);
    // Histories are compared only with the same share: a full reading after a shorter one may lack what the shorter one
    // cut off.
    const name = share === undefined ? id : `${id} ${share}`;
    const [before, alike] = [last.get(id), last.get(name)];
    const symptom =
      (before && changed(trace, oracleContext, before, sight)) ??
      (alike && alike !== before ? changed(trace, oracleContext, alike, sight, isPlainRead) : undefined);
    if (symptom !== undefined) found.set(symptom.bucket, symptom);
    last.set(id, sight);
    last.set(name, sight);
  }
  for (const symptom of grown(trace)) found.set(symptom.bucket, symptom);
  return [...found.values()];
}

/** By the words of the refusal: the symptom that the unchanged request shows too, or how often it showed none. */
const plainly = remembered(() => new Map<string, Symptom | number>());
const mostWords = 64;
const mostVain = 4;

/**
 * If the same request shows the symptom without its changes, they are not the cause: it is one defect, under one name.
 */
async function named(symptom: Symptom, trace: Trace, oracleContext: OracleContext): Promise<Symptom> {
  const { sent, bucket, case: whole = trace.case } = symptom;
  if (sent === undefined || mutationsOf(sent.step).length === 0) return symptom;
  const { outcome } = sent.reading;
  const plain = `${bucket.slice(0, -mutationName(sent.step).length)}valid`;
  const words = outcome.kind === 'refusal' ? `${errorOf(outcome)} ${outcome.message.slice(0, 200)}` : outcome.kind;
  const key = `${plain} ${words.replace(/[0-9a-f-]{16,}|\d+/gi, '#')}`;
  const known = plainly(oracleContext);
  const before = known.get(key) ?? 0;
  if (typeof before !== 'number') return before;
  if (before >= mostVain || (before === 0 && known.size >= mostWords)) return symptom;
  const other = await oracleContext.perform(caseUnchanged(whole, sent));
  const same = changesIn(other, oracleContext).find((change) => change.bucket === plain);
  const found = same && { ...same, case: other.case };
  known.set(key, found ?? before + 1);
  return found ?? symptom;
}

async function namedAll(
  symptoms: readonly Symptom[],
  trace: Trace,
  oracleContext: OracleContext,
): Promise<readonly Symptom[]> {
  const found = new Map<string, Symptom>();
  for (const symptom of symptoms) {
    const item = await named(symptom, trace, oracleContext);
    found.set(item.bucket, item);
  }
  return [...found.values()];
}

/** Refused input creates and changes nothing. */
export const unchanged: Oracle = (trace, oracleContext) => {
  const found = trace.sent.length < 2 ? [] : changesIn(trace, oracleContext);
  if (found.length > 0) return namedAll(found, trace, oracleContext);
  const canceled = canceledAllTheSame(trace, oracleContext);
  if (canceled === undefined) return lookedBehind(trace, oracleContext);
  return canceled.then((seen) => (seen.length > 0 ? seen : lookedBehind(trace, oracleContext)));
};

/** Sends a refused request again, between two looks at what it might have changed. */
const lookedBehind: Oracle = (trace, oracleContext) => {
  const refused = trace.sent.filter((sent) => isRefused(sent) && looked.has(sent.step.operation));
  if (refused.length === 0) return [];
  const seen = probed(trace, refused, oracleContext, changesIn);
  return seen instanceof Promise ? seen.then((symptoms) => namedAll(symptoms, trace, oracleContext)) : seen;
};

/** Operations whose refused requests are sent again between two looks. */
const looked: ReadonlySet<Operation> = new Set(['send', 'get', 'cancel', 'pushSet']);
