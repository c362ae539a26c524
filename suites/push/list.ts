import {
  accepted,
  answered,
  brief,
  check,
  describe,
  inconclusive,
  isString,
  member,
  type Outcome,
  plural,
  refused,
  source,
} from '../../src/kit/index.js';
import { offered } from './offered.js';
import { configured, type Listed, listConfigs, removed, second, setConfig, stored, unlessEnded } from './stored.js';

// A2A 0.3 §7.7, §7.8; 1.0 §3.1.9, §3.1.10.

// In our words (1.0, 3.1.9 List Push Notification Configs): ListTaskPushNotificationConfigs returns an object with the
//   configs of the task.
export const list = check('push/list', 'push.list')
  .given('kept', second)
  .when('the client lists the configs of a task', async ({ kept }) => kept.listed)
  .expects('return the configs of that task', (listed, scene) => {
    const { task, sent } = scene.kept;
    if (listed.kind !== 'result') return unlessEnded(scene, scene.kept, offered(listed, scene));
    const foreign = listed.value.find(({ taskId }) => taskId !== task.id);
    if (foreign !== undefined) return `a config of the task ${brief(foreign.taskId)} is listed for ${task.id}`;
    const urls = listed.value.map(({ config }) => config.url);
    const missing = urls.includes(sent.url) ? undefined : `the url ${sent.url} is missing in ${brief(urls)}`;
    return unlessEnded(scene, scene.kept, missing);
  })
  .advice('Return every config of this task: in 1.0 as {"configs": […]}, before that as a bare array.');

