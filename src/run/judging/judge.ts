import type { Dialect, TextFollowed } from '../../dialect/index.js';
import type { Inspector, MoreDocuments, Note, Recorded } from '../../kit/index.js';
import {
  type Check,
  type Clue,
  describe,
  evidence,
  expectationOf,
  Inconclusive,
  isSameError,
  type Law,
  NotApplicable,
  noCard,
  noCardAt,
  type Outcome,
  PreconditionUnmet,
  type Reading,
  readExchange,
  suiteOf,
  type Target,
} from '../../kit/index.js';
import { isIn } from '../../ledger/index.js';
import type { Verdict } from '../../model/index.js';
import type { CheckResult } from '../../report/index.js';
import { type Exchange, excerpt, type Redactor } from '../../wire/index.js';
import { notApplicable } from '../planning/claims.js';
import type { Planned } from '../planning/plan.js';
import type { Session } from '../session.js';
import { curlFor, exhibitOf, isOutcome } from './exhibit.js';
import type { LawBasis } from './taped.js';

interface CheckOutcome {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly actual?: string;
  /** The exchange that shows it. */
  readonly exhibit?: Exchange | undefined;
  /** What of the agent kept it from being judged. */
  readonly clue?: Clue | undefined;
}

function whatCame(seen: unknown): string {
  return isOutcome(seen) ? describe(seen) : '';
}

async function evaluateCheck(check: Check, session: Session, target: Target, seen: Exchange[]): Promise<CheckOutcome> {
  // Without the answers: a check that waits for a task reads it many times, and each answer may have megabytes.
  const scene = session.scene(check.id, ({ response: _, ...request }) => seen.push(request));
  const givens: Record<string, unknown> = {};
  for (const [name, source] of check.givens) givens[name] = await scene.use(source);
  const full: typeof scene & Record<string, unknown> = { ...scene, ...givens };
  const outcome = await check.when.act(full);
  const shownBy = (reason: string, value: unknown = outcome): Exchange | undefined =>
    exhibitOf(
      reason,
      value,
      seen.map((exchange) => session.find(exchange.id) ?? exchange),
    ) ?? target.cardExchange;
  let open: Inconclusive | undefined;
  for (const expectation of check.expectations) {
    const judgement = await expectation.judge(outcome, full);
    if (typeof judgement === 'string') {
      const alike = await refusedAlike(outcome, check.controls, full);
      if (alike !== undefined) return { ...alike, actual: whatCame(outcome) };
      const value = expectation.shownBy?.(full) ?? outcome;
      const exhibit = shownBy(judgement, value);
      const came = exhibit?.response === undefined ? judgement : evidence(exhibit);
      return { verdict: 'fail', reason: judgement, actual: whatCame(value) || came, exhibit };
    }
    if (judgement instanceof Inconclusive) open ??= judgement;
  }
  const actual = whatCame(outcome);
  if (open !== undefined) return { verdict: 'inconclusive', ...open, actual, exhibit: shownBy(open.reason) };
  for (const control of check.controls) {
    const counterpart = await control.act(full);
    if (counterpart.kind === 'result') continue;
    const reason = `the refusal proves nothing: ${control.about} was not accepted either (${describe(counterpart)})`;
    return { verdict: 'inconclusive', reason, actual, exhibit: exhibitOf(reason, counterpart, []) };
  }
  return { verdict: 'pass', reason: '', actual };
}

const isLate = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && outcome.fault === 'timeout';

/**
 * A refusal with the wrong code says nothing about the request if the control, which is valid, is refused with the same
 * code. The same holds if the agent answers neither in time. Undefined: the failure counts.
 */
async function refusedAlike(
  outcome: unknown,
  controls: Check['controls'],
  scene: Parameters<Check['controls'][number]['act']>[0],
): Promise<CheckOutcome | undefined> {
  const [control] = controls;
  if (control === undefined || !isOutcome(outcome)) return undefined;
  if (outcome.kind !== 'refusal' && !isLate(outcome)) return undefined;
  const counterpart = await control.act(scene);
  if (isLate(outcome) && isLate(counterpart)) {
    const reason = `raise --timeout: ${control.about} got no answer in time either`;
    return { verdict: 'inconclusive', reason, exhibit: exhibitOf(reason, counterpart, []) };
  }
  if (outcome.kind !== 'refusal' || counterpart.kind !== 'refusal' || !isSameError(counterpart, outcome))
    return undefined;
  const reason = `${control.about} is refused in the same way (${describe(counterpart)}), so this refusal says nothing`;
  return { verdict: 'inconclusive', reason, exhibit: counterpart.exchange };
}

