import { isInterrupted, isSettled, isTerminal, type Message, type SendParams, type Task } from '../model/index.js';
import { script } from './behaviours.js';
import { transition, withHistory } from './core.js';
import { RpcFailure } from './failure.js';
import type { IdKind, RpcCall, Seams, Step, World } from './seams.js';
import type { TaskEvent } from './store.js';

/** How long an answer waits when the client does not say (AMB03-07: both waiting and not waiting are right). */
const defaultPatienceMs = 5000;

/** A send whose params are broken and were let through all the same: a fault must not become a crash. */
const nothingSaid: Message = { messageId: '', role: 'user', parts: [] };

export interface Work {
  readonly seams: Pick<
    Seams,
    'execute' | 'id' | 'find' | 'refusal' | 'create' | 'script' | 'stamp' | 'transition' | 'patience' | 'view'
  >;
  /** Ends all scripts that still run. */
  stop(): void;
}

export function work(world: World, whole: Seams, seed: number, crashed: (cause: unknown) => void): Work {
  const { clock, store } = world;
  const id = idMaker(seed);
  const timestamp = () => new Date(clock.now()).toISOString();
  const running = new Set<() => void>();

  function happen(event: TaskEvent): void {
    const task = store.get(event.taskId);
    if (task === undefined) return;
    const next = whole.transition(task, event);
    if (next !== task) store.publish(next, event);
  }

  /** Steps go on after a cancel as well: it is the life cycle that refuses what comes too late. */
  function play(taskId: string, [step, ...rest]: readonly Step[]): void {
    if (step === undefined) return;
    const stop = clock.after(step.afterMs, () => {
      running.delete(stop);
      try {
        const task = store.get(taskId);
        if (task !== undefined) happen(whole.stamp(step.act, task));
      } catch (cause) {
        crashed(cause);
      }
      play(taskId, rest);
    });
    running.add(stop);
  }

  /** Until the task waits for nobody but the client, or `ms` have passed, or the client has gone. */
  function settled(taskId: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = () => {
        const task = store.get(taskId);
        return task === undefined || isSettled(task.status.state);
      };
      if (ms <= 0 || signal.aborted || over()) return resolve();
      const unwatch = store.watch(taskId, () => {
        if (over()) done();
      });
      const stop = Number.isFinite(ms) ? clock.after(ms, done) : undefined;
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        unwatch();
        stop?.();
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }

  function existing(taskId: string, op: 'send' | 'get' | 'cancel'): Task {
    const task = whole.find(taskId, op);
    if (task === undefined) throw new RpcFailure('TaskNotFound');
    return task;
  }

  async function send(params: SendParams, call: RpcCall): ReturnType<Seams['execute']> {
    const message = params.message ?? nothingSaid;
    const { signal } = call.request;
    const answer = async (task: Task): ReturnType<Seams['execute']> => {
      await settled(task.id, whole.patience(params.configuration), signal);
      const shown = whole.view(store.get(task.id) ?? task, params.configuration?.historyLength);
      return { op: 'send', result: { type: 'task', task: shown } };
    };
    if (message.taskId !== undefined) {
      const task = existing(message.taskId, 'send');
      const refused = whole.refusal({ op: 'send', params }, task);
      if (refused !== undefined) throw refused;
      const joined = {
        ...message,
        taskId: task.id,
        ...(task.contextId === undefined ? {} : { contextId: task.contextId }),
      };
      happen({ type: 'message', taskId: task.id, message: joined });
      if (isInterrupted(task.status.state)) {
        const next = whole.script(message, task);
        happen(whole.stamp({ type: 'status', state: 'working' }, store.get(task.id) ?? task));
        if (next.reply === 'task') play(task.id, next.steps);
      }
      return answer(task);
    }
    const plot = whole.script(message, undefined);
    if (plot.reply === 'message') {
      await new Promise<void>((resolve) => void clock.after(plot.afterMs, resolve));
      const reply: Message = {
        messageId: whole.id('message'),
        role: 'agent',
        parts: plot.parts,
        contextId: message.contextId || whole.id('context'),
      };
      return { op: 'send', result: { type: 'message', message: reply } };
    }
    const task = whole.create(message);
    store.put(task);
    play(task.id, plot.steps);
    return answer(task);
  }

  return {
    stop() {
      for (const stop of running) stop();
      running.clear();
    },
    seams: {
      async execute(command, call) {
        switch (command.op) {
          case 'send':
            return send(command.params, call);
          case 'get':
            return { op: 'get', result: whole.view(existing(command.params.id, 'get'), command.params.historyLength) };
          case 'cancel': {
            const task = existing(command.params.id, 'cancel');
            const refused = whole.refusal(command, task);
            if (refused !== undefined) throw refused;
            happen(whole.stamp({ type: 'status', state: 'canceled', say: 'Canceled, as asked.' }, task));
            return { op: 'cancel', result: whole.view(store.get(task.id) ?? task, undefined) };
          }
          default:
            throw new RpcFailure('UnsupportedOperation');
        }
      },
      id,
      find: (taskId) => store.get(taskId),
      refusal(command, task) {
        const finished = isTerminal(task.status.state);
        if (command.op === 'cancel') return finished ? new RpcFailure('TaskNotCancelable') : undefined;
        if (command.op !== 'send') return undefined;
        // §7.1 demands an error and names none (AMB03-04). The request itself is well-formed, so neither -32600 nor
        // -32602 fits; "a specific aspect of it (perhaps implied by parameters) is not supported" (§8.2) does, and
        // 1.0 §3.1.1 chose the same.
        if (finished) return new RpcFailure('UnsupportedOperation', `the task is ${task.status.state}`);
        const { contextId } = command.params.message;
        return contextId === undefined || contextId === task.contextId
          ? undefined
          : new RpcFailure('InvalidParams', 'message.contextId is not that of the task');
      },
      create(message) {
        const taskId = whole.id('task');
        const contextId = message.contextId || whole.id('context');
        return {
          id: taskId,
          contextId,
          status: { state: 'submitted', timestamp: timestamp() },
          history: [{ ...message, taskId, contextId }],
        };
      },
      script,
      stamp(act, task) {
        const named = { taskId: task.id, ...(task.contextId === undefined ? {} : { contextId: task.contextId }) };
        if (act.type === 'artifact') {
          const { name, parts, type: _, ...flags } = act;
          const begun = act.append ? task.artifacts?.findLast((artifact) => artifact.name === name) : undefined;
          const artifact = { artifactId: begun?.artifactId ?? whole.id('artifact'), name, parts };
          return { type: 'artifact', ...named, artifact, ...flags };
        }
        const { state, say } = act;
        const message: Message | undefined =
          say === undefined
            ? undefined
            : { messageId: whole.id('message'), role: 'agent', parts: [{ kind: 'text', text: say }], ...named };
        const status = { state, ...(message === undefined ? {} : { message }), timestamp: timestamp() };
        return { type: 'status', ...named, status };
      },
      transition,
      patience(configuration) {
        if (configuration?.blocking === undefined) return defaultPatienceMs;
        return configuration.blocking ? Number.POSITIVE_INFINITY : 0;
      },
      view: withHistory,
    },
  };
}

const kindDigits: Readonly<Record<IdKind, string>> = {
  task: '7a5c',
  context: 'c0de',
  message: '3e55',
  artifact: 'a27f',
};

/** Counters in the form of UUIDs (RFC 9562 §5.4), so that two runs of the same seed give the same bytes. */
function idMaker(seed: number): (kind: IdKind) => string {
  const head = (seed >>> 0).toString(16).padStart(8, '0');
  const counts = new Map<IdKind, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${head}-${kindDigits[kind]}-4000-8000-${count.toString(16).padStart(12, '0')}`;
  };
}
