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

// In our words (1.0, 9.3 Base Request Structure): Batch arrays may be processed or refused as a whole.
export const batch = check('rpc/batch', 'rpc.batch')
  .when('the client sends two calls in one array', (scene) =>
    scene.client.rpc([callIn(scene, 'first'), callIn(scene, 'second')], { invalid: true }),
  )
  .expects('answer both or refuse the whole', notDropped)
  .advice(
    'Check for an array before you read members of the body: answer each call, or refuse with one -32600 under id null.',
  );

// In our words (0.3, 3.2.1 JSON-RPC 2.0 Transport): An empty batch array is answered.
export const emptyBatch = check('rpc/empty-batch', 'rpc.empty-batch')
  .when('the client sends an empty array', ({ client }) => client.rpc([], { invalid: true }))
  // JSON-RPC answers with one error, not an array; in A2A a body is one request. Both are clean (AMB03-18).
  .expects('answer it', notDropped)
  .advice('Answer an empty array with one -32600 under id null: a loop over no calls says nothing.');

// In our words (1.0, 9.3 Base Request Structure): Notifications (no id) may be left unanswered or refused.
export const notification = check('rpc/notification', 'rpc.notification')
  .when('the client sends a call without id', (scene) => scene.client.rpc(callIn(scene), { invalid: true }))
  .expects('answer or refuse it', answered)
  .expects('invent no id', noneMadeUp)
  .advice('Check for the id before it is used: send an empty answer with 2xx, or refuse with -32600. Make up no id.');
