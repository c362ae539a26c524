import {
  check,
  type Draft,
  describe,
  type ErrorName,
  eachPair,
  early,
  endedTask,
  inconclusive,
  type Judgement,
  lacksOperation,
  type Message,
  modes,
  NotApplicable,
  type Operation,
  type Outcome,
  outcomeOf,
  type Pair,
  type Scene,
  type Side,
  source,
  worst,
} from '../../src/kit/index.js';
import { finishedProbe } from './probes.js';
import { asJudged, interfaces, onBoth, sameError, sameFate } from './sides.js';

// A2A 1.0 §5.1, §5.4, §3.3.4; 0.3 §3.4.1: the same request is refused over each binding, with the same error.

const call = async ({ client }: Side, op: Operation, params: object): Promise<Outcome<unknown>> =>
  op === 'stream' || op === 'subscribe'
    ? outcomeOf(await client.open(op, params as never, { invalid: true }))
    : client.call(op, params as never, { invalid: true });

/** The name of a call in a reason. */
const named: Partial<Record<Operation, string>> = {
  get: 'a read',
  cancel: 'a cancel',
  subscribe: 'a subscription',
  send: 'a message',
  stream: 'a streamed message',
  pushList: 'a list of push configurations',
  extendedCard: 'a request for the extended card',
};

/** The same call over both sides. */
const bothCall = async (pair: Pair, op: Operation, params: (side: Side) => object, to: string) => {
  const [own, there] = await onBoth(pair, (side) => call(side, op, params(side)));
  return { about: `${named[op] ?? op} ${to}`, own, there };
};

// In our words (1.0, 5.4 Error Code Mappings): An unknown task gives the same A2A error for get, cancel and subscribe.
export const unknownTask = check('equivalence/unknown-task', 'equivalence.unknown-task')
  .given('interfaces', interfaces)
  .when('the client asks each interface for an unknown task', async (scene) => {
    const { streaming } = scene.card.capabilities;
    const operations: readonly Operation[] = ['get', 'cancel', ...(streaming ? (['subscribe'] as const) : [])];
    return eachPair(scene.interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const op of operations) {
        const asked = await bothCall(pair, op, () => ({ id: scene.uuid() }), 'of an unknown task');
        const lacking = [asked.own, asked.there].find((outcome) => op === 'subscribe' && saysMissing(outcome));
        judgements.push(
          lacking === undefined ? sameError(pair, asked, 'TaskNotFound') : inconclusive(describe(lacking)),
        );
      }
      return worst(judgements);
    });
  })
  .expects('refuse each call, with one error', asJudged)
  .advice(
    'Map each error of A2A to the code of every binding in one table: TaskNotFound is -32001, 404 and NOT_FOUND.',
  );

/** It names no task, and says that the operation does not exist. */
const saysMissing = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && outcome.error === 'MethodNotFound';

/** Everything that is refused for a finished task, asked in turn, so that no call disturbs another. */
const finishedCalls = source('a finished task', async (scene: Scene) => {
  const task = await scene.use(finishedProbe);
  const { own, peers } = await scene.use(interfaces);
  const { streaming } = scene.card.capabilities;
  const { id, contextId } = task;
  const message = (): Message => ({ ...scene.say(), taskId: id, ...(contextId === undefined ? {} : { contextId }) });
  const operations: readonly Operation[] = [
    ...(streaming ? (['subscribe'] as const) : []),
    'cancel',
    'send',
    ...(streaming ? (['stream'] as const) : []),
  ];
  const seen = new Map<string, Outcome<unknown>>();
  for (const op of operations) {
    for (const side of [own, ...peers]) {
      const params = op === 'send' || op === 'stream' ? { message: message(), configuration: modes(scene) } : { id };
      seen.set(`${op} ${side.title}`, await call(side, op, params));
    }
  }
  return seen;
});

