import { isTerminal, type PushConfig, type StreamEvent, type Task } from '../../model/index.js';
import { able, type Patch, together, type World } from '../../reference/index.js';
import type { WireRequest } from '../../wire/index.js';
import { type Scenario, type Stage, scenario } from '../scenario.js';
import { credentialsFor, demanding } from './access.js';

// Webhooks of the client, called as the agent calls them, and as others might.

type Notice = Extract<StreamEvent, { type: 'status' | 'artifact' }>;
interface Due {
  readonly stage: Stage;
  readonly request: WireRequest;
  readonly config: PushConfig;
  /** Which notification of its task it is, from 0. */
  readonly count: number;
  /** The same notification for another event. */
  about(event: Notice, task: Task): WireRequest | undefined;
  readonly event: Notice;
  readonly task: Task;
}

/**
 * The agent answers at once, and the task takes a moment: the client must know its id before its notification comes.
 */
const unhurried: Patch = () => ({
  patience: () => 0,
  script: () => ({
    reply: 'task',
    steps: [
      { afterMs: 400, act: { type: 'status', state: 'working', say: 'On it.' } },
      { afterMs: 100, act: { type: 'artifact', name: 'answer', parts: [{ kind: 'text', text: 'It is done' }] } },
      { afterMs: 100, act: { type: 'status', state: 'completed', say: 'Done.' } },
    ],
  }),
});

/** Keeps what the client registers: `webhook-1`, and `secret-1` where it has a token or credentials. */
const registering =
  (stage: Stage): Patch =>
  (inner) => {
    let count = 0;
    const note = (config: PushConfig | undefined): void => {
      if (config === undefined) return;
      count++;
      stage.note(`webhook-${count}`, config.url);
      const secret = config.token ?? config.authentication?.credentials ?? '';
      if (secret !== '') stage.note(`secret-${count}`, secret);
    };
    return {
      execute(command, call) {
        if (command.op === 'send') note(command.params.configuration?.push);
        if (command.op === 'pushSet') note(command.params.config);
        return inner.execute(command, call);
      },
      stream(command, call) {
        if (command.op === 'stream') note(command.params.configuration?.push);
        return inner.stream(command, call);
      },
    };
  };

/** What is sent to the webhook in place of each notification; all of it in order. */
const notifying =
  (stage: Stage, due: (item: Due) => Promise<void>): Patch =>
  (inner, _: World) => {
    const dues = new WeakMap<WireRequest, Omit<Due, 'stage' | 'count'>>();
    const counts = new Map<string, number>();
    return {
      notification(event, task, config) {
        const request = inner.notification(event, task, config);
        if (request === undefined || event.type === 'message') return request;
        const about: Due['about'] = (other, of) => inner.notification(other, of, config);
        dues.set(request, { request, config, event, task, about });
        return request;
      },
      async deliver(request) {
        const item = dues.get(request);
        if (item === undefined) return;
        const count = counts.get(item.task.id) ?? 0;
        counts.set(item.task.id, count + 1);
        await due({ ...item, stage, count });
      },
    };
  };

/** The first notification of each play. */
const firsts = new WeakMap<Stage, WireRequest>();
const twice = async ({ stage, request, event }: Due): Promise<void> => {
  await stage.deliver('right', request);
  await stage.deliver('again', request);
  const first = firsts.get(stage);
  if (first === undefined) firsts.set(stage, request);
  else if (event.type === 'status' && isTerminal(event.status.state)) await stage.deliver('late', first);
};

/** The webhook gets artifacts, too. */
const withArtifacts: Patch = (_, { store }) => ({
  recipients: ({ type }, { id }) => (type === 'status' || type === 'artifact' ? store.configs(id) : []),
});

const plainly = async ({ stage, request }: Due): Promise<void> => stage.deliver('right', request);

/** Headers that carry what the client registered. */
const secret = new Set(['x-a2a-notification-token', 'authorization']);
const withSecret = (request: WireRequest, change: (value: string) => string | undefined): WireRequest => ({
  ...request,
  headers: request.headers.flatMap(([name, value]) => {
    if (!secret.has(name.toLowerCase())) return [[name, value] as const];
    const changed = change(value);
    return changed === undefined ? [] : [[name, changed] as const];
  }),
});

const hooked = (stage: Stage, due: (item: Due) => Promise<void>): Patch =>
  together(able({ push: true }), unhurried, registering(stage), notifying(stage, due));

const hookScenario = (
  id: Scenario['id'],
  about: string,
  due: (item: Due) => Promise<void>,
  more: Partial<Scenario> = {},
): Scenario =>
  scenario(id, {
    about,
    errand: { do: 'notify', text: 'Think about it' },
    patch: (stage) => hooked(stage, due),
    expected: { state: 'completed' },
    ...more,
  });

export const pushScenarios: readonly Scenario[] = [
  hookScenario('webhook', 'the agent calls the webhook for each status and for an artifact', plainly, {
    patch: (stage) => together(hooked(stage, plainly), withArtifacts),
  }),
  hookScenario(
    'webhook-twice',
    'each notification comes twice, and the first once more when the task has ended',
    twice,
  ),
  hookScenario('webhook-forged', 'another sender calls the webhook before the agent', async (item) => {
    const { stage, request, count } = item;
    if (count === 0) {
      await stage.deliver(
        'wrong-token',
        withSecret(request, (value) => `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`),
      );
      await stage.deliver(
        'no-token',
        withSecret(request, () => undefined),
      );
    }
    await plainly(item);
  }),
  hookScenario(
    'webhook-foreign',
    'the webhook first gets a notification that another task has failed',
    async (item) => {
      const { stage, count, event, task, about } = item;
      const taskId = 'task-of-somebody-else';
      const failed = { state: 'failed' as const, timestamp: new Date(stage.clock.now()).toISOString() };
      const foreign =
        event.type === 'status'
          ? about({ ...event, taskId, status: failed }, { ...task, id: taskId, status: failed })
          : undefined;
      if (count === 0 && foreign !== undefined) await stage.deliver('foreign-task', foreign);
      await plainly(item);
    },
  ),
  hookScenario('webhook-with-credentials', 'the agent wants a bearer token, and calls the webhook', plainly, {
    errand: (stage) => ({
      do: 'notify',
      text: 'Think about it',
      credentials: credentialsFor(stage, 'bearer'),
    }),
    patch: (stage) => together(demanding(['bearer'])(stage), hooked(stage, plainly)),
  }),
  hookScenario('webhook-two-tasks', 'a webhook is registered for each of two tasks', plainly, {
    errand: { do: 'notify', text: 'Think about it', texts: ['Think about it', 'Think about something else'] },
  }),
];
