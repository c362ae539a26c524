import {
  brief,
  check,
  comesAgain,
  inconclusive,
  type Judgement,
  law,
  type Outcome,
  type Scene,
  source,
} from '../../src/kit/index.js';
import { answeredInTime, ask, noneMadeUp, telling } from './calls.js';
import { eachResponse, responsesIn } from './responses.js';

// A2A 0.3 §6.11.1 JSONRPCRequest Object, §6.11.2 JSONRPCResponse Object.

/** One after the other, so that an agent that only mixes up parallel calls does not fail here. */
const underIds = source(
  'calls under ids of all kinds',
  async (scene: Scene) =>
    ({
      strings: [await ask(scene, { id: '4711' }), await ask(scene, { id: scene.uuid() }), await ask(scene, { id: '' })],
      integers: [
        await ask(scene, { id: 1 }),
        await ask(scene, { id: 0 }),
        await ask(scene, { id: -1 }),
        await ask(scene, { id: 2_147_483_648 }),
        await ask(scene, { id: Number.MAX_SAFE_INTEGER }),
      ],
      unicode: await ask(scene, { id: 'Grüße-日本語-🙂' }),
      none: await ask(scene, { id: null, invalid: true }),
    }) as const,
);

function echoed(outcome: Outcome<unknown>): Judgement {
  const open = answeredInTime(outcome);
  if (open !== undefined || outcome.kind === 'not-sent') return open;
  const { exchange } = outcome;
  const sent = exchange.call?.rpcId;
  const [response] = responsesIn(exchange);
  if (response === undefined) return `no JSON-RPC response came to the call with the id ${brief(sent)}`;
  const { id } = response;
  return id === sent ? undefined : `the call had the id ${brief(sent)}, the response has ${brief(id)}`;
}

const isUnderNull = (outcome: Outcome<unknown>): boolean =>
  outcome.kind !== 'not-sent' && responsesIn(outcome.exchange)[0]?.id === null;

// In our words (1.0, 9.3 Base Request Structure): String request ids are repeated unchanged.
export const stringIds = check('rpc/string-ids', 'rpc.string-id-echoed')
  .when('the client calls with the ids "4711", a UUID and ""', async ({ use }) =>
    telling((await use(underIds)).strings, echoed),
  )
  .expects('answer under the same id', echoed)
  .advice('An id keeps its type. An empty string is one: ask whether the member is there, not whether it is truthy.');

// In our words (1.0, 9.3 Base Request Structure): Integer request ids are repeated unchanged and as numbers.
export const integerIds = check('rpc/integer-ids', 'rpc.integer-id-echoed')
  .when('the client calls with the ids 1, 0, -1, 2147483648 and 9007199254740991', async ({ use }) =>
    telling((await use(underIds)).integers, echoed),
  )
  .expects('answer under the same number', echoed)
  .advice('0 is an id like any other, and so is -1; an id need not fit into 32 bits.');

// In our words (1.0, 9.1 Protocol Requirements): Bodies are valid UTF-8 JSON.
export const unicodeId = check('rpc/unicode-id', 'rpc.utf8')
  .when('the client calls with an id in letters of several scripts', async ({ use }) => (await use(underIds)).unicode)
  .expects('return the letters as they were', async (outcome, { use }): Promise<Judgement> => {
    const judgement = echoed(outcome);
    const [plain] = (await use(underIds)).strings;
    // Where no id comes back at all, nothing is shown about letters: rpc/string-ids judges it.
    return typeof judgement === 'string' && isUnderNull(outcome) && isUnderNull(plain)
      ? inconclusive(`make the agent return the ids of calls: ${judgement}`)
      : judgement;
  })
  .advice('Read and write bodies as UTF-8, whatever the locale of the server is.');

// In our words (1.0, 9.3 Base Request Structure): A request with id null may be answered or refused.
export const nullId = check('rpc/null-id', 'rpc.null-id')
  .when('the client calls with the id null', async ({ use }) => (await use(underIds)).none)
  .expects('answer or refuse it', answeredInTime)
  .expects('invent no id', noneMadeUp)
  .advice('Answer under "id": null, or refuse with -32600. Check for null before the id is used as a text.');

/** JSON-RPC 2.0 §5.1: a server that cannot read the envelope cannot read the id. */
const unreadable: ReadonlySet<unknown> = new Set([-32700, -32600]);

// In our words (1.0, 9.3 Base Request Structure): String request ids are repeated unchanged.
// In our words (1.0, 9.3 Base Request Structure): Integer request ids are repeated unchanged and as numbers.
export const idEchoed = law(
  'rpc/id-echoed',
  ['rpc.string-id-echoed', 'rpc.integer-id-echoed'],
  'carry the id of the request',
  { otherwise: 'no JSON-RPC response came', advice: 'Errors carry the id as well, whenever it could be read.' },
  eachResponse((response, { rpcId, valid }) => {
    if (typeof rpcId !== 'string' && !Number.isSafeInteger(rpcId)) return 'not-concerned';
    const { id, error } = response;
    if (id === rpcId) return 'holds';
    // AMB03-20: the id null is right for an invalid request.
    if (id === null && (!valid || unreadable.has(Object(error)['code']))) return 'not-concerned';
    return `the request had the id ${brief(rpcId)}, the response has ${brief(id)}`;
  }),
);

/** Makes five calls at once, and returns the most telling outcome. The whole run makes several, which rpc/id-echoed judges. */
async function fiveAtOnce(scene: Scene): Promise<Outcome<unknown>> {
  const calls = Array.from({ length: 5 }, (_, at) => ask(scene, { id: `parallel-${at}` }));
  const [first, ...rest] = await Promise.all(calls);
  return first === undefined ? ask(scene) : telling([first, ...rest], echoed);
}

// In our words (1.0, 9.3 Base Request Structure): Concurrent calls are each answered with their own id.
export const concurrentIds = check('rpc/concurrent-ids', 'rpc.concurrent-ids')
  .when('the client makes five calls at once', fiveAtOnce)
  .expects('answer each under its own id', (seen, scene) => comesAgain(seen, echoed, () => fiveAtOnce(scene)))
  .advice('Keep the id with the call, not in a variable that all calls share.');
