import { methodOf } from '../../dialect/index.js';
import { isSettled, isTerminal, type Message } from '../../model/index.js';
import type { Act, Outcome, Step } from '../calls.js';
import { edited, lacking, onMessageReply, onSentTask, onTask, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import { methodIn, plainReply } from '../http.js';
import { a2a, allBut } from '../variant.js';
import { spelledLike } from '../words.js';

export const sendFaults = [
  fault('send-not-implemented', {
    about: 'There is no message/send.',
    breaks: ['send.implemented'],
    notOver: ['a2a-0.3-grpc'],
    patch: lacking('send'),
  }),
  fault('send-is-404', {
    about: 'message/send is answered with 404.',
    breaks: ['send.implemented'],
    patch: (inner, { dialect }) => ({
      serveRpc: async (request) =>
        methodIn(request) === methodOf(dialect, 'send') ? plainReply(404, 'Not found') : inner.serveRpc(request),
    }),
  }),
  fault('send-task-without-id', {
    about: 'The task that a send is answered with has no id.',
    breaks: ['send.server-made-id'],
    patch: onSentTask((task) => without(task, 'id')),
  }),
  fault('send-task-with-empty-id', {
    about: 'The task that a send is answered with has an empty id.',
    breaks: ['send.server-made-id'],
    patch: onSentTask((task) => set(task, 'id', '')),
  }),
  fault('send-task-without-context-id', {
    about: 'The task that a send is answered with has no contextId.',
    breaks: ['send.context-id-made', 'send.context-id-shown'],
    patch: onSentTask((task) => without(task, 'contextId')),
  }),
  fault('send-task-with-empty-context-id', {
    about: 'Tasks have an empty contextId when the client named none.',
    breaks: ['send.context-id-made'],
    patch: (inner) => ({ id: (kind) => (kind === 'context' ? '' : inner.id(kind)) }),
  }),
  fault('send-wants-task-id', {
    about: 'A message without a taskId is refused, and ids that the client makes up are taken.',
    breaks: ['send.server-made-id', 'send.task-id-not-adopted', 'send.unknown-task-refused'],
    patch: (inner, { store }) => {
      let named = '';
      return {
        command(op, wire) {
          const command = inner.command(op, wire);
          if (command.op !== 'send' && command.op !== 'stream') return command;
          const { taskId, ...message } = command.params.message;
          if (!taskId) throw new RpcFailure('InvalidParams', 'message.taskId is missing');
          named = taskId;
          if (store.get(taskId) !== undefined) return command;
          return { ...command, params: { ...command.params, message } };
        },
        id: (kind) => (kind === 'task' ? named : inner.id(kind)),
      };
    },
  }),
  fault('send-one-task-for-all', {
    about: 'Every new task has the same id.',
    breaks: ['send.distinct-ids', 'send.new-task-in-context', 'send.parallel-in-context'],
    patch: (inner) => ({ id: (kind) => (kind === 'task' ? '00000000-0000-4000-8000-000000000001' : inner.id(kind)) }),
  }),
  fault('send-task-ids-of-the-clock', {
    about: 'The id of a task is the millisecond in which it was made.',
    breaks: ['send.distinct-ids'],
    patch: (inner, { clock }) => ({ id: (kind) => (kind === 'task' ? `task-${clock.now()}` : inner.id(kind)) }),
  }),
  fault('send-answers-crossed', {
    about: 'Of sends at the same time, each is answered with what belongs to the one before it.',
    breaks: ['send.own-answer'],
    patch(inner) {
      const underWay: Promise<Outcome>[] = [];
      return {
        async execute(command, call) {
          if (command.op !== 'send') return inner.execute(command, call);
          const before = underWay.at(-1);
          const own = inner.execute(command, call);
          underWay.push(own);
          try {
            const outcome = await own;
            return before === undefined ? outcome : await before;
          } finally {
            underWay.splice(underWay.indexOf(own), 1);
          }
        },
      };
    },
  }),
  fault('send-artifacts-of-the-send-before', {
    about: 'The artifacts of a task are those of the task before it.',
    breaks: ['send.own-answer'],
    patch(inner) {
      let before: Extract<Act, { type: 'artifact' }> | undefined;
      return {
        stamp(act, task) {
          if (act.type !== 'artifact' || act.append !== undefined) return inner.stamp(act, task);
          const shown = before ?? act;
          before = act;
          return inner.stamp(shown, task);
        },
      };
    },
  }),
  fault('send-histories-in-one', {
    about: 'The history of a new task also has the messages of all tasks before it.',
    breaks: ['send.own-answer'],
    // XPR shows no history.
    profiles: allBut('xpr', 'xpr-v2'),
    patch(inner) {
      const all: Message[] = [];
      return {
        create(message) {
          const task = inner.create(message);
          all.push(message);
          return { ...task, history: all.map((one) => ({ ...one, taskId: task.id })) };
        },
      };
    },
  }),
  fault('send-context-made-anew', {
    about: 'Every new task is in a context of its own, whatever the client named.',
    breaks: ['send.context-id-kept', 'send.new-task-in-context', 'send.unknown-context-id'],
    patch: (inner) => ({
      create({ contextId: _, ...message }) {
        return inner.create(message);
      },
    }),
  }),
  fault('stream-context-made-anew', {
    about: 'Every new task of a stream is in a context of its own, whatever the client named.',
    breaks: ['send.context-id-kept'],
    on: 'streaming',
    patch: (inner) => ({
      stream(command, call) {
        if (command.op !== 'stream' || command.params.message.taskId !== undefined) return inner.stream(command, call);
        const { contextId: _, ...message } = command.params.message;
        return inner.stream({ op: 'stream', params: { ...command.params, message } }, call);
      },
    }),
  }),
  fault('send-replies-in-another-context', {
    about: 'A message as the answer is in a context of its own, whatever the client named.',
    breaks: ['send.context-id-kept'],
    profiles: a2a,
    patch: (inner, _, whole) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        if (outcome.op !== 'send' || outcome.result.type !== 'message') return outcome;
        const message = { ...outcome.result.message, contextId: whole.id('context') };
        return { op: 'send', result: { type: 'message', message } };
      },
    }),
  }),
  fault('send-context-gives-old-task', {
    about: 'A message in the context of a finished task is answered with that task.',
    breaks: ['send.new-task-in-context'],
    patch: (inner, { store }) => ({
      async execute(command, call) {
        const message = command.op === 'send' ? command.params.message : undefined;
        const old = store.all().find((task) => task.contextId === message?.contextId && isTerminal(task.status.state));
        if (message?.contextId === undefined || message.taskId !== undefined || old === undefined) {
          return inner.execute(command, call);
        }
        return { op: 'send', result: { type: 'task', task: old } };
      },
    }),
  }),
  fault('send-context-holds-one-task', {
    about: 'A message in the context of a task at work joins that task.',
    breaks: ['send.parallel-in-context'],
    patch: (inner, { store }) => ({
      command(op, wire) {
        const command = inner.command(op, wire);
        const message = command.op === 'send' ? command.params.message : undefined;
        const open = store.all().find((task) => task.contextId === message?.contextId && !isSettled(task.status.state));
        if (command.op !== 'send' || message?.contextId === undefined || open === undefined) return command;
        return { op: 'send', params: { ...command.params, message: { ...message, taskId: open.id } } };
      },
    }),
  }),
  fault('send-replies-as-user', {
    about: 'A message of the agent has the role user.',
    breaks: ['send.message-role'],
    patch: onMessageReply((message) => edited(message, 'role', (role) => spelledLike(role, 'user'))),
  }),
  fault('send-replies-without-context-id', {
    about: 'A message of the agent names no context.',
    breaks: ['send.message-context-id'],
    patch: onMessageReply((message) => without(message, 'contextId')),
  }),
  fault('send-replies-with-empty-context-id', {
    about: 'A message of the agent has an empty contextId.',
    breaks: ['send.message-context-id'],
    patch: onMessageReply((message) => set(message, 'contextId', '')),
  }),
  fault('send-output-stays-in-status', {
    about: 'Tasks have no artifacts: all output is in the message of the status.',
    breaks: ['send.output-as-artifacts'],
    patch: onTask((task) => without(task, 'artifacts')),
  }),
  fault('send-output-told-twice', {
    about: 'The text of the artifact is the message of the last status, too.',
    breaks: ['send.output-once'],
    patch: (inner) => ({
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        if (plot.reply === 'message') return plot;
        const made = plot.steps.flatMap(({ act }) => (act.type === 'artifact' ? act.parts : []));
        const say = made.find((part) => part.kind === 'text')?.text;
        const told = (step: Step): Step =>
          step.act.type === 'status' && step.act.state === 'completed' && say !== undefined
            ? { ...step, act: { ...step.act, say } }
            : step;
        return { ...plot, steps: plot.steps.map(told) };
      },
    }),
  }),
  fault('send-history-renames-messages', {
    about: 'The history shows the messages of the client under other ids.',
    breaks: ['send.history-has-message'],
    patch: onTask((task) =>
      edited(task, 'history.*.messageId', (id) => (typeof id === 'string' ? `copy-of-${id}` : id)),
    ),
  }),
];
