import {
  bodyText,
  brief,
  type ClientCall,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  inconclusive,
  isObject,
  type Message,
  saysFailure,
  standing,
  stringMember,
  understands,
  whatWasTold,
} from '../../src/kit/index.js';
import { givesUp, inOnePlay, isAnswered, sentAgain } from '../shared/seen.js';

type Sent = { readonly call: ClientCall; readonly message: Message };

/** The messages of a run, in order; one that is sent again counts once. */
function messagesOf(run: ClientRun): readonly Sent[] {
  const seen = new Set<string>();
  return callsOf(run, 'send', 'stream').flatMap((call) => {
    const { message } = call;
    if (message === undefined) return [];
    // Messages of some dialects have no id.
    if (message.messageId && seen.has(message.messageId)) return [];
    seen.add(message.messageId);
    return [{ call, message }];
  });
}

/** The task that a call is about, as it names it. */
const namedIn = ({ params }: ClientCall): string | undefined =>
  isObject(params) ? stringMember(params, 'id') : undefined;

/** Judges the message that follows the first one of a conversation. */
const second =
  (judge: (sent: Sent, run: ClientRun) => string | undefined | 'not-concerned') =>
  (run: ClientRun): ReturnType<typeof understands> => {
    const [, sent] = messagesOf(run);
    if (sent === undefined) return inconclusive('the client sent no second message');
    const wrong = judge(sent, run);
    return wrong === undefined ? 'holds' : wrong === 'not-concerned' ? wrong : `${callName(sent.call)}: ${wrong}`;
  };

/** Whether the agent had sent this id before a call; JSON may write some of its characters as escapes. */
function wasGiven(id: string, { calls }: ClientRun, before: ClientCall): boolean {
  const written = JSON.stringify(id).slice(1, -1);
  return calls.slice(0, calls.indexOf(before)).some(({ exchange: { response } }) => {
    const text = bodyText(response?.body);
    return text.includes(written) || text.includes(id);
  });
}

// In our words (1.0, 3.4.1 Context Identifier Semantics): The client does not make up a contextId.
export const noOwnContext = clientCheck('client-task/no-own-context', 'client.no-own-context')
  .in('send', 'stream', 'two-messages')
  .expects('leave the contextId to the agent', (run) => {
    const [first] = messagesOf(run);
    if (first === undefined) return 'not-concerned';
    const { contextId } = first.message;
    return contextId === undefined || contextId === ''
      ? 'holds'
      : `${callName(first.call)}: the first message has the contextId ${brief(contextId)}, which the agent has not given`;
  })
  .advice('Send the first message of a conversation without contextId, and take the one of the answer.');

