import {
  both,
  brief,
  type ClientCheck,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  ends,
  inconclusive,
  type LawJudgement,
  ofStreams,
  ofTelling,
  saysFailure,
  standing,
  toldAsCompleted,
  toldOf,
  understands,
  whatWasTold,
} from '../../src/kit/index.js';
import { inOnePlay, sawTheEnd } from '../shared/seen.js';

type Judge = ClientCheck['judge'];

const errors = [
  'error-task-not-found',
  'error-not-cancelable',
  'error-no-push',
  'error-unsupported',
  'error-content-type',
  'error-agent-response',
  'error-extended-card',
  'error-extension-required',
  'error-version',
  'error-old-status',
] as const;

/** More requests of one kind than this are not retries any more. */
const mostTries = 20;

/** How the same request came again and again; undefined: it did not. */
function repeated(run: ClientRun): LawJudgement | undefined {
  const calls = callsOf(run);
  const [first] = calls;
  return first !== undefined && calls.length > mostTries
    ? inOnePlay(run, `${callName(first)}: ${calls.length} requests followed one another`)
    : undefined;
}

/**
 * The client does not report as a result what is not a result; where the scenario has a result, the client understands
 * it.
 */
const refuses: Judge = ofStreams((run) => {
  const { expected } = run;
  if (expected.state !== undefined) return understands(run);
  return whatWasTold(({ error, state, text }) => {
    if (error !== undefined || saysFailure(run)) return undefined;
    if (state !== undefined && state !== 'completed') return undefined;
    if (state === undefined && text === undefined)
      return inconclusive('print `state` or `text` in the line of the client: it has neither');
    return state === undefined
      ? `the client reported the text ${brief(text)}`
      : `the client reported the state ${state}`;
  })(run);
});

// In our words (1.0, 3.1.1 Send Message): The artifact of a completed task is understood.
export const plainAnswer = clientCheck('client-answer/plain', 'client.answer-understood')
  .in('send')
  .expects('understand an ordinary answer', ofTelling(understands))
  .advice('Print the state of the task as `state`, and the texts of its artifacts as `text`.');

// In our words (1.0, 3.1.1 Send Message): A Message in place of a task is understood as the answer.
export const directMessage = clientCheck('client-answer/message', 'client.direct-message')
  .in('answer-message')
  .expects('read a Message in place of a task', understands)
  .but('send')
  .advice('Look which of the two the answer has; a Message is the whole answer, and has no state.');

// In our words (1.0, 4.1.6 Part): The texts of an artifact are understood beside its files.
export const files = clientCheck('client-answer/files', 'client.texts-beside-files')
  .in('answer-files')
  .expects(
    'read the texts of an artifact that has files too',
    both(
      understands,
      whatWasTold(({ text }) => {
        const [word] = /undefined|\[object Object\]/.exec(text ?? '') ?? [];
        return word === undefined
          ? undefined
          : `the client reported ${brief(text)}: the agent did not say ${brief(word)}`;
      }),
    ),
  )
  .but('send')
  .advice('A part may have bytes or a URL: keep it, or ignore it, and read the next one.');

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ');

// In our words (1.0, 4.1.5 Role): The client does not report what the user has said as the answer.
export const ownWords = clientCheck('client-answer/own-words', 'client.own-words')
  .in('send')
  .expects(
    'not report the words of the user as the answer',
    whatWasTold(({ text }, { errand, expected }) => {
      if (text === undefined) return 'not-concerned';
      const rest = squeezed(text).replaceAll(expected.text ?? '', '');
      return errand.text !== undefined && rest.includes(errand.text)
        ? `the client reported ${brief(text)}, and the user said ${brief(errand.text)}`
        : undefined;
    }),
  )
  .advice('Take texts from artifacts and from messages of the agent: the history has those of the user too.');

// In our words (1.0, 3.7 Messages and Artifacts): The message of the status in which a task ends may be handed on.
export const lastWords = clientCheck('client-answer/last-words', 'client.last-words')
  .in('stream-last-words')
  .expects('report the message of the last status', ofStreams(understands))
  .but('stream-alone')
  .advice('Print the text of the message of the last status after those of the artifacts.');

