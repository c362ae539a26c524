import { Inconclusive, type Law, NotApplicable, PreconditionUnmet, type Reading, suiteOf } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { member } from '../../model/index.js';
import { notApplicable, planAll } from '../../run/index.js';
import { printable } from '../../wire/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isPaymentMutation } from '../mutate/wire-mutations.js';
import {
  comparesAnswers,
  comparesIds,
  judgesContent,
  namesFields,
  readsText,
  unfitSuites,
  whyUnfit,
} from './law-fitness.js';
import { createLawMemo } from './law-memo.js';
import { contentView, viewOf } from './law-view.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
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

/** The laws that the version has, and that apply to this agent and to the traffic of a fuzzer. */
const lawsOf: (oracleContext: OracleContext) => readonly Fit[] = remembered(({ rules, ledger, target }) =>
  planAll(rules, ledger).flatMap(({ rule, rows, level }): readonly Fit[] => {
    if (rule.kind !== 'law' || level === 'may') return [];
    // A campaign does not know which text of its version the agent follows: only sentences of all texts count.
    if (rows.every(({ since }) => since !== undefined)) return [];
    if (whyUnfit(rule.id) !== undefined || Object.hasOwn(unfitSuites, suiteOf(rule))) return [];
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

/** The properties of an answer that decide which laws judge it. */
interface Kind {
  readonly conforms: boolean;
  readonly streams: boolean;
  /** Whether the answer may show a task or a message. Laws of content skip all others, which are most answers. */
  readonly shows: boolean;
}

const asks = ({ law, content, streams }: Fit, kind: Kind): boolean => {
  if (law.bySchemas === true && kind.conforms) return false;
  return streams ? kind.streams : !content || kind.shows;
};

const numberOf = ({ conforms, streams, shows }: Kind): number =>
  (conforms ? 1 : 0) + (streams ? 2 : 0) + (shows ? 4 : 0);

/** The laws that judge an answer, found once for each kind of answer. */
const askedOf = remembered((oracleContext: OracleContext) => {
  const lists: (readonly Fit[] | undefined)[] = [];
  return ({ operation, outcome }: Reading, conforms: boolean): readonly Fit[] => {
    const kind: Kind = {
      conforms,
      streams: operation === 'stream' || operation === 'subscribe',
      shows: outcome.kind === 'result' || outcome.kind === 'invalid-response',
    };
    const list = lists[numberOf(kind)] ?? lawsOf(oracleContext).filter((fit) => asks(fit, kind));
    lists[numberOf(kind)] = list;
    return list;
  };
});

const memoOf = remembered(createLawMemo);

/** The kit does not read JSON that is nested too deeply; only an echo of its own requests is. */
const isTooDeep = ({ replies }: Reading): boolean =>
  replies.some(({ problem }) => problem?.startsWith('nested more than') === true);

/** The oracle `alive` judges answers without a body that laws can read. */
const isLost = ({ exchange }: Sent): boolean =>
  exchange.response === undefined || (exchange.failure !== undefined && exchange.failure.kind !== 'aborted');

/**
 * The schemas find nothing, so the many laws that only they decide need not be asked. Most answers are of this kind.
 */
const isConforming = ({ documents }: Reading): boolean =>
  documents.every(({ inspection }) => inspection.findings.length === 0);

const isPage = ({ exchange }: Sent): boolean => (exchange.response?.status ?? 0) >= 500;

/** In the order of the tape, in which the exchanges ended. */
const inOrder = (trace: Trace): readonly Sent[] => {
  const ordered = trace.sent.every(({ endedAt }, at) => at === 0 || endedAt > (trace.sent[at - 1]?.endedAt ?? 0));
  return ordered ? trace.sent : [...trace.sent].sort((a, b) => a.endedAt - b.endedAt);
};

/** The judgement of a law; `silent` where it finds that the agent claims no such thing. */
function said(law: Law, ...asked: Parameters<Law['judge']>): ReturnType<Law['judge']> {
  try {
    return law.judge(...asked);
  } catch (error) {
    if (error instanceof NotApplicable || error instanceof PreconditionUnmet) return 'not-concerned';
    throw error;
  }
}

function judge(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const asked = askedOf(oracleContext);
  const memo = memoOf(oracleContext);
  const ordered = inOrder(trace);
  const tape = ordered.map((sent) => viewOf(sent, oracleContext));
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
      // The oracle `alive` judges the same page.
      if (law.id === 'rpc/response-object' && isPage(sent)) continue;
      if (fit.needsId && !isKnownId(view)) continue;
      if (fit.needsText && isWrittenOtherwise(sent)) continue;
      if (fit.needsFields && sent.step.tricks?.some(isPaymentMutation) === true) continue;
      if (ofContent) content ??= contentView(view, trace, sent);
      const past = compares ? earlier(ordered, tape, sent, at) : tape;
      const judgement = said(law, ofContent && content !== undefined ? content : view, oracleContext.target, past);
      if (judgement === 'holds' || judgement === 'not-concerned' || judgement instanceof Inconclusive) continue;
      const operation = sent.step.operation;
      const verb = keys.some((key) => oracleContext.ledger.row(key)?.level === 'must') ? 'must' : 'should';
      const title = `${operation} ${verb} ${law.about}`;
      const detail = `${printable(judgement, 300)}; ${shownOf(sent)}`;
      found.push(throughAny(symptomOf('law', `law/${law.id} ${operation}`, title, sent, keys, detail)));
    }
    if (found.length === before) memo.noteClean(key);
  }
  return found;
}

/** An id that any agent can return unchanged: no fraction, and nothing that JSON.parse takes for infinite. */
const isKnownId = ({ sentId, rpcId }: Reading): boolean =>
  sentId && (typeof rpcId === 'string' || Number.isSafeInteger(rpcId));

/** Whether names may be escaped or spaced in other ways, or the task is named beside the message as well (AMBX-02). */
const isWrittenOtherwise = ({ step, request }: Sent): boolean =>
  (step.tricks ?? []).length > 0 ||
  (step.operation === 'send' && member(member(request, 'params'), 'id') !== undefined);

/**
 * A fraction as an id that comes back as another number. JSON-RPC 2.0 §5 demands the same id; §4 discourages fractions,
 * so no row of the suites asks for it.
 */
function cutId({ rpcId, replies }: Reading): string | undefined {
  if (typeof rpcId !== 'number' || !Number.isFinite(rpcId) || Number.isInteger(rpcId)) return undefined;
  const id = member(replies[0]?.value, 'id');
  return typeof id === 'number' && id !== rpcId ? 'a fraction for an id comes back as another number' : undefined;
}

/** The readings that had ended before the request was sent, and its own. */
function earlier(ordered: readonly Sent[], tape: readonly Reading[], sent: Sent, at: number): readonly Reading[] {
  const overlaps = ordered.some((request, index) => index < at && request.endedAt > sent.sentAt);
  if (!overlaps) return tape;
  return tape.filter((_, index) => index === at || (ordered[index]?.endedAt ?? Number.POSITIVE_INFINITY) < sent.sentAt);
}

/** Judges every answer by the laws of the suites. */
export const laws: Oracle = judge;
