import { check, firstAnswer, sendQuick } from '../../src/kit/index.js';
import { early, taken } from './sends.js';

// A2A 0.3 §7.1.1, §6.4, §6.5: members that a client may add, and members that nobody knows.

const note = { 'https://example.com/note': { list: [1, 'two', null, true], nested: { deep: { deeper: 'yes' } } } };

export const metadata = check('message/metadata-accepted', 'send.metadata-accepted')
  .when('the client sends metadata on the params, the message and its part', (scene) => {
    const message = scene.say();
    return scene.client.call('send', {
      message: { ...message, metadata: note, parts: message.parts.map((part) => ({ ...part, metadata: note })) },
      configuration: early(scene),
      metadata: note,
    });
  })
  .expects('accept it', taken)
  .advice('metadata is an object with any members at all; what the agent does not know it leaves alone.')
  .killedBy('send-refuses-params-metadata', 'send-refuses-message-metadata', 'send-refuses-part-metadata');

export const references = check('message/references-accepted', 'send.references-accepted')
  .given('answer', firstAnswer)
  .when('the client names the task of it and an extension in a message', (scene) => {
    // A task that exists, so that nobody can rightly say it does not. An agent without tasks is still to take the member.
    const referenceTaskIds = scene.answer.type === 'task' ? [scene.answer.task.id] : [];
    return sendQuick(scene, { ...scene.say(), referenceTaskIds, extensions: ['https://example.com/extensions/none'] });
  })
  .expects('accept it', taken)
  .advice('Extensions that the agent does not know are left alone, not refused.')
  .killedBy('send-refuses-references', 'send-refuses-extensions');

export const unknownMembers = check('message/unknown-members-accepted', 'data.unknown-members-accepted')
  .when('the client adds unknown members to the params and the message', (scene) =>
    scene.client.call('send', {
      message: { ...scene.say(), tckUnknown: { nested: ['yes'] } },
      configuration: early(scene),
      tckUnknown: true,
    }),
  )
  .expects('accept it', taken)
  .advice('Leave unknown members alone: later versions and extensions add some.')
  .killedBy('send-refuses-unknown-params', 'send-refuses-unknown-message-members');
