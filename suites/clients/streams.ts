import {
  both,
  brief,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  eachCall,
  ends,
  header,
  inconclusive,
  ofStreams,
  ofTelling,
  saysFailure,
  standing,
  toldAsCompleted,
  toldOf,
  understands,
  whatWasTold,
} from '../../src/kit/index.js';
import { isAnswered, sawTheEnd, sentAgain } from '../shared/seen.js';

const reads = ofStreams(understands);

/** Whether a media range of Accept takes in Server-Sent Events (RFC 9110 §12.5.1). */
function takesEvents(accept: string): boolean {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  return ranges.some(
    ([range = '', ...parameters]) =>
      ['text/event-stream', 'text/*', '*/*', ''].includes(range) &&
      !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)),
  );
}

// In our words (1.0, 9.4.2 SendStreamingMessage): Requests for a stream accept text/event-stream.
export const streamAccept = clientCheck('client-stream/accept', 'client.stream-accept')
  .in('stream-bom', 'stream-comments')
  .expects(
    'accept Server-Sent Events where it asks for a stream',
    eachCall(
      ({ exchange: { request } }) => {
        const accept = header(request.headers, 'accept');
        return accept === undefined || takesEvents(accept)
          ? undefined
          : `its Accept is ${brief(accept)}, which excludes text/event-stream`;
      },
      'stream',
      'subscribe',
    ),
  )
  .advice('Send Accept: text/event-stream with calls that open a stream, or no Accept at all.');

// In our words (1.0, 3.1.2 Send Streaming Message): The artifact of a streamed task is understood.
export const plainStream = clientCheck('client-stream/plain', 'client.stream-understood')
  .in('stream-alone')
  .expects('understand an ordinary stream', ofTelling(reads))
  .advice('Collect artifacts from artifactUpdate, and the state from statusUpdate; print both when the stream ends.');

// In our words (1.0, 3.1.2 Send Streaming Message): The artifacts of the Task that begins a stream are understood.
export const firstTask = clientCheck('client-stream/first-task', 'client.stream-first-task')
  .in('stream-first-artifact')
  .expects('read the artifacts of the task that begins a stream', reads)
  .but('stream-alone')
  .advice('Read the artifacts of the first Task as those of later updates.');

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): Artifacts of several ids are kept side by side.
export const severalArtifacts = clientCheck('client-stream/several-artifacts', 'client.several-artifacts')
  .in('stream-two-artifacts')
  .expects('keep artifacts of several ids', reads)
  .but('stream-alone')
  .advice('Keep artifacts by their ids; a new id is another artifact beside those that are known.');

// In our words (1.0, 9.4.2 SendStreamingMessage): LF, CRLF and CR end a line.
export const lineEnds = clientCheck('client-stream/line-ends', 'client.stream-line-ends')
  .in('stream-crlf', 'stream-cr')
  .expects('read lines that end in CRLF, and lines that end in CR', reads)
  .but('stream-alone')
  .advice('Split the stream at LF, at CRLF and at CR; a parser of Server-Sent Events from a library does.');

// In our words (1.0, 9.4.2 SendStreamingMessage): A byte order mark at the start is skipped.
export const byteOrderMark = clientCheck('client-stream/bom', 'client.stream-bom')
  .in('stream-bom')
  .expects('skip a byte order mark at the start of a stream', reads)
  .but('stream-first-artifact')
  .advice('Decode the stream as UTF-8 in the way that takes a byte order mark away.');

// In our words (1.0, 9.4.2 SendStreamingMessage): Comments are ignored.
export const comments = clientCheck('client-stream/comments', 'client.stream-comments')
  .in('stream-comments')
  .expects('ignore lines of a stream that begin with a colon', reads)
  .but('stream-alone')
  .advice('Skip lines that begin with a colon: agents and proxies send them to keep a connection alive.');

// In our words (1.0, 9.4.2 SendStreamingMessage): id, retry, event and unknown fields do not disturb.
export const fields = clientCheck('client-stream/fields', 'client.stream-fields')
  .in('stream-fields')
  .expects('read the data of events that have other fields too', reads)
  .but('stream-alone')
  .advice(
    'Take the data of every event, whatever its id, retry and event say; skip fields with other names. The space after a colon may be missing.',
  );

