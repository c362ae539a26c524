import type { Message, Part } from '../../model/index.js';
import type { Script } from '../calls.js';
import { edited, mistaking, onStatus } from '../edits.js';
import { type Patch, together } from '../seams.js';
import { variant } from '../variant.js';
import { declaring } from './declaring.js';
import { cancelingNothing } from './tasks.js';

// Agents that put each message into a queue: a worker answers it in the background, and clients read the task.

/** Every message becomes work that makes an artifact, unless it fails; the agent never asks for input. */
const workingOnly: Patch = (inner) => ({
  script(message, waiting): Script {
    const plot = inner.script(message, waiting);
    const acts = plot.reply === 'message' ? [] : plot.steps.map(({ act }) => act);
    const made = acts.flatMap((act) => (act.type === 'artifact' ? act.parts : []));
    const parts: readonly Part[] = made.length > 0 ? made : [{ kind: 'text', text: 'That is all.' }];
    const tookMs = plot.reply === 'message' ? 0 : plot.steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
    const state = acts.some((act) => act.type === 'status' && act.state === 'failed') ? 'failed' : 'completed';
    return {
      reply: 'task',
      steps: [
        { afterMs: 5, act: { type: 'status', state: 'working' } },
        ...(state === 'failed'
          ? []
          : [{ afterMs: tookMs + 20, act: { type: 'artifact', name: 'result', parts } } as const]),
        { afterMs: 5, act: { type: 'status', state, say: 'Here it is.' } },
      ],
    };
  },
});

/** Puts messages of the agent into the history; a status has no message. */
const sayingInHistory: Patch = (inner) => ({
  transition(task, event) {
    if (event.type !== 'status' || event.status.message === undefined) return inner.transition(task, event);
    const { message, ...status } = event.status;
    const next = inner.transition(task, { ...event, status });
    return next === task ? task : { ...next, history: [...(next.history ?? []), message as Message] };
  },
});

const aheadWithoutZone: Patch = onStatus((status) =>
  edited(status, 'timestamp', (time) =>
    typeof time === 'string' ? new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '456') : time,
  ),
);
/** Timestamps are two hours ahead and have no zone (AMB03-23). A time of a message of gRPC is a number of seconds. */
const localTime: Patch = (inner, world, whole) =>
  world.dialect.binding.id === 'grpc' ? {} : aheadWithoutZone(inner, world, whole);

/** A cancel goes into the queue: the agent answers with the current task, and cancels it later. */
const cancelingLater =
  (pauseMs: () => number): Patch =>
  (inner, { clock }) => ({
    async execute(command, call) {
      const task = command.op === 'cancel' ? inner.find(command.params.id, 'cancel') : undefined;
      if (task === undefined || !inner.visible(task.id, call.request.caller)) return inner.execute(command, call);
      if (inner.refusal(command, task) !== undefined) return inner.execute(command, call);
      clock.after(pauseMs(), () => void inner.execute(command, call).catch(() => undefined));
      return { op: 'cancel', result: inner.view(task, undefined) };
    },
  });

/** One worker for all tasks: a task stays submitted until earlier tasks are done, and a cancel waits for them too. */
const oneWorker: Patch = (inner, world, whole) => {
  let freeAt = 0;
  const untilFree = () => Math.max(0, freeAt - world.clock.now());
  const queueing: Patch = (before) => ({
    script(message, waiting) {
      const plot = before.script(message, waiting);
      if (plot.reply === 'message') return plot;
      const pauseMs = untilFree();
      freeAt = world.clock.now() + pauseMs + plot.steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
      const [first, ...rest] = plot.steps;
      return first === undefined
        ? plot
        : { reply: 'task', steps: [{ ...first, afterMs: first.afterMs + pauseMs }, ...rest] };
    },
  });
  return together(queueing, cancelingLater(untilFree))(inner, world, whole);
};

/** So many threads work, and a task without end keeps one until it is canceled. */
const workers =
  (count: number): Patch =>
  () => ({ workers: () => count });

const queue = together(workingOnly, sayingInHistory);
const inJson = declaring({ inputModes: ['application/json'], outputModes: ['application/json'] });
const atOnce: Patch = () => ({ patience: () => 0 });
const unknownMethods = together(
  mistaking('UnsupportedOperation', 'MethodNotFound', 'stream'),
  mistaking('UnsupportedOperation', 'MethodNotFound', 'subscribe'),
  mistaking('ExtendedCardNotConfigured', 'MethodNotFound'),
);

export const queueVariants = [
  variant('queues-messages', {
    about:
      'Answers every send at once with a submitted task, works in the background, and cancels late (AMB03-07, AMB03-25).',
    patch: together(
      queue,
      localTime,
      inJson,
      atOnce,
      unknownMethods,
      cancelingLater(() => 700),
    ),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('queues-messages-for-one-worker', {
    about: 'The same with one worker, who does one task after the other; a cancel waits for its turn (0.3 §7.4).',
    patch: together(queue, localTime, atOnce, unknownMethods, oneWorker),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('queues-messages-and-waits', {
    about: 'Works in the background, shows its work in artifacts and history, and cancels late (1.0 §3.1.5).',
    patch: together(
      queue,
      cancelingLater(() => 700),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('has-two-workers', {
    about: 'Works on two tasks at a time; further ones stay submitted until one of these has ended (1.0 §4.1.3).',
    patch: workers(2),
    profiles: ['a2a-1.0', 'a2a-0.3'],
  }),
  variant('has-two-workers-and-ends-no-work', {
    about: 'The same, and no task can be canceled (1.0 §3.1.5).',
    patch: together(workers(2), cancelingNothing),
    profiles: ['a2a-1.0'],
  }),
];
