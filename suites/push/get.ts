import {
  accepted,
  answered,
  check,
  codeIs,
  conforms,
  describe,
  inconclusive,
  refused,
  source,
  worst,
} from '../../src/kit/index.js';
import { same } from './judged.js';
import { firstSent } from './sending.js';
import { configured, isRefused, readConfig, second, unlessEnded } from './stored.js';

// A2A 0.3 §7.6, §6.8, §6.9; 1.0 §3.1.8, §4.3.1, §4.3.2.

// In our words (1.0, 3.1.8 Get Push Notification Config): GetTaskPushNotificationConfig returns the stored config with
//   its URL.
export const configKept = check('push/get', 'push.config-kept')
  .given('kept', configured)
  .when('the client reads the config', async ({ kept }) => kept.read)
  .expects('return it', (read, scene) => {
    if (read === undefined) return inconclusive('the kit did not read the config');
    const { sent, id } = scene.kept;
    if (read.kind !== 'result') return unlessEnded(scene, scene.kept, accepted(read));
    const { config } = read.value;
    // An id that is left out is judged where the config was made.
    return worst([same('url', sent.url, config.url), config.id ? same('id', id, config.id) : undefined]);
  })
  .advice(
    'Look for the config by the ids of task and config, in the store into which it was set, and return it with its url and its id.',
  );

// In our words (1.0, 3.1.8 Get Push Notification Config): GetTaskPushNotificationConfig returns the stored config with
//   its URL.
export const byId = check('push/get-by-id', 'push.config-kept')
  .given('kept', second)
  .when('the client reads two configs of a task by their ids', async ({ kept }) => kept)
  .expects('return the requested one', async ({ reads, listed, other }, scene) => {
    if (other.set.kind !== 'result')
      return inconclusive(`the agent did not accept a second config: ${describe(other.set)}`);
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    // push/several-configs judges an agent that keeps one config for a task.
    const areKept = reads.every(({ id }) => listed.value.some(({ config }) => config.id === id));
    if (!areKept) return inconclusive('the agent does not list two configs');
    return worst(
      await Promise.all(
        reads.map(({ url, read }) =>
          read.kind === 'result'
            ? same('url', url, read.value.config.url)
            : unlessEnded(scene, scene.kept, accepted(read)),
        ),
      ),
    );
  })
  .advice('Look for the config by its own id: one task has several, and the id of the task does not select one.');

// In our words (0.3, 7.6.1 GetTaskPushNotificationConfigParams Object (tasks/pushNotificationConfig/get)): get without
//   pushNotificationConfigId may return one of the task's configs.
export const withoutId = check('push/get-without-id', 'push.get-without-id')
  .given('kept', configured)
  .when('the client asks for a config without its id', ({ client, kept }) =>
    client.call('pushGet', { taskId: kept.task.id }),
  )
  .expects('return one, or refuse the call', answered)
  .advice('Return one of the configs, or refuse: check for the id before it is used.');

const unknownConfig = source('a task with a push notification config', async (scene) => {
  const { task } = await scene.use(configured);
  return readConfig(scene, task.id, scene.uuid());
});

// In our words (1.0, 3.1.8 Get Push Notification Config): Getting a config that does not exist is refused.
export const unknownRefused = check('push/unknown-config-refused', 'push.unknown-config-refused')
  .given('kept', configured)
  .when('the client reads a config by an unknown id', ({ use }) => use(unknownConfig))
  .butAccepts('the id of one that is there', async ({ kept }) => kept.read ?? kept.set)
  .expects('refuse the call', refused)
  .advice(
    'Look for exactly this id, and answer that it is not found (HTTP 404, gRPC NOT_FOUND): no null, no other config.',
  );

// In our words (1.0, 3.1.8 Get Push Notification Config): The error for a config that does not exist is
//   TaskNotFoundError.
export const unknownCode = check('push/unknown-config-code', 'push.unknown-config-code')
  .given('kept', configured)
  .when('the client reads a config by an unknown id', ({ use }) => use(unknownConfig))
  .expects('refuse the call as TaskNotFound', (outcome, scene) =>
    unlessEnded(scene, scene.kept, codeIs('TaskNotFound')(outcome)),
  )
  .advice('Answer TaskNotFound (-32001, 404, NOT_FOUND) where the task has no such config.');

// In our words (1.0, 4.3.2 AuthenticationInfo): A present `authentication` has a string `scheme`, and one with Bearer
//   is taken: the agent MUST send what it says.
export const authenticationAccepted = check('push/authentication-accepted', 'push.authentication')
  .given('kept', second)
  .when('the client sets a config with bearer credentials', async ({ kept }) => kept.other.refused ?? kept.other.set)
  // An agent that also refuses it without credentials may take one config for each task.
  .expects('accept it', (set, scene) =>
    isRefused(set) && scene.kept.other.refused === undefined
      ? inconclusive(`the agent refused a second config with credentials and without: ${describe(set)}`)
      : unlessEnded(scene, scene.kept, accepted(set)),
  )
  .advice(
    'Take "authentication": {"schemes": ["Bearer"], "credentials": "…"}, in 1.0 {"scheme": "Bearer", …}, and send the credentials with each notification.',
  );

// In our words (1.0, 4.3.2 AuthenticationInfo): A present `authentication` has a string `scheme`, and one with Bearer
//   is taken: the agent MUST send what it says.
export const inlineAuthenticationAccepted = check('push/inline-authentication-accepted', 'push.authentication')
  .given('first', firstSent)
  .when('the webhook of a message has bearer credentials', async ({ first }) => first.refused ?? first.sent.outcome)
  // An agent that also refuses it without credentials has refused the webhook itself.
  .expects('accept the message', (outcome, { first }) =>
    isRefused(outcome) && first.refused === undefined
      ? inconclusive(`the agent refused a webhook of the kit with credentials and without: ${describe(outcome)}`)
      : accepted(outcome),
  )
  .advice('Take the config and send what it says in the Authorization header of each notification.');

// In our words (1.0, 4.3.2 AuthenticationInfo): A present `authentication` has a string `scheme`, and one with Bearer
//   is taken: the agent MUST send what it says.
export const authenticationShape = conforms(
  'push/authentication',
  'push.authentication',
  'name the schemes in the authentication of a push notification config',
  {
    otherwise: 'no config with authentication came',
    advice:
      'Return what was stored: {"schemes": ["Bearer"]}, in 1.0 {"scheme": "Bearer"}. To hide the credentials leave out that member only.',
  },
);

// In our words (1.0, 4.3.1 PushNotificationConfig): Push config results are the flat TaskPushNotificationConfig (id,
//   taskId, url, token, authentication).
export const types = conforms(
  'push/config-types',
  'data.push-config',
  'give each member of a push notification config its type and its place',
  {
    otherwise: 'no push notification config came',
    advice:
      'In 1.0 a config is flat (id, taskId, url, token). Before, it stands in pushNotificationConfig beside taskId; leave out what is not set: no null.',
  },
);