// In our words (1.0, 9.4.2 SendStreamingMessage): Several data lines of an event are joined with LF.
export const dataLines = clientCheck('client-stream/data-lines', 'client.stream-data-lines')
  .in('stream-data-lines')
  .expects('join the data lines of an event', reads)
  .but('stream-alone')
  .advice('Join all data lines of an event with LF, and parse the JSON when the event has ended with a blank line.');

// In our words (1.0, 9.4.2 SendStreamingMessage): Characters that are split over chunks are read.
export const splitCharacters = clientCheck('client-stream/utf8', 'client.stream-utf8')
  .in('stream-bytes')
  .expects('read characters whose bytes come one by one', reads)
  .but('stream-alone')
  .advice('Decode the stream as a whole (TextDecoder with stream: true), not each chunk by itself.');

const looksAgain = (run: ClientRun): boolean => callsOf(run, 'get', 'list', 'subscribe').length > 0;

// In our words (1.0, 9.4.2 SendStreamingMessage): An event that is cut off is not misread.
export const cutEvent = clientCheck('client-stream/cut', 'client.stream-cut')
  .in('stream-cut')
  .expects(
    'not use an incomplete event',
    ofStreams(
      whatWasTold(({ text }, run) =>
        // A client that reads the task gets the text there.
        text !== undefined && run.expected.text !== undefined && text.includes(run.expected.text) && !looksAgain(run)
          ? `the client reported ${brief(run.expected.text)}, which stands in an event without an end`
          : undefined,
      ),
    ),
  )
  .advice('Throw away what follows the last blank line of a stream.');

// In our words (1.0, 9.4.2 SendStreamingMessage): Large events are read.
export const largeEvents = clientCheck('client-stream/large-events', 'client.stream-large-events')
  .in('stream-large')
  .expects('read events of 70 KiB and of 1 MiB', reads)
  .but('stream-two-artifacts')
  .advice('Raise the limit for a line of the stream: artifacts with files are large.');

// In our words (1.0, 3.5.1 Overview of Update Mechanisms): Events may be acted on as they arrive.
export const streamPrompt = clientCheck('client-stream/prompt', 'client.stream-prompt')
  .in('stream-stays-open')
  .expects('act on an event as it arrives', (run) => leavesAtEnd(run))
  .advice('Handle each event when it comes; the end of the task is the end of the stream.');

// In our words (0.3, 7.2.2 TaskStatusUpdateEvent Object): final true may end the reading.
export const finalEnds = clientCheck('client-stream/final', 'client.final-ends')
  .in('stream-stays-open')
  .expects('end the reading of a stream at final true', (run) => leavesAtEnd(run))
  .advice('Close the stream after an event with final true.');

/** Whether the client has left a stream that stays open after the end of its task; the scenario notes if it has not. */
function leavesAtEnd(run: ClientRun) {
  const [call] = callsOf(run, 'stream');
  if (call === undefined) return 'not-concerned';
  const { 'read-on': longer } = run.facts;
  return longer === undefined ? 'holds' : `${callName(call)}: it read on for ${longer} after the end of the task`;
}

// In our words (1.0, 3.5.2 Streaming Event Delivery): A task whose stream was cut may be taken up again.
export const recovered = clientCheck('client-stream/recovered', 'client.stream-recovered')
  .in('stream-lost')
  .expects('resume a task after its stream broke', (run) => {
    const [lost] = callsOf(run, 'stream');
    if (lost === undefined) return 'not-concerned';
    const [, ...more] = callsOf(run, 'send', 'stream');
    const { messageId: id } = lost.message ?? {};
    // The same message again is not a second one (1.0 §3.3.1).
    return callsOf(run, 'get', 'subscribe').length > 0 || more.some(({ message }) => id && message?.messageId === id)
      ? 'holds'
      : `${callName(lost)}: neither a subscription nor a look at the task followed`;
  })
  .advice('Subscribe to the task again, or get it until it has ended: the stream is lost, the work is not.');

// In our words (1.0, 3.1.6 Subscribe to Task): The client reports a task that it takes up again like one whose stream
//   was not cut.
export const recoveredText = clientCheck('client-stream/recovered-text', 'client.recovered-text')
  .in('stream-lost', 'stream-lost-meanwhile')
  .expects(
    'report what a task has made, each part once, after its stream broke',
    ofStreams(
      whatWasTold(({ state, text, error }, { facts: { begins = '' }, expected: { text: ends = '' } }) => {
        // Who takes the task for unfinished, or tells no text, shows nothing here.
        if (error !== undefined || state !== 'completed' || text === undefined) return 'not-concerned';
        for (const words of [begins, ends]) {
          const times = text.split(words).length - 1;
          if (times !== 1) return `the client reported ${brief(text)}: ${brief(words)} is in it ${times} times`;
        }
        return undefined;
      }),
    ),
  )
  .advice(
    'The task that begins a new stream, or that GetTask brings, has all artifacts: they replace what came before.',
  );

