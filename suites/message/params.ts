import { isDeepStrictEqual } from 'node:util';
import {
  brief,
  check,
  early,
  firstAnswer,
  inconclusive,
  type Judgement,
  type Scene,
  sendQuick,
  source,
} from '../../src/kit/index.js';
import { shownOf, taken, taskIn } from './sends.js';

// A2A 0.3 §7.1.1, §6.4, §6.5: optional members that a client may add, and unknown members.

const note = {
  'https://example.com/note': { list: [1, 'two', null, true], nested: { deep: { deeper: 'yes' }, snake_key: 1 } },
};

const annotated = source('a message with metadata', async (scene: Scene) => {
  const said = scene.say();
  const message = { ...said, metadata: note, parts: said.parts.map((part) => ({ ...part, metadata: note })) };
  const outcome = await scene.client.call('send', { message, configuration: early(scene), metadata: note });
  const shown = await shownOf(scene, { message, outcome });
  return { message, outcome, read: typeof shown === 'string' ? undefined : shown };
});

// In our words (1.0, 3.2.5 Metadata): Metadata keys are strings and values any JSON value.
export const metadataValues = check('message/metadata-values', 'data.metadata-values')
  .given('sent', annotated)
  .when('the client reads the history of a message with metadata', async ({ sent }) => sent.outcome)
  .expects('show any metadata unchanged', (outcome, { sent }): Judgement => {
    const task = taskIn(outcome);
    if (typeof task === 'string') return inconclusive(task);
    const answered = task.history?.find(({ messageId }) => messageId === sent.message.messageId);
    // An agent may drop metadata, but must not change their values.
    const key = 'https://example.com/note';
    const seen = [answered, sent.read].flatMap((message) =>
      message?.metadata?.[key] === undefined ? [] : [message.metadata[key]],
    );
    if (seen.length === 0) return inconclusive('the history does not show the metadata of the message');
    const other = seen.find((value) => !isDeepStrictEqual(value, note[key]));
    return other === undefined ? undefined : `sent ${brief(note[key])}, shown ${brief(other)}`;
  })
  .advice('Store metadata as JSON: a map from text to text turns numbers, lists and nested objects into texts.');

// In our words (1.0, 3.2.1 SendMessageRequest): `metadata` on request, message and part is accepted.
export const metadata = check('message/metadata-accepted', 'send.metadata-accepted')
  .given('sent', annotated)
  .when('the params, the message and its part have metadata', async ({ sent }) => sent.outcome)
  .expects('accept the message', taken)
  .advice('metadata is an object with any members at all; what the agent does not know it leaves alone.');

// In our words (1.0, 4.1.4 Message): `referenceTaskIds` and `extensions` on a message are accepted.
export const references = check('message/references-accepted', 'send.references-accepted')
  .given('answer', firstAnswer)
  .when('a message names another task and an extension', (scene) => {
    // The task exists, so an agent cannot rightly refuse the reference. An agent without tasks must accept the member
    // too.
    const referenceTaskIds = scene.answer.type === 'task' ? [scene.answer.task.id] : [];
    return sendQuick(scene, { ...scene.say(), referenceTaskIds, extensions: ['https://example.com/extensions/none'] });
  })
  .expects('accept the message', taken)
  .advice('Extensions that the agent does not know are left alone, not refused.');

// In our words (1.0, 5.7 Field Presence and Optionality): Unknown members in requests are ignored.
export const unknownMembers = check('message/unknown-members-accepted', 'data.unknown-members-accepted')
  .when('the client adds unknown members to the params and the message', (scene) =>
    scene.client.call('send', {
      message: { ...scene.say(), tckUnknown: { nested: ['yes'] } },
      configuration: early(scene),
      tckUnknown: true,
    }),
  )
  .expects('accept the message', taken)
  .advice('Leave unknown members alone: later versions and extensions add some.');