const asFinished =
  (due: ErrorName, ...operations: readonly Operation[]) =>
  ({
    interfaces,
    calls,
  }: {
    readonly interfaces: Parameters<typeof eachPair>[0];
    readonly calls: ReadonlyMap<string, Outcome<unknown>>;
  }): Promise<Judgement> =>
    eachPair(interfaces, (pair) =>
      worst(
        operations.map((op) => {
          const [own, there] = [pair.own, pair.peer].map(({ title }) => calls.get(`${op} ${title}`));
          if (own === undefined || there === undefined) return undefined;
          return sameError(pair, { about: `${named[op]} to a finished task`, own, there }, due);
        }),
      ),
    );

// In our words (1.0, 5.4 Error Code Mappings): Cancelling a finished task gives the same A2A error.
export const cancelFinished = check('equivalence/cancel-finished', 'equivalence.cancel-finished')
  .given('interfaces', interfaces)
  .given('calls', finishedCalls)
  .when('the client cancels a finished task over each interface', asFinished('TaskNotCancelable', 'cancel'))
  .expects('refuse the cancel, with one error', asJudged)
  .advice('TaskNotCancelable is -32002, 400 with TASK_NOT_CANCELABLE, and FAILED_PRECONDITION with the same reason.');

// In our words (1.0, 5.4 Error Code Mappings): A message to a finished task gives the same A2A error.
export const sendFinished = check('equivalence/send-finished', 'equivalence.send-finished')
  .given('interfaces', interfaces)
  .given('calls', finishedCalls)
  .when('the client sends to a finished task over each interface', asFinished('UnsupportedOperation', 'send', 'stream'))
  .expects('refuse the message, with one error', asJudged)
  .advice('Refuse messages to finished tasks behind all bindings, with UnsupportedOperation.');

// In our words (1.0, 5.4 Error Code Mappings): Subscribing to a finished task gives the same A2A error.
export const subscribeFinished = check('equivalence/subscribe-finished', 'equivalence.subscribe-finished')
  .given('interfaces', interfaces)
  .given('calls', finishedCalls)
  .when('the client subscribes to a finished task over each interface', asFinished('UnsupportedOperation', 'subscribe'))
  .expects('refuse the subscription, with one error', asJudged)
  .advice('Refuse subscriptions to finished tasks behind all bindings, with UnsupportedOperation.');

// In our words (1.0, 3.3.4 Capability Validation): A capability that is not declared is refused on every binding with
//   the same error.
export const undeclared = check('equivalence/undeclared-capability', 'equivalence.undeclared-capability')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client uses undeclared operations over each interface', async (scene) => {
    const { streaming, push, extendedCard } = scene.card.capabilities;
    const asked: readonly (readonly [Operation, object, ErrorName])[] = [
      ...(streaming
        ? []
        : [['stream', { message: scene.say(), configuration: modes(scene) }, 'UnsupportedOperation'] as const]),
      ...(push ? [] : [['pushList', { taskId: scene.task.id }, 'PushNotificationNotSupported'] as const]),
      ...(extendedCard ? [] : [['extendedCard', {}, 'UnsupportedOperation'] as const]),
    ];
    if (asked.length === 0) throw new NotApplicable('the card declares every capability');
    return eachPair(scene.interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const [op, params, due] of asked) {
        const both = await bothCall(pair, op, () => params, 'that the card does not declare');
        judgements.push(sameError(pair, both, due));
      }
      return worst(judgements);
    });
  })
  .expects('refuse each call, with one error', asJudged)
  .advice('Validate the capabilities of the card behind all bindings, not in the code of one.');

/** Requests that no agent can carry out in their plain sense. */
const broken = (scene: Scene): readonly (readonly [about: string, message: Draft<Message>])[] => [
  ['a message without parts', { ...scene.say(), parts: [] }],
  ['a message with an empty messageId', { ...scene.say(), messageId: '' }],
  ['a request without a message', undefined],
];