// In our words (1.0, 3.5.2 Streaming Event Delivery): A stream that was cut does not lead to a second send of the
//   message.
export const noSecondSend = clientCheck('client-stream/no-second-send', 'client.stream-drop-no-resend')
  .in('stream-lost')
  .expects(
    'not send a message again under another id after its stream broke',
    standing((run) => (callsOf(run, 'stream').length === 0 ? 'not-concerned' : sentAgain(run))),
  )
  .atAnyLevel()
  .advice('Take up the task by its id. A message that is sent again under another messageId is done twice.');

/** So many subscriptions to one task are not a recovery any more. */
const mostSubscriptions = 20;

// In our words (1.0, 3.1.3 Get Task): A task that ended while the stream was cut may be finished by GetTask.
export const finalState = clientCheck('client-stream/final-state', 'client.final-state-after-drop')
  .in('stream-lost-at-end')
  .expects(
    'report how a task ended after its stream broke',
    ofStreams(
      standing((run) => {
        const tries = callsOf(run, 'subscribe').length;
        if (tries > mostSubscriptions) return `the client subscribed ${tries} times to a task that has ended`;
        const line = toldOf(run);
        if ('open' in line) return line.open;
        const { state, error } = line.told;
        if (state === run.expected.state) return 'holds';
        if (error !== undefined) return `the client reported an error: ${brief(error.text)}`;
        return state === undefined
          ? inconclusive('print `state` in the line of the client: it has none')
          : `the client reported the state ${state} of a task that is ${run.expected.state}`;
      }),
    ),
  )
  .but('stream-alone')
  .advice('Get the task where the agent refuses a subscription: a task that has ended has no stream.');

// In our words (1.0, 3.1.2 Send Streaming Message): A stream that ends before the task has ended is not a success.
export const endIsNoSuccess = clientCheck('client-stream/end-is-no-success', 'client.stream-end-not-success')
  .in('stream-ends-early', 'stream-lost')
  .expects('not report a success because a stream has ended', (run) => {
    if (callsOf(run, 'stream').length === 0) return 'not-concerned';
    // The message that is sent again brings another stream, or another answer.
    const [, ...more] = callsOf(run, 'send', 'stream');
    if (sawTheEnd(run) || more.some(isAnswered)) return 'holds';
    const line = toldOf(run);
    if ('open' in line) return line.open;
    return toldAsCompleted(line.told, run, 'a task of which no answer says that it has ended') ?? 'holds';
  })
  .advice('Only a state of the task says how it ended: get the task, subscribe again, or say that it is unfinished.');

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): A chunk with `append` is added to the artifact of its id.
export const appended = clientCheck('client-stream/append', 'client.artifact-append')
  .in('stream-appended', 'stream-interleaved')
  .expects('add chunks with append to their artifact', reads)
  .but('stream-alone')
  .advice('Keep artifacts by their ids, and add the parts of an update with append to those that came before.');

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): An update without `append` may replace the artifact of its id.
export const replaced = clientCheck('client-stream/replace', 'client.artifact-replace')
  .in('stream-replaced')
  .expects(
    'replace an artifact that comes again',
    both(
      reads,
      ofStreams(
        whatWasTold(({ text }) =>
          text?.includes('is a draft') === true ? `the client reported both: ${brief(text)}` : undefined,
        ),
      ),
    ),
  )
  .but('stream-alone')
  .advice('An update without append holds the whole artifact.');

// In our words (1.0, 5.7 Field Presence and Optionality): A stream payload that the client does not know is skipped.
export const unknownPayload = clientCheck('client-stream/unknown-payload', 'client.unknown-payload')
  .in('stream-unknown-payload')
  .expects('skip an event of a kind that it does not know', reads)
  .but('stream-alone')
  .advice('Skip events that have none of the known members; later versions add others.');

