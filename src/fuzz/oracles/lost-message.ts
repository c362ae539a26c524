import { isTerminal, type SendReply, type Task } from '../../model/index.js';
import type { CallStep } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { doesAlone } from './controls.js';
import type { OracleContext, Symptom } from './oracle.js';
import { type Account, accountOf, isAccepted, taskAsked } from './task-observations.js';

// A lost update: the agent accepted two messages at once, and the task shows only one. No sentence says that a task
// keeps its messages, so the control sends the messages one after the other: only an agent that keeps them then is held
// to it.

interface Ending {
  readonly task: string;
  /** Accepted messages to it that were sent at once with others. */
  readonly sends: readonly Sent[];
  /** Ids of those that the last reading does not show. */
  readonly missing: readonly string[];
  readonly read: Sent;
}

const messageIdOf = (sent: Sent, account: Account): string => {
  const asked = account.asked(sent);
  return asked?.operation === 'send' ? asked.params.message.messageId : '';
};

/** Whether the message was accepted, and answered as a part of this task. */
function isTaken(sent: Sent, task: string, account: Account): boolean {
  const asked = account.asked(sent);
  if (asked?.operation !== 'send' || taskAsked(asked) !== task || sent.reading.outcome.kind !== 'result') return false;
  const reply = sent.reading.outcome.value as SendReply;
  return reply.type !== 'task' || reply.task.id === task;
}

/** The last reading that shows the first message of a task, and therefore the whole history. */
function lastReading(trace: Trace, task: string, account: Account): Sent | undefined {
  const first = trace.sent.find((sent) => {
    const asked = account.asked(sent);
    return (
      asked?.operation === 'send' &&
      taskAsked(asked) === undefined &&
      account.sightings.some((sighting) => sighting.sent === sent && sighting.id === task)
    );
  });
  const firstId = first === undefined ? '' : messageIdOf(first, account);
  return trace.sent.findLast((sent) => {
    const asked = account.asked(sent);
    if (asked?.operation !== 'get' || asked.params.historyLength !== undefined || taskAsked(asked) !== task)
      return false;
    if (sent.reading.outcome.kind !== 'result' || firstId === '') return false;
    return historyIds(sent).has(firstId);
  });
}

const historyIds = ({ reading: { outcome } }: Sent): ReadonlySet<string> =>
  new Set(outcome.kind === 'result' ? ((outcome.value as Task).history ?? []).map(({ messageId }) => messageId) : []);

function endingOf(trace: Trace, task: string, account: Account, isRaced: (sent: Sent) => boolean): Ending | undefined {
  const sends = trace.sent.filter((sent) => isRaced(sent) && isTaken(sent, task, account));
  const read = lastReading(trace, task, account);
  if (sends.length < 2 || read === undefined || !sends.every((sent) => sent.endedAt < read.sentAt)) return undefined;
  const shown = historyIds(read);
  const missing = sends.map((sent) => messageIdOf(sent, account)).filter((id) => id !== '' && !shown.has(id));
  return { task, sends, missing, read };
}
const isRacedIn =
  ({ case: { steps } }: Trace) =>
  (sent: Sent): boolean =>
    steps[sent.place[0]]?.step === 'together';

/** An accepted message that is missing from the history, though the agent otherwise keeps messages. */
export async function lostMessage(trace: Trace, oracleContext: OracleContext): Promise<Symptom | undefined> {
  const account = accountOf(trace, oracleContext.dialect);
  for (const task of account.byTask.keys()) {
    const ending = endingOf(trace, task, account, isRacedIn(trace));
    if (ending === undefined || ending.missing.length === 0) continue;
    // A task that was canceled, or ended otherwise than completed, may have dropped messages.
    const { outcome } = ending.read.reading;
    const state = outcome.kind === 'result' ? (outcome.value as Task).status.state : 'unknown';
    const cancels = trace.sent.some((sent) => sent.step.operation === 'cancel' && isAccepted(sent));
    if (cancels || (isTerminal(state) && state !== 'completed')) continue;
    const kept = new Set(ending.sends.map(({ step }) => step));
    const keeps = (call: CallStep): boolean => kept.has(call);
    const shows = (control: Trace): boolean | undefined => keepsAll(control, kept, oracleContext);
    if (!(await doesAlone(trace, oracleContext, 'lost-message', keeps, shows))) continue;
    return {
      oracle: 'history',
      bucket: 'history/lost-message',
      title: 'A message that was accepted is lost when another is sent at the same time',
      detail: `the task ${task} accepted ${ending.sends.length} messages at once and lacks ${ending.missing.join(', ')}; one after the other it keeps them`,
      keys: [],
      sent: ending.read,
    };
  }
  return undefined;
}

/**
 * Whether the control accepted all of them one after the other, and shows them. undefined: one of them was not taken,
 * as the task had ended by then.
 */
function keepsAll(control: Trace, kept: ReadonlySet<CallStep>, oracleContext: OracleContext): boolean | undefined {
  const account = accountOf(control, oracleContext.dialect);
  let isOver = false;
  for (const task of account.byTask.keys()) {
    const ending = endingOf(control, task, account, ({ step }) => kept.has(step));
    if (ending?.sends.length === kept.size && ending.missing.length === 0) return true;
    if (control.sent.some((sent) => kept.has(sent.step) && isTooLate(sent, task, account))) isOver = true;
  }
  return isOver ? undefined : false;
}

/** Whether the message was refused, and the task is seen to have ended before or after that. */
function isTooLate(sent: Sent, task: string, account: Account): boolean {
  const sights = account.byTask.get(task) ?? [];
  return (
    sent.reading.outcome.kind === 'refusal' &&
    taskAsked(account.asked(sent)) === task &&
    sights.some(({ status }) => status !== undefined && isTerminal(status.state))
  );
}
