import type { RequirementKey } from '../../ledger/index.js';
import { member, type Operation, type TaskPage, type TaskPushConfig } from '../../model/index.js';
import type { Court, Oracle, Symptom } from '../oracle.js';
import type { Sent, Sight, Trace } from '../trace.js';
import { isPaymentTrick } from '../tricks-payment.js';
import { caseUnchanged, mutationName, mutationsOf } from './mutation.js';
import { canceledAllTheSame } from './refused-cancel.js';
import { probed, reads } from './sandwich.js';
import { demanded, remembered, symptomOf } from './symptom.js';
import { differenceOf, shareOf, sightsIn } from './task-views.js';

// A request that was refused has no effect: what was there before is there after it, and nothing else.

const isRefused = ({ reading }: Sent): boolean =>
  reading.outcome.kind === 'refusal' || reading.outcome.kind === 'denied';

/** It changed nothing by its own word: a read that is one, or a refusal. */
export const isHarmless = (sent: Sent): boolean =>
  isRefused(sent) ||
  (reads.has(sent.step.operation) && sent.reading.operation === sent.step.operation && isPlain(sent));

/** Of what was refused and of a look with another share in between nobody knows which one did it. */
const isPlainRead = (sent: Sent): boolean => !isRefused(sent) && isHarmless(sent);

/** No other method was put into it. */
const isPlain = ({ step }: Sent): boolean =>
  (step.tricks ?? []).length === 0 && (step.edits ?? []).every(({ at }) => at.startsWith('/params'));

