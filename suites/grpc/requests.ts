import {
  accepted,
  check,
  describe,
  early,
  type Judgement,
  longer,
  type NativeChange,
  noMessages,
  type Outcome,
  refused,
  rpcCodes,
  type Scene,
  twice,
  withBytes,
  withJson,
  withMessage,
  withNanos,
  withUnknownFields,
} from '../../src/kit/index.js';
import { wellFormed } from '../rpc/calls.js';
import { askWith, eachOf, endure, type Limits, refusedSomehow, worksAfter } from './calls.js';

// A2A 1.0 §3.3.2 Error Handling, §5.7 Field Presence and Optionality; 0.3 §3.2.2; grpc/doc/PROTOCOL-HTTP2.md. A client of
// gRPC sends none of these bytes, except unknown fields: those of a later version.

const sendWith = (scene: Scene, native: NativeChange): Promise<Outcome<unknown>> =>
  scene.client.call('send', { message: scene.say(), configuration: early(scene) }, { native });

// In our words (1.0, 5.7 Field Presence and Optionality): Unknown fields in requests are ignored.
export const unknownFields = check('grpc/unknown-fields', 'grpc.unknown-fields')
  .when('the request, its message and its part have unknown fields', (scene) =>
    endure(scene, {
      'in the request': () => sendWith(scene, withUnknownFields()),
      'in the message': () => sendWith(scene, withUnknownFields('Message')),
      'in a part': () => sendWith(scene, withUnknownFields('Message', 'Part')),
    }),
  )
  .expects('accept each', eachOf(accepted))
  .butAccepts('a message without such fields', wellFormed)
  .advice('Later versions add fields: step over those that you do not know, as libraries of protobuf do.');

/** A message: an agent that overlooks the fault answers it with a result. */
const sendFaulty = (scene: Scene, native: NativeChange, limits?: Limits): Promise<Outcome<unknown>> =>
  scene.client.call(
    'send',
    { message: scene.say(), configuration: early(scene) },
    { native, invalid: true, ...limits },
  );

/** A call with each of these changes. `where`: what the call is, where several are made. */
const withEach = (scene: Scene, call: typeof askWith, changes: Readonly<Record<string, NativeChange>>, where = '') =>
  Object.fromEntries(
    Object.entries(changes).map(([what, change]) => [what + where, (limits: Limits) => call(scene, change, limits)]),
  );

// In our words (1.0, 3.3.2 Error Handling): Bytes that are not a protobuf message are refused without harm.
export const malformed = check('grpc/malformed', 'grpc.malformed')
  .last()
  .when('the client sends bytes that are not protobuf', (scene) =>
    endure(scene, {
      ...withEach(scene, askWith, noMessages, ', in GetTask'),
      ...withEach(scene, sendFaulty, noMessages, ', in SendMessage'),
    }),
  )
  .expects('refuse each', eachOf(refusedSomehow))
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer INVALID_ARGUMENT or INTERNAL where a message cannot be decoded, and keep the server running.');

/** Frames are read before any code of the agent: what it can do about them is to take another library. */
const byLibrary = (wanted: string): string =>
  `The gRPC library of the agent answers this, and no code of the agent can change it. ${wanted}`;

// In our words (1.0, 10.1 Protocol Requirements): Faults of framing are refused without harm.
export const noMessage = check('grpc/no-message', 'grpc.framing')
  .last()
  .when('the client calls GetTask without any message', (scene) =>
    endure(scene, withEach(scene, askWith, { 'no message': withBytes(new Uint8Array(0)) })),
  )
  .expects('refuse the call', eachOf(refusedSomehow))
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice(
    byLibrary('When the client has ended its side without a message, the call ends with an error status at once.'),
  );

// In our words (1.0, 10.1 Protocol Requirements): Faults of framing are refused without harm.
export const twoMessages = check('grpc/two-messages', 'grpc.framing')
  .last()
  .when('a unary call has two messages', (scene) =>
    endure(scene, withEach(scene, sendFaulty, { 'two messages': twice })),
  )
  .expects('refuse the call', eachOf(refusedSomehow))
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice(byLibrary('A second message in a unary call ends it with an error status.'));

// In our words (1.0, 10.1 Protocol Requirements): Faults of framing are refused without harm.
export const wrongLength = check('grpc/wrong-length', 'grpc.framing')
  .last()
  .when('the length prefix of a message is too large, or too small', (scene) =>
    endure(scene, withEach(scene, sendFaulty, { 'more bytes': longer(10), 'fewer bytes': longer(-3) })),
  )
  .expects('refuse each', eachOf(refusedSomehow))
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice(
    byLibrary('A length of the prefix that is not that of the bytes which came ends the call with an error status.'),
  );

/** AMB10-49: a flag without an encoding may be overlooked. */
const overlookedOrRefused = (outcome: Outcome<unknown>): Judgement =>
  outcome.kind === 'result' ? undefined : refusedSomehow(outcome);

// In our words (1.0, 10.1 Protocol Requirements): Faults of framing are refused without harm.
export const compressedFlag = check('grpc/compressed-flag', 'grpc.framing')
  .last()
  .when('a message has the compressed flag, and names no encoding', (scene) =>
    endure(scene, {
      'the flag': () =>
        sendFaulty(
          scene,
          withMessage((message) => message, { flag: 1 }),
        ),
    }),
  )
  .expects('refuse the call, or ignore the flag', eachOf(overlookedOrRefused))
  .expects('answer the next call', worksAfter)
  .butAccepts('a well-formed call', wellFormed)
  .advice(byLibrary('A message with the compressed flag in a call that names no grpc-encoding ends it with INTERNAL.'));

const internal: ReadonlySet<number | undefined> = new Set([rpcCodes.indexOf('INTERNAL'), rpcCodes.indexOf('UNKNOWN')]);

/** INTERNAL and UNKNOWN blame the agent. */
function clean(outcome: Outcome<unknown>): Judgement {
  const other = refused(outcome);
  if (other !== undefined || outcome.kind !== 'refusal') return other;
  return internal.has(outcome.code) ? describe(outcome) : undefined;
}

const listing = (scene: Scene, native: NativeChange): Promise<Outcome<unknown>> =>
  scene.client.call('list', { pageSize: 1 }, { native, invalid: true });

const listed = (scene: Scene): Promise<Outcome<unknown>> => scene.client.call('list', { pageSize: 1 });

// In our words (1.0, 3.3.2 Error Handling): Undefined enum numbers and invalid timestamps in a filter are refused.
/** AMB10-47: such a number may be accepted. */
export const unknownState = check('grpc/unknown-state', 'grpc.invalid-filters')
  .when('the client lists tasks in a state with the number 99', (scene) => listing(scene, withJson({ status: 99 })))
  .expects(
    'refuse the call with a client error, or find none',
    (outcome): Judgement => (outcome.kind === 'result' ? undefined : clean(outcome)),
  )
  .butAccepts('a list of all tasks', listed)
  .advice('Check the number of the state before you look up its name, and answer INVALID_ARGUMENT.');

// In our words (1.0, 3.3.2 Error Handling): Undefined enum numbers and invalid timestamps in a filter are refused.
export const invalidTime = check('grpc/invalid-time', 'grpc.invalid-filters')
  .when('the client lists tasks after a time with two billion nanoseconds', (scene) =>
    listing(scene, withNanos(2_000_000_000)),
  )
  .expects('refuse the call with a client error', clean)
  .butAccepts('a list of all tasks', listed)
  .advice(
    'Check the nanoseconds of the filter, 0 to 999999999, before the time is converted, and answer INVALID_ARGUMENT.',
  );
