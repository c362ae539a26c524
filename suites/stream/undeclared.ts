import {
  answered,
  check,
  codeIs,
  firstAnswer,
  ifMet,
  inconclusive,
  isTerminal,
  type Judgement,
  type Outcome,
  openTask,
  outcomeOf,
  refused,
  type Scene,
  source,
  type Task,
} from '../../src/kit/index.js';

// A2A 0.3 §7.2, §7.9, AMB03-11; 1.0 §3.3.4: no streams where the card does not declare them.

const streamed = source('a message that is streamed', async (scene: Scene) =>
  outcomeOf(await scene.client.open('stream', { message: scene.say() }, { invalid: true })),
);

interface Subscribed {
  readonly outcome: Outcome<unknown>;
  /**
   * The task was open before and after the subscription. False when there was none, or when it may have ended
   * meanwhile.
   */
  readonly isThere: boolean;
}

/** Subscribes to an open task, where there is one: TaskNotFound for an unknown task shows nothing about streams. */
const subscribed = source('a subscription', async (scene: Scene): Promise<Subscribed> => {
  const task = await openOne(scene);
  const id = task?.id ?? scene.uuid();
  const outcome = await outcomeOf(await scene.client.open('subscribe', { id }, { invalid: true }));
  if (task === undefined || !isNotFound(outcome)) return { outcome, isThere: task !== undefined };
  const now = await scene.client.call('get', { id });
  return { outcome, isThere: now.kind === 'result' && !isTerminal(now.value.status.state) };
});

async function openOne(scene: Scene): Promise<Task | undefined> {
  const task = await ifMet(scene.use(openTask));
  return task?.id === '' ? undefined : task;
}

const isNotFound = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'TaskNotFound';

const unknownTask = 'set behaviours.working: the agent does not find the task, so the refusal is not about streams';

/** The same text without a stream, sent once per run. Throws `PreconditionUnmet` unless it had a result. */
async function sent(scene: Scene): Promise<Outcome<unknown>> {
  const outcome = await scene.use(streamed);
  const value = await scene.use(firstAnswer);
  if (outcome.kind === 'not-sent') return outcome;
  return { kind: 'result', value, wire: value, exchange: outcome.exchange };
}

// In our words (0.3, 7.2 message/stream): Without streaming capability message/stream is answered all the same.
export const undeclaredAnswered = check('stream/undeclared-answered', 'stream.unsupported-answered')
  .when('the client streams a message, and the card declares no streams', ({ use }) => use(streamed))
  .expects('return an answer', answered)
  .advice(
    'Give the method a handler that answers at once, with UnsupportedOperation (-32004) for example: no error page, no open connection.',
  );

// In our words (1.0, 3.3.4 Capability Validation): Without streaming capability SendStreamingMessage is refused.
export const undeclaredRefused = check('stream/undeclared-refused', 'stream.unsupported-refused')
  .when('the client streams a message, and the card declares no streams', ({ use }) => use(streamed))
  .expects('refuse the message', refused)
  .butAccepts('the same message without a stream', sent)
  .advice('Declare capabilities.streaming in the card, or refuse the method.');

// In our words (1.0, 3.3.4 Capability Validation): The refusal of streaming uses UnsupportedOperationError.
export const undeclaredCode = check('stream/undeclared-code', 'stream.unsupported-code')
  .when('the client streams a message, and the card declares no streams', ({ use }) => use(streamed))
  .expects('refuse the message as UnsupportedOperation', codeIs('UnsupportedOperation'))
  .advice(
    'The method exists although the card does not declare streaming: answer -32004 (reason UNSUPPORTED_OPERATION), not -32601.',
  );

// In our words (1.0, 3.3.4 Capability Validation): Without streaming capability SubscribeToTask is refused.
export const subscribeRefused = check('stream/undeclared-subscribe-refused', 'sub.unsupported-refused')
  .given('subscription', subscribed)
  .when('the client subscribes, and the card declares no streams', async ({ subscription }) => subscription.outcome)
  .expects('refuse the subscription', (outcome, { subscription: { isThere } }) =>
    isNotFound(outcome) && !isThere ? inconclusive(unknownTask) : refused(outcome),
  )
  .butAccepts('a message without a stream', sent)
  .advice(
    'Look at capabilities.streaming before the task is looked up: answer UnsupportedOperation (-32004), or declare streaming true.',
  );

// In our words (1.0, 3.3.4 Capability Validation): The refusal of a subscription without streaming uses
//   UnsupportedOperationError.
export const subscribeCode = check('stream/undeclared-subscribe-code', 'sub.unsupported-code')
  .given('subscription', subscribed)
  .when('the client subscribes, and the card declares no streams', async ({ subscription }) => subscription.outcome)
  .expects('refuse the subscription as UnsupportedOperation', (outcome, { subscription: { isThere } }): Judgement => {
    // An agent that looks up the task first is right as well.
    if (isNotFound(outcome) && !isThere) return inconclusive(unknownTask);
    return outcome.kind === 'result' ? codeIs()(outcome) : codeIs('UnsupportedOperation')(outcome);
  })
  .advice(
    'The method exists although the card does not declare streaming: answer -32004 (reason UNSUPPORTED_OPERATION) before the task is looked up.',
  );
