import {
  brief,
  check,
  describe,
  type ErrorName,
  inconclusive,
  type Judgement,
  type Outcome,
  refused,
  refusedAs,
  type Scene,
  source,
} from '../../src/kit/index.js';
import { acting, showing, telling, wellFormed } from './calls.js';
import { responsesIn } from './responses.js';

// A2A 0.3 §8.1 Standard JSON-RPC Errors; JSON-RPC 2.0 §4, §5, §7 (examples).

const malformed = { invalid: true } as const;

const truncated = source('truncated JSON', ({ client }) => client.post('{"jsonrpc":"2.0",', malformed));

// In our words (1.0, 9.5 Error Handling): Malformed JSON is answered with -32700.
export const parseError = check('rpc/parse-error', 'rpc.parse-error')
  .when('the client sends JSON that ends too early', ({ use }) => use(truncated))
  .expects('refuse it as a parse error', refusedAs('ParseError'))
  .butAccepts('a well-formed call', wellFormed)
  .advice('Frameworks answer broken JSON themselves, with a page: catch that and answer -32700.');

/** Judged only where a response could carry an id. */
const idIsNull = (outcome: Outcome<unknown>): Judgement => {
  const seen = refused(outcome);
  if (seen !== undefined) return inconclusive('the agent accepted the request, so no error with an id came');
  const [response] = outcome.kind === 'refusal' ? responsesIn(outcome.exchange) : [];
  if (response === undefined)
    return inconclusive('the agent refused the request without a JSON-RPC error, so no id came');
  if (!Object.hasOwn(response, 'id')) return 'the response has no id';
  return response['id'] === null ? undefined : `the response has the id ${brief(response['id'])}`;
};

// In our words (1.0, 9.5 Error Handling): The -32700 reply has id null.
export const parseErrorId = check('rpc/parse-error-id', 'rpc.parse-error-id-null')
  .when('the client sends JSON that ends too early', ({ use }) => use(truncated))
  .expects('refuse it under the id null', idIsNull)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Write "id": null, because the id is unreadable. Serializers that drop null leave it out.');

const errorIn = (outcome: Outcome<unknown>): ErrorName | undefined =>
  outcome.kind === 'refusal' ? outcome.error : undefined;

/**
 * AMB03-36, AMB10-40: RFC 8259 §9 lets a parser accept more than JSON. Such a body may be answered like any other call,
 * also by a refusal of what was read, under either code for a wrong shape (AMB03-21). `broken`: the answer to what no
 * parser reads.
 */
const unparsed =
  (broken: Outcome<unknown>) =>
  (outcome: Outcome<unknown>): Judgement => {
    const error = errorIn(outcome);
    const ofShape = error === 'InvalidParams' || (error === 'InvalidRequest' && errorIn(broken) === 'ParseError');
    return outcome.kind === 'result' || error === 'TaskNotFound' || ofShape
      ? inconclusive(`the agent read the body as JSON, and the specification leaves that open: ${describe(outcome)}`)
      : refusedAs('ParseError')(outcome);
  };

// In our words (1.0, 9.5 Error Handling): Text that only resembles JSON (single quotes, bare names, NaN, a tail after
//   the value) and is not read as JSON is answered with -32700.
export const resemblingJson = check('rpc/resembling-json', 'rpc.resembling-json')
  .when('the client sends text that resembles JSON', async (scene) => {
    const [get, id] = [scene.client.dialect.operations.get?.rpc, scene.uuid()];
    const call = `{"jsonrpc":"2.0","id":"1","method":"${get}","params":{"id":"${id}"}}`;
    const bodies = [
      `${call} and more`,
      call.replaceAll('"', "'"),
      call.replace(`"${id}"`, `"${id}","historyLength":NaN`),
      call.replaceAll(/"(\w+)":/g, '$1:'),
    ];
    const outcomes: Outcome<unknown>[] = [];
    for (const body of bodies) outcomes.push(await scene.client.post(body, malformed));
    const broken = await scene.use(truncated);
    const [first = broken, ...rest] = outcomes;
    return { broken, outcome: telling([first, ...rest], unparsed(broken)) };
  })
  .expects('refuse it as a parse error, or read it as JSON', ({ broken, outcome }) => unparsed(broken)(outcome))
  .butAccepts('a well-formed call', wellFormed)
  .advice('RFC 8259 lets a parser take more than JSON, but others will not understand what this one understands.');

/** An empty body may be called broken JSON, or no request: nothing has broken in the agent. */
const blamesBody = (outcome: Outcome<unknown>): Judgement =>
  refused(outcome) ?? (outcome.kind === 'refusal' && outcome.error === 'InternalError' ? describe(outcome) : undefined);