// In our words (1.0, 3.4.2 Task Identifier Semantics): A taskId that the client sends is one that the agent gave.
export const knownTaskId = clientCheck('client-task/known-task-id', 'client.known-task-id')
  .in('send', 'two-messages', 'input-required')
  .expects('send only task ids that the agent has given', (run) => {
    const sent = messagesOf(run);
    for (const { call, message } of sent) {
      const { taskId = '' } = message;
      if (taskId !== '' && !wasGiven(taskId, run, call))
        return `${callName(call)}: the taskId ${brief(taskId)} is not one that the agent has given`;
    }
    return sent.length === 0 ? 'not-concerned' : 'holds';
  })
  .advice('The agent makes the ids of tasks: a message that begins a task has no taskId.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): The message that answers INPUT_REQUIRED carries the id of
//   the task.
export const followUpTaskId = clientCheck('client-task/follow-up-task-id', 'client.follow-up-task-id')
  .in('input-required')
  .expects(
    'name the task in the message that answers its question',
    second(({ message: { taskId } }, { facts }) =>
      taskId === facts['task-1']
        ? undefined
        : `its taskId is ${brief(taskId)}, the task that asked is ${facts['task-1']}`,
    ),
  )
  .advice('When a task is input-required, send the answer with the taskId of that task.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A contextId sent along with a taskId is that of the task.
export const followUpContext = clientCheck('client-task/follow-up-context', 'client.follow-up-context')
  .in('input-required')
  .expects(
    'send with a task only its own contextId',
    second(({ message: { taskId, contextId = '' } }, { facts }) => {
      if (taskId !== facts['task-1']) return 'not-concerned';
      return contextId === '' || contextId === facts['context-1']
        ? undefined
        : `its contextId is ${brief(contextId)}, that of the task is ${facts['context-1']}`;
    }),
  )
  .advice('Take the contextId from the task, or leave it out.');

// In our words (1.0, 3.4.2 Task Identifier Semantics): Task ids of any spelling come back as they were given.
export const opaqueTaskIds = clientCheck('client-task/opaque-task-ids', 'client.opaque-task-ids')
  .in('odd-ids', 'digit-ids', 'get-odd-id')
  .expects('send task ids back as they were given', (run) => {
    const { facts, errand, calls } = run;
    const given = errand.taskId ?? facts['task-1'];
    if (given === undefined) return 'not-concerned';
    const named = callsOf(run).flatMap((call): readonly (readonly [ClientCall, string])[] => {
      const id = call.message?.taskId ?? (call.message === undefined ? namedIn(call) : undefined);
      return id === undefined || id === '' ? [] : [[call, id]];
    });
    const altered = named.find(([, id]) => id !== given);
    if (altered !== undefined)
      return `${callName(altered[0])}: it names the task ${brief(altered[1])}, given was ${brief(given)}`;
    // An id that splits a path makes a request that is not an operation at all.
    const stray = calls.find(({ is, operation }) => is === 'other' || (is === 'call' && operation === undefined));
    if (stray !== undefined && named.length === 0)
      return `${callName(stray)}: ${brief(stray.exchange.request.url)} is not a request about the task ${brief(given)}`;
    return named.length === 0 ? 'not-concerned' : 'holds';
  })
  .advice('Treat ids as text without a meaning; in a path encode each with encodeURIComponent or its like.');

// In our words (1.0, 3.4.1 Context Identifier Semantics): Context ids of any spelling come back as they were given.
export const opaqueContextIds = clientCheck('client-task/opaque-context-ids', 'client.opaque-context-ids')
  .in('odd-ids', 'digit-ids')
  .expects(
    'send context ids back as they were given',
    second(({ message: { contextId = '' } }, { facts }) => {
      if (contextId === '') return 'not-concerned';
      return contextId === facts['context-1']
        ? undefined
        : `its contextId is ${brief(contextId)}, given was ${brief(facts['context-1'])}`;
    }),
  )
  .advice('Treat ids as text without a meaning.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): The next message of a conversation may carry its
//   contextId.
export const conversationContext = clientCheck('client-task/conversation-context', 'client.conversation-context')
  .in('two-messages', 'two-replies')
  .expects(
    'send the contextId of a conversation with each message',
    second(({ message: { contextId } }, { facts }) =>
      contextId === facts['context-1']
        ? undefined
        : `its contextId is ${brief(contextId)}, that of the first answer is ${facts['context-1']}`,
    ),
  )
  .advice('Send the contextId of the last answer, so that the agent knows what was said before.');

// In our words (1.0, 3.1.1 Send Message): A new message after a finished task does not name that task as its own.
export const finishedTaskNotReused = clientCheck(
  'client-task/finished-task-not-reused',
  'client.finished-task-not-reused',
)
  .in('two-messages')
  .expects(
    'begin a new task when the one before has ended',
    second(({ message: { taskId } }, { facts }) =>
      taskId !== undefined && taskId === facts['task-1']
        ? `its taskId ${taskId} is that of a task that has ended`
        : undefined,
    ),
  )
  .advice('Keep the contextId of a task that has ended, and leave its taskId out; referenceTaskIds may name it.');

// In our words (1.0, 3.4.3 Multi-Turn Conversation Patterns): A message that builds on another task names it in
//   referenceTaskIds.
export const referenceTaskIds = clientCheck('client-task/reference-task-ids', 'client.reference-task-ids')
  .in('two-messages')
  .expects(
    'name the tasks that a message builds on by their ids',
    second(({ message: { referenceTaskIds: named = [] } }, { facts }) => {
      // Only the client knows what its message builds on.
      if (named.length === 0) return 'not-concerned';
      const other = named.find((id) => id !== facts['task-1']);
      return other === undefined
        ? undefined
        : `its referenceTaskIds name ${brief(other)}, which is not a task of the agent`;
    }),
  )
  .advice('Put the id of a task whose outcome the message needs into referenceTaskIds.');

// In our words (1.0, 7.6.2 In-Task Authorization Client Responsibilities): After AUTH_REQUIRED the client goes on
//   watching the task.
export const authRequiredWatch = clientCheck('client-task/auth-required-watch', 'client.auth-required-watch')
  .in('auth-required')
  .expects('keep watching a task that waits for authorization', (run) => {
    const sent = callsOf(run, 'send', 'stream');
    const watching = callsOf(run, 'get', 'subscribe', 'pushSet', 'list');
    const [first] = sent;
    if (first === undefined) return 'not-concerned';
    // A stream, or a send with a webhook, is watched until it ends.
    return first.operation === 'stream' || watching.length > 0 || understands(run) === 'holds'
      ? 'holds'
      : 'the client never asked for the task again after the task became auth-required';
  })
  .advice('auth-required is not an end: subscribe to the task, or poll it until it continues.');

/** Polls in a second that are paced by any measure. */
const mostASecond = 10;

/** A shorter pause than this is none, ms. */
const leastPauseMs = 50;
/** A client that makes no pause more often than this never makes one. */
const mostHasty = 5;

// In our words (1.0, 3.1.5 Cancel Task): The client reports a task as canceled only where the agent says so.
export const cancelOutcome = clientCheck('client-task/cancel-outcome', 'client.cancel-outcome')
  .in('cancel-refused', 'cancel-too-late')
  .expects(
    'report a task as canceled only where the agent says so',
    whatWasTold(({ error, state }, run) => {
      if (callsOf(run, 'cancel').length === 0) return 'not-concerned';
      if (error !== undefined || saysFailure(run)) return undefined;
      if (state === undefined)
        return inconclusive('print `state` or `error` in the line of the client: it has neither');
      return state === 'canceled' ? 'the client reported the state canceled, which no answer has' : undefined;
    }),
  )
  .advice('Read the answer of the call: it is an error, or the task, whose state may be another one.');

// In our words (1.0, 3.5.1 Overview of Update Mechanisms): Polling may be paced.
export const pollingPace = clientCheck('client-task/polling-pace', 'client.polling-pace')
  .in('auth-required')
  .expects(
    `ask for a task at most ${mostASecond} times a second`,
    standing((run) => {
      const polls = callsOf(run, 'get').map(({ exchange }) => exchange);
      const times = polls.map(({ startedAt }) => startedAt);
      if (times.length < 2) return 'not-concerned';
      const most = Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + 1000).length));
      if (most > mostASecond) return `the client asked ${most} times within a second`;
      // On a slow machine even a client that never pauses asks seldom.
      const hasty = polls.filter(({ startedAt }, at) => {
        const before = polls[at - 1];
        return before !== undefined && startedAt - (before.startedAt + before.durationMs) < leastPauseMs;
      });
      return hasty.length > mostHasty ? `the client asked again at once ${hasty.length} times` : 'holds';
    }),
  )
  .advice('Wait between polls, longer each time.');

