import { conforms, isObject, law, type Reading, type StreamEvent, set, taskIdIn } from '../../src/kit/index.js';

// A2A 0.3 §7.2.1 to §7.2.3, 1.0 §3.2.3, §4.2.1, §4.2.2: the form and content of each update.

const noEvent = { otherwise: 'set behaviours.streamed-chunks: no stream brought an update' };
const noStatus = { otherwise: 'set behaviours.streamed-chunks: no stream brought a status update' };
const noArtifact = { otherwise: 'set behaviours.streamed-chunks: no stream brought an artifact' };

// In our words (1.0, 3.2.3 Stream Response): Each streamed result holds exactly one of task, message, statusUpdate,
//   artifactUpdate.
export const types = conforms(
  'stream/event-types',
  'stream.event-types',
  'carry exactly one task, message, status update or artifact update in each event',
  {
    ...noEvent,
    advice:
      'Put progress of your own into status.message or metadata: clients know no other events, and read one thing from each.',
  },
);

// In our words (0.3, 7.2.2 TaskStatusUpdateEvent Object): Event kinds are spelled status-update and artifact-update.
export const kinds = conforms('stream/event-kinds', 'data.event-kinds', 'spell kinds as the schema does', {
  ...noStatus,
  advice: 'The kinds are status-update and artifact-update.',
});

// In our words (1.0, 4.2.1 TaskStatusUpdateEvent): A statusUpdate has taskId, contextId and status.
export const statusUpdate = conforms(
  'stream/status-update',
  'stream.status-update',
  'give each status update the members that it must have',
  {
    ...noStatus,
    advice:
      'Fill in taskId and contextId (OpenClaw: taskId), and write status as an object. Before 1.0, final is true or false without quotes.',
  },
);

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): An artifactUpdate has taskId, contextId and artifact; append and
//   lastChunk are booleans when present.
export const artifactUpdate = conforms(
  'stream/artifact-update',
  'stream.artifact-update',
  'give each artifact update the members that it must have',
  {
    ...noArtifact,
    advice:
      'Fill in taskId and contextId (OpenClaw: taskId), and put one artifact, no list, into artifact. Write append and lastChunk without quotes.',
  },
);

// In our words (1.0, A.2.1 Breaking Change: Kind Discriminator Removed): Status updates carry no 0.3 `final` member.
export const noFinalFlag = conforms(
  'stream/no-final-flag',
  'stream.no-final-flag',
  'have no member final in a status update',
  { ...noStatus, advice: 'The flag is one of 0.3; in 1.0 the end of the stream says the same.' },
).mutants(set('statusUpdate.final', false));

/** Updates of a valid call; undefined for all other exchanges. */
const eventsOf = (
  { stream, valid }: Reading,
  operation?: 'stream' | 'subscribe',
): readonly (StreamEvent | undefined)[] | undefined =>
  stream !== undefined && valid && (operation === undefined || stream.operation === operation)
    ? stream.events
    : undefined;

// In our words (1.0, 3.1.2 Send Streaming Message): The first event is a task or a message.
export const firstEvent = law(
  'stream/first-event',
  'stream.first-event',
  'begin with a task, or with a message',
  { ...noEvent, advice: 'Send the task as soon as it is made: clients learn its id from the first event.' },
  (reading) => {
    const first = eventsOf(reading, 'stream')?.[0];
    if (first === undefined) return 'not-concerned';
    return first.type === 'task' || first.type === 'message' ? 'holds' : `the first event is of the type ${first.type}`;
  },
);

// In our words (1.0, 4.2.1 TaskStatusUpdateEvent): All events of a stream name the task's id and context.
export const sameTask = law(
  'stream/same-task',
  'stream.same-task',
  'name the same task and the same context in each event',
  {
    otherwise: 'set behaviours.streamed-chunks: no stream brought two updates of a task',
    advice: 'Take both ids from the task of this stream, not from a variable that other calls change.',
  },
  (reading) => {
    let taskId: string | undefined;
    let contextId: string | undefined;
    let compared = false;
    for (const event of eventsOf(reading) ?? []) {
      if (event === undefined || event.type === 'message') continue;
      const id = taskIdIn(event);
      const context = (event.type === 'task' ? event.task.contextId : event.contextId) || undefined;
      if (taskId !== undefined && id !== undefined && id !== taskId) return `the task was ${taskId} and then ${id}`;
      if (contextId !== undefined && context !== undefined && context !== contextId) {
        return `the context was ${contextId} and then ${context}`;
      }
      compared ||= taskId !== undefined && id !== undefined;
      taskId ??= id;
      contextId ??= context;
    }
    return compared ? 'holds' : 'not-concerned';
  },
);

// In our words (1.0, 3.1.2 Send Streaming Message): After the task only status and artifact updates follow.
export const updatesOnly = law(
  'stream/updates-only',
  'stream.updates-only',
  'bring only updates once it has brought a task',
  {
    otherwise: 'set behaviours.streamed-chunks: no stream brought a task',
    advice:
      'Once there is a task, put what the agent says into status.message of a status update, and show changes as updates: the whole task comes first, and not again among them.',
  },
  (reading) => {
    const events = eventsOf(reading, 'stream') ?? [];
    const task = events.findIndex((event) => event?.type === 'task');
    if (task < 0) return 'not-concerned';
    // AMB10-30: a stream may end with the whole task.
    const isOther = (event: StreamEvent | undefined, at: number): boolean =>
      event?.type === 'message' || (event?.type === 'task' && at < events.length - 1);
    const other = events.findIndex((event, at) => at > task && isOther(event, at));
    return other < 0 ? 'holds' : `event ${other + 1} is a ${events[other]?.type}`;
  },
);

// In our words (1.0, 3.1.6 Subscribe to Task): Subscription streams hold no message events.
export const noMessages = law(
  'stream/subscription-messages',
  'sub.no-messages',
  'bring no message, when it is a subscription',
  {
    otherwise: 'set behaviours.long-running: no subscription came as a stream',
    advice: 'Send what the agent says as status.message of a status update.',
  },
  (reading) => {
    const events = eventsOf(reading, 'subscribe') ?? [];
    if (events.length === 0) return 'not-concerned';
    const message = events.findIndex((event) => event?.type === 'message');
    return message < 0 ? 'holds' : `event ${message + 1} is a message`;
  },
);

// In our words (OpenClaw, Streaming): Text arrives as messages of status events in working.
export const textAsStatus = law(
  'stream/text-as-status',
  'stream.text-as-status',
  'bring text as messages of status updates in working, until the last one',
  { ...noStatus, advice: 'Send each piece of text as status.message of a status event, in the state working.' },
  (reading) => {
    const updates = (eventsOf(reading, 'stream') ?? []).filter((event) => event?.type === 'status');
    if (reading.stream?.ended !== true || updates.length < 2) return 'not-concerned';
    for (const event of updates.slice(0, -1)) {
      if (event?.type !== 'status') continue;
      const { state, message } = event.status;
      if (state !== 'working') return `a status update before the last is ${state}`;
      if (!isObject(message)) return 'a status update before the last has no message';
    }
    return 'holds';
  },
);
