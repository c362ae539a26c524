import {
  answered,
  check,
  codeIs,
  describe,
  inconclusive,
  type Judgement,
  law,
  NotApplicable,
  type Outcome,
  refused,
  refusedAs,
  type Scene,
  source,
} from '../../src/kit/index.js';
import { acting, showing, telling, wellFormed } from './calls.js';
import { isJudged } from './responses.js';

// A2A 0.3 §3.5 Method Mapping and Naming, §6.11.1 JSONRPCRequest Object, §8.1.

const malformed = { invalid: true } as const;

const otherVersions = source('calls of another JSON-RPC version', async (scene: Scene) => {
  const older = await showing(scene, { ...malformed, envelope: (request) => ({ ...request, jsonrpc: '1.0' }) });
  const none = await showing(scene, { ...malformed, envelope: ({ jsonrpc: _, ...request }) => request });
  return [older, none] as const;
});

// In our words (1.0, 9.3 Base Request Structure): A missing or wrong `jsonrpc` member is refused.
export const versionChecked = check('rpc/version-checked', 'rpc.version-checked')
  .when('the client calls with jsonrpc "1.0" and without jsonrpc', async ({ use }) =>
    telling(await use(otherVersions), refused),
  )
  .expects('refuse each call', refused)
  .butAccepts('the same call with "2.0"', wellFormed)
  .advice(
    'Check that jsonrpc is the text "2.0" before you look up the method, and answer -32600 otherwise, also where it is missing.',
  );

// In our words (1.0, 9.3 Base Request Structure): The refusal of a missing or wrong `jsonrpc` member has the code
//   -32600.
export const versionCode = check('rpc/version-code', 'rpc.version-code')
  .when('the client calls with jsonrpc "1.0" and without jsonrpc', async ({ use }) =>
    telling(await use(otherVersions), codeIs('InvalidRequest')),
  )
  .expects('refuse each call as an invalid request', codeIs('InvalidRequest'))
  .butAccepts('the same call with "2.0"', wellFormed)
  .advice(
    'Answer -32600: the whole request is not valid, not only its params (-32602), and the agent has no internal error (-32603).',
  );

// In our words (1.0, 9.5 Error Handling): An unknown method is answered with -32601.
export const unknownMethod = check('rpc/unknown-method', 'rpc.unknown-method')
  .when('the client sends a message under the method kit/no-such-method', (scene) =>
    acting(scene, { ...malformed, envelope: (request) => ({ ...request, method: 'kit/no-such-method' }) }),
  )
  .expects('refuse the call as method not found', refusedAs('MethodNotFound'))
  .butAccepts('a method of A2A', wellFormed)
  .advice(
    'Answer -32601 as a JSON-RPC error. Do not guess the method from its params, and do not leave it to the web framework.',
  );

// In our words (0.3, 6.11.1 JSONRPCRequest Object): Method names are matched exactly, case included.
export const methodCase = check('rpc/method-case', 'rpc.method-case')
  .when('the client writes the method in capitals', ({ client, uuid }) =>
    client.call(
      'get',
      { id: uuid() },
      { ...malformed, envelope: (request) => ({ ...request, method: String(request['method']).toUpperCase() }) },
    ),
  )
  .expects('refuse the call as method not found', refusedAs('MethodNotFound'))
  .butAccepts('the method as A2A writes it', wellFormed)
  .advice('Compare names exactly, and do not lower their case: message/send is a method, Message/Send is not.');

