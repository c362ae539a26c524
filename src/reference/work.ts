import {
  isInterrupted,
  isTerminal,
  type Message,
  type SendParams,
  type StreamEvent,
  type Task,
} from '../model/index.js';
import { behaviourOf, script, workOn } from './behaviours.js';
import type { RpcCall, Script } from './calls.js';
import { transition, withAnswer, withHistory } from './core.js';
import { RpcFailure, Unauthorized } from './failure.js';
import { idMaker } from './ids.js';
import { pageOf } from './listing.js';
import { isPushCommand, type Push } from './push.js';
import { refusalOf } from './refusals.js';
import type { Seams, World } from './seams.js';
import { createStage } from './stage.js';
import type { Streams } from './streams.js';

/** The message of a send whose broken params a fault let through: the fault must not become a crash. */
const nothingSaid: Message = { messageId: '', role: 'user', parts: [] };

export interface Work {
  readonly seams: Pick<
    Seams,
    | 'execute'
    | 'stream'
    | 'page'
    | 'id'
    | 'find'
    | 'refusal'
    | 'create'
    | 'script'
    | 'stamp'
    | 'transition'
    | 'patience'
    | 'workers'
    | 'view'
  >;
  /** Continues the tasks that were unfinished when the agent was stopped. */
  resume(): void;
  /** Ends all scripts that still run. */
  stop(): void;
}

/** What a message began: work on a task, or an answer. */
type Begun =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'message'; readonly plot: Extract<Script, { reply: 'message' }>; readonly message: Message };

interface Crew {
  readonly streams: Streams;
  readonly push: Push;
  readonly seed: number;
  readonly crashed: (cause: unknown) => void;
}

