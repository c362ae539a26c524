import { type Law, NotClaimed, type Reading, suiteOf, Unproven, Unreached } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { member } from '../../model/index.js';
import { notApplicable, planAll } from '../../run/index.js';
import { printable } from '../../wire/index.js';
import type { Court, Oracle, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { isPaymentTrick } from '../tricks-payment.js';
import {
  comparesAnswers,
  comparesIds,
  judgesContent,
  namesFields,
  readsText,
  unfitLaws,
  unfitSuites,
} from './law-fitness.js';
import { createLawMemo } from './law-memo.js';
import { contentView, viewOf } from './law-view.js';
import { remembered, shownOf, symptomOf, throughAny } from './symptom.js';

interface Fit {
  readonly law: Law;
  readonly keys: readonly RequirementKey[];
  readonly content: boolean;
  readonly compares: boolean;
  readonly streams: boolean;
  readonly needsId: boolean;
  readonly needsText: boolean;
  readonly needsFields: boolean;
}

/** The laws that the version has, that concern this agent, and that say something of what a fuzzer sends. */
const lawsOf: (court: Court) => readonly Fit[] = remembered(({ rules, ledger, target }) =>
  planAll(rules, ledger).flatMap(({ rule, rows, level }): readonly Fit[] => {
    if (rule.kind !== 'law' || level === 'may') return [];
    // A campaign alone has not seen which text of its version the agent follows: only what each of them says counts.
    if (rows.every(({ since }) => since !== undefined)) return [];
    if (Object.hasOwn(unfitLaws, rule.id) || Object.hasOwn(unfitSuites, suiteOf(rule))) return [];
    if (notApplicable(rows, target) !== undefined || rule.claimed?.(target) !== undefined) return [];
    const keys = rows.flatMap(({ key }) => (key === undefined ? [] : [key]));
    return [
      {
        law: rule,
        keys,
        content: judgesContent(rule.id),
        compares: comparesAnswers.has(rule.id),
        streams: suiteOf(rule) === 'stream',
        needsId: comparesIds.has(rule.id),
        needsText: readsText.has(rule.id),
        needsFields: namesFields.has(rule.id),
      },
    ];
  }),
);

/** What decides which laws are asked of an answer. */
interface Kind {
  readonly conforms: boolean;
  readonly streams: boolean;
  /** Answers that show nothing of a task or a message are most of what comes: laws of content need not look at them. */
  readonly shows: boolean;
}

const asks = ({ law, content, streams }: Fit, kind: Kind): boolean => {
  if (law.bySchemas === true && kind.conforms) return false;
  return streams ? kind.streams : !content || kind.shows;
};

const numberOf = ({ conforms, streams, shows }: Kind): number =>
  (conforms ? 1 : 0) + (streams ? 2 : 0) + (shows ? 4 : 0);

/** Which laws are asked, found once for each kind of answer. */
const askedOf = remembered((court: Court) => {
  const lists: (readonly Fit[] | undefined)[] = [];
  return ({ operation, outcome }: Reading, conforms: boolean): readonly Fit[] => {
    const kind: Kind = {
      conforms,
      streams: operation === 'stream' || operation === 'subscribe',
      shows: outcome.kind === 'result' || outcome.kind === 'broken',
    };
    const list = lists[numberOf(kind)] ?? lawsOf(court).filter((fit) => asks(fit, kind));
    lists[numberOf(kind)] = list;
    return list;
  };
});

const memoOf = remembered(createLawMemo);

/** JSON that is nested too deeply is not read by the kit; only an echo of our own is. */
const isTooDeep = ({ replies }: Reading): boolean =>
  replies.some(({ problem }) => problem?.startsWith('nested more than') === true);

/** An answer without a body that laws can read is a matter of the oracle of life. */
const isLost = ({ exchange }: Sent): boolean =>
  exchange.response === undefined || (exchange.failure !== undefined && exchange.failure.kind !== 'aborted');

/** No law that the schemas decide is broken. Most answers are of this kind, and there are many such laws. */
const isConforming = ({ documents }: Reading): boolean =>
  documents.every(({ inspection }) => inspection.findings.length === 0);

const isPage = ({ exchange }: Sent): boolean => (exchange.response?.status ?? 0) >= 500;

/** In the order of the tape: that in which the exchanges ended. */
const inOrder = (trace: Trace): readonly Sent[] => {
  const ordered = trace.sent.every(({ endedAt }, at) => at === 0 || endedAt > (trace.sent[at - 1]?.endedAt ?? 0));
  return ordered ? trace.sent : [...trace.sent].sort((a, b) => a.endedAt - b.endedAt);
};

/** A law may find that the agent claims no such thing, which is no failure of ours. */
function said(law: Law, ...asked: Parameters<Law['judge']>): ReturnType<Law['judge']> {
  try {
    return law.judge(...asked);
  } catch (error) {
    if (error instanceof NotClaimed || error instanceof Unreached) return 'silent';
    throw error;
  }
}

function judge(trace: Trace, court: Court): readonly Symptom[] {
  const asked = askedOf(court);
  const memo = memoOf(court);
  const ordered = inOrder(trace);
  const tape = ordered.map((sent) => viewOf(sent, court));
  const found: Symptom[] = [];
  for (const [at, sent] of ordered.entries()) {
    const view = tape[at];
    if (view === undefined || isLost(sent) || isTooDeep(view)) continue;
    const key = memo.keyOf(view);
    if (memo.isClean(key)) continue;
    const before = found.length;
    const cut = cutId(view);
    if (cut !== undefined) {
      found.push(throughAny(symptomOf('law', `law/fraction-id ${sent.step.operation}`, cut, sent)));
    }
    let content: Reading | undefined;
    for (const fit of asked(view, isConforming(view))) {
      const { law, keys, content: ofContent, compares } = fit;
      // The same page is judged with the life of the agent.
      if (law.id === 'rpc/response-object' && isPage(sent)) continue;
      if (fit.needsId && !isKnownId(view)) continue;
      if (fit.needsText && isWrittenOtherwise(sent)) continue;
      if (fit.needsFields && sent.step.tricks?.some(isPaymentTrick) === true) continue;
      if (ofContent) content ??= contentView(view, trace, sent);
      const past = compares ? earlier(ordered, tape, sent, at) : tape;
      const judgement = said(law, ofContent && content !== undefined ? content : view, court.target, past);
      if (judgement === 'holds' || judgement === 'silent' || judgement instanceof Unproven) continue;
      const operation = sent.step.operation;
      const verb = keys.some((key) => court.ledger.row(key)?.level === 'must') ? 'must' : 'should';
      const title = `${operation} ${verb} ${law.about}`;
      const detail = `${printable(judgement, 300)}; ${shownOf(sent)}`;
      found.push(throughAny(symptomOf('law', `law/${law.id} ${operation}`, title, sent, keys, detail)));
    }
    if (found.length === before) memo.noteClean(key);
  }
  return found;
}

/** An id that everybody can give back as it was: no fraction, and nothing that JSON.parse takes for infinite. */
const isKnownId = ({ sentId, rpcId }: Reading): boolean =>
  sentId && (typeof rpcId === 'string' || Number.isSafeInteger(rpcId));

/** Escaped names, other blanks; a task that is named beside the message and behind it (AMBX-02). */
const isWrittenOtherwise = ({ step, request }: Sent): boolean =>
  (step.tricks ?? []).length > 0 ||
  (step.operation === 'send' && member(member(request, 'params'), 'id') !== undefined);

/** JSON-RPC 2.0 §5: the same id; §4 discourages fractions, so no row of the suites asks for it. */
function cutId({ rpcId, replies }: Reading): string | undefined {
  if (typeof rpcId !== 'number' || !Number.isFinite(rpcId) || Number.isInteger(rpcId)) return undefined;
  const id = member(replies[0]?.value, 'id');
  return typeof id === 'number' && id !== rpcId ? 'a fraction for an id comes back as another number' : undefined;
}

/** What had ended before the request was sent, and itself. */
function earlier(ordered: readonly Sent[], tape: readonly Reading[], sent: Sent, at: number): readonly Reading[] {
  const overlaps = ordered.some((one, index) => index < at && one.endedAt > sent.sentAt);
  if (!overlaps) return tape;
  return tape.filter((_, index) => index === at || (ordered[index]?.endedAt ?? Number.POSITIVE_INFINITY) < sent.sentAt);
}

/** Every law of the suites on every answer. */
export const laws: Oracle = judge;