// In our words (1.0, 9.1 Protocol Requirements): Methods have the PascalCase names of 1.0.
export const methodNames = law(
  'rpc/method-names',
  'rpc.method-names',
  'have the methods to send a message, to read and to cancel a task',
  {
    subject: 'the agent',
    otherwise: 'the kit called none of the methods',
    advice:
      'Register the names of the version, letter by letter: message/send in 0.2 and 0.3, SendMessage in 1.0, message.send in Terminal Bench.',
  },
  (reading, target) => {
    const { operation, valid, exchange } = reading;
    if (exchange.id === target.misnamed?.exchange.id) return target.misnamed.told;
    if (!isJudged(reading, target) || !valid) return 'not-concerned';
    if (operation !== 'send' && operation !== 'get' && operation !== 'cancel') return 'not-concerned';
    const { outcome } = reading;
    if (outcome.kind === 'result') return 'holds';
    if (outcome.kind !== 'refusal' || !outcome.inForm) return 'not-concerned';
    return outcome.error === 'MethodNotFound' ? `${operation}: ${describe(outcome)}` : 'holds';
  },
);

/** AMB03-21. An agent may look up a missing id like an unknown one: a SHOULD of the task chapter judges that code. */
const blamesParams = (outcome: Outcome<unknown>): Judgement => {
  const reads = outcome.kind === 'refusal' && outcome.exchange.call?.operation !== 'send';
  return refusedAs('InvalidParams', 'InvalidRequest', ...(reads ? (['TaskNotFound'] as const) : []))(outcome);
};

// In our words (1.0, 9.5 Error Handling): Invalid parameters are answered with -32602.
export const invalidParams = check('rpc/invalid-params', 'rpc.invalid-params')
  .when('the client calls methods with empty params, or without params', async ({ client }) => {
    const send = await client.call('send', {}, malformed);
    const get = await client.call('get', {}, malformed);
    const cancel = await client.call('cancel', {}, malformed);
    const without = await client.call('get', {}, { ...malformed, envelope: ({ params: _, ...request }) => request });
    return telling<Outcome<unknown>>([send, get, cancel, without], blamesParams);
  })
  .expects('refuse each call as invalid params or as an invalid request', blamesParams)
  .butAccepts('a call with its params', wellFormed)
  .advice('Check params before using them: -32603 says that the agent broke, -32602 that the client was wrong.');

/** AMB03-11, AMB03-14: any JSON-RPC error passes. An agent that offers more than its card says breaks no rule. */
function declined(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'result') return inconclusive('the agent offers operations that its card does not declare');
  const other = refused(outcome);
  if (other !== undefined || outcome.kind !== 'refusal') return other;
  return !outcome.inForm ? describe(outcome) : undefined;
}

// In our words (0.3, 8.2 A2A-Specific Errors): Operations or options the agent does not support use -32004.
export const undeclared = check('rpc/undeclared-operation', 'err.unsupported-operation')
  .when('the client calls an optional method that the card does not declare', async ({ client, card, uuid }) => {
    const { streaming, extendedCard } = card.capabilities;
    const outcomes: Outcome<unknown>[] = [];
    const { operations } = client.dialect;
    const isMethod = operations.extendedCard !== undefined && operations.extendedCard.url === undefined;
    if (!streaming) outcomes.push(await client.call('subscribe', { id: uuid() }, malformed));
    if (!extendedCard && isMethod) outcomes.push(await client.call('extendedCard', {}, malformed));
    const [first, ...rest] = outcomes;
    if (first === undefined) throw new NotApplicable('the card declares streaming and an extended card');
    return telling([first, ...rest], declined);
  })
  .expects('refuse the call with a JSON-RPC error', declined)
  .butAccepts('a method that A2A demands', wellFormed)
  .advice(
    'Answer with a JSON-RPC error for methods that are not offered too, such as -32004 (UnsupportedOperation) or -32601.',
  );

// In our words (0.3, 3.5.6 Method Mapping Reference Table): tasks/list does not exist over JSON-RPC in 0.3.
export const listing = check('rpc/no-listing', 'list.absent')
  .when('the client calls tasks/list, which JSON-RPC of 0.3 does not have', ({ client }) =>
    client.call('list', {}, malformed),
  )
  .expects('return a result or an error', answered)
  .advice('Answer -32601 for methods that you do not have, as a JSON-RPC error and not as a page of the framework.');
