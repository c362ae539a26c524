import {
  answered,
  check,
  describe,
  type Judgement,
  law,
  type Outcome,
  type Scene,
  source,
  unproven,
} from '../../src/kit/index.js';
import { answeredInTime, ask, plainCall, sameAs, telling } from './calls.js';
import { isJudged, responsesIn } from './responses.js';

// A2A 0.3 §10.2 Security Considerations Summary: input validation and resource management.

/** Asked again, so that one slow answer does not look like an agent that hangs for good. */
async function stillThere(scene: Scene): Promise<Outcome<unknown>> {
  const outcome = await ask(scene);
  return outcome.kind === 'broken' && outcome.fault === 'timeout' ? ask(scene) : outcome;
}

/** The plain call was answered before; silence now is a fault, not slowness. */
const asBefore = (plain: Outcome<unknown>, after: Outcome<unknown>): Judgement => {
  const same = sameAs(plain, after);
  return after.kind === 'broken' && after.fault === 'timeout' && plain.kind !== 'broken' ? describe(after) : same;
};

export const malformedAnswered = law(
  'rpc/malformed-answered',
  'sec.bad-input',
  'come, also to malformed requests: no hang, no lost connection, no error page of the server',
  {
    otherwise: 'no malformed request was sent',
    advice: 'Catch what the validation throws, and answer with a JSON-RPC error.',
  },
  (reading, target) => {
    const { exchange, operation, outcome, valid } = reading;
    const { request, response, failure } = exchange;
    // Bytes that are no HTTP may end the connection, and so may bodies that are too large (RFC 9110 §15.5.14).
    const free = request.method === 'RAW' || (request.body?.length ?? 0) > 256 * 1024 || request.cut === true;
    if (!isJudged(reading, target) || valid || free) return 'silent';
    if (outcome.kind !== 'broken') return outcome.kind === 'withheld' ? 'silent' : 'holds';
    if (failure?.kind === 'refused') return unproven('the agent was gone already');
    // A lenient agent may have set to work on it.
    const mayWork = operation === 'send' || operation === 'stream' || operation === 'subscribe';
    if (outcome.fault === 'timeout' && mayWork) return unproven('no answer in time; raise --timeout');
    if (outcome.fault === 'timeout' || outcome.fault === 'no-answer') return describe(outcome);
    if (response?.status === 503) return unproven('HTTP 503: it was too busy');
    const page = (response?.status ?? 0) >= 500 && responsesIn(exchange).length === 0;
    return page ? describe(outcome) : 'holds';
  },
).killedBy('rpc-parse-error-crashes', 'rpc-parse-error-hangs', 'rpc-parse-error-resets', 'rpc-invalid-params-crash');

export const deepNesting = check('rpc/deep-nesting', 'sec.bad-input')
  .given('plain', plainCall)
  .alone()
  .when('the client nests 300 arrays in the metadata of a call', ({ client, uuid }) => {
    let nested: unknown = 'bottom';
    for (let depth = 0; depth < 300; depth++) nested = [nested];
    return client.call('get', { id: uuid(), metadata: { nested } }, { invalid: true });
  })
  .expects('answer or refuse it', answered)
  .killedBy('sec-deep-nesting-crashes', 'sec-deep-nesting-resets');

/** Harmless to an agent that looks at what it gets: ids of no task, and params of the wrong shape. */
const oddCalls = source('odd calls', async (scene: Scene) => {
  await scene.use(plainCall);
  const { client, uuid } = scene;
  const invalid = { invalid: true } as const;
  return [
    await client.call('get', { id: 'x'.repeat(64 * 1024) }, invalid),
    await client.call('get', { id: { $ne: null } }, invalid),
    await client.call('cancel', { id: `\u0000\u202e\ud800 ../../'";--%00{{7*7}} ${uuid()}` }),
    await client.call('get', { id: uuid() }, { ...invalid, envelope: polluted }),
    await client.call('send', { message: 'Hello' }, invalid),
    await client.call('send', { message: { ...scene.say(), parts: { kind: 'text' } } }, invalid),
  ] as const satisfies readonly Outcome<unknown>[];
});

/** `__proto__` as an own member, as JSON.parse makes it. */
const polluted = (request: Record<string, unknown>): unknown => ({
  ...request,
  params: JSON.parse('{"id":"none","__proto__":{"kind":"task"},"constructor":{"prototype":{"id":1}}}'),
});

export const badInput = check('rpc/bad-input', 'sec.bad-input')
  .alone()
  .when('the client sends params of odd types, lengths and letters', async ({ use }) =>
    telling<Outcome<unknown>>(await use(oddCalls), answered),
  )
  .expects('answer or refuse each', answered)
  .killedBy('sec-long-ids-reset', 'sec-odd-letters-crash', 'sec-object-for-id-crashes', 'sec-text-for-message-crashes');

export const survives = check('rpc/survives-bad-input', 'sec.bad-input')
  .given('plain', plainCall)
  .alone()
  .when('the client makes a plain call after malformed ones', async (scene) => {
    await scene.use(oddCalls);
    // No HTTP at all. Only where the wire has sockets of its own: in memory there is no HTTP to break.
    await scene.client.raw(new TextEncoder().encode('NONSENSE\r\n\r\n'));
    return stillThere(scene);
  })
  .expects('answer as it did before', (after, { plain }) => asBefore(plain, after))
  .advice('One request must not end the process, nor the loop that reads the next ones.')
  .killedBy('sec-dies-of-bad-input', 'sec-hangs-after-bad-input');

export const oversized = check('rpc/oversized', 'sec.oversized')
  .given('plain', plainCall)
  .alone()
  // For a task that nobody made: what takes the text refuses the message before it costs anything.
  .when('the client sends a text of 1.5 MiB in one message', async (scene) => {
    const message = { ...scene.say('All work and no play. '.repeat(71_500)), taskId: scene.uuid() };
    const outcome = await scene.client.call('send', { message, configuration: { blocking: false } }, { invalid: true });
    return { outcome, after: outcome.kind === 'withheld' ? outcome : await stillThere(scene) };
  })
  .expects('answer or refuse it', ({ outcome }) => {
    // Who refuses a body unread may close before it was all sent, and then the answer is lost (RFC 9110 §15.5.14).
    const closed = outcome.kind === 'broken' && outcome.exchange.failure?.kind === 'reset';
    return closed ? unproven(`it was closed before the answer: ${describe(outcome)}`) : answeredInTime(outcome);
  })
  .expects('answer the next call as before', ({ after }, { plain }) => asBefore(plain, after))
  .killedBy('sec-large-body-crashes', 'sec-large-body-ends-agent');
