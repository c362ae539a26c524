import {
  anyTask,
  describe,
  inconclusive,
  isServerError,
  isString,
  isTerminal,
  type Judgement,
  lacksOperation,
  member,
  type Outcome,
  openTask,
  PreconditionUnmet,
  type PushConfig,
  type Scene,
  source,
  type Task,
  type TaskPushConfig,
  type TaskState,
} from '../../src/kit/index.js';

// One task and its stored configurations, in this order: list none, set one, read it, set another, list both, delete
// the first. The task no longer changes, or only when the client wants it, so no notifications are due.

type Set = Outcome<TaskPushConfig>;
export type Listed = Outcome<readonly TaskPushConfig[]>;

export interface Stored {
  readonly task: Task;
  /** State of the task before anything was set; undefined when the agent no longer knew the task. */
  readonly state: TaskState | undefined;
  /** The listing before anything was set. */
  readonly before: Listed;
  readonly sent: PushConfig & { readonly id: string };
  readonly set: Set;
  /** The configuration read by its id; undefined when it was not set. */
  readonly read: Set | undefined;
}

/** Addresses that an agent may accept: the kit's own, and one that no guard against internal addresses refuses. */
export const addresses = (scene: Scene, path: string): readonly string[] => [
  ...(scene.webhook === undefined ? [] : [scene.webhook.url(path)]),
  `https://example.com/a2a-tck/${path}`,
];

export const setConfig = (scene: Scene, taskId: string, config: PushConfig): Promise<Set> =>
  scene.client.call('pushSet', { taskId, config });
export const readConfig = (scene: Scene, taskId: string, configId: string): Promise<Set> =>
  scene.client.call('pushGet', { taskId, configId });

/** All pages (1.0 §3.1.9), joined into the last one. The first page that is not a result comes back unchanged. */
export async function listConfigs(scene: Scene, taskId: string): Promise<Listed> {
  const configs: TaskPushConfig[] = [];
  const tokens = new Set<string>();
  let pageToken: string | undefined;
  for (;;) {
    const more = pageToken === undefined ? {} : { pageToken };
    const page = await scene.client.call('pushList', { taskId, ...more });
    if (page.kind !== 'result') return page;
    configs.push(...page.value);
    const next = member(page.wire, 'nextPageToken');
    const isOver = !isString(next) || next === '' || tokens.has(next) || tokens.size >= 10;
    if (isOver) return { ...page, value: configs };
    tokens.add(next);
    pageToken = next;
  }
}

/** "No such method" and "no push notifications" hold for any task and any address. */
const isAbsent = (set: Set): boolean =>
  lacksOperation(set) || (set.kind === 'refusal' && set.error === 'PushNotificationNotSupported');

/** The address may be refused: 1.0 §13.2 asks the agent to check it, and the kit has no other. */
export function isOfAddress(set: Set): boolean {
  if (set.kind !== 'refusal' || isAbsent(set) || isServerError(set)) return false;
  const named = set.error === undefined ? set.fits : [set.error];
  return named === undefined || named.includes('InvalidParams') || named.includes('InvalidRequest');
}

/**
 * The current state of a task; undefined when the agent no longer knows it. If the task cannot be read, its last known
 * state.
 */
export async function stateNow(scene: Scene, { id, status }: Task): Promise<TaskState | undefined> {
  const now = await scene.client.call('get', { id });
  if (now.kind === 'result') return now.value.status.state;
  return now.kind === 'refusal' && now.error === 'TaskNotFound' ? undefined : status.state;
}

/** For such a task the agent need not keep configurations nor accept new ones (1.0 §3.1.7, §3.3.2). */
export const isGone = (state: TaskState | undefined): boolean => state === undefined || isTerminal(state);

/**
 * A failure seen on a task that has ended or was purged since does not count. It counts where the task had already
 * ended before, since the agent accepted a configuration nevertheless.
 */
export async function unlessEnded(
  scene: Scene,
  { task, state }: Pick<Stored, 'task' | 'state'>,
  judgement: Judgement,
): Promise<Judgement> {
  if (typeof judgement !== 'string') return judgement;
  const now = await stateNow(scene, task);
  if (now === undefined) return inconclusive(`the agent no longer has the task: ${judgement}`);
  const hasEnded = isTerminal(now) && !isGone(state);
  return hasEnded ? inconclusive(`set behaviours.working to longer work: the task has ended: ${judgement}`) : judgement;
}