// In our words (1.0, 5.7 Field Presence and Optionality): Members of answers that the client does not know are ignored.
export const moreMembers = clientCheck('client-answer/unknown-members', 'client.unknown-members')
  .in('answer-more-members')
  .expects('ignore members of answers that it does not know', understands)
  .but('send')
  .advice('Do not refuse unknown members: later versions and extensions add some.');

// In our words (1.0, 5.7 Field Presence and Optionality): A state that the client does not know does not hang it.
export const unknownState = clientCheck('client-answer/unknown-state', 'client.unknown-state')
  .in('answer-unknown-state')
  .expects(
    'end after a task in an unknown state',
    standing((run) => {
      const over = ends(run);
      return over === 'holds' ? (repeated(run) ?? 'holds') : over;
    }),
  )
  .atAnyLevel()
  .advice('After an unknown state, read the task again for a while, or report an error.');

// In our words (1.0, 5.6.1 Timestamps): Timestamps with any number of fractional digits are read.
export const timestamps = clientCheck('client-answer/timestamps', 'client.timestamps-read')
  .in('answer-timestamps')
  .expects('read timestamps with 0, 3, 6 and 9 fractional digits', ofStreams(understands))
  .but('stream-alone')
  .advice('Parse timestamps with any number of digits after the second.');

// In our words (1.0, 3.7 Messages and Artifacts): The client does not depend on the history of a task.
export const noHistory = clientCheck('client-answer/no-history', 'client.no-history-needed')
  .in('answer-no-history')
  .expects('do without the history of a task', understands)
  .but('send')
  .advice('Read the result of a task from its artifacts and the message of its status.');

// In our words (1.0, 3.2.2 SendMessageConfiguration): A task that is not finished is not given out as the result.
export const unfinished = clientCheck('client-answer/unfinished', 'client.unfinished-not-result')
  .in('answer-unfinished', 'poll-refused')
  .expects('not report a task at work as the result', (run) => {
    if (callsOf(run, 'send', 'stream').length === 0) return 'not-concerned';
    const configured = callsOf(run, 'pushSet').length > 0;
    if (configured || sawTheEnd(run)) return 'holds';
    const line = toldOf(run);
    if ('open' in line) return line.open;
    return toldAsCompleted(line.told, run, 'a task that is still at work') ?? 'holds';
  })
  .advice('Look at the task until it has ended, subscribe to it, or say that it is unfinished.');

// In our words (1.0, 9.5 Error Handling): An error of A2A is not taken as a success.
export const errorIsError = clientCheck('client-answer/error-is-error', 'client.error-is-error')
  .in(...errors)
  .expects(
    'not take an error of A2A as a success',
    standing((run) => {
      if (run.expected.error === undefined) return understands(run);
      const again = repeated(run);
      if (again !== undefined) return again;
      return whatWasTold(({ error, state, text }) => {
        if (error !== undefined || saysFailure(run)) return undefined;
        if (state !== undefined)
          return `the client reported the state ${state} where the agent said ${run.expected.error}`;
        return `the client reported ${text === undefined ? 'no error' : `the text ${brief(text)}`} where the agent said ${run.expected.error}`;
      })(run);
    }),
  )
  .but('send')
  .advice('Look at `error` of the answer, at the HTTP status, or at the status of gRPC, before the result is read.');

// In our words (1.0, 9.5 Error Handling): The client reports an error of A2A by its own kind.
export const errorKind = clientCheck('client-answer/error-kind', 'client.error-kind')
  .in(...errors)
  .expects('report the right error of A2A', understands)
  .but('send')
  .advice('Hand on the code, the reason of the ErrorInfo, or the name of the error.');

// In our words (1.0, 9.3 Base Request Structure): An answer with the id of another request is not taken.
export const foreignId = clientCheck('client-answer/foreign-id', 'client.foreign-id')
  .in('answer-foreign-id')
  .expects('not take an answer with the id of another request', refuses)
  .but('send')
  .advice('Compare the id of the answer with that of the request.');

// In our words (1.0, 9.3 Base Request Structure): What is not an answer of JSON-RPC 2.0 is not taken as a success.
export const rpcChecked = clientCheck('client-answer/rpc-form', 'client.rpc-answer-checked')
  .in('answer-rpc-1', 'answer-result-and-error', 'answer-event-no-version')
  .expects('not report a success without a valid answer of JSON-RPC 2.0', refuses)
  .but('send')
  .advice('Demand jsonrpc "2.0", and either a result or an error, of answers and of events.');