// In our words (1.0, 9.5 Error Handling): Malformed JSON is answered with -32700.
export const emptyBody = check('rpc/empty-body', 'rpc.parse-error')
  .when('the client sends an empty body', ({ client }) => client.post('', malformed))
  .expects('refuse it, and not as an internal error', blamesBody)
  .butAccepts('a well-formed call', wellFormed)
  .advice(
    'Answer -32700 to an empty body as to broken JSON: frameworks do not call the parser where there is nothing to read.',
  );

const noRequests = source('JSON that is not a request', async (scene: Scene) => {
  const { client } = scene;
  const [scalar, object] = [await client.rpc(1, malformed), await client.rpc({}, malformed)];
  // The params are effective: an agent that guesses the method from them carries it out.
  const methodless = await acting(scene, { ...malformed, id: 1, envelope: ({ method: _, ...request }) => request });
  return { scalar, object, methodless };
});

/** AMB03-21: JSON-RPC's own examples decide the code for a method that is not a string, but not for a missing one. */
const refusedShape = refusedAs('InvalidRequest', 'InvalidParams');

// In our words (1.0, 9.5 Error Handling): The error for JSON that is not a Request object is -32600.
export const notARequest = check('rpc/not-a-request', 'rpc.not-a-request')
  .when('the client sends {} and a message without method', async ({ use }) => {
    const { object, methodless } = await use(noRequests);
    return telling([object, methodless], refusedShape);
  })
  .expects('refuse each as an invalid request or as invalid params', refusedShape)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer -32600 for JSON that is not a call: -32700 is for text that is not JSON.');

// In our words (1.0, 9.5 Error Handling): JSON that is not a Request object is refused.
export const notARequestRefused = check('rpc/not-a-request-refused', 'rpc.not-a-request-refused')
  .when('the client sends 1, {} and a message without method', async ({ use }) => {
    const { scalar, object, methodless } = await use(noRequests);
    return telling([object, methodless, scalar], refused);
  })
  .expects('refuse each of them', refused)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Look at the method first: params alone ask for nothing.');

/** RFC 4627, which JSON-RPC 2.0 §2 cites, allows only objects and arrays: there, a number is not a JSON text. */
const refusedScalar = refusedAs('InvalidRequest', 'ParseError');

// In our words (1.0, 9.5 Error Handling): The error for JSON that is not a Request object is -32600.
export const scalarBody = check('rpc/scalar-body', 'rpc.not-a-request')
  .when('the client sends 1', async ({ use }) => (await use(noRequests)).scalar)
  .expects('refuse it as an invalid request or as a parse error', refusedScalar)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Check that the parsed body is an object before you read its members, and answer -32600.');

// In our words (1.0, 9.5 Error Handling): An invalid request with an unreadable id is answered with id null.
export const unreadableId = check('rpc/unreadable-id', 'rpc.unreadable-id-null')
  .when('the client sends 1 and {}, which have no id', async ({ use }) => {
    const { scalar, object } = await use(noRequests);
    return telling([object, scalar], idIsNull);
  })
  .expects('refuse each under the id null', idIsNull)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Write "id": null where no id could be read: serializers that drop null leave it out.');

// In our words (1.0, 9.5 Error Handling): A non-string method is refused with -32600.
export const methodType = check('rpc/method-type', 'rpc.method-type')
  .when('the client sends a message under the method 42, a number', (scene) =>
    acting(scene, { ...malformed, id: 1, envelope: (request) => ({ ...request, method: 42 }) }),
  )
  .expects('refuse it as an invalid request', refusedAs('InvalidRequest'))
  .butAccepts('a well-formed call', wellFormed)
  .advice('Check that method is a text before you look it up, and answer -32600: -32601 is for unknown names.');

/** Effective params, encoded as a string: an agent that parses the string carries out the call. */
const paramsAsText = (scene: Scene) =>
  showing(scene, { ...malformed, envelope: (request) => ({ ...request, params: JSON.stringify(request['params']) }) });

// In our words (1.0, 9.5 Error Handling): Params that are neither object nor array are refused.
export const paramsType = check('rpc/params-type', 'rpc.params-type')
  .when('the client calls with params that are a text', paramsAsText)
  // AMB03-21.
  .expects('refuse the call as invalid params or as an invalid request', refusedAs('InvalidParams', 'InvalidRequest'))
  .butAccepts('a well-formed call', wellFormed)
  .advice(
    'Check that params are an object before you use them, and answer -32602. Do not parse a text as JSON once more.',
  );
