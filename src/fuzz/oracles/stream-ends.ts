import { stateIn } from '../../kit/index.js';
import { isInterrupted, isTerminal, type Operation } from '../../model/index.js';
import { type CallStep, withCalls } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import type { OracleContext, Symptom } from './oracle.js';
import { type Account, accountOf, isBefore, rowsOf, streamedTask } from './task-observations.js';

// Whether streams end with their task (1.0 §3.1.2, §3.1.6; 0.3 §7.2.2 with AMB03-09). The agent decides how soon: only
// a delay far longer than anything else is held against it.

/** How long the news of an end may travel, ms; after that it counts as missing. */
const longMs = 900;
/** Events within this time count as simultaneous, ms. */
const soonMs = 50;
/** How long an agent may take to close a stream, ms. */
const longGraceMs = 5000;

const untilOf = ({ exchange: { startedAt, durationMs } }: Sent): number => startedAt + durationMs;

/**
 * When an answer first showed the end of a task, by the kit's clock; undefined where none did, or one did before the
 * stream began.
 */
function endTold(task: string, streamed: Sent, account: Account): number | undefined {
  const ends = (account.byTask.get(task) ?? []).filter(
    (sighting) => sighting.isNow && isTerminal(sighting.status?.state ?? 'unknown'),
  );
  if (ends.length === 0 || ends.some(({ sent }) => isBefore(sent, streamed))) return undefined;
  return Math.min(...ends.map(({ sent }) => untilOf(sent)));
}

/** The stream brought the end of its task, and the agent had not closed it when the kit did. */
function isLeftOpen(sent: Sent): boolean {
  const { stream } = sent.reading;
  if (stream === undefined || stream.refused || sent.exchange.failure?.kind !== 'aborted') return false;
  const states = statesIn(sent);
  const last = states.at(-1);
  const lastMs = sent.exchange.response?.chunks.at(-1)?.atMs ?? 0;
  // A stream may begin with the end (AMB03-10); no sentence says how it goes on then.
  if (sent.step.events !== undefined || states.length < 2 || last === undefined || !isTerminal(last)) return false;
  return sent.exchange.durationMs - lastMs >= (sent.step.graceMs ?? 0) - 1;
}

const statesIn = ({ reading }: Sent) => (reading.stream?.events ?? []).flatMap((event) => stateIn(event) ?? []);

/** Tries again with a longer wait: only a stream that stays open for long is held against an agent. */
async function leftOpen(trace: Trace, sent: Sent, oracleContext: OracleContext): Promise<Symptom | undefined> {
  const { operation } = sent.step;
  const patient = (call: CallStep): CallStep =>
    call.operation === operation ? { ...call, graceMs: longGraceMs } : call;
  const again = await oracleContext.perform(withCalls(trace.case, patient));
  if (!again.sent.some((request) => request.step.operation === operation && isLeftOpen(request))) return undefined;
  return {
    oracle: 'streams',
    bucket: `streams/left-open ${operation}`,
    title: 'A stream stays open after the end of its task',
    detail: `the task ${streamedTask(sent)} was ${statesIn(sent).at(-1)}, and its stream was still open ${longGraceMs} ms later`,
    keys: rowsOf(oracleContext.ledger, operation === 'subscribe' ? 'sub.closes' : 'stream.closes'),
    sent,
  };
}

/** Operations that may end a task. */
const moves = new Set<Operation>(['send', 'stream', 'cancel']);

/**
 * Whether the stream was closed when the task ended, and not before: a connection may be lost at any time. It was lost
 * before if a request that was sent after the loss shows the task open, or if the request that may have ended the task
 * was sent after the loss.
 */
function isClosedByEnd(task: string, sent: Sent, endAt: number, account: Account, { sent: all }: Trace): boolean {
  if (Math.abs(untilOf(sent) - endAt) > soonMs) return false;
  const isOpen = (account.byTask.get(task) ?? []).some(
    (sighting) => sighting.status !== undefined && !isTerminal(sighting.status.state) && isBefore(sent, sighting.sent),
  );
  return (
    !isOpen &&
    !all.some(
      (request) => moves.has(request.step.operation) && isBefore(sent, request) && request.exchange.startedAt <= endAt,
    )
  );
}

/** A stream that does not bring the end of its task, which was open when the stream began. */
function endUntold(sent: Sent, account: Account, trace: Trace, { ledger }: OracleContext): Symptom | undefined {
  const { stream } = sent.reading;
  const task = streamedTask(sent);
  if (stream === undefined || stream.refused || task === undefined || sent.step.events !== undefined) return undefined;
  const states = statesIn(sent);
  const last = states.at(-1);
  const endAt = endTold(task, sent, account);
  const { startedAt, failure } = sent.exchange;
  if (endAt === undefined || last === undefined || isInterrupted(last) || states.some(isTerminal)) {
    return undefined;
  }
  const lastMs = sent.exchange.response?.chunks.at(-1)?.atMs ?? 0;
  const silence = untilOf(sent) - Math.max(endAt, startedAt + lastMs);
  // The agent closed the stream when the task ended, or kept it silent for long after that.
  const isClosed = failure === undefined && stream.ended && isClosedByEnd(task, sent, endAt, account, trace);
  if (!isClosed && (failure?.kind !== 'aborted' || silence < longMs)) return undefined;
  return {
    oracle: 'streams',
    bucket: `streams/end-untold ${sent.step.operation}`,
    title: 'A stream does not report that its task has ended',
    detail: `the task ${task} was answered as ended; its stream, which was ${last}, ${isClosed ? 'was closed' : 'went on'} without an event about it`,
    keys: rowsOf(ledger, ...(sent.step.operation === 'subscribe' ? (['sub.later-updates'] as const) : [])),
    sent,
  };
}

/** After so many tries in which its streams were only slow, an agent is not tried again. */
const mostVain = 3;
const vain = new WeakMap<OracleContext['target'], number>();

/** Streams that do not bring the end of their task, or stay open after it. */
export async function endsIn(
  streamed: readonly Sent[],
  trace: Trace,
  oracleContext: OracleContext,
): Promise<readonly Symptom[]> {
  const account = accountOf(trace, oracleContext.dialect);
  const own = streamed.filter(({ step }) => step.caller === undefined);
  const missingEnds = own.flatMap((sent) => endUntold(sent, account, trace, oracleContext) ?? []);
  const open = own.find(isLeftOpen);
  const times = vain.get(oracleContext.target) ?? 0;
  if (open === undefined || times >= mostVain) return missingEnds;
  const symptom = await leftOpen(trace, open, oracleContext);
  if (symptom !== undefined) return [...missingEnds, symptom];
  vain.set(oracleContext.target, times + 1);
  return missingEnds;
}
