import { answered, check, describe, type Judgement, type Outcome, type Scene } from '../../src/kit/index.js';
import { noneMadeUp } from './calls.js';

// JSON-RPC 2.0 §4.1 Notification, §6 Batch. A2A 0.3 says that a body is one request, so every clean outcome passes
// (AMB03-18). Silence where an answer is due, a crash, or an HTML page does not.

const callIn = (scene: Scene, id?: string) => ({
  jsonrpc: '2.0',
  ...(id === undefined ? {} : { id }),
  method: scene.client.dialect.operations.get?.rpc,
  params: scene.client.dialect.operations.get?.params.encode({ id: scene.uuid() }),
});

const notDropped = (outcome: Outcome<unknown>): Judgement =>
  outcome.kind === 'invalid-response' && outcome.fault === 'empty' ? describe(outcome) : answered(outcome);

export const batch = check('rpc/batch', 'rpc.batch')
  .when('the client sends two calls in one array', (scene) =>
    scene.client.rpc([callIn(scene, 'first'), callIn(scene, 'second')], { invalid: true }),
  )
  .expects('answer both or refuse the whole', notDropped)
  .killedBy('rpc-batch-crashes', 'rpc-batch-hangs', 'rpc-batch-dropped');

export const emptyBatch = check('rpc/empty-batch', 'rpc.empty-batch')
  .when('the client sends an empty array', ({ client }) => client.rpc([], { invalid: true }))
  // JSON-RPC answers with one error, not an array; in A2A a body is one request. Both are clean (AMB03-18).
  .expects('answer it', notDropped)
  .killedBy('rpc-batch-crashes', 'rpc-batch-dropped');

export const notification = check('rpc/notification', 'rpc.notification')
  .when('the client sends a call without id', (scene) => scene.client.rpc(callIn(scene), { invalid: true }))
  .expects('take or refuse it cleanly', answered)
  .expects('make up no id', noneMadeUp)
  .killedBy('rpc-notification-crashes', 'rpc-notification-made-up-id');
