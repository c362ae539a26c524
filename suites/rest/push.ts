import {
  anyTask,
  check,
  describe,
  inconclusive,
  isObject,
  type Judgement,
  NotApplicable,
  openTask,
  source,
} from '../../src/kit/index.js';
import { addresses, listConfigs } from '../push/stored.js';
import { refusedCleanly, withBody } from './calls.js';

// A2A 1.0 §11.3.3 Push Notification Configuration; 0.3 §7.5, §7.8.

// In our words (1.0, 11.3.3 Push Notification Configuration): A conflicting taskId in the body does not win over the
//   path.
export const pathWins = check('rest/push-path-wins', 'rest.push-path-wins')
  .given('task', openTask)
  .given('other', openTask)
  .when('the body of a config names another task than the path', async (scene) => {
    const { client, task, other, card } = scene;
    if (!card.capabilities.push) throw new NotApplicable('the card does not declare push notifications');
    const id = scene.uuid();
    const [url = ''] = addresses(scene, 'path-wins');
    const outcome = await client.call(
      'pushSet',
      { taskId: task.id, config: { id, url } },
      {
        invalid: true,
        native(request) {
          const sent: unknown = JSON.parse(new TextDecoder().decode(request.body));
          return isObject(sent) ? withBody(JSON.stringify({ ...sent, taskId: other.id }))(request) : request;
        },
      },
    );
    return { outcome, id, listed: await listConfigs(scene, task.id) };
  })
  .expects('refuse it, or keep it for the task of the path', ({ outcome, id, listed }): Judgement => {
    if (outcome.kind !== 'result') return refusedCleanly(outcome);
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    const isKept = listed.value.some(({ config }) => config.id === id || config.id === outcome.value.config.id);
    return isKept ? undefined : 'it was accepted, and the task of the path has no such config';
  })
  .advice('Set the task of the config from the path after the body was read, or refuse with 400 where they differ.');

/** A config without its task, as the kit sends it, and where that is refused, the same one with its task. */
const byPath = source('an open task', async (scene) => {
  const { client, card } = scene;
  if (!card.capabilities.push) throw new NotApplicable('the card does not declare push notifications');
  const { id: taskId } = await scene.use(openTask);
  const set = async (url: string, body: object) =>
    client.call(
      'pushSet',
      { taskId, config: { id: scene.uuid(), url } },
      {
        native(request) {
          const sent: unknown = JSON.parse(new TextDecoder().decode(request.body));
          return isObject(sent) ? withBody(JSON.stringify({ ...sent, ...body }))(request) : request;
        },
      },
    );
  const [url = ''] = addresses(scene, 'by-path').toReversed();
  const bare = await set(url, {});
  return { bare, named: bare.kind === 'result' ? undefined : await set(url, { taskId }) };
});

// In our words (1.0, 11.3.3 Push Notification Configuration): The path names the task of a config, and the body need
//   not.
export const pathNames = check('rest/push-task-of-path', 'rest.push-task-of-path')
  .given('sets', byPath)
  .when('the client sets a config whose body names no task', async ({ sets }) => sets.bare)
  .expects('take the task from the path', (bare, { sets: { named } }): Judgement => {
    if (bare.kind === 'result') return undefined;
    return bare.kind === 'refusal' && named?.kind === 'result'
      ? `${describe(bare)}; with the taskId in the body as well it is accepted`
      : inconclusive(`the agent did not accept the config: ${describe(bare)}`);
  })
  .advice('Read taskId from the path: over HTTP+JSON the body does not have it, and validation must not ask for it.');

// In our words (0.3, 7.8 tasks/pushNotificationConfig/delete): A deleted config is gone without a server error.
export const unknownConfig = check('rest/unknown-config', 'rest.deleted-unknown')
  .given('task', anyTask)
  .when('the client reads a config that the task does not have', async ({ client, card, task, uuid }) => {
    if (!card.capabilities.push) throw new NotApplicable('the card does not declare push notifications');
    return client.call('pushGet', { taskId: task.id, configId: uuid() });
  })
  .expects('refuse it', refusedCleanly)
  .advice('Answer 404 where the task has no such config: reading members of nothing gives 500.');