// In our words (1.0, 3.5.1 Overview of Update Mechanisms): Polling ends with the task.
export const pollingStops = clientCheck('client-task/polling-stops', 'client.polling-stops')
  .in('auth-required', 'answer-rejected')
  .expects(
    'stop asking for a task that has ended',
    standing((run) => {
      const polls = callsOf(run, 'get').length;
      const needed = Number(run.facts['polls'] ?? Number.NaN);
      if (Number.isNaN(needed)) return 'not-concerned';
      // One request after the end may fetch what the task has made.
      return polls > needed + 1
        ? inOnePlay(run, `the client asked ${polls - needed} more times after the task had ended`)
        : 'holds';
    }),
  )
  .advice('Stop at completed, failed, canceled and rejected.');

/** How much earlier a try may arrive than its time, ms: clocks and timers of clients are not exact. */
const earlyMs = 100;

// In our words (1.0, 3.3.2 Error Handling): A retry waits as long as Retry-After says.
export const retryAfter = clientCheck('client-task/retry-after', 'client.retry-after')
  .in('busy')
  .expects('wait as long as Retry-After says before it tries again', (run) => {
    const [first, again] = callsOf(run, 'send', 'stream');
    if (first === undefined) return 'not-concerned';
    if (again === undefined) return 'holds';
    const waited = again.exchange.startedAt - (first.exchange.startedAt + first.exchange.durationMs);
    const due = 1000 * Number(run.facts['retry-after']);
    return waited < due - earlyMs
      ? inOnePlay(run, `${callName(again)}: it came after ${Math.round(waited)} ms, Retry-After said ${due} ms`)
      : 'holds';
  })
  .advice('Read Retry-After of 503 and 429, as seconds or as a date, and send the request again not before.');

// In our words (1.0, 3.3.1 Idempotency): A send that is repeated has the same messageId.
export const retryMessageId = clientCheck('client-task/retry-message-id', 'client.retry-message-id')
  .in('lost-answer')
  .expects('keep the messageId of a message that it sends again', (run) => sentAgain(run))
  .advice('Make the messageId once for each message, not for each try: by it the agent knows that it has the message.');

/** More tries of one message than this are not made by a client that will give up. */
const mostTries = 8;

// In our words (1.0, 3.3.2 Error Handling): Tries may be bounded where the agent stays busy.
export const retriesEnd = clientCheck('client-task/retries-end', 'client.retries-end')
  .in('always-busy')
  .expects(
    'give up trying where the agent stays busy',
    standing((run) =>
      givesUp(
        run,
        callsOf(run, 'send', 'stream'),
        mostTries,
        (tries) => `the client sent the message ${tries} times, and each answer asked it to wait`,
      ),
    ),
  )
  .advice('Bound the number of tries, or the time of all, and report the error then.');

// In our words (1.0, 3.1.1 Send Message): A message that was answered is not sent again as another one.
export const sentOnce = clientCheck('client-task/sent-once', 'client.sent-once')
  .in('send', 'stream')
  .expects(
    'not send an answered message again under another id',
    standing((run) => {
      const [first] = messagesOf(run);
      if (first === undefined || !isAnswered(first.call)) return 'not-concerned';
      const { startedAt, durationMs } = first.call.exchange;
      return sentAgain(run, ({ exchange }) => exchange.startedAt >= startedAt + durationMs);
    }),
  )
  .advice('One message of the user is one message: a task that has ended needs no second one.');
