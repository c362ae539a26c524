import {
  anyTask,
  type Card,
  check,
  describe,
  isGrpcCall,
  isUnimplemented,
  type Judgement,
  law,
  type NativeChange,
  noteOf,
  type Operation,
  type Outcome,
  type Reading,
  type Recorded,
  refused,
  rpcCodes,
  type Scene,
  withBytes,
  withJson,
  withMethod,
} from '../../src/kit/index.js';
import { ask, showing, wellFormed } from '../rpc/calls.js';
import { askWith, eachOf, endure, refusedSomehow } from './calls.js';

// A2A 1.0 §10.1 Protocol Requirements, §10.2 Service Parameter Transmission, §10.3 Service Definition; 0.3 §3.2.2.

// In our words (1.0, 10.1 Protocol Requirements): A declared GRPC interface serves lf.a2a.v1.A2AService.
// In our words (1.0, 10.1 Protocol Requirements): The URL of a GRPC interface leads to an HTTP/2 server.
export const service = check('grpc/service', 'grpc.service', 'grpc.http2')
  .when('the client calls GetTask', (scene) => ask(scene))
  .expects('have the method of the version', (outcome): Judgement => {
    if (isUnimplemented(outcome)) return describe(outcome);
    return outcome.kind === 'result' ? undefined : refused(outcome);
  })
  .butAccepts('a well-formed call', wellFormed)
  .advice('Serve lf.a2a.v1.A2AService for 1.0, a2a.v1.A2AService for 0.3. One port may serve both.');

/** Whether the card declares what an operation belongs to. */
function isDeclared(operation: Operation, { capabilities }: Card): boolean {
  if (operation === 'stream' || operation === 'subscribe') return capabilities.streaming;
  if (operation.startsWith('push')) return capabilities.push;
  return operation !== 'extendedCard' || capabilities.extendedCard;
}

const isMissing = ({ outcome, exchange }: Reading): boolean =>
  isUnimplemented(outcome) || exchange.response?.status === 404;

/** Whether an answer shows that there is a method for its operation. */
const isThere = noteOf(
  (reading): boolean =>
    reading.operation !== undefined &&
    reading.valid &&
    (reading.outcome.kind === 'result' || reading.outcome.kind === 'refusal') &&
    !isMissing(reading),
);

// In our words (1.0, 10.3 Service Definition): All eleven RPCs exist.
/** Some agents say UNIMPLEMENTED of a task that cannot be canceled: a method is missing if no call of it says else. */
export const everyRpc = law(
  'grpc/every-rpc',
  'grpc.every-rpc',
  'not answer a declared operation with UNIMPLEMENTED',
  {
    subject: 'the agent',
    otherwise: 'the agent answered no call of gRPC',
    notes: [isThere],
    advice: 'Have all methods of the proto file, and refuse with an error of A2A what the agent cannot do.',
  },
  (reading, target, tape) => {
    const { operation, valid, outcome } = reading;
    if (!isGrpcCall(reading, target) || !valid || operation === undefined) return 'not-concerned';
    if (!isDeclared(operation, target.card)) return 'not-concerned';
    if (outcome.kind !== 'result' && outcome.kind !== 'refusal') return 'not-concerned';
    if (!isMissing(reading)) return 'holds';
    const isOther = (recorded: Recorded): boolean =>
      recorded.operation === operation && isThere(recorded) && isGrpcCall(recorded, target);
    return tape.some(isOther) ? 'not-concerned' : `${operation} is not there: ${describe(outcome)}`;
  },
);

const to = (path: string): NativeChange => withMethod(() => path);

/** UNIMPLEMENTED, and what it is over HTTP. */
function unimplemented(outcome: Outcome<unknown>): Judgement {
  const other = refusedSomehow(outcome);
  if (other !== undefined || outcome.kind !== 'refusal') return other;
  const isOfHttp = outcome.code === undefined;
  return isOfHttp || outcome.code === rpcCodes.indexOf('UNIMPLEMENTED') ? undefined : describe(outcome);
}

// In our words (1.0, 10.1 Protocol Requirements): Unknown RPCs and services give UNIMPLEMENTED.
export const unknownRpc = check('grpc/unknown-rpc', 'grpc.unknown-rpc')
  .when('the client calls an unknown method', (scene) =>
    askWith(
      scene,
      withMethod((path) => `${path.slice(0, path.lastIndexOf('/'))}/Nope`),
    ),
  )
  .expects('refuse it with UNIMPLEMENTED', unimplemented)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer UNIMPLEMENTED (12): no handler that takes any name, and no exception that becomes INTERNAL.');

