import {
  accepted,
  brief,
  check,
  describe,
  ifMet,
  inconclusive,
  openTask,
  source,
  type TaskPushConfig,
  worst,
} from '../../src/kit/index.js';
import { ofConfig, same } from './judged.js';
import { guarded } from './sending.js';
import {
  configured,
  isOfAddress,
  isRefused,
  listConfigs,
  readConfig,
  removed,
  second,
  setConfig,
  stored,
  unlessEnded,
} from './stored.js';

// A2A 0.3 §7.5, §6.8, §6.10; 1.0 §3.1.7, §4.3.1.

// In our words (1.0, 3.1.7 Create Push Notification Config): With push capability CreateTaskPushNotificationConfig
//   stores a config.
export const implemented = check('push/set', 'push.implemented')
  .given('kept', stored)
  .when('the client sets a push notification config', async ({ kept }) => kept.set)
  .expects('accept it', (set, scene) =>
    isOfAddress(set) ? inconclusive(guarded(set).message) : unlessEnded(scene, scene.kept, accepted(set)),
  )
  .advice('The card declares push notifications: the methods to configure them must be there.');

// In our words (1.0, 3.1.7 Create Push Notification Config): The result of creating a push config names the task it was
//   created for.
export const setResult = check('push/set-result', 'push.set-result')
  .given('kept', stored)
  .when('the client sets a push notification config', async ({ kept }) => kept.set)
  .expects('return the config of that task', (set, { kept: { task } }) =>
    ofConfig(set, ({ taskId, config }) =>
      worst([same('taskId', task.id, taskId), config.url === '' ? 'the result has no config' : undefined]),
    ),
  )
  .advice(
    'Return the stored config under the taskId that was sent: flat in 1.0, before that as {"taskId": "…", "pushNotificationConfig": {…}}.',
  );

// In our words (1.0, 3.1.7 Create Push Notification Config): A created push config keeps its url.
export const urlKept = check('push/url-kept', 'push.url-kept')
  .given('kept', stored)
  .when('the client sets a config and reads it', async ({ kept }) => kept.set)
  .expects('return the url that was sent', (answer, { kept: { sent, read } }) => {
    const sameUrl = ({ config }: TaskPushConfig) => same('url', sent.url, config.url);
    return worst([ofConfig(answer, sameUrl), read?.kind === 'result' ? sameUrl(read.value) : undefined]);
  })
  .advice('Store the url as it came, with path and query, and return it unchanged.');

// In our words (1.0, 4.3.1 PushNotificationConfig): An id sent by the client is kept.
export const idKept = check('push/id-kept', 'push.id-kept')
  .given('kept', second)
  .when('the client sets a config with an id', async ({ kept }) => kept.set)
  .expects('show that id in each answer', (set, scene) => {
    const { sent, read, listed } = scene.kept;
    const sameId = ({ config }: TaskPushConfig) => same('id', sent.id, config.id);
    const ids = listed.kind === 'result' ? listed.value.map(({ config }) => config.id) : undefined;
    const isListed = ids === undefined || ids.includes(sent.id);
    const missing = isListed ? undefined : `set with id ${sent.id}; the agent lists the ids ${brief(ids)}`;
    const other = worst([ofConfig(set, sameId), read?.kind === 'result' ? sameId(read.value) : undefined]);
    return other ?? unlessEnded(scene, scene.kept, missing);
  })
  .advice('Store the config under the id that came with it, and make one only where none came.');

/** A configuration without an id, set after all others were. */
const unnamed = source('a task', async (scene) => {
  const { task, state, sent } = await scene.use(configured);
  // Deletes first, so that the deletion cannot hit this one.
  await scene.use(removed);
  const set = await setConfig(scene, task.id, { url: `${sent.url}/unnamed` });
  const next = await setConfig(scene, task.id, { url: `${sent.url}/unnamed-too` });
  // An agent may limit how many configs a task has: then the config is the only one of another task.
  const other = isRefused(set) ? await ifMet(scene.use(openTask)) : undefined;
  const alone = other && (await setConfig(scene, other.id, { url: `${sent.url}/unnamed` }));
  const made = alone?.kind === 'result' ? alone : set;
  return { task, state, set, made, next, url: `${sent.url}/unnamed`, listed: await listConfigs(scene, task.id) };
});

// In our words (0.3, 6.8 PushNotificationConfig Object): Without a client id the server may assign one.
export const idOptional = check('push/id-optional', 'push.id-optional')
  .given('kept', unnamed)
  .when('the client sets a config without an id', async ({ kept }) => kept.made)
  .expects('accept it', (set, scene) => unlessEnded(scene, scene.kept, accepted(set)))
  .advice('Make an id where none came: the client need not send one.');

// In our words (1.0, 3.1.7 Create Push Notification Config): The created config has an id.
export const idMade = check('push/id-made', 'push.id-made')
  .given('kept', unnamed)
  .when('the client sets a config without an id', async ({ kept }) => kept.made)
  .expects('give it an id', (set, scene) => {
    if (set.kind !== 'result') return unlessEnded(scene, scene.kept, accepted(set));
    return set.value.config.id ? undefined : `the result has no id: ${brief(set.wire)}`;
  })
  .advice('Make an id where the client sent none, and return it: clients read and delete the config by it.');