// In our words (1.0, 9.5 Error Handling): An error in answer to a streaming call is read, whatever carries it.
export const streamErrors = clientCheck('client-stream/errors', 'client.stream-errors')
  .in('stream-refused', 'stream-refused-in-event', 'stream-refused-by-status')
  .expects(
    'report an error that answers a call for a stream, in every form',
    ofStreams((run) => {
      // In the scenario without an error the same line has to be understood.
      if (run.expected.state !== undefined) return understands(run);
      const line = toldOf(run);
      if ('open' in line) return line.open;
      const { error, state } = line.told;
      if (error !== undefined || saysFailure(run)) return 'holds';
      return state === undefined
        ? 'the client ended without a word of the error'
        : `the client reported the state ${state}`;
    }),
  )
  .but('stream-alone')
  .advice('Look at the HTTP status and the media type before the stream is read, and at `error` in each event.');

// In our words (1.0, 9.5 Error Handling): The client reports an error of A2A by its own kind.
export const streamErrorKind = clientCheck('client-stream/error-kind', 'client.error-kind')
  .in('stream-refused', 'stream-refused-in-event')
  .expects(
    'report the right error of a refused stream',
    ofStreams((run) => {
      const line = toldOf(run);
      // client-stream/errors judges whether the client reports it at all.
      const isUntold = !('open' in line) && line.told.error === undefined;
      return isUntold
        ? inconclusive(
            'print `error` in the line of the client: the agent refused the stream, and the line does not say how',
          )
        : understands(run);
    }),
  )
  .but('error-content-type')
  .advice('Read an answer without events as that of any other call, and `error` in an event likewise.');

// In our words (1.0, 3.1.1 Send Message): A Message in place of a task is understood as the answer.
export const streamedMessage = clientCheck('client-stream/message', 'client.direct-message')
  .in('stream-message')
  .expects('read a Message that comes on a stream in place of a task', ofStreams(understands))
  .but('stream-alone')
  .advice('A Message is the whole answer: no task and no event follows.');

// In our words (1.0, 9.4.2 SendStreamingMessage): LF, CRLF and CR end a line.
// In our words (1.0, 9.4.2 SendStreamingMessage): A byte order mark at the start is skipped.
// In our words (1.0, 9.4.2 SendStreamingMessage): Comments are ignored.
// In our words (1.0, 9.4.2 SendStreamingMessage): id, retry, event and unknown fields do not disturb.
// In our words (1.0, 9.4.2 SendStreamingMessage): Several data lines of an event are joined with LF.
// In our words (1.0, 9.4.2 SendStreamingMessage): Characters that are split over chunks are read.
export const streamsEnd = clientCheck(
  'client-stream/ends',
  'client.stream-line-ends',
  'client.stream-bom',
  'client.stream-comments',
  'client.stream-fields',
  'client.stream-data-lines',
  'client.stream-utf8',
)
  .in('stream-crlf', 'stream-cr', 'stream-bom', 'stream-comments', 'stream-fields', 'stream-data-lines', 'stream-bytes')
  .expects('end after a stream with odd lines', ofStreams(ends))
  .advice('A stream that is over must end its reader, also where nothing of it was understood.');

// In our words (1.0, 9.4.2 SendStreamingMessage): An event that is cut off is not misread.
// In our words (1.0, 3.1.2 Send Streaming Message): A stream that ends before the task has ended is not a success.
export const brokenStreamsEnd = clientCheck(
  'client-stream/ends-when-broken',
  'client.stream-cut',
  'client.stream-end-not-success',
)
  .in('stream-cut', 'stream-lost', 'stream-lost-at-end', 'stream-ends-early')
  .expects('end after a stream breaks', ofStreams(ends))
  .atAnyLevel()
  .advice('Bound each wait: for the next event, and for the task after its stream was lost.');

// In our words (1.0, 5.7 Field Presence and Optionality): A stream payload that the client does not know is skipped.
// In our words (1.0, 9.5 Error Handling): An error in answer to a streaming call is read, whatever carries it.
export const oddStreamsEnd = clientCheck(
  'client-stream/ends-when-odd',
  'client.unknown-payload',
  'client.stream-errors',
)
  .in('stream-unknown-payload', 'stream-refused', 'stream-refused-in-event', 'stream-refused-by-status')
  .expects('end after a stream with other content than updates', ofStreams(ends))
  .atAnyLevel()
  .advice('What cannot be read must not be waited for.');
