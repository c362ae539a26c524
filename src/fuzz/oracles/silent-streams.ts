import { stateIn } from '../../kit/index.js';
import { isTerminal } from '../../model/index.js';
import { bodyText } from '../../wire/index.js';
import { type CallStep, withCalls } from '../case.js';
import type { Court, Symptom } from '../oracle.js';
import { isUnknownId } from '../scripting.js';
import type { Sent, Trace } from '../trace.js';
import { type Account, accountOf, rowsOf, streamedTask, taskAsked } from './sights.js';
import { demanded, remembered } from './symptom.js';

// Subscriptions that open and bring no event at all (0.3 §7.9, §8.2; 1.0 §3.1.6, §3.5.2). An agent may take its time:
// only who says nothing to a patient listener either is held to it.

/** For an agent to say the first word, ms. */
const patienceMs = 5000;
/** For what another stream was told to come here too, ms. */
const longMs = 2000;
/** For an update to travel: what was told so long after a stream had opened happened after it, ms. */
const travelMs = 100;

const isPatient = ({ step: { listenMs = 0 } }: Sent): boolean => listenMs >= patienceMs;

/** Comments are no events, and keep a connection open. */
const isBlank = (body: Uint8Array): boolean =>
  bodyText(body)
    .split(/[\r\n]+/)
    .every((line) => /^(:|\s*$)/.test(line));

/** It was opened, and closed by the agent in good order or by the kit, without an event. */
function isSilent({ step, reading: { stream }, exchange: { response, failure } }: Sent): boolean {
  if (step.operation !== 'subscribe' || step.caller !== undefined) return false;
  if (stream === undefined || stream.events.length > 0 || response?.status !== 200) return false;
  return (stream.ended || failure?.kind === 'aborted') && isBlank(response.body);
}

/** A stream in place of a refusal. */
function unknownTask(sent: Sent, account: Account, court: Court): Symptom | undefined {
  const task = taskAsked(account.asked(sent));
  const keys = demanded(court, 'sub.unknown-refused');
  if (task === undefined || !isUnknownId(task) || keys.length === 0) return undefined;
  const { ended = false } = sent.reading.stream ?? {};
  if (!ended && isPatient(sent) && sent.exchange.durationMs < patienceMs - 1) return undefined;
  return {
    oracle: 'streams',
    bucket: 'streams/unknown-task',
    title: 'A subscription to a task that nobody was given opens a stream',
    detail: `of the task ${task}, which does not exist, a stream was opened that ${ended ? 'ended without an event' : 'said nothing, and no error'}`,
    keys,
    sent,
  };
}

/** When a stream was told the end of its task, by the kit's clock; undefined where it began with that. */
function endHeardAt({ reading: { stream }, exchange }: Sent): number | undefined {
  const last = stream?.events.at(-1);
  const state = last?.type === 'status' ? stateIn(last) : undefined;
  if (stream === undefined || stream.events.length < 2 || state === undefined || !isTerminal(state)) return undefined;
  return exchange.startedAt + (exchange.response?.chunks.at(-1)?.atMs ?? 0);
}

/** A stream that stays silent while another one of the same task is told its end. */
function unheard(sent: Sent, account: Account, { sent: all }: Trace, { ledger }: Court): Symptom | undefined {
  const { exchange, step } = sent;
  const task = taskAsked(account.asked(sent));
  if (task === undefined || exchange.failure?.kind !== 'aborted') return undefined;
  const others = all.filter((one) => one.step.caller === undefined && streamedTask(one) === task);
  const keys = rowsOf(ledger, 'stream.same-events', 'sub.later-updates');
  // Before 1.0 nothing is said of several streams at once: the newest may be the only one.
  if (!keys.includes('stream.same-events') && others.some((one) => one.sentAt > sent.sentAt)) return undefined;
  const closedAt = exchange.startedAt + exchange.durationMs;
  // The kit closes what is silent for so long since it opened.
  const openedAt = closedAt - (step.listenMs ?? exchange.durationMs);
  const silence = isPatient(sent) ? longMs : 0;
  const isTold = others.some((one) => {
    const told = endHeardAt(one);
    return told !== undefined && told >= openedAt + travelMs && closedAt - told >= silence;
  });
  if (!isTold) return undefined;
  return {
    oracle: 'streams',
    bucket: 'streams/silent subscribe',
    title: 'A subscriber hears nothing of a task that others follow to its end',
    detail: `another stream of the task ${task} was told its end, this one not a word`,
    keys,
    sent,
  };
}

function seenIn(trace: Trace, court: Court): readonly Symptom[] {
  const silent = trace.sent.filter(isSilent);
  if (silent.length === 0) return [];
  const account = accountOf(trace, court.dialect);
  return silent.flatMap((sent) => unknownTask(sent, account, court) ?? unheard(sent, account, trace, court) ?? []);
}

const patiently = (call: CallStep): CallStep =>
  call.operation === 'subscribe' ? { ...call, listenMs: Math.max(patienceMs, call.listenMs ?? 0) } : call;

/** Patience costs seconds: a campaign has it so often. */
const mostPatient = 4;
const patience = remembered(() => ({ times: 0 }));

/** Subscriptions that say nothing where something must be said. */
export async function silentIn(trace: Trace, court: Court): Promise<readonly Symptom[]> {
  const suspected = seenIn(trace, court);
  const told = suspected.filter(({ sent }) => sent !== undefined && isPatient(sent));
  const memory = patience(court);
  if (suspected.length === 0 || told.length > 0 || memory.times >= mostPatient) return told;
  memory.times++;
  const again = await court.perform(withCalls(trace.case, patiently));
  const found = seenIn(again, court).map((symptom) => ({ ...symptom, case: again.case }));
  // From here on only the patient case shows it: what is made smaller of it stays patient.
  if (found.length > 0) memory.times = mostPatient;
  return found;
}