// In our words (1.0, 5.1 Functional Equivalence Requirements): Invalid messages are refused on every binding or on
//   none.
export const invalidMessages = check('equivalence/invalid-messages', 'equivalence.invalid-messages')
  .given('interfaces', interfaces)
  .when('the client sends broken messages over each interface', async (scene) =>
    eachPair(scene.interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const [about, message] of broken(scene)) {
        const params = { ...(message === undefined ? {} : { message }), configuration: early(scene) };
        const [own, there] = await onBoth(pair, ({ client }) => client.call('send', params, { invalid: true }));
        judgements.push(sameFate(pair, { about, own, there }));
      }
      return worst(judgements);
    }),
  )
  .expects('refuse each on all or on none', asJudged)
  .advice(
    'Validate messages in one place, behind all bindings: code that reads one binding must not fill in what is missing.',
  );

// In our words (1.0, 5.4 Error Code Mappings): A part of a media type that the agent does not take gives the same A2A
//   error.
export const unsupportedMedia = check('equivalence/unsupported-media', 'equivalence.unsupported-media')
  .given('interfaces', interfaces)
  .when('the client sends a file of an unknown media type over each interface', async (scene) => {
    const message = (): Message => ({
      ...scene.say(),
      parts: [{ kind: 'file', bytes: 'AAEC', mediaType: 'application/x-a2a-tck-unheard-of' }],
    });
    return eachPair(scene.interfaces, async (pair) => {
      const [own, there] = await onBoth(pair, ({ client }) =>
        client.call('send', { message: message(), configuration: early(scene) }, { invalid: true }),
      );
      return sameError(pair, { about: 'a file of an unknown media type', own, there }, 'ContentTypeNotSupported');
    });
  })
  .expects('refuse it with one error, or accept it on each', asJudged)
  .advice('Check media types in one place, behind all bindings, and map the one error to the form of each.');

/** Over gRPC 0.3 has one code for a method that is missing and for what is not supported: the other side shows it. */
const mayLack = (outcome: Outcome<unknown>): boolean =>
  lacksOperation(outcome) || (outcome.kind === 'refusal' && outcome.fits?.includes('MethodNotFound') === true);

/** Operations that a declared capability brings. */
const brought = ({ capabilities: { streaming, push, extendedCard } }: Scene['card'], id: string, scene: Scene) =>
  [
    ...(streaming ? [['stream', { message: scene.say(), configuration: modes(scene) }] as const] : []),
    ...(push ? [['pushList', { taskId: id }] as const] : []),
    ...(extendedCard ? [['extendedCard', {}] as const] : []),
  ] satisfies readonly (readonly [Operation, object])[];

// In our words (0.3, 3.4.1 Functional Equivalence Requirements): A capability that works on one transport works on
//   each.
export const declaredCapability = check('equivalence/declared-capability', 'equivalence.declared-capability')
  .given('interfaces', interfaces)
  .given('task', endedTask)
  .when('the client uses declared operations over each interface', async (scene) => {
    if (brought(scene.card, scene.task.id, scene).length === 0) {
      throw new NotApplicable('the card declares no capability that has operations of its own');
    }
    return eachPair(scene.interfaces, async (pair) => {
      const judgements: Judgement[] = [];
      for (const [op, params] of brought(scene.card, scene.task.id, scene)) {
        const both = await bothCall(pair, op, () => params, 'that the card declares');
        const sides = [
          [pair.own, both.own],
          [pair.peer, both.there],
        ] as const;
        const lacking = sides.find(([, outcome]) => mayLack(outcome));
        const having = sides.find(([, outcome]) => outcome.kind === 'result');
        if (lacking !== undefined && having !== undefined) {
          judgements.push(
            `${both.about} works over ${having[0].title}, and ${lacking[0].title} lacks it: ${describe(lacking[1])}`,
          );
        } else if (having === undefined) judgements.push(inconclusive(`${both.about}: ${describe(both.own)}`));
      }
      return worst(judgements);
    });
  })
  .expects('have each operation over all', asJudged)
  .advice('A capability of the card holds for every interface: serve its operations over each, or do not declare it.');