/** Requests between two that ended before the one and began after the other; undefined where any overlaps. */
function between({ sent }: Trace, first: Sent, second: Sent): readonly Sent[] | undefined {
  if (first.endedAt > second.sentAt) return undefined;
  const found = sent.filter(
    (one) => one !== first && one !== second && one.endedAt > first.sentAt && one.sentAt < second.endedAt,
  );
  return found.every((one) => one.sentAt > first.endedAt && one.endedAt < second.sentAt) ? found : undefined;
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
 * The refused request that is to blame: the last one that could have changed anything, and one that broke inside before
 * one that was refused for a reason.
 */
function blamed(requests: readonly Sent[]): Sent | undefined {
  const refused = requests.filter(isRefused);
  const writes = refused.filter(({ step }) => !reads.has(step.operation));
  return writes.findLast(isInternal) ?? writes.at(-1) ?? refused.at(-1);
}

/** A message went to the task before: an agent may work on it while the task still waits for input by what it says. */
const isAnswered = ({ sent }: Trace, { task, sent: seen }: Sight): boolean =>
  sent.some(
    (one) =>
      one.sentAt < seen.endedAt &&
      !isRefused(one) &&
      member(member(member(one.request, 'params'), 'message'), 'taskId') === task.id,
  );

function changed(
  trace: Trace,
  court: Court,
  earlier: Sight,
  later: Sight,
  isIdle: (sent: Sent) => boolean = isHarmless,
): Symptom | undefined {
  const among = between(trace, earlier.sent, later.sent);
  // The later one may show its own effect.
  if (among === undefined || ![...among, later.sent].every(isIdle)) return undefined;
  // A payment that is refused ends the task that was to be paid, whichever way it is told (a2a-x402 v0.1 §8).
  if ([...among, later.sent].some(({ step }) => step.tricks?.some(isPaymentTrick) === true)) return undefined;
  const what = differenceOf(earlier, later);
  if (what === undefined || (!isTerminalState(earlier) && isAnswered(trace, earlier))) return undefined;
  const culprit = blamed(among);
  // Of a state that changes by itself, the law of its moves judges.
  if (what === 'state' && culprit === undefined) return undefined;
  const { operation } = later.sent.step;
  const by = culprit === undefined ? 'reading' : `refused ${culprit.step.operation} ${mutationName(culprit.step)}`;
  // The sentence is about reads: a change of another origin is a weakness.
  const key = culprit === undefined && isTerminalState(earlier) ? keysFor[what] : undefined;
  return symptomOf(
    'unchanged',
    `unchanged/${what} ${by}`,
    `the ${what} of a settled task changed, after nothing but ${by === 'reading' ? 'reads' : by}`,
    culprit ?? later.sent,
    demanded(court, key),
    `it was ${earlier.task.status.state} and shown by ${earlier.sent.step.operation}, then by ${operation}: another ${what}`,
  );
}
const isTerminalState = ({ task }: Sight): boolean =>
  ['completed', 'failed', 'canceled', 'rejected'].includes(task.status.state);

/** What a list shows, in short; undefined where it shows nothing that can be compared. */
function listed({ reading, step, request }: Sent): { readonly of: string; readonly count: number } | undefined {
  const { outcome } = reading;
  if (outcome.kind !== 'result' || (step.edits ?? []).length + (step.tricks ?? []).length > 0) return undefined;
  const of = JSON.stringify((request as { readonly params?: unknown } | undefined)?.params ?? null);
  if (step.operation === 'list') {
    const { totalSize } = outcome.value as TaskPage;
    return totalSize === undefined ? undefined : { of: `list ${of}`, count: totalSize };
  }
  if (step.operation !== 'pushList') return undefined;
  return { of: `pushList ${of}`, count: (outcome.value as readonly TaskPushConfig[]).length };
}

/** Lists of one context, or of the configurations of one task, that grew by what was refused. */
function grown(trace: Trace): readonly Symptom[] {
  const lists = trace.sent.flatMap((sent) => {
    const seen = listed(sent);
    return seen === undefined ? [] : [{ sent, ...seen }];
  });
  const found: Symptom[] = [];
  for (const [at, after] of lists.entries()) {
    const before = lists.slice(0, at).findLast(({ of }) => of === after.of);
    if (before === undefined || before.count >= after.count) continue;
    // Others may begin tasks meanwhile: those who do show in two lists before.
    const steady = lists.slice(0, at).filter(({ of }) => of === after.of);
    if (after.of.startsWith('list') && (steady.length < 2 || steady.at(-2)?.count !== before.count)) continue;
    const among = between(trace, before.sent, after.sent);
    const culprit = among?.every(isHarmless) === true ? blamed(among) : undefined;
    if (culprit === undefined) continue;
    const { operation } = culprit.step;
    found.push(
      symptomOf(
        'unchanged',
        `unchanged/stored refused ${operation} ${mutationName(culprit.step)}`,
        `a ${operation} that was refused is stored all the same`,
        culprit,
        [],
        `${after.sent.step.operation} showed ${before.count} before and ${after.count} after it`,
      ),
    );
  }
  return found;
}

/** The symptoms of one trace alone. */
export function changesIn(trace: Trace, court: Court): readonly Symptom[] {
  const found = new Map<string, Symptom>();
  const last = new Map<string, Sight>();
  for (const sight of sightsIn(trace)) {
    const { id } = sight.task;
    const share = shareOf(sight);
    // Of the history only the same share tells: what a shorter reading cut off is missing in the next full one.
    const name = share === undefined ? id : `${id} ${share}`;
    const [before, alike] = [last.get(id), last.get(name)];
    const symptom =
      (before && changed(trace, court, before, sight)) ??
      (alike && alike !== before ? changed(trace, court, alike, sight, isPlainRead) : undefined);
    if (symptom !== undefined) found.set(symptom.bucket, symptom);
    last.set(id, sight);
    last.set(name, sight);
  }
  for (const symptom of grown(trace)) found.set(symptom.bucket, symptom);
  return [...found.values()];
}

/** What plain requests do, too, by the words of the refusal; or how often one did not. */
const plainly = remembered(() => new Map<string, Symptom | number>());
const mostWords = 64;
const mostVain = 4;

/** What the same request does without its changes is not done by them: one defect, under one name. */
async function named(symptom: Symptom, trace: Trace, court: Court): Promise<Symptom> {
  const { sent, bucket, case: whole = trace.case } = symptom;
  if (sent === undefined || mutationsOf(sent.step).length === 0) return symptom;
  const { outcome } = sent.reading;
  const plain = `${bucket.slice(0, -mutationName(sent.step).length)}valid`;
  const words = outcome.kind === 'refusal' ? `${outcome.code} ${outcome.message.slice(0, 200)}` : outcome.kind;
  const key = `${plain} ${words.replace(/[0-9a-f-]{16,}|\d+/gi, '#')}`;
  const known = plainly(court);
  const before = known.get(key) ?? 0;
  if (typeof before !== 'number') return before;
  if (before >= mostVain || (before === 0 && known.size >= mostWords)) return symptom;
  const other = await court.perform(caseUnchanged(whole, sent));
  const same = changesIn(other, court).find((one) => one.bucket === plain);
  const found = same && { ...same, case: other.case };
  known.set(key, found ?? before + 1);
  return found ?? symptom;
}

async function namedAll(symptoms: readonly Symptom[], trace: Trace, court: Court): Promise<readonly Symptom[]> {
  const found = new Map<string, Symptom>();
  for (const symptom of symptoms) {
    const one = await named(symptom, trace, court);
    found.set(one.bucket, one);
  }
  return [...found.values()];
}

/** Refused input creates and changes nothing. */
export const unchanged: Oracle = (trace, court) => {
  const found = trace.sent.length < 2 ? [] : changesIn(trace, court);
  if (found.length > 0) return namedAll(found, trace, court);
  const canceled = canceledAllTheSame(trace, court);
  if (canceled === undefined) return lookedBehind(trace, court);
  return canceled.then((seen) => (seen.length > 0 ? seen : lookedBehind(trace, court)));
};

/** What one more look at the same request shows. */
const lookedBehind: Oracle = (trace, court) => {
  const refused = trace.sent.filter((sent) => isRefused(sent) && looked.has(sent.step.operation));
  if (refused.length === 0) return [];
  const seen = probed(trace, refused, court, changesIn);
  return seen instanceof Promise ? seen.then((symptoms) => namedAll(symptoms, trace, court)) : seen;
};

/** Operations whose refusals are looked behind. */
const looked: ReadonlySet<Operation> = new Set(['send', 'get', 'cancel', 'pushSet']);
