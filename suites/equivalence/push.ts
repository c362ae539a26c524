import {
  answerTo,
  aTask,
  check,
  describe,
  difference,
  eachPair,
  endedTask,
  excerpt,
  fresh,
  ifMet,
  inconclusive,
  isInterrupted,
  type Judgement,
  lacksOperation,
  type Outcome,
  openTask,
  type Pair,
  PreconditionUnmet,
  type Scene,
  type Side,
  sendQuick,
  settle,
  source,
  type Task,
  told,
  worst,
} from '../../src/kit/index.js';
import { jsonOf, notified } from '../push/calls.js';
import { hooks } from '../push/sending.js';
import { stored } from '../push/stored.js';
import { asJudged, interfaces, onBoth, unseenOver } from './sides.js';

// A2A 1.0 §3.1.7 to §3.1.10, §4.3.3, §5.1; 0.3 §3.4.1: push notification configurations of one task over two bindings.

/** A public address that nothing is sent to: the task of these configurations has ended. */
const address = 'https://example.com/a2a-tck';

/** A configuration that was made over one side, which shows it by its id. */
interface Made {
  readonly url: string;
  readonly ref: { readonly taskId: string; readonly configId: string };
}

const madeOver = async (scene: Scene, taskId: string, { client }: Side): Promise<Outcome<Made>> => {
  const sent = scene.uuid();
  const url = `${address}/${sent}`;
  const set = await client.call('pushSet', { taskId, config: { id: sent, url } });
  return set.kind === 'result'
    ? { ...set, value: { url, ref: { taskId, configId: set.value.config.id || sent } } }
    : set;
};

/** Both have a configuration of the task. An agent that overlooks ids shows one of them for both, over whatever side. */
async function shownOver({ client, title }: Side, { url, ref }: Made): Promise<Judgement> {
  const read = await client.call('pushGet', ref);
  if (read.kind !== 'result') return unseenOver({ client, title } as Side, read);
  return read.value.config.url === url
    ? undefined
    : inconclusive(`the configuration that the kit made over ${title} differs there when the kit reads it by its id`);
}

async function shared(from: Side, to: Side, { url, ref }: Made): Promise<Judgement> {
  const read = await to.client.call('pushGet', ref);
  const made = `the configuration that was made over ${from.title}`;
  if (read.kind === 'refusal' && !lacksOperation(read))
    return `${made} is not found over ${to.title}: ${describe(read)}`;
  if (read.kind !== 'result') return unseenOver(to, read);
  if (read.value.config.url !== url) {
    return `${made} has the URL ${excerpt(read.value.config.url, 100)} over ${to.title}, in place of ${url}`;
  }
  const listed = await to.client.call('pushList', { taskId: ref.taskId });
  if (listed.kind === 'result' && !listed.value.some(({ config }) => config.id === ref.configId)) {
    return `${made} is not listed over ${to.title}`;
  }
  const deleted = await to.client.call('pushDelete', ref);
  if (deleted.kind !== 'result') return unseenOver(to, deleted);
  const after = await from.client.call('pushGet', ref);
  return after.kind === 'result' ? `${made} is still there after it was deleted over ${to.title}` : undefined;
}

async function sharedByBoth(scene: Scene, taskId: string, { own, peer }: Pair): Promise<Judgement> {
  const sides = [own, peer];
  const made: Made[] = [];
  for (const side of sides) {
    const outcome = await madeOver(scene, taskId, side);
    if (outcome.kind !== 'result') return unseenOver(side, outcome);
    made.push(outcome.value);
  }
  const [first, second] = made as [Made, Made];
  const open = worst([await shownOver(own, first), await shownOver(peer, second)]);
  return open ?? worst([await shared(own, peer, first), await shared(peer, own, second)]);
}

/** An ended task, after push/list-empty has seen that it has no configuration: both may look at the same one. */
const afterListing = source(endedTask.about, async (scene): Promise<Task> => {
  await ifMet(scene.use(stored));
  return scene.use(endedTask);
});