// In our words (1.0, 10.1 Protocol Requirements): Unknown RPCs and services give UNIMPLEMENTED.
export const unknownService = check('grpc/unknown-service', 'grpc.unknown-rpc')
  .when('the client calls an unknown service', (scene) => askWith(scene, to('/tck.nobody.v1.Nobody/GetTask')))
  .expects('refuse it with UNIMPLEMENTED', unimplemented)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer UNIMPLEMENTED (12): look at the whole path, service and method.');

/** Any answer, also that the thing does not exist. */
const answeredSomehow = (outcome: Outcome<unknown>): Judgement =>
  outcome.kind === 'result' || (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable')
    ? undefined
    : refusedSomehow(outcome);

// In our words (0.3, 3.2.2 gRPC Transport): One port may serve both packages.
export const bothPackages = check('grpc/both-packages', 'grpc.both-packages')
  .when('the client calls the service of 1.0', (scene) =>
    askWith(scene, (request) => withJson({ id: scene.uuid() })(to('/lf.a2a.v1.A2AService/GetTask')(request))),
  )
  .expects('answer, or say that it has no such service', answeredSomehow)
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer UNIMPLEMENTED for services that are not registered, as a server of gRPC does itself.');

/** A question of the reflection service: which services there are (list_services = 7). */
const whichServices = Uint8Array.of(0, 0, 0, 0, 2, 0x3a, 0);
const nothing = Uint8Array.of(0, 0, 0, 0, 0);

const beside: Readonly<Record<string, NativeChange>> = {
  'grpc.reflection.v1': (request) =>
    withBytes(whichServices)(to('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo')(request)),
  'grpc.reflection.v1alpha': (request) =>
    withBytes(whichServices)(to('/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo')(request)),
  'grpc.health.v1': (request) => withBytes(nothing)(to('/grpc.health.v1.Health/Check')(request)),
};

// In our words (1.0, 10.3 Service Definition): Reflection and health services may be offered.
export const reflection = check('grpc/reflection', 'grpc.reflection')
  .when('the client calls the reflection and health services', (scene) =>
    endure(
      scene,
      Object.fromEntries(
        Object.entries(beside).map(([name, native]) => [name, (limits) => askWith(scene, native, limits)]),
      ),
    ),
  )
  .expects('answer each, or say that it does not have it', eachOf(answeredSomehow))
  .butAccepts('a well-formed call', wellFormed)
  .advice('Answer UNIMPLEMENTED for services that are not registered, as a server of gRPC does itself.');

/** The call in a version, named in the metadata. */
const inVersion = (scene: Scene, version: string, options = {}): Promise<Outcome<unknown>> =>
  showing(scene, { headers: [['a2a-version', version]], ...options });

// In our words (1.0, 10.2 Service Parameter Transmission): Service parameters are read from metadata.
export const metadata = check('grpc/metadata', 'grpc.metadata')
  .when('the metadata name an unknown version', (scene) => inVersion(scene, '99.0', { invalid: true }))
  .expects('refuse the call', refused)
  .butAccepts('the same call with the version of the interface', (scene) => inVersion(scene, '1.0'))
  .advice('Read a2a-version from the metadata of each call. Clients must send it, and rely on it.');

// In our words (1.0, 10.1 Protocol Requirements): A request of another content type than gRPC is refused.
export const otherContentType = check('grpc/other-content-type', 'grpc.other-content-type')
  .when('the client calls with the content type application/json', (scene) =>
    showing(scene, { headers: [['content-type', 'application/json']], invalid: true }),
  )
  .expects('refuse the call', refusedSomehow)
  .butAccepts('the same call with the content type of gRPC', wellFormed)
  .advice('Check that the content type begins with application/grpc, and answer HTTP 415 where it does not.');

// In our words (0.3, 3.2.2 gRPC Transport): An id without tasks/ before it is refused or understood.
/** AMB03-37 */
export const bareId = check('grpc/bare-id', 'grpc.bare-id')
  .given('task', anyTask)
  .when('the client reads a task by its id, without tasks/ before it', ({ client, task }) =>
    client.call('get', { id: task.id }, { native: withJson({ name: task.id }), invalid: true }),
  )
  .expects('return it, or refuse the name', (outcome, { task }): Judgement => {
    if (outcome.kind === 'result')
      return outcome.value.id === task.id ? undefined : `the agent returned the task ${outcome.value.id}`;
    const other = refused(outcome);
    if (other !== undefined || outcome.kind !== 'refusal') return other;
    const right: readonly (number | undefined)[] = [
      rpcCodes.indexOf('INVALID_ARGUMENT'),
      rpcCodes.indexOf('NOT_FOUND'),
    ];
    return right.includes(outcome.code) ? undefined : describe(outcome);
  })
  .butAccepts('the name of the task', ({ client, task }) => client.call('get', { id: task.id }))
  .advice('Check that the name begins with tasks/ before you cut it, and answer INVALID_ARGUMENT where it does not.');
