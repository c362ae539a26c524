import { isTerminal, type Message, member, type Part, type TaskState } from '../../model/index.js';
import { behaviourOf } from '../behaviours.js';
import type { Script } from '../calls.js';
import { onResult, onStatus, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Patch, together } from '../seams.js';
import { a2a, allBut, before10, signers, variant } from '../variant.js';

/** Every message, first or later, leads to this state. */
const always = (state: TaskState, say: string): Patch => {
  const plot: Script = {
    reply: 'task',
    steps: [
      { afterMs: 5, act: { type: 'status', state: 'working' } },
      { afterMs: 5, act: { type: 'status', state, say } },
    ],
  };
  return () => ({ script: () => plot });
};

/** Refuses a command if `refuses` gives an error for the state of the task. */
const refusing =
  (op: 'send' | 'cancel', refuses: (state: TaskState) => RpcFailure | undefined): Patch =>
  (inner) => ({
    refusal: (command, task) =>
      (command.op === op ? refuses(task.status.state) : undefined) ?? inner.refusal(command, task),
  });

export const cancelingNothing = refusing('cancel', () => new RpcFailure('TaskNotCancelable'));

/** Finishes all work before the answer, unless it waits for the client. */
const atOnce: Patch = (inner) => ({
  patience: () => Number.POSITIVE_INFINITY,
  script(message, waiting) {
    const plot = inner.script(message, waiting);
    if (plot.reply === 'message') return plot;
    const last = plot.steps.at(-1)?.act;
    const settles = last?.type === 'status' && last.state !== 'working';
    const steps = plot.steps.map((step) => ({ ...step, afterMs: 0 }));
    return {
      reply: 'task',
      steps: settles ? steps : [...steps, { afterMs: 0, act: { type: 'status', state: 'completed' } }],
    };
  },
});

/** Forgets a task this many milliseconds after it has ended. */
export const purgingAfter =
  (keepMs: number): Patch =>
  (inner, { clock, store }) => ({
    visible(taskId, caller) {
      const { state, timestamp = '' } = store.get(taskId)?.status ?? { state: 'unknown' };
      const isPurged = isTerminal(state) && clock.now() - Date.parse(timestamp) >= keepMs;
      return !isPurged && inner.visible(taskId, caller);
    },
  });

/** A message that asks for a message, in words that ask for nothing. */
const asTask = (message: Message): Message =>
  behaviourOf(message) === 'tck-message-response'
    ? { ...message, messageId: `plain-${message.messageId}`, parts: [{ kind: 'text', text: 'Hello.' }] }
    : message;

/** Answers everything with a message, and makes no task. */
export const messagesOnly: Patch = () => ({
  script: () => ({ reply: 'message', afterMs: 5, parts: [{ kind: 'text', text: 'Whatever you say.' }] }),
});

/** Another course for messages that need not be waited for. */
const whereNobodyWaits =
  (change: (plot: Script) => Script): Patch =>
  (inner) => {
    let isAlone = false;
    return {
      execute(command, call) {
        isAlone = command.op === 'send' && command.params.configuration?.blocking === false;
        try {
          return inner.execute(command, call);
        } finally {
          isAlone = false;
        }
      },
      script: (message, waiting) => {
        const plot = inner.script(message, waiting);
        return isAlone ? change(plot) : plot;
      },
    };
  };

const answer = { type: 'status', state: 'submitted', say: 'Here it is.' } as const;
const answeredInHistory = (plot: Script): Script =>
  plot.reply === 'message' ? { reply: 'task', steps: [{ afterMs: 5, act: answer }] } : plot;
/** An answer of a submitted task goes into the history, and changes no status. */
const keepingAnswers: Patch = (inner) => ({
  transition(task, event) {
    const said = event.type === 'status' && event.status.state === 'submitted' ? event.status.message : undefined;
    return said === undefined ? inner.transition(task, event) : { ...task, history: [...(task.history ?? []), said] };
  },
});

