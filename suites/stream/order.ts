import {
  isInterrupted,
  isSettled,
  isTerminal,
  law,
  type Reading,
  type StreamEvent,
  sentText,
  stateIn,
  type TaskState,
} from '../../src/kit/index.js';

// A2A 0.3 §6.1, §7.2.2, §7.2.3 with the streaming guide (AMB03-09); 1.0 §3.5.2, §4.2.2: the order of updates.

const noEnd = { otherwise: 'set behaviours.streamed-chunks: no stream brought a task to its end' };
const noFinal = { otherwise: 'set behaviours.streamed-chunks: no stream brought a final status update' };
const noChunks = { otherwise: 'set behaviours.streamed-chunks: no artifact came in chunks' };

const eventsOf = ({ stream, valid }: Reading): readonly (StreamEvent | undefined)[] =>
  valid ? (stream?.events ?? []) : [];
const isFinal = (event: StreamEvent | undefined): boolean => event?.type === 'status' && event.final === true;

// In our words (1.0, 3.5.2 Streaming Event Delivery): States in a stream never leave a terminal state.
export const terminalFinal = law(
  'stream/terminal-final',
  'stream.terminal-final',
  'show no other state once it has shown a terminal one',
  { ...noEnd, advice: 'Drop what the work reports after its end, before it is stored or sent.' },
  (reading) => {
    let ended: TaskState | undefined;
    for (const event of eventsOf(reading)) {
      const state = stateIn(event);
      if (state === undefined || state === 'unknown') continue;
      if (ended !== undefined && state !== ended) return `the task was ${ended} and then ${state}`;
      if (isTerminal(state)) ended = state;
    }
    return ended === undefined ? 'not-concerned' : 'holds';
  },
);

// In our words (0.3, 7.2.2 TaskStatusUpdateEvent Object (rule from topics/streaming-and-async)): The last status-update
//   of a stream has final true.
export const finalFlag = law(
  'stream/final-flag',
  'stream.final-flag',
  'mark its last status update as final',
  {
    otherwise: 'set behaviours.streamed-chunks: no stream with a status update came to its end',
    advice: 'Set "final": true in the update with which the stream ends, whichever state it shows.',
  },
  (reading) => {
    const { stream } = reading;
    if (stream?.ended !== true || stream.refused) return 'not-concerned';
    const events = eventsOf(reading);
    const last = events.findLast((event) => event?.type === 'status');
    // A server may end an idle stream: unless the task has ended, its last update may still be missing.
    const isOver = events.some((event) => isTerminal(stateIn(event) ?? 'unknown'));
    if (last?.type !== 'status' || !(isOver || isSettled(last.status.state))) return 'not-concerned';
    return isFinal(last) ? 'holds' : `the last status update, ${last.status.state}, is not final`;
  },
);

// In our words (0.3, 7.2.2 TaskStatusUpdateEvent Object (rule from topics/streaming-and-async)): Nothing is sent after
//   a final status-update.
export const nothingAfterFinal = law(
  'stream/nothing-after-final',
  'stream.nothing-after-final',
  'bring nothing after its final status update',
  {
    ...noFinal,
    advice: 'Set final only in the last status update, and send all artifacts before it: clients stop reading there.',
  },
  (reading) => {
    const events = eventsOf(reading);
    const final = events.findIndex(isFinal);
    if (final < 0) return 'not-concerned';
    const after = events.length - 1 - final;
    return after === 0 ? 'holds' : `${after} more after the final one, event ${final + 1}`;
  },
);

// In our words (0.3, 7.2.2 TaskStatusUpdateEvent Object (rule from topics/streaming-and-async)): final true comes at a
//   terminal state or input-required.
export const finalState = law(
  'stream/final-state',
  'stream.final-state',
  'call a status update final only where the task has ended or waits for the client',
  {
    ...noFinal,
    advice: 'Set final only with a terminal state, or with one that waits for the client: clients stop reading there.',
  },
  (reading) => {
    for (const event of eventsOf(reading)) {
      if (event?.type !== 'status' || event.final !== true) continue;
      const { state } = event.status;
      // AMB03-08: for some agents a stream also ends when the task waits for authorization.
      if (state !== 'unknown' && !isTerminal(state) && !isInterrupted(state)) return `final in the state ${state}`;
    }
    return eventsOf(reading).some(isFinal) ? 'holds' : 'not-concerned';
  },
);

// In our words (OpenClaw, Streaming): The last event is a status event.
export const endsWithStatus = law(
  'stream/ends-with-status',
  'stream.ends-with-status',
  'end with a status update',
  {
    otherwise: 'no stream came to its end',
    advice: 'Send all artifacts before the final status event, and end the stream after it.',
  },
  (reading) => {
    const { stream } = reading;
    if (stream?.ended !== true || stream.refused) return 'not-concerned';
    const last = eventsOf(reading).at(-1);
    const isWhole = eventsOf(reading).some((event) => isSettled(stateIn(event) ?? 'unknown'));
    if (last === undefined || !isWhole) return 'not-concerned';
    return last.type === 'status' ? 'holds' : `the last event is of the type ${last.type}`;
  },
);

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): append true refers to an artifact sent before in the task.
export const appendKnown = law(
  'stream/append-known',
  'stream.append-known',
  'append only to artifacts that it has brought before',
  { ...noChunks, advice: 'The first chunk of an artifact has no append, or false: it makes the artifact.' },
  (reading) => {
    // For an older task, or in a subscription, earlier chunks may have gone to other streams.
    const isNew = reading.operation === 'stream' && !sentText(reading.exchange).includes('"taskId"');
    const known = new Set<string>();
    let appended = false;
    for (const event of isNew ? eventsOf(reading) : []) {
      if (event?.type === 'task') for (const { artifactId } of event.task.artifacts ?? []) known.add(artifactId);
      if (event?.type !== 'artifact' || event.artifact.artifactId === '') continue;
      const { artifactId } = event.artifact;
      if (event.append === true && !known.has(artifactId)) return `append to the artifact ${artifactId}, which is new`;
      appended ||= event.append === true;
      known.add(artifactId);
    }
    return appended ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): Nothing follows lastChunk of an artifact.
export const nothingAfterLastChunk = law(
  'stream/nothing-after-last-chunk',
  'stream.nothing-after-last-chunk',
  'append nothing to an artifact after its last chunk',
  {
    otherwise: 'set behaviours.streamed-chunks: no artifact came with a last chunk',
    advice: 'Set lastChunk only on the last chunk: know that it is the last before it is sent, or leave the flag out.',
  },
  (reading) => {
    const closed = new Set<string>();
    let wasClosed = false;
    for (const event of eventsOf(reading)) {
      if (event?.type !== 'artifact' || event.artifact.artifactId === '') continue;
      const { artifactId } = event.artifact;
      // A chunk without `append` starts the artifact anew ("a new or updated artifact"), with its own chunks.
      if (event.append !== true) closed.delete(artifactId);
      else if (closed.has(artifactId)) return `more of the artifact ${artifactId} after its last chunk`;
      if (event.lastChunk !== true) continue;
      closed.add(artifactId);
      wasClosed = true;
    }
    return wasClosed ? 'holds' : 'not-concerned';
  },
);
