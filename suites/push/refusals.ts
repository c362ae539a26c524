import {
  anyTask,
  check,
  codeIs,
  describe,
  ifMet,
  inconclusive,
  isSameError,
  type Judgement,
  type Odd,
  type Outcome,
  PreconditionUnmet,
  type Refusal,
  refused,
  type Scene,
  sendQuick,
  source,
  type TaskPushConfig,
  worst,
} from '../../src/kit/index.js';
import { isLeftOut } from './offered.js';
import { guarded } from './sending.js';
import { configured, isOfAddress, readConfig, setConfig, stored } from './stored.js';

// A2A 0.3 §8.2, §6.8; 1.0 §3.1.7 to §3.1.10, §3.3.2, §3.3.4, §13.1.

const elsewhere = 'https://example.com/a2a-tck/refused';

type Four = Readonly<Record<string, Outcome<unknown>>>;

/** Set, read, list and delete, in this order: each call works on what earlier calls may have left. */
async function allFour(scene: Scene, taskId: string, url = elsewhere): Promise<Four> {
  const { client } = scene;
  const configId = scene.uuid();
  return {
    set: await setConfig(scene, taskId, { id: configId, url }),
    get: await readConfig(scene, taskId, configId),
    list: await client.call('pushList', { taskId }),
    delete: await client.call('pushDelete', { taskId, configId }),
  };
}

/** The worst judgement, with the name of its call. */
function judgeEach(four: Four, names: readonly string[], judge: (outcome: Outcome<unknown>) => Judgement): Judgement {
  return worst(
    names.map((name) => {
      const outcome = four[name];
      const judgement = outcome && judge(outcome);
      return typeof judgement === 'string' ? `${name}: ${judgement}` : judgement;
    }),
  );
}

/** Where the agent takes configs, with an address that it takes: only the task is unknown. */
const onUnknown = source('an unknown task id', async (scene) => {
  const known = await ifMet(scene.use(stored));
  const four = await allFour(scene, scene.uuid(), known?.sent.url);
  const refused = known !== undefined && isOfAddress(known.set) ? known.set : undefined;
  return { four, refused, known: known?.set };
});
const setKnown = async (scene: Scene) => (await scene.use(configured)).set;

// In our words (1.0, 3.1.7 Create Push Notification Config): Create and list for an unknown task are refused.
export const unknownTask = check('push/unknown-task-refused', 'push.unknown-task-refused')
  .given('unknown', onUnknown)
  .when('the client sets, reads and lists configs for an unknown task', async ({ unknown }) => unknown.four)
  .butAccepts('a config for a task that exists', setKnown)
  // Deleting a missing config may succeed (AMB03-13, AMB10-21).
  .expects('refuse each call', (four) => judgeEach(four, ['set', 'get', 'list'], refused))
  .advice('Look the task up first, and refuse as TaskNotFound: an empty list says that the task exists.');

const isRefusal = (outcome: Outcome<unknown> | undefined): outcome is Refusal => outcome?.kind === 'refusal';

// In our words (1.0, 3.1.7 Create Push Notification Config): The error of push config calls for an unknown task is
//   TaskNotFoundError.
export const unknownTaskCode = check('push/unknown-task-code', 'push.unknown-task-code')
  .given('unknown', onUnknown)
  .when('the client sets and lists configs for an unknown task', async ({ unknown }) => unknown.four)
  .expects('refuse each call as TaskNotFound', (four, scene) =>
    judgeEach(four, ['set', 'list'], (outcome) => {
      const { refused: address, known } = scene.unknown;
      if (outcome === four['set'] && address !== undefined) return inconclusive(guarded(address).message);
      // An error that comes for each task says nothing of this one.
      if (outcome === four['set'] && isRefusal(known) && isRefusal(outcome) && isSameError(known, outcome))
        return inconclusive(`make the agent accept configs for a task that exists: it answered ${describe(known)}`);
      return isLeftOut(outcome, scene) ? undefined : codeIs('TaskNotFound')(outcome);
    }),
  )
  .advice('Look the task up before you check the config, and answer TaskNotFound (-32001, 404, NOT_FOUND).');