function fromError(error: unknown): CheckOutcome {
  if (error instanceof PreconditionUnmet)
    return { verdict: 'inconclusive', reason: error.message, exhibit: error.exchange, clue: error.clue };
  if (error instanceof NotApplicable) return { verdict: 'not-applicable', reason: error.message };
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { verdict: 'error', reason: `the check itself failed: ${detail}` };
}

/** Characters that a result quotes at most: an id of the agent may have megabytes. */
const longestText = 2000;
/** Characters of a command; a longer one is not shown, because a cut command is a different command. */
const longestCommand = 128 * 1024;

function commandOf(exhibit: Exchange, redactor: Redactor): string {
  const { id, request } = exhibit;
  const length = request.url.length + (request.body?.length ?? 0);
  const line = length > longestCommand ? undefined : curlFor(exhibit, redactor);
  return line !== undefined && line.length <= longestCommand
    ? line
    : `# too long to show (a request of ${length} bytes); the beginning of it is exchange ${id}`;
}

function result(
  planned: Planned,
  ruling: CheckOutcome,
  seen: readonly Exchange[],
  durationMs: number,
  redactor: Redactor,
): CheckResult {
  const { rule: judged, rows, level, title } = planned;
  // An exchange that was not sent is not on the tape.
  const ids = [...new Set(seen.map((exchange) => exchange.id))].filter((id) => id !== 'unsent');
  ids.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
  const showsCurl = ruling.exhibit !== undefined && (ruling.verdict === 'fail' || ruling.verdict === 'inconclusive');
  return {
    id: judged.id,
    suite: suiteOf(judged),
    title,
    level,
    requirements: rows.map((row) => row.id),
    section: rows.map((row) => row.section).join('; '),
    verdict: ruling.verdict,
    reason: excerpt(ruling.reason, longestText),
    expected: expectationOf(judged),
    actual: excerpt(ruling.actual ?? '', longestText),
    exchanges: ids,
    ...(showsCurl && ruling.exhibit !== undefined
      ? { exhibit: ruling.exhibit.id, curl: commandOf(ruling.exhibit, redactor) }
      : {}),
    ...(ruling.verdict === 'fail' && judged.advice !== undefined ? { advice: judged.advice } : {}),
    durationMs: Math.round(durationMs),
  };
}

/** The result of a planned check that is not run. */
export function notJudged(planned: Planned, target: Target, why: string, redactor: Redactor): CheckResult {
  const reason = notApplicable(planned.rows, target);
  const ruling: CheckOutcome =
    reason === undefined
      ? { verdict: 'inconclusive', reason: `not run: ${why}` }
      : { verdict: 'not-applicable', reason };
  return result(planned, ruling, [], 0, redactor);
}

/** Judges one check on the live agent. Never throws: a failure of the kit gives the verdict `error`. */
export async function judgeCheck(
  planned: Planned,
  session: Session,
  target: Target,
  now: () => number,
  redactor: Redactor,
): Promise<CheckResult> {
  const started = now();
  const seen: Exchange[] = [];
  const reason = notApplicable(planned.rows, target);
  let ruling: CheckOutcome;
  if (reason !== undefined) ruling = { verdict: 'not-applicable', reason };
  else {
    try {
      ruling = await evaluateCheck(planned.rule as Check, session, target, seen);
    } catch (error) {
      ruling = fromError(error);
    }
  }
  session.note(planned.rule.id, ruling.clue);
  return result(planned, ruling, seen, now() - started, redactor);
}

/** Parses the tape once for all laws. `more`: finds documents of payments, if they are judged. */
export function readTape(
  exchanges: readonly Exchange[],
  dialect: Dialect,
  { plain, more }: { readonly plain: Inspector; readonly more?: MoreDocuments | undefined },
  cardExchange: Exchange | undefined,
): readonly Reading[] {
  // Calls of the agent to a webhook are not answers.
  const answers = exchanges.filter((exchange) => exchange.toWebhook !== true);
  return answers.map((exchange) => {
    // The tape may hold a cut copy of the card.
    const card = exchange.id === cardExchange?.id ? cardExchange : undefined;
    return readExchange(card ?? exchange, dialect, plain, card !== undefined, more);
  });
}

