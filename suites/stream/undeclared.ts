import {
  answered,
  check,
  codeIs,
  firstAnswer,
  type Judgement,
  type Outcome,
  outcomeOf,
  refused,
  type Scene,
  source,
} from '../../src/kit/index.js';

// A2A 0.3 §7.2, §7.9, AMB03-11; 1.0 §3.3.4: no streams where the card does not declare them.

const streamed = source('a message that is streamed', async (scene: Scene) =>
  outcomeOf(await scene.client.open('stream', { message: scene.say() }, { invalid: true })),
);

const subscribed = source('a subscription', async (scene: Scene) =>
  outcomeOf(await scene.client.open('subscribe', { id: scene.uuid() }, { invalid: true })),
);

/** The same words without a stream, sent once per run; what came of it was a result, or the source is unreached. */
async function sent(scene: Scene): Promise<Outcome<unknown>> {
  const outcome = await scene.use(streamed);
  const value = await scene.use(firstAnswer);
  if (outcome.kind === 'withheld') return outcome;
  return { kind: 'result', value, wire: value, exchange: outcome.exchange };
}

export const undeclaredAnswered = check('stream/undeclared-answered', 'stream.unsupported-answered')
  .when('the client streams a message, though the card does not declare streams', ({ use }) => use(streamed))
  .expects('be answered', answered)
  .killedBy('stream-undeclared-hangs', 'stream-undeclared-crashes');

export const undeclaredRefused = check('stream/undeclared-refused', 'stream.unsupported-refused')
  .when('the client streams a message, though the card does not declare streams', ({ use }) => use(streamed))
  .expects('be refused', refused)
  .butAccepts('the same message without a stream', sent)
  .advice('Declare capabilities.streaming in the card, or refuse the method.')
  .killedBy('stream-undeclared-served', 'stream-undeclared-answers-task');

export const undeclaredCode = check('stream/undeclared-code', 'stream.unsupported-code')
  .when('the client streams a message, though the card does not declare streams', ({ use }) => use(streamed))
  .expects('be refused as UnsupportedOperation', codeIs('UnsupportedOperation'))
  .killedBy('stream-undeclared-is-unknown-method');

export const subscribeRefused = check('stream/undeclared-subscribe-refused', 'sub.unsupported-refused')
  .when('the client subscribes to a task, though the card does not declare streams', ({ use }) => use(subscribed))
  .expects('be refused', refused)
  .butAccepts('a message without a stream', sent)
  .killedBy('sub-undeclared-served');

export const subscribeCode = check('stream/undeclared-subscribe-code', 'sub.unsupported-code')
  .when('the client subscribes to a task, though the card does not declare streams', ({ use }) => use(subscribed))
  .expects('be refused as UnsupportedOperation', (outcome): Judgement => {
    // Nobody has such a task: who looks for it first is right as well.
    if (outcome.kind === 'refusal' && outcome.error === 'TaskNotFound') return undefined;
    return outcome.kind === 'result' ? codeIs()(outcome) : codeIs('UnsupportedOperation')(outcome);
  })
  .killedBy('sub-undeclared-is-unknown-method');