const tellsFailure: Judge = ofStreams((run) => {
  // The other scenario has a success.
  if (run.expected.state === 'completed') return understands(run);
  return whatWasTold((report, { expected }) => {
    const { state, error } = report;
    if (error !== undefined || state === expected.state) return undefined;
    return state === undefined
      ? toldAsCompleted(report, run, `a task that is ${expected.state}`)
      : `the client reported the state ${state} of a task that is ${expected.state}`;
  })(run);
});

// In our words (1.0, 4.1.3 TaskState): The client reports FAILED, REJECTED and CANCELED as such.
export const failureTold = clientCheck('client-answer/failure-told', 'client.failure-told')
  .in('answer-failed', 'answer-rejected', 'answer-canceled', 'stream-failed')
  .expects('report a task as failed, rejected or canceled', tellsFailure)
  .but('send')
  .advice('Look at the state before the artifacts are read.');

// In our words (1.0, 3.7 Messages and Artifacts): The message of a status is handed on.
export const statusMessage = clientCheck('client-answer/status-message', 'client.status-message')
  .in('answer-failed', 'answer-asks')
  .expects('report the message of a status', (run) =>
    run.expected.state === 'completed'
      ? understands(run)
      : whatWasTold(({ text, error }, { expected }) => {
          const words = expected.text ?? '';
          if (text?.includes(words) === true || error?.text.includes(words) === true) return undefined;
          return `the client reported ${brief(text ?? error?.text ?? 'no text')} where the agent said ${brief(words)}`;
        })(run),
  )
  .but('send')
  .advice('Show the message of the status: it is the question, or the reason, of the agent.');

// In our words (1.0, 3.2.2 SendMessageConfiguration): A task that is not finished is not given out as the result.
export const questionTold = clientCheck('client-answer/question-told', 'client.unfinished-not-result')
  .in('answer-asks')
  .expects(
    'not report a task that needs an input as completed',
    whatWasTold(({ error, state, text }, run) => {
      if (run.expected.state === 'completed') return understands(run);
      if (error !== undefined || saysFailure(run)) return undefined;
      // A program that talks tells the question alone.
      if (state === undefined) return text === undefined ? 'not-concerned' : undefined;
      return state === 'completed'
        ? 'the client reported the state completed of a task that is input-required'
        : undefined;
    }),
  )
  .but('send')
  .advice('Look at the state of the task: input-required is a question, and the answer goes to the same task.');

// In our words (1.0, 11.1 Protocol Requirements): Answers of both JSON media types are read, errors too.
export const a2aType = clientCheck('client-answer/media-type-a2a', 'client.rest-answer-media-types')
  .in('answer-a2a-json', 'error-a2a-json')
  .expects('read results and errors of the type application/a2a+json', understands)
  .but('send', 'error-unsupported')
  .advice('Take application/json and application/a2a+json alike, under every HTTP status.');

// In our words (1.0, 11.1 Protocol Requirements): Answers of both JSON media types are read, errors too.
export const jsonType = clientCheck('client-answer/media-type-json', 'client.rest-answer-media-types')
  .in('send', 'error-unsupported')
  .expects('read results and errors of the type application/json', understands)
  .but('answer-a2a-json', 'error-a2a-json')
  .advice('Take application/json and application/a2a+json alike, under every HTTP status.');

// In our words (1.0, 11.4 Request/Response Format): Any 2xx with the body that is expected is a success.
export const any2xx = clientCheck('client-answer/http-2xx', 'client.rest-2xx')
  .in('answer-201')
  .expects('take HTTP 201 with a result as a success', understands)
  .but('send')
  .advice('Every status from 200 to 299 is a success.');

// In our words (1.0, 10.6 Error Handling): The details of an error are read from an answer of trailers only.
export const grpcDetails = clientCheck('client-answer/grpc-details', 'client.grpc-error-details')
  .in('error-in-details')
  .expects('read the details of an error from an answer of trailers only', understands)
  .but('send')
  .advice('Decode grpc-status-details-bin, and hand on the reason of its ErrorInfo.');

// In our words (1.0, 9.5 Error Handling): The client reports an error of A2A by its own kind.
export const answersEnd = clientCheck('client-answer/ends', 'client.error-kind')
  .in(...errors)
  .expects('end after an error of A2A', ends)
  .atAnyLevel()
  .advice('An error is the end of a call.');