async function storeOn(scene: Scene, task: Task): Promise<Stored> {
  if (task.id === '') throw new PreconditionUnmet('the task came without an id that the client can send back');
  const [state, before] = await scene.sideBySide(
    () => stateNow(scene, task),
    () => scene.client.call('pushList', { taskId: task.id }),
  );
  let last: Stored | undefined;
  for (const url of addresses(scene, 'stored')) {
    const sent = { id: scene.uuid(), url };
    const set = await setConfig(scene, task.id, sent);
    last = { task, state, before, sent, set, read: undefined };
    if (set.kind !== 'refusal' || isAbsent(set)) break;
  }
  if (last === undefined) throw new PreconditionUnmet('the kit had no address to set');
  if (last.set.kind !== 'result') return last;
  return { ...last, read: await readConfig(scene, task.id, keptId(last)) };
}
/** The id of the stored configuration: that of the answer, if it has one. */
const keptId = ({ set, sent }: Stored): string => (set.kind === 'result' && set.value.config.id) || sent.id;

/** 1.0 §3.1.7: an agent need not keep configurations of ended tasks; in that case an open task is used. */
export const stored = source('a task', async (scene): Promise<Stored> => {
  const task = await scene.use(anyTask);
  const first = await storeOn(scene, task);
  if (first.read?.kind === 'result' || first.set.kind === 'not-sent' || isAbsent(first.set)) return first;
  // A task that was at work may have ended since, and been purged (§3.3.2).
  const now = await stateNow(scene, task);
  if (!isGone(now)) return first;
  try {
    return await storeOn(scene, await scene.use(openTask));
  } catch (error) {
    if (!(error instanceof PreconditionUnmet)) throw error;
    const seen = describe(first.read ?? first.set);
    throw new PreconditionUnmet(`the agent kept no configuration for an ended task (${seen}), and ${error.message}`);
  }
});

/** The same, where the agent accepted the configuration. */
export const configured = source('a task with a push notification config', async (scene) => {
  const found = await scene.use(stored);
  if (found.set.kind !== 'result')
    throw new PreconditionUnmet(`the agent accepted no configuration: ${describe(found.set)}`);
  return { ...found, set: found.set, id: keptId(found) };
});

export const token = 'a2a-tck-webhook-token';
export const authentication = { schemes: ['Bearer'], credentials: 'a2a-tck-webhook-credentials' };

/** Another scheme, whose credentials are sent unchanged (RFC 7617). */
export const basic = { schemes: ['Basic'], credentials: Buffer.from('a2a-tck:webhook').toString('base64') };

export type Extras = Pick<PushConfig, 'token' | 'authentication'>;

/** Optional members of a configuration, tried from all to none where the agent refuses them. */
export const outfits: readonly [Extras, ...Extras[]] = [{ token, authentication }, { token }, {}];

/**
 * Refused, or answered with an error of HTTP, but not silence, and not an answer that cannot be read: the agent may have
 * taken the config then. A denial may be about the credentials of the webhook.
 */
export const isRefused = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' ||
  outcome.kind === 'denied' ||
  (outcome.kind === 'invalid-response' && (outcome.exchange.response?.status ?? 0) >= 400);

export interface Taken {
  readonly sent: PushConfig;
  readonly set: Set;
  /** The outcome with all extras, where the agent accepted only fewer. */
  readonly refused: Set | undefined;
}

/** Sets a configuration with the first extras that the agent accepts; where it accepts none, with the first. */
export async function setWith(
  scene: Scene,
  taskId: string,
  config: PushConfig,
  [all, ...less]: readonly [Extras, ...Extras[]] = outfits,
): Promise<Taken> {
  const sent = { ...config, ...all };
  const set = await setConfig(scene, taskId, sent);
  if (!isRefused(set) || isAbsent(set)) return { sent, set, refused: undefined };
  for (const extras of less) {
    const other = { ...config, ...extras };
    const again = await setConfig(scene, taskId, other);
    if (again.kind === 'result') return { sent: other, set: again, refused: set };
  }
  return { sent, set, refused: undefined };
}

/** A second configuration, with all optional members that the agent accepts. */
export const second = source('a task with a push notification config', async (scene) => {
  const first = await scene.use(configured);
  const other = await setWith(scene, first.task.id, { id: scene.uuid(), url: `${first.sent.url}/second` });
  const otherId = (other.set.kind === 'result' && other.set.value.config.id) || other.sent.id || first.id;
  const [listed, firstRead, otherRead] = await scene.sideBySide(
    () => listConfigs(scene, first.task.id),
    () => readConfig(scene, first.task.id, first.id),
    () => readConfig(scene, first.task.id, otherId),
  );
  const reads = [
    { id: first.id, url: first.sent.url, read: firstRead },
    { id: otherId, url: other.sent.url, read: otherRead },
  ];
  return { ...first, other, listed, reads };
});

export const removed = source('a task with a push notification config', async (scene) => {
  const { task, state, id } = await scene.use(second);
  const ref = { taskId: task.id, configId: id };
  const deleted = await scene.client.call('pushDelete', ref);
  const [read, listed] = await scene.sideBySide(
    () => readConfig(scene, task.id, id),
    () => listConfigs(scene, task.id),
  );
  return { task, state, id, deleted, read, listed, again: await scene.client.call('pushDelete', ref) };
});