/** Why a law had nothing to judge; for laws about the card, whether there is a card. */
function whyNothing(judged: Law, target: Target): string {
  if (target.cardDocument !== undefined)
    return judged.otherwise === noCard ? 'the card has nothing that the sentence is about' : judged.otherwise;
  return /^(card|signature)$/.test(suiteOf(judged)) ? noCardAt(target) : judged.otherwise;
}

/**
 * Why a law is not applied. A member of the wrong type may look absent, so laws of schemas ask the schemas before the
 * claim.
 */
function whyOut({ rule, rows }: Planned, { target, text }: LawBasis): string | undefined {
  const { bySchemas, claimed } = rule as Law;
  return notApplicable(rows, target) ?? notInText(rows, text) ?? (bySchemas === true ? undefined : claimed?.(target));
}

/** What one answer says of a law; `neither`: nothing, or the law is not applicable. */
export function verdictOf(
  planned: Planned,
  basis: LawBasis,
  reading: Reading,
  tape: readonly Recorded[],
): 'holds' | 'broken' | 'neither' {
  if (whyOut(planned, basis) !== undefined) return 'neither';
  try {
    const judgement = (planned.rule as Law).judge(reading, basis.target, tape);
    if (judgement === 'holds') return 'holds';
    return typeof judgement === 'string' && judgement !== 'not-concerned' ? 'broken' : 'neither';
  } catch {
    // The agent does not fail by an error of the kit.
    return 'neither';
  }
}

/** Why the text that the agent follows has none of the sentences; undefined: it has one. */
function notInText(rows: Planned['rows'], text: TextFollowed | undefined): string | undefined {
  if (text === undefined || rows.some((row) => isIn(row, text.text))) return undefined;
  return `the sentence came with ${rows[0]?.since}, and ${text.says}`;
}

/** Applies one law to all recorded exchanges: fail if it was broken once, pass if it held and was never broken. */
export interface LawTrial {
  /** To be taken of the whole tape before the first exchange is seen; none where the law is not applicable. */
  readonly notes: readonly Note<unknown>[];
  /** Takes each exchange of the tape in turn. Never throws. */
  see(reading: Reading, tape: readonly Recorded[]): void;
  end(): CheckResult;
}

export function tryLaw(planned: Planned, basis: LawBasis, now: () => number, redactor: Redactor): LawTrial {
  const judged = planned.rule as Law;
  const { target } = basis;
  const out = whyOut(planned, basis);
  const broken: Exchange[] = [];
  const held: Exchange[] = [];
  let first: string | undefined;
  let open: Inconclusive | undefined;
  let failed: CheckOutcome | undefined;
  let spent = 0;

  function ruling(): readonly [ruling: CheckOutcome, exchanges: readonly Exchange[]] {
    if (failed !== undefined) return [failed, []];
    if (out !== undefined) return [{ verdict: 'not-applicable', reason: out }, []];
    const exhibit = broken[0];
    if (first !== undefined && exhibit !== undefined) {
      const often =
        broken.length > 1 ? ` (and in ${broken.length - 1} more of ${broken.length + held.length} exchanges)` : '';
      return [{ verdict: 'fail', reason: first + often, actual: evidence(exhibit), exhibit }, broken];
    }
    const unclaimed = judged.claimed?.(target);
    if (unclaimed !== undefined) return [{ verdict: 'not-applicable', reason: unclaimed }, []];
    if (held.length > 0) return [{ verdict: 'pass', reason: '' }, held.slice(0, 3)];
    return [{ verdict: 'inconclusive', reason: open?.reason ?? whyNothing(judged, target) }, []];
  }

  return {
    notes: out === undefined ? judged.notes : [],
    see(reading, tape) {
      if (out !== undefined || failed !== undefined) return;
      const since = now();
      try {
        const judgement = judged.judge(reading, target, tape);
        if (judgement === 'holds') held.push(reading.exchange);
        else if (judgement instanceof Inconclusive) open ??= judgement;
        else if (judgement !== 'not-concerned') {
          first ??= judgement;
          broken.push(reading.exchange);
        }
      } catch (error) {
        failed = fromError(error);
      }
      spent += now() - since;
    },
    end: () => result(planned, ...ruling(), spent, redactor),
  };
}