// In our words (1.0, 5.1 Functional Equivalence Requirements): A push config made over one binding is listed, readable
//   and deletable over another.
export const configs = check('equivalence/push-configs', 'equivalence.push-configs')
  .given('interfaces', interfaces)
  .given('task', afterListing)
  .when('the client sets configs over one interface and uses them over another', async (scene) =>
    eachPair(scene.interfaces, (pair) => sharedByBoth(scene, scene.task.id, pair)),
  )
  .expects('keep one set of configurations for all', asJudged)
  .advice('Put one store of push notification configurations behind all bindings.');

/** Three configurations of one task. */
const threeConfigs = fresh('a task with three push notification configs', async (scene): Promise<Task> => {
  const task = await scene.use(afterListing);
  for (let count = 0; count < 3; count++) {
    const set = await scene.client.call('pushSet', { taskId: task.id, config: { id: scene.uuid(), url: address } });
    if (set.kind !== 'result')
      throw new PreconditionUnmet(`the agent did not accept a configuration: ${describe(set)}`, undefined);
  }
  return task;
});

// In our words (1.0, 5.1 Functional Equivalence Requirements): The list of push configs is paged on each binding or on
//   none.
export const paging = check('equivalence/push-paging', 'equivalence.push-paging')
  .given('interfaces', interfaces)
  .given('task', threeConfigs)
  .when('the client lists configs over each interface in pages of 1', async ({ interfaces, task }) =>
    eachPair(interfaces, async (pair): Promise<Judgement> => {
      const [own, there] = await onBoth(pair, ({ client }) =>
        client.call('pushList', { taskId: task.id, pageSize: 1 } as never),
      );
      if (own.kind !== 'result') return unseenOver(pair.own, own);
      if (there.kind !== 'result') return unseenOver(pair.peer, there);
      const [ownCount, other] = [own.value.length, there.value.length];
      if (ownCount > 1 === other > 1) return undefined;
      return `${ownCount} come over ${pair.own.title}, and ${other} over ${pair.peer.title}`;
    }),
  )
  .expects('give pages on each or on none', asJudged)
  .advice('Read pageSize in every binding, and cut the list behind all of them.');

/** A task that changes when the kit chooses, and its webhooks: one that was set over each side. */
async function payloads(scene: Scene, pair: Pair): Promise<Judgement> {
  const webhook = hooks(scene);
  const task = (await ifMet(scene.use(aTask('input-required')))) ?? (await scene.use(openTask));
  const paths = [pair.own, pair.peer].map((_, index) => `equivalence-${scene.uuid()}-${index}`);
  for (const [index, side] of [pair.own, pair.peer].entries()) {
    const config = { id: scene.uuid(), url: webhook.url(paths[index] ?? '') };
    const set = await side.client.call('pushSet', { taskId: task.id, config });
    if (set.kind !== 'result') return unseenOver(side, set);
  }
  const { state } = task.status;
  const done = isInterrupted(state)
    ? await sendQuick(scene, answerTo(scene, task))
    : await scene.client.call('cancel', { id: task.id });
  if (done.kind !== 'result') return unseenOver(pair.own, done);
  await settle(scene, task);
  const bodies: unknown[] = [];
  for (const [index, side] of [pair.own, pair.peer].entries()) {
    const path = paths[index] ?? '';
    const first = await webhook.next(path, scene.patienceMs);
    const [call] = notified(first === undefined ? [] : [first]);
    if (call === undefined)
      return inconclusive(`no notification came for the configuration that the kit set over ${side.title}`);
    bodies.push(jsonOf(call));
  }
  const deviation = difference(bodies[0], bodies[1]);
  return (
    deviation &&
    `the notification for the configuration differs by where it was set: ${told(deviation, [pair.own.title, pair.peer.title])}`
  );
}

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications have the same form whatever binding made the
//   config.
export const payload = check('equivalence/push-payload', 'equivalence.push-payload')
  .given('interfaces', interfaces)
  .when('the client sets a webhook for one task over each interface', async (scene) =>
    eachPair(scene.interfaces, (pair) => payloads(scene, pair)),
  )
  .expects('send both the same notification', asJudged)
  .advice('A notification is JSON as over HTTP+JSON, whichever binding set the webhook.');