export const taskVariants = [
  variant('message-only', {
    about: 'Answers with messages and keeps no task (life.message-only).',
    patch: messagesOnly,
    profiles: allBut('terminal-bench', 'openclaw', ...signers),
  }),
  variant('purges-canceled-tasks', {
    about: 'A canceled task is gone at once (1.0 §3.3.1: "already been canceled and purged").',
    patch: (inner, { store }) => ({
      visible: (taskId, caller) => store.get(taskId)?.status.state !== 'canceled' && inner.visible(taskId, caller),
    }),
    profiles: a2a,
  }),
  variant('works-only-while-waited-for', {
    about: 'A task is worked on only while its send waits. No sentence says that a task ends.',
    profiles: allBut(...signers, 'terminal-bench', 'openclaw'),
    patch: whereNobodyWaits(() => ({ reply: 'task', steps: [] })),
  }),
  variant('message-only-when-waited-for', {
    about: 'Answers with a message where it may take its time, and else with a task (1.0 §3.1.1).',
    profiles: a2a,
    patch: (inner) => ({
      execute: async (command, call) =>
        command.op === 'send' && command.params.configuration?.blocking === false
          ? inner.execute({ op: 'send', params: { ...command.params, message: asTask(command.params.message) } }, call)
          : inner.execute(command, call),
    }),
  }),
  variant('message-now-and-then', {
    about: 'Answers every third message that begins something with a message (1.0 §3.1.1).',
    profiles: a2a,
    patch(inner) {
      let count = 0;
      return {
        script(message, waiting) {
          const isNeutral = message.taskId === undefined && behaviourOf(message) === 'tck-complete-task';
          if (!isNeutral || ++count % 3 > 0) return inner.script(message, waiting);
          return { reply: 'message', afterMs: 5, parts: [{ kind: 'text', text: 'Hello.' }] };
        },
      };
    },
  }),
  variant('answers-in-history-unless-waited-for', {
    about:
      'What is answered with a message becomes a task where the client does not wait: it holds the answer, and stays submitted.',
    profiles: a2a,
    patch: together(whereNobodyWaits(answeredInHistory), keepingAnswers),
  }),
  variant('fails-by-standing-still', {
    about: 'Work that breaks leaves its task where it was. No sentence says that a task ends.',
    patch: (inner) => ({
      script: (message, waiting) =>
        behaviourOf(message) === 'tck-task-failure' ? { reply: 'task', steps: [] } : inner.script(message, waiting),
    }),
  }),
  variant('always-asks-for-input', {
    about: 'Every turn ends in input-required.',
    patch: always('input-required', 'And what else?'),
  }),
  variant('asks-without-words', {
    about: 'A task that waits for input has no message in its status: no sentence asks for one (1.0 §3.4.3).',
    patch: onStatus((status) =>
      member(status, 'state') === 'TASK_STATE_INPUT_REQUIRED' ? without(status, 'message') : status,
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('always-asks-to-sign-in', {
    about: 'Every turn ends in auth-required.',
    patch: always('auth-required', 'Sign in to the calendar service first.'),
  }),
  variant('signed-in-elsewhere', {
    about: 'Waits for a sign-in elsewhere, and goes on by itself when it is there (1.0 §7.6.1).',
    patch: () => ({
      script: () => ({
        reply: 'task',
        steps: [
          { afterMs: 5, act: { type: 'status', state: 'auth-required', say: 'Approve it in the app.' } },
          { afterMs: 7, act: { type: 'status', state: 'working' } },
          {
            afterMs: 10,
            act: { type: 'artifact', name: 'events', parts: [{ kind: 'text', text: 'Two, both on Friday.' }] },
          },
          { afterMs: 10, act: { type: 'status', state: 'completed' } },
        ],
      }),
    }),
    profiles: ['a2a-1.0', 'a2a-0.3', 'a2a-0.2'],
  }),
  variant('signs-in-by-input', {
    about: 'Needs credentials, and says so in input-required (AMB03-08).',
    patch: (inner) => ({
      stamp: (act, task) =>
        inner.stamp(
          act.type === 'status' && act.state === 'auth-required' ? { ...act, state: 'input-required' } : act,
          task,
        ),
    }),
    profiles: before10,
  }),
  variant('lists-an-array', {
    about: 'Answers tasks/list with an array of tasks (AMB03-16).',
    patch: onResult('list', (page) => member(page, 'tasks')),
    profiles: ['openclaw'],
  }),
  variant('lists-in-its-own-way', {
    about: 'Answers tasks/list with tasks by their ids; the document does not say the form (AMB03-16).',
    patch: onResult('list', (page) => {
      const tasks = member(page, 'tasks');
      return {
        byId: Object.fromEntries((Array.isArray(tasks) ? tasks : []).map((task) => [member(task, 'id'), task])),
      };
    }),
    profiles: ['openclaw'],
  }),
  variant('rejects-everything', {
    about: 'Every task is rejected (life.rejected).',
    patch: always('rejected', 'That is not for me to do.'),
  }),
  variant('fails-everything', {
    about: 'Every task fails (life.failed).',
    patch: always('failed', 'It could not be done.'),
  }),
  variant('never-waits', {
    about: 'Answers every send at once with a submitted task, even when the request blocks (AMB03-07).',
    patch: () => ({ patience: () => 0 }),
    profiles: allBut('a2a-1.0', 'terminal-bench'),
  }),
  variant('starts-working', {
    about: 'Tasks start in working, and no send waits (AMB03-07).',
    patch: (inner) => ({
      patience: () => 0,
      create(message) {
        const task = inner.create(message);
        return { ...task, status: { ...task.status, state: 'working' } };
      },
    }),
    profiles: allBut('a2a-1.0', 'terminal-bench', 'openclaw'),
  }),
  variant('completes-at-once', {
    about: 'Every task is finished before it is answered; nothing is ever seen at work.',
    patch: atOnce,
  }),
  variant('unknown-state-first', {
    about: 'Tasks start in the state unknown (life.unknown-state).',
    // There it is the number of a state that is not set.
    notOver: ['grpc'],
    patch: (inner) => ({
      create(message) {
        const task = inner.create(message);
        return { ...task, status: { ...task.status, state: 'unknown' } };
      },
    }),
    profiles: before10,
  }),
  variant('cancels-again', {
    about: 'Canceling a canceled task answers with that task (AMB03-25).',
    patch: (inner) => ({
      refusal: (command, task) =>
        command.op === 'cancel' && task.status.state === 'canceled' ? undefined : inner.refusal(command, task),
    }),
  }),
  variant('cancel-changes-nothing', {
    about: 'Answers a cancel with the current task, and its work goes on (AMB03-25, AMB10-67).',
    patch: (inner, world) => ({
      async execute(command, call) {
        const task = command.op === 'cancel' ? world.store.get(command.params.id) : undefined;
        const isOpen = task !== undefined && inner.visible(task.id, call.request.caller);
        return isOpen && !isTerminal(task.status.state)
          ? { op: 'cancel', result: inner.view(task, undefined) }
          : inner.execute(command, call);
      },
    }),
  }),
  variant('cannot-cancel', {
    about: 'No task can be canceled, not even one at work (cancel.may-refuse).',
    patch: cancelingNothing,
  }),
  variant('busy-while-working', {
    about: 'Refuses a message to a task at work (life.message-while-working).',
    patch: refusing('send', (state) =>
      state === 'working' || state === 'submitted' ? new RpcFailure('UnsupportedOperation', 'busy') : undefined,
    ),
  }),
  variant('refuses-finished-as-invalid-params', {
    about: 'Refuses a message to a finished task with -32602, as the Python SDK does (AMB03-04).',
    patch: refusing('send', (state) => (isTerminal(state) ? new RpcFailure('InvalidParams', state) : undefined)),
    profiles: before10,
  }),
  variant('task-id-is-context-id', {
    about: 'A task that comes without a context has its own id for one.',
    patch: (inner) => ({
      create(message) {
        const task = inner.create(message);
        if (message.contextId) return task;
        const contextId = task.id;
        return { ...task, contextId, history: (task.history ?? []).map((message) => ({ ...message, contextId })) };
      },
    }),
  }),
  variant('lists-one-by-one', {
    about: 'Shows one task in each page of a listing, whatever was asked for (1.0 ListTasksRequest.page_size).',
    patch: (inner) => ({ page: (tasks, query) => inner.page(tasks, { ...query, pageSize: 1 }) }),
    profiles: ['a2a-1.0'],
  }),
  variant('purges-soon', {
    about: 'A task that has ended is gone a moment later (1.0 §3.3.2 "already completed and purged").',
    patch: purgingAfter(100),
    profiles: ['a2a-1.0'],
  }),
  variant('purges-what-ended', {
    about: 'Shows a new task, and forgets it at its end (0.3 §8.2, 1.0 §3.3.2).',
    patch: purgingAfter(0),
    profiles: ['a2a-1.0', 'a2a-0.3'],
  }),
  variant('purges-at-once', {
    about: 'A task has ended before it is answered, and nothing is known of it from then on (1.0 §3.3.2).',
    patch: together(atOnce, purgingAfter(0)),
    profiles: ['a2a-1.0'],
  }),
  variant('keeps-client-messages', {
    about: 'A history has the messages of the client, and none of the agent (1.0 §3.7, get.history-default).',
    patch: (inner) => ({
      view: (task, historyLength) =>
        inner.view(
          task.history === undefined ? task : { ...task, history: task.history.filter(({ role }) => role === 'user') },
          historyLength,
        ),
    }),
  }),
  variant('keeps-files-elsewhere', {
    about: 'Keeps files of clients elsewhere, and the history shows links to them.',
    patch: (inner) => ({
      create(message) {
        const task = inner.create(message);
        const asLink = (part: Part): Part => {
          if (part.kind !== 'file' || part.bytes === undefined) return part;
          const { bytes: _, ...file } = part;
          return { ...file, uri: 'https://agent.example/files/1' };
        };
        const history = task.history?.map((message) => ({ ...message, parts: message.parts.map(asLink) }));
        return { ...task, ...(history === undefined ? {} : { history }) };
      },
    }),
    profiles: a2a,
  }),
  variant('keeps-answers-as-sent', {
    about: 'A message that names a task without its context stands so in the history.',
    patch: (inner) => ({
      transition(task, event) {
        if (event.type !== 'message') return inner.transition(task, event);
        const { contextId: _, ...message } = event.message;
        return inner.transition(task, { ...event, message });
      },
    }),
    profiles: a2a,
  }),
  variant('history-backwards', {
    about: 'A history begins with its newest message: no order is defined.',
    patch: (inner) => ({
      view(task, historyLength) {
        const seen = inner.view(task, historyLength);
        return seen.history === undefined ? seen : { ...seen, history: seen.history.toReversed() };
      },
    }),
    profiles: allBut('openclaw'),
  }),
  variant('artifacts-when-asked', {
    about: 'Makes artifacts when it is asked for some, and completes everything else without a word.',
    patch: (inner) => ({
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        if (plot.reply === 'message' || behaviourOf(message).startsWith('tck-artifact')) return plot;
        const steps = plot.steps.flatMap(({ afterMs, act }) => {
          if (act.type === 'artifact') return [];
          const isWord = act.state === 'working' || act.state === 'completed';
          return [{ afterMs, act: isWord ? { type: act.type, state: act.state } : act }];
        });
        return { reply: 'task', steps };
      },
    }),
    profiles: a2a,
  }),
  variant('keeps-what-it-refuses', {
    about:
      'A message to a task is taken down in its history before it is looked at, and stays there when it is refused.',
    weaknesses: ['unchanged/history refused', 'history/messages'],
    patch: (inner, { store }) => ({
      refusal(command, task) {
        const refused = inner.refusal(command, task);
        if (refused === undefined || command.op !== 'send') return refused;
        const known = store.get(task.id) ?? task;
        store.put({ ...known, history: [...(known.history ?? []), command.params.message] });
        return refused;
      },
    }),
  }),
  variant('forgets-history', {
    about: 'No task ever shows a history (get.history-default).',
    patch: (inner) => ({
      view(task, historyLength) {
        const { history: _, ...rest } = inner.view(task, historyLength);
        return rest;
      },
    }),
  }),
];
