import { stateIn } from '../../kit/index.js';
import { isTerminal } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import { type CallStep, withCalls } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { isUnknownId } from '../generate/scripting.js';
import type { OracleContext, Symptom } from './oracle.js';
import { demanded, remembered } from './symptom.js';
import { type Account, accountOf, rowsOf, streamedTask, taskAsked } from './task-observations.js';

// Subscriptions that open and bring no event at all (0.3 §7.9, §8.2; 1.0 §3.1.6, §3.5.2). An agent may take its time: a
// silent subscription is tried again with a longer wait before it is held against the agent.

/** How long an agent may take to send the first event, ms. */
const patienceMs = 5000;
/** How long an update of another stream may take to arrive on this one too, ms. */
const longMs = 2000;
/**
 * How long an update may travel, ms: an update that a read shows this long after the kit opened a stream happened after
 * the opening.
 */
const travelMs = 100;

const isPatient = ({ step: { listenMs = 0 } }: Sent): boolean => listenMs >= patienceMs;

/** Whether a body has only comments, which are not events and keep a connection open. */
const isBlank = (body: Uint8Array): boolean =>
  bodyText(body)
    .split(/[\r\n]+/)
    .every((line) => /^(:|\s*$)/.test(line));

/** A subscription was opened, and closed by the agent in good order or by the kit, without an event. */
function isSilent({ step, reading: { stream }, exchange: { response, failure } }: Sent): boolean {
  if (step.operation !== 'subscribe' || step.caller !== undefined) return false;
  if (stream === undefined || stream.events.length > 0 || response?.status !== 200) return false;
  return (stream.ended || failure?.kind === 'aborted') && isBlank(response.body);
}

/** A subscription to an unknown task that opened a stream in place of a refusal. */
function unknownTask(sent: Sent, account: Account, oracleContext: OracleContext): Symptom | undefined {
  const task = taskAsked(account.asked(sent));
  const keys = demanded(oracleContext, 'sub.unknown-refused');
  if (task === undefined || !isUnknownId(task) || keys.length === 0) return undefined;
  const { ended = false } = sent.reading.stream ?? {};
  if (!ended && isPatient(sent) && sent.exchange.durationMs < patienceMs - 1) return undefined;
  return {
    oracle: 'streams',
    bucket: 'streams/unknown-task',
    title: 'A subscription to an unknown task opens a stream',
    detail: `of the task ${task}, which does not exist, a stream was opened that ${ended ? 'ended without an event' : 'brought neither an event nor an error'}`,
    keys,
    sent,
  };
}

/** When a stream brought the end of its task, by the kit's clock; undefined where it did not, or began with the end. */
function endHeardAt({ reading: { stream }, exchange }: Sent): number | undefined {
  const last = stream?.events.at(-1);
  const state = last?.type === 'status' ? stateIn(last) : undefined;
  if (stream === undefined || stream.events.length < 2 || state === undefined || !isTerminal(state)) return undefined;
  return exchange.startedAt + (exchange.response?.chunks.at(-1)?.atMs ?? 0);
}

/** A stream that stays silent while another stream of the same task brings the end of the task. */
function silentStream(
  sent: Sent,
  account: Account,
  { sent: all }: Trace,
  { ledger }: OracleContext,
): Symptom | undefined {
  const { exchange, step } = sent;
  const task = taskAsked(account.asked(sent));
  if (task === undefined || exchange.failure?.kind !== 'aborted') return undefined;
  const others = all.filter((request) => request.step.caller === undefined && streamedTask(request) === task);
  const keys = rowsOf(ledger, 'stream.same-events', 'sub.later-updates');
  // Before 1.0 no sentence covers several streams at once: an agent may serve only the newest.
  if (!keys.includes('stream.same-events') && others.some((request) => request.sentAt > sent.sentAt)) return undefined;
  const closedAt = exchange.startedAt + exchange.durationMs;
  // The kit closes a stream that stays silent for `listenMs` after it opened.
  const openedAt = closedAt - (step.listenMs ?? exchange.durationMs);
  const silence = isPatient(sent) ? longMs : 0;
  const isTold = others.some((request) => {
    const endAt = endHeardAt(request);
    return endAt !== undefined && endAt >= openedAt + travelMs && closedAt - endAt >= silence;
  });
  if (!isTold) return undefined;
  return {
    oracle: 'streams',
    bucket: 'streams/silent subscribe',
    title: 'A subscription brings no events of a task that others follow to its end',
    detail: `another stream of the task ${task} brought its end, this one brought no event`,
    keys,
    sent,
  };
}

function seenIn(trace: Trace, oracleContext: OracleContext): readonly Symptom[] {
  const silent = trace.sent.filter(isSilent);
  if (silent.length === 0) return [];
  const account = accountOf(trace, oracleContext.dialect);
  return silent.flatMap(
    (sent) => unknownTask(sent, account, oracleContext) ?? silentStream(sent, account, trace, oracleContext) ?? [],
  );
}

const patiently = (call: CallStep): CallStep =>
  call.operation === 'subscribe' ? { ...call, listenMs: Math.max(patienceMs, call.listenMs ?? 0) } : call;

/** A try with a longer wait costs seconds: a campaign makes at most so many. */
const mostPatient = 4;
const patience = remembered(() => ({ times: 0 }));

/** Subscriptions that bring nothing where an event or a refusal is due. */
export async function silentIn(trace: Trace, oracleContext: OracleContext): Promise<readonly Symptom[]> {
  const suspected = seenIn(trace, oracleContext);
  const patientSuspects = suspected.filter(({ sent }) => sent !== undefined && isPatient(sent));
  const memory = patience(oracleContext);
  if (suspected.length === 0 || patientSuspects.length > 0 || memory.times >= mostPatient) return patientSuspects;
  memory.times++;
  const again = await oracleContext.perform(withCalls(trace.case, patiently));
  const found = seenIn(again, oracleContext).map((symptom) => ({ ...symptom, case: again.case }));
  // From here on only the case with the longer wait shows it; its smaller cases keep that wait.
  if (found.length > 0) memory.times = mostPatient;
  return found;
}