/** Uses an existing task where the agent keeps any, so that only the capability is missing. */
const undeclared = source('an agent that declares no push notifications', async (scene) => {
  const id = (await ifMet(scene.use(anyTask)))?.id;
  return { id, four: await allFour(scene, id ?? scene.uuid()) };
});

// In our words (1.0, 3.3.4 Capability Validation): Without push capability all four operations are refused.
export const unsupported = check('push/unsupported-refused', 'push.unsupported-refused')
  .given('agent', undeclared)
  .when('the client uses push configs that the card does not declare', async ({ agent }) => agent.four)
  .butAccepts('another request', (scene) => {
    const { id } = scene.agent;
    return id === undefined ? sendQuick(scene, scene.say()) : scene.client.call('get', { id });
  })
  .expects('refuse each call', (four) => judgeEach(four, ['set', 'get', 'list', 'delete'], refused))
  .advice('Refuse all four methods with PushNotificationNotSupported, or declare the capability in the card.');

// In our words (1.0, 3.3.4 Capability Validation): The refusal of push operations uses
//   PushNotificationNotSupportedError.
export const unsupportedCode = check('push/unsupported-code', 'push.unsupported-code')
  .given('agent', undeclared)
  .when('the client uses push configs that the card does not declare', async ({ agent }) => agent.four)
  .expects('refuse each call as PushNotificationNotSupported', (four) =>
    judgeEach(four, ['set', 'get', 'list', 'delete'], codeIs('PushNotificationNotSupported')),
  )
  .advice(
    'Register the four methods all the same, and let each answer -32003 (reason PUSH_NOTIFICATION_NOT_SUPPORTED) before the task is looked up.',
  );

/**
 * Sets a broken config, and deletes it again where the agent kept it. Runs alone, after all checks that list configs: a
 * broken config in a listing would not be the fault of the listing.
 */
async function setBroken(scene: Scene, taskId: string, config: Odd | undefined): Promise<Outcome<TaskPushConfig>> {
  const set = await scene.client.call('pushSet', { taskId, config }, { invalid: true });
  const configId = set.kind === 'result' ? set.value.config.id : undefined;
  if (configId) await scene.client.call('pushDelete', { taskId, configId });
  return set;
}

// In our words (1.0, 5.7 Field Presence and Optionality): A config without `url` is refused as invalid.
export const urlRequired = check('push/url-required', 'push.url-required')
  .given('kept', configured)
  .last()
  .when('the client sets a config without a url', (scene) =>
    setBroken(scene, scene.kept.task.id, { id: scene.uuid(), token: 'a2a-tck' }),
  )
  .butAccepts('the same with one', setKnown)
  .expects('refuse it', refused)
  .advice('Check for the url when the config is set, and answer -32602 (400, INVALID_ARGUMENT).');

// In our words (0.3, 6.10 TaskPushNotificationConfig Object): Setting without `pushNotificationConfig` is refused.
export const configRequired = check('push/config-required', 'push.config-required')
  .given('kept', configured)
  .last()
  .when('the client sets no config', (scene) => setBroken(scene, scene.kept.task.id, undefined))
  .butAccepts('the same call with a config', setKnown)
  .expects('refuse the call', refused)
  .advice('Check for pushNotificationConfig, and answer -32602 where it is missing.');

const readKnown = async (scene: Scene) => {
  const { read, set } = await scene.use(configured);
  return read ?? set;
};

