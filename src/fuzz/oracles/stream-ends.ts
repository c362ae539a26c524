import { stateIn } from '../../kit/index.js';
import { isInterrupted, isTerminal, type Operation } from '../../model/index.js';
import { type CallStep, withCalls } from '../case.js';
import type { Court, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { type Account, accountOf, isBefore, rowsOf, streamedTask } from './sights.js';

// Whether streams end with their task (1.0 §3.1.2, §3.1.6; 0.3 §7.2.2 with AMB03-09). How soon is for the agent to say:
// only what takes far longer than anything else is held against it.

/** For news of an end to travel, ms: longer, and it did not come. */
const longMs = 900;
/** What happens within it happens at once, ms. */
const soonMs = 50;
/** For a stream to be closed, ms. */
const longGraceMs = 5000;

const untilOf = ({ exchange: { startedAt, durationMs } }: Sent): number => startedAt + durationMs;

/** When the end of a task was first answered, by the kit's clock; undefined too where it was before the stream began. */
function endTold(task: string, streamed: Sent, account: Account): number | undefined {
  const ends = (account.byTask.get(task) ?? []).filter(
    (one) => one.isNow && isTerminal(one.status?.state ?? 'unknown'),
  );
  if (ends.length === 0 || ends.some(({ sent }) => isBefore(sent, streamed))) return undefined;
  return Math.min(...ends.map(({ sent }) => untilOf(sent)));
}

/** It was told the end, and the agent had not closed it when the kit did. */
function isLeftOpen(sent: Sent): boolean {
  const { stream } = sent.reading;
  if (stream === undefined || stream.refused || sent.exchange.failure?.kind !== 'aborted') return false;
  const states = statesIn(sent);
  const last = states.at(-1);
  const lastMs = sent.exchange.response?.chunks.at(-1)?.atMs ?? 0;
  // A stream may begin with the end (AMB03-10); how it goes on then is nowhere said.
  if (sent.step.events !== undefined || states.length < 2 || last === undefined || !isTerminal(last)) return false;
  return sent.exchange.durationMs - lastMs >= (sent.step.graceMs ?? 0) - 1;
}

const statesIn = ({ reading }: Sent) => (reading.stream?.events ?? []).flatMap((event) => stateIn(event) ?? []);

/** Looks again with more patience: only a stream that stays open for long is held against an agent. */
async function leftOpen(trace: Trace, sent: Sent, court: Court): Promise<Symptom | undefined> {
  const { operation } = sent.step;
  const patient = (call: CallStep): CallStep =>
    call.operation === operation ? { ...call, graceMs: longGraceMs } : call;
  const again = await court.perform(withCalls(trace.case, patient));
  if (!again.sent.some((one) => one.step.operation === operation && isLeftOpen(one))) return undefined;
  return {
    oracle: 'streams',
    bucket: `streams/left-open ${operation}`,
    title: 'A stream stays open after the end of its task',
    detail: `the task ${streamedTask(sent)} was ${statesIn(sent).at(-1)}, and its stream was still open ${longGraceMs} ms later`,
    keys: rowsOf(court.ledger, operation === 'subscribe' ? 'sub.closes' : 'stream.closes'),
    sent,
  };
}

/** What may end a task. */
const moves = new Set<Operation>(['send', 'stream', 'cancel']);

/**
 * The stream was closed as the task ended, and not before: a connection may be lost at any time. It was lost before where
 * the task is shown open to a request that was sent after that, or where what may have ended it was sent after that.
 */
function isClosedByEnd(task: string, sent: Sent, told: number, account: Account, { sent: all }: Trace): boolean {
  if (Math.abs(untilOf(sent) - told) > soonMs) return false;
  const isOpen = (account.byTask.get(task) ?? []).some(
    (one) => one.status !== undefined && !isTerminal(one.status.state) && isBefore(sent, one.sent),
  );
  return (
    !isOpen &&
    !all.some((one) => moves.has(one.step.operation) && isBefore(sent, one) && one.exchange.startedAt <= told)
  );
}

/** The end of a task that was open when its stream began, and of which the stream says nothing. */
function endUntold(sent: Sent, account: Account, trace: Trace, { ledger }: Court): Symptom | undefined {
  const { stream } = sent.reading;
  const task = streamedTask(sent);
  if (stream === undefined || stream.refused || task === undefined || sent.step.events !== undefined) return undefined;
  const states = statesIn(sent);
  const last = states.at(-1);
  const told = endTold(task, sent, account);
  const { startedAt, failure } = sent.exchange;
  if (told === undefined || last === undefined || isInterrupted(last) || states.some(isTerminal)) {
    return undefined;
  }
  const lastMs = sent.exchange.response?.chunks.at(-1)?.atMs ?? 0;
  const silence = untilOf(sent) - Math.max(told, startedAt + lastMs);
  // The agent closed it when the task ended, or let it wait long after.
  const isClosed = failure === undefined && stream.ended && isClosedByEnd(task, sent, told, account, trace);
  if (!isClosed && (failure?.kind !== 'aborted' || silence < longMs)) return undefined;
  return {
    oracle: 'streams',
    bucket: `streams/end-untold ${sent.step.operation}`,
    title: 'A stream is not told that its task has ended',
    detail: `the task ${task} was answered as ended; its stream, which was ${last}, ${isClosed ? 'was closed' : 'went on'} without a word of it`,
    keys: rowsOf(ledger, ...(sent.step.operation === 'subscribe' ? (['sub.later-updates'] as const) : [])),
    sent,
  };
}

/** Agents whose streams were found to be slow only so often are not asked again. */
const mostVain = 3;
const vain = new WeakMap<Court['target'], number>();

/** Streams that go on when their task does not. */
export async function endsIn(streamed: readonly Sent[], trace: Trace, court: Court): Promise<readonly Symptom[]> {
  const account = accountOf(trace, court.dialect);
  const own = streamed.filter(({ step }) => step.caller === undefined);
  const untold = own.flatMap((sent) => endUntold(sent, account, trace, court) ?? []);
  const open = own.find(isLeftOpen);
  const times = vain.get(court.target) ?? 0;
  if (open === undefined || times >= mostVain) return untold;
  const symptom = await leftOpen(trace, open, court);
  if (symptom !== undefined) return [...untold, symptom];
  vain.set(court.target, times + 1);
  return untold;
}