export function work(world: World, whole: Seams, { streams, push, seed, crashed }: Crew): Work {
  const { clock, spelling, store } = world;
  const { happen, play, start, settled, stop } = createStage(world, whole, crashed);
  const timestamp = () => new Date(clock.now()).toISOString();

  /** The task of this id. Throws TaskNotFound also for a task that the caller may not know of (1.0 §3.3.2, §13.1). */
  function existing(taskId: string, op: Parameters<Seams['find']>[1], { request }: RpcCall): Task {
    const task = whole.find(taskId, op);
    if (task === undefined || !whole.visible(taskId, request.caller)) throw new RpcFailure('TaskNotFound');
    return task;
  }

  /** A message to a task that waits sets it to work again; a message to a task at work only enters the history. */
  function goOn(task: Task, message: Message): void {
    const { id: taskId, contextId } = task;
    const joined = { ...message, taskId, ...(contextId === undefined ? {} : { contextId }) };
    happen({ type: 'message', taskId, message: joined });
    if (!isInterrupted(task.status.state)) return;
    const plot = whole.script(message, task);
    happen(whole.stamp({ type: 'status', state: 'working' }, store.get(taskId) ?? task));
    if (plot.reply === 'task') play(taskId, plot.steps);
  }

  function begin(op: 'send' | 'stream', params: SendParams, call: RpcCall): Begun {
    const message = params.message ?? nothingSaid;
    const config = whole.card().capabilities.push ? params.configuration?.push : undefined;
    if (message.taskId !== undefined) {
      const task = existing(message.taskId, op, call);
      const refused = whole.refusal({ op, params }, task);
      if (refused !== undefined) throw refused;
      if (config !== undefined) push.register(task.id, config);
      goOn(task, message);
      return { type: 'task', task: store.get(task.id) ?? task };
    }
    const plot = whole.script(message, undefined);
    if (plot.reply === 'message') return { type: 'message', plot, message };
    const task = whole.create(message);
    store.put(task, call.request.caller);
    if (config !== undefined) push.register(task.id, config);
    start(task, plot.steps);
    return { type: 'task', task };
  }

  async function reply({ plot, message }: Extract<Begun, { type: 'message' }>): Promise<Message> {
    await new Promise<void>((resolve) => void clock.after(plot.afterMs, resolve));
    const contextId = message.contextId || whole.id('context');
    return { messageId: whole.id('message'), role: 'agent', parts: plot.parts, contextId };
  }

  async function send(params: SendParams, call: RpcCall): ReturnType<Seams['execute']> {
    const begun = begin('send', params, call);
    if (begun.type === 'message') return { op: 'send', result: { type: 'message', message: await reply(begun) } };
    const { task } = begun;
    const { configuration } = params;
    await settled(task.id, whole.patience(configuration), call.request.signal);
    const view = whole.view(store.get(task.id) ?? task, configuration?.historyLength);
    return { op: 'send', result: { type: 'task', task: view } };
  }

  async function* alone(begun: Extract<Begun, { type: 'message' }>): AsyncGenerator<StreamEvent> {
    yield { type: 'message', message: await reply(begun) };
  }

  return {
    stop,
    resume() {
      for (const task of store.all()) {
        const { state } = task.status;
        if (isTerminal(state) || isInterrupted(state)) continue;
        const message = task.history?.findLast(({ role }) => role === 'user') ?? nothingSaid;
        const plot = whole.script(message, undefined);
        if (plot.reply === 'task') start(task, plot.steps);
      }
    },
    seams: {
      async execute(command, call) {
        switch (command.op) {
          case 'send':
            return send(command.params, call);
          case 'get': {
            const task = existing(command.params.id, 'get', call);
            return { op: 'get', result: whole.view(task, command.params.historyLength) };
          }
          case 'cancel': {
            const task = existing(command.params.id, 'cancel', call);
            const refused = whole.refusal(command, task);
            if (refused !== undefined) throw refused;
            happen(whole.stamp({ type: 'status', state: 'canceled', say: 'Canceled, as asked.' }, task));
            return { op: 'cancel', result: whole.view(store.get(task.id) ?? task, undefined) };
          }
          case 'list': {
            const seen = store.all().filter(({ id }) => whole.visible(id, call.request.caller));
            return { op: 'list', result: whole.page(seen, command.params) };
          }
          case 'extendedCard': {
            const { caller } = call.request;
            if (caller === undefined) throw new Unauthorized();
            const card = whole.extendedCard(caller);
            if (card === undefined) throw new RpcFailure('ExtendedCardNotConfigured');
            return { op: 'extendedCard', result: card };
          }
          default:
            if (!isPushCommand(command)) throw new RpcFailure('UnsupportedOperation');
            existing(command.params.taskId, command.op, call);
            return push.execute(command);
        }
      },
      async stream(command, call) {
        if (command.op === 'stream') {
          const begun = begin('stream', command.params, call);
          if (begun.type === 'message') return alone(begun);
          const view = whole.view(begun.task, command.params.configuration?.historyLength);
          return streams.follow(begun.task.id, { type: 'task', task: view }, call);
        }
        const task = existing(command.params.id, 'subscribe', call);
        const refused = whole.refusal(command, task);
        if (refused !== undefined) throw refused;
        return streams.follow(task.id, { type: 'task', task: whole.view(task, undefined) }, call);
      },
      page: (tasks, query) => pageOf(tasks, query, (task) => whole.view(task, query.historyLength)),
      id: idMaker(seed, (id) => store.get(id) !== undefined || store.knowsContext(id)),
      find: (taskId) => store.get(taskId),
      refusal: (command, task) => refusalOf(command, task, spelling),
      create(message) {
        const taskId = whole.id('task');
        const contextId = message.contextId || whole.id('context');
        return {
          id: taskId,
          contextId,
          status: { state: 'submitted', timestamp: timestamp() },
          history: [{ ...message, taskId, contextId }],
          metadata: { behaviour: behaviourOf(message) },
        };
      },
      script: (message, waiting) => (spelling.repliesByMessage ? script(message, waiting) : workOn(message, waiting)),
      stamp(act, task) {
        const named = { taskId: task.id, ...(task.contextId === undefined ? {} : { contextId: task.contextId }) };
        if (act.type === 'artifact') {
          const { name, parts, type: _, ...flags } = act;
          const begun = act.append ? task.artifacts?.findLast((artifact) => artifact.name === name) : undefined;
          const artifact = { artifactId: begun?.artifactId ?? whole.id('artifact'), name, parts };
          return { type: 'artifact', ...named, artifact, ...flags };
        }
        const { say } = act;
        const state = spelling.state(act.state);
        const message: Message | undefined =
          say === undefined
            ? undefined
            : { messageId: whole.id('message'), role: 'agent', parts: [{ kind: 'text', text: say }], ...named };
        const status = { state, ...(message === undefined ? {} : { message }), timestamp: timestamp() };
        return { type: 'status', ...named, status };
      },
      transition,
      workers: () => Number.POSITIVE_INFINITY,
      patience(configuration) {
        if (configuration?.blocking === undefined) return spelling.patienceMs;
        return configuration.blocking ? Number.POSITIVE_INFINITY : 0;
      },
      view: (task, historyLength) => withHistory(spelling.answerInHistory ? withAnswer(task) : task, historyLength),
    },
  };
}