// In our words (1.0, 5.7 Field Presence and Optionality): Getting, listing and deleting configs without `taskId` is
//   refused as invalid.
export const taskIdRequired = check('push/task-id-required', 'push.task-id-required')
  .given('kept', configured)
  .when('the client reads and lists configs without the id of a task', async ({ client, kept }) => ({
    get: await client.call('pushGet', { taskId: undefined, configId: kept.id }, { invalid: true }),
    list: await client.call('pushList', { taskId: undefined }, { invalid: true }),
  }))
  .butAccepts('reading one with it', readKnown)
  .expects('refuse each call', (seen, scene) =>
    judgeEach(seen, ['get', 'list'], (outcome) => (isLeftOut(outcome, scene) ? undefined : refused(outcome))),
  )
  .advice('Check for the id of the task before the look-up, and answer -32602.');

// In our words (1.0, 5.7 Field Presence and Optionality): Getting a config without its `id` is refused as invalid.
export const configIdRequired = check('push/config-id-required', 'push.config-id-required')
  .given('kept', configured)
  .when('the client reads a config without its id', ({ client, kept }) =>
    client.call('pushGet', { taskId: kept.task.id }, { invalid: true }),
  )
  .butAccepts('reading one with it', readKnown)
  .expects('refuse the call', refused)
  .advice('Check for the id before the look-up, and answer -32602: a query without an id finds the first config.');

// In our words (1.0, 3.3.2 Error Handling): A config whose url is not an absolute URL is refused as invalid.
export const urlChecked = check('push/url-checked', 'push.url-checked')
  .given('kept', configured)
  .last()
  .when('the client sets a config whose url is "not a url"', (scene) =>
    setBroken(scene, scene.kept.task.id, { id: scene.uuid(), url: 'not a url' }),
  )
  .butAccepts('the same with an absolute URL', setKnown)
  .expects('refuse it', refused)
  .advice('Parse the url when the config is set, and answer -32602: later the agent cannot report the fault.');

/** How the agent answers a second caller about the configs of the first. */
const foreign = source('the push notification config of another caller', async (scene) => {
  if (!scene.client.hasSecond) {
    throw new PreconditionUnmet(
      'give --second-bearer-env or --second-header: the check needs credentials of a second, unrelated caller',
    );
  }
  const { task, sent } = await scene.use(configured);
  const own = { id: scene.uuid(), url: `${sent.url}/own` };
  const set = await setConfig(scene, task.id, own);
  const id = (set.kind === 'result' && set.value.config.id) || own.id;
  const as = { credentials: 'second' } as const;
  const ref = { taskId: task.id, configId: id };
  const { client } = scene;
  return {
    set: await client.call('pushSet', { taskId: task.id, config: { id: scene.uuid(), url: elsewhere } }, as),
    get: await client.call('pushGet', ref, as),
    list: await client.call('pushList', { taskId: task.id }, as),
    delete: await client.call('pushDelete', ref, as),
    after: await client.call('pushGet', ref),
  };
});

/** AMB10-17: both "not allowed" and "not found" are right, and an empty list shows nothing. */
const withheldFrom = (outcome: Outcome<unknown>): Judgement => {
  const isEmpty = outcome.kind === 'result' && Array.isArray(outcome.value) && outcome.value.length === 0;
  return isEmpty || outcome.kind === 'denied' ? undefined : refused(outcome);
};

// In our words (1.0, 13.1 Data Access and Authorization Scoping): A caller without access cannot read, list, create or
//   delete configs.
export const foreignRefused = check('push/foreign-refused', 'push.foreign-refused')
  .given('four', foreign)
  .when('another caller sets, reads, lists and deletes a config', async ({ four }) => four)
  .butAccepts('the same by the caller whose task it is', async ({ four }) => four.after)
  .expects('refuse each call', (four) => judgeEach(four, ['set', 'get', 'list'], withheldFrom))
  .expects('leave the config unchanged', ({ after }) =>
    after.kind === 'refusal' ? `the config of the first caller is gone: ${after.message}` : undefined,
  )
  .advice('Check that the caller may see the task before its configs are read or changed, in all four methods.');