// In our words (1.0, 4.3.1 PushNotificationConfig): The id that the agent gives to a config is unique.
export const idUnique = check('push/id-unique', 'push.id-unique')
  .given('kept', unnamed)
  .when('the client sets two configs without an id', async ({ kept }) => kept)
  .expects('give each an id of its own', ({ set, next }) => {
    const [id, other] = [set, next].map((outcome) => (outcome.kind === 'result' ? outcome.value.config.id : undefined));
    if (!id || !other) return inconclusive(`the answers do not show the ids of both configs: ${describe(next)}`);
    return id === other ? `both have the id ${id}` : undefined;
  })
  .advice('Make a new id for each config, a UUID for example: the id of the task leaves room for one config only.');

// 1.0 §3.1.7: a config persists until its task ends or it is deleted.
// In our words (1.0, 3.1.7 Create Push Notification Config): The config persists until the task ends or it is deleted.
export const unnamedKept = check('push/unnamed-kept', 'push.config-persists')
  .given('kept', unnamed)
  .when('the client sets two configs without an id, and lists them', async ({ kept }) => kept.listed)
  .expects('keep the first', (listed, scene) => {
    const { set, next, url } = scene.kept;
    const refused = [set, next].find((outcome) => outcome.kind !== 'result');
    if (refused !== undefined) return inconclusive(`the agent did not accept one of the configs: ${describe(refused)}`);
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    const urls = listed.value.map(({ config }) => config.url);
    const lost = urls.includes(url)
      ? undefined
      : `the second took the place of the first, ${url}: the agent lists ${brief(urls)}`;
    return unlessEnded(scene, scene.kept, lost);
  })
  .advice(
    'Make a new id for each config that comes without one: with the id of the task, the second replaces the first.',
  );

const replaced = source('a task with a push notification config', async (scene) => {
  const { task, state, sent } = await scene.use(configured);
  await scene.use(removed);
  const id = scene.uuid();
  const first = await setConfig(scene, task.id, { id, url: `${sent.url}/old` });
  const url = `${sent.url}/new`;
  const again = await setConfig(scene, task.id, { id, url });
  return { task, state, id, url, first, again, listed: await listConfigs(scene, task.id) };
});

// In our words (0.3, 7.5 tasks/pushNotificationConfig/set): Setting again with the same id replaces the config.
export const configReplaced = check('push/config-replaced', 'push.config-replaced')
  .given('kept', replaced)
  .when('the client sets another url under the same id', async ({ kept }) => kept.again)
  .expects('keep only the new one', (again, scene) => {
    const { id, url, first, listed } = scene.kept;
    if (first.kind !== 'result' || first.value.config.id !== id) {
      return inconclusive(`the agent did not keep the first config under the id that the kit sent: ${describe(first)}`);
    }
    if (again.kind !== 'result') return unlessEnded(scene, scene.kept, accepted(again));
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    const urls = listed.value.filter(({ config }) => config.id === id).map(({ config }) => config.url);
    const isNewOnly = urls.length === 1 && urls[0] === url;
    return unlessEnded(scene, scene.kept, isNewOnly ? undefined : `the agent lists ${brief(urls)} under the id`);
  })
  .advice('Store configs in a map by id, so that a second one takes the place of the first.');

/** Configs of two tasks under the same id; the first task is open. */
const sharedId = source('two tasks', async (scene) => {
  const { task: other, sent } = await scene.use(configured);
  await scene.use(removed);
  const task = await scene.use(openTask);
  const config = { id: scene.uuid(), url: `${sent.url}/one` };
  const set = await setConfig(scene, task.id, config);
  const again = await setConfig(scene, other.id, { ...config, url: `${sent.url}/other` });
  const read = await readConfig(scene, task.id, (set.kind === 'result' && set.value.config.id) || config.id);
  return { task, state: task.status.state, config, set, again, read };
});

// 1.0 §3.1.7, §3.1.8: a config is identified by its task and its id, and persists until the task ends or it is deleted.
// In our words (1.0, 3.1.7 Create Push Notification Config): The config persists until the task ends or it is deleted.
export const idOfItsTask = check('push/id-of-its-task', 'push.config-persists')
  .given('kept', sharedId)
  .when('the client sets configs for two tasks under the same id', async ({ kept }) => kept)
  .expects('keep the first', (kept, scene) => {
    const { config, set, again, read } = kept;
    if (set.kind !== 'result') return inconclusive(`the agent did not accept the first config: ${describe(set)}`);
    if (again.kind !== 'result') return inconclusive(`the agent did not accept the second config: ${describe(again)}`);
    if (read.kind === 'result') return same('url', config.url, read.value.config.url);
    return unlessEnded(scene, kept, accepted(read));
  })
  .advice('Use taskId and id together as the key of a config: two tasks may have configs of one id.');
