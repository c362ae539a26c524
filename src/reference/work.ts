import { isInterrupted, isTerminal, type Message, type SendParams, type Task } from '../model/index.js';
import { script } from './behaviours.js';
import { transition, withHistory } from './core.js';
import { RpcFailure } from './failure.js';
import { idMaker } from './ids.js';
import type { RpcCall, Seams, World } from './seams.js';
import { createStage } from './stage.js';

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
  const { happen, play, settled, stop } = createStage(world, whole, crashed);
  const timestamp = () => new Date(clock.now()).toISOString();

  function existing(taskId: string, op: 'send' | 'get' | 'cancel'): Task {
    const task = whole.find(taskId, op);
    if (task === undefined) throw new RpcFailure('TaskNotFound');
    return task;
  }

  async function shown(task: Task, { configuration }: SendParams, call: RpcCall): ReturnType<Seams['execute']> {
    await settled(task.id, whole.patience(configuration), call.request.signal);
    const view = whole.view(store.get(task.id) ?? task, configuration?.historyLength);
    return { op: 'send', result: { type: 'task', task: view } };
  }

  /** A message to a task that waits sets it to work again; one to a task at work is only taken down. */
  function resume(task: Task, message: Message): void {
    const { id: taskId, contextId } = task;
    const joined = { ...message, taskId, ...(contextId === undefined ? {} : { contextId }) };
    happen({ type: 'message', taskId, message: joined });
    if (!isInterrupted(task.status.state)) return;
    const plot = whole.script(message, task);
    happen(whole.stamp({ type: 'status', state: 'working' }, store.get(taskId) ?? task));
    if (plot.reply === 'task') play(taskId, plot.steps);
  }

  async function send(params: SendParams, call: RpcCall): ReturnType<Seams['execute']> {
    const message = params.message ?? nothingSaid;
    if (message.taskId !== undefined) {
      const task = existing(message.taskId, 'send');
      const refused = whole.refusal({ op: 'send', params }, task);
      if (refused !== undefined) throw refused;
      resume(task, message);
      return shown(task, params, call);
    }
    const plot = whole.script(message, undefined);
    if (plot.reply === 'task') {
      const task = whole.create(message);
      store.put(task);
      play(task.id, plot.steps);
      return shown(task, params, call);
    }
    await new Promise<void>((resolve) => void clock.after(plot.afterMs, resolve));
    const contextId = message.contextId || whole.id('context');
    const reply: Message = { messageId: whole.id('message'), role: 'agent', parts: plot.parts, contextId };
    return { op: 'send', result: { type: 'message', message: reply } };
  }

  return {
    stop,
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
      id: idMaker(seed),
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