// In our words (1.0, 3.1.9 List Push Notification Configs): Several configs coexist on one task, and the list holds all
//   active ones.
export const several = check('push/several-configs', 'push.several-configs')
  .given('kept', second)
  .when('the client sets two configs and lists them', async ({ kept }) => kept.listed)
  .expects('keep both', (listed, scene) => {
    const { sent, other } = scene.kept;
    if (other.set.kind !== 'result')
      return inconclusive(`the agent did not accept the second config: ${describe(other.set)}`);
    if (listed.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(listed)}`);
    const urls = listed.value.map(({ config }) => config.url);
    const areBoth = [sent.url, other.sent.url].every((url) => urls.includes(url));
    return unlessEnded(scene, scene.kept, areBoth ? undefined : `the agent lists the webhooks ${brief(urls)}`);
  })
  .advice('Keep the configs of a task in a map by id: in a single field the newest takes the place of the others.');

// In our words (1.0, 3.1.9 List Push Notification Configs): A task without configs gives an empty list.
export const listEmpty = check('push/list-empty', 'push.list-empty')
  .given('kept', stored)
  .when('the client lists the configs of a task without any', async ({ kept }) => kept.before)
  .expects('return none', (before, scene) => {
    if (before.kind !== 'result') return offered(before, scene);
    return before.value.length === 0 ? undefined : `the agent lists ${before.value.length} configs`;
  })
  .advice('Answer with an empty list: a missing config is not an error.');

/** The list in pages of one config, and then at once. No check deletes two of its configs. */
const paged = source('a task with push notification configs', async (scene) => {
  const { task, state, other } = await scene.use(second);
  // Deletes first: where a page begins after a number of configs, a deletion between two pages hides one.
  await scene.use(removed);
  const own = await setConfig(scene, task.id, { id: scene.uuid(), url: `${other.sent.url}/paged` });
  const urls: string[] = [];
  const tokens = new Set<string>();
  const walk = async (pageToken?: string): Promise<{ page: Listed; repeats: boolean }> => {
    const more = pageToken === undefined ? {} : { pageToken };
    const page = await scene.client.call('pushList', { taskId: task.id, pageSize: 1, ...more });
    if (page.kind === 'result') urls.push(...page.value.map(({ config }) => config.url));
    const next = page.kind === 'result' ? member(page.wire, 'nextPageToken') : undefined;
    if (!isString(next) || next === '') return { page, repeats: false };
    if (tokens.has(next) || tokens.size >= 20) return { page, repeats: true };
    tokens.add(next);
    return walk(next);
  };
  const walked = await walk();
  const kept = [other.set, own].flatMap((set) => (set.kind === 'result' ? set.value.config.url : []));
  return { task, state, ...walked, urls, kept, pages: tokens.size + 1, whole: await listConfigs(scene, task.id) };
});

// In our words (1.0, 3.1.9 List Push Notification Configs): The list may be paged.
export const listPaged = check('push/list-paged', 'push.list-paged')
  .given('last', paged)
  .when('the client lists configs in pages of one', async ({ last }) => last.page)
  .expects('return each page up to the last', (page, scene) => {
    if (scene.last.repeats) return 'the pages never end: the same nextPageToken comes again, or more than 20 of them';
    return unlessEnded(scene, scene.last, accepted(page));
  })
  .advice('Leave nextPageToken out, or empty, on the last page. Take a pageSize, or overlook it.');

// In our words (1.0, 3.1.9 List Push Notification Configs): The pages of the list together hold all active configs.
export const pages = check('push/pages', 'push.pages')
  .given('last', paged)
  .when('the client lists configs in pages of one and at once', async ({ last }) => last)
  .expects('show the same configs', (last, scene) => {
    const { page, whole, repeats, urls, kept } = last;
    if (repeats) return inconclusive('the pages of the list do not end');
    if (page.kind !== 'result') return inconclusive(`the agent did not give a page: ${describe(page)}`);
    if (whole.kind !== 'result') return inconclusive(`the agent did not list its configs: ${describe(whole)}`);
    const due = kept.filter((url) => whole.value.some(({ config }) => config.url === url));
    if (due.length < 2) return inconclusive('the agent did not keep two configs of one task');
    const lost = due.find((url) => !urls.includes(url));
    const text = `${plural(last.pages, 'page')} of one config each ${last.pages === 1 ? 'shows' : 'show'} ${brief(urls)}`;
    return unlessEnded(scene, last, lost === undefined ? undefined : `${text}, and not ${lost}`);
  })
  .advice('Give a nextPageToken as long as configs are left, and continue right after the last one on the page.');

// In our words (0.3, 7.8 tasks/pushNotificationConfig/delete): tasks/pushNotificationConfig/delete answers with result
//   null.
export const deleteNull = check('push/delete-null', 'push.delete-null')
  .given('gone', removed)
  .when('the client deletes the config', async ({ gone }) => gone.deleted)
  .expects('answer with null', (deleted, scene) => unlessEnded(scene, scene.gone, offered(deleted, scene)))
  .advice('Write "result": null: serializers that drop null leave the member out, and {} is something else.');

// In our words (1.0, 3.1.10 Delete Push Notification Config): The delete confirmation may have any shape.
export const deleteResult = check('push/delete-result', 'push.delete-result')
  .given('gone', removed)
  .when('the client deletes the config', async ({ gone }) => gone.deleted)
  .expects('confirm it in any way', (deleted, scene) => unlessEnded(scene, scene.gone, offered(deleted, scene)))
  .advice('Let the method delete: the card promises push notifications.');

/** A success that the kit cannot read: rpc/result-xor-error and others judge its form. */
const isUnreadable = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && (outcome.exchange.response?.status ?? 500) < 300;

// In our words (1.0, 3.1.10 Delete Push Notification Config): DeleteTaskPushNotificationConfig removes the config.
export const deletedGone = check('push/deleted-gone', 'push.deleted-gone')
  .given('gone', removed)
  .given('kept', configured)
  .when('the client reads and lists a deleted config', async ({ gone }) =>
    gone.deleted.kind === 'result' || isUnreadable(gone.deleted) ? gone.read : gone.deleted,
  )
  .butAccepts('reading it before', async ({ kept }) => kept.read ?? kept.set)
  .expects('neither return nor list it', (read, scene) => {
    const { gone } = scene;
    const isListed = gone.listed.kind === 'result' && gone.listed.value.some(({ config }) => config.id === gone.id);
    // Another config in its place: push/get-by-id and push/unknown-config-refused judge that.
    const isOther = gone.read.kind === 'result' && ![undefined, gone.id].includes(gone.read.value.config.id);
    const left = isListed ? 'the agent still lists the config' : isOther ? undefined : refused(read);
    if (gone.deleted.kind === 'result' || (isUnreadable(gone.deleted) && left === undefined)) return left;
    return unlessEnded(scene, gone, offered(gone.deleted, scene));
  })
  .advice('Delete the config in the one store from which it is read, listed and notified.');

// In our words (1.0, 3.1.10 Delete Push Notification Config): Deleting the same config again has the same effect.
export const deleteAgain = check('push/delete-again', 'push.delete-again')
  .given('gone', removed)
  .when('the client deletes the config twice', async ({ gone }) => gone.again)
  .expects('answer both calls alike', (again, scene) => {
    const { gone } = scene;
    if (gone.deleted.kind !== 'result')
      return inconclusive(`the agent did not delete the config: ${describe(gone.deleted)}`);
    // AMB10-21: the text calls deleting idempotent, and also has unknown configs answered as not found.
    const isUnknown = again.kind === 'refusal' && again.error === 'TaskNotFound';
    if (isUnknown)
      return inconclusive(`the specification leaves the answer for a deleted config open: ${describe(again)}`);
    return unlessEnded(scene, gone, accepted(again));
  })
  .advice('Answer as the first time where nothing is left to delete.');

// In our words (0.3, 7.8 tasks/pushNotificationConfig/delete): Deleting a config that does not exist may succeed or
//   fail.
export const deleteUnknown = check('push/delete-unknown', 'push.delete-unknown')
  .given('gone', removed)
  .when('the client deletes an unknown config', async ({ gone }) => gone.again)
  .expects('return any answer', answered)
  .advice('Answer with success or with an error where there is nothing to delete: catch what the store throws.');
