import { isInterrupted, isSettled, isTerminal, type StreamEvent, type Task } from '../../model/index.js';
import { behaviourOf } from '../behaviours.js';
import type { Step } from '../calls.js';
import { onEvent, onReply } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { methodIn } from '../http.js';
import { type Patch, together } from '../seams.js';
import { a2a, streamers, variant } from '../variant.js';
import { able } from './declaring.js';
import { purgingAfter } from './tasks.js';

const streaming = able({ streaming: true });
const streamingAnd = (...patches: readonly Patch[]): Patch => together(streaming, ...patches);

/** The members of a status update that come from its task. */
const named = ({ id: taskId, contextId, status }: Task) => ({
  taskId,
  ...(contextId === undefined ? {} : { contextId }),
  status,
});

/** Removes the text of a status, which could be taken for a result; requests for input keep theirs. */
const silently = (step: Step): Step =>
  step.act.type === 'status' && !isInterrupted(step.act.state)
    ? { ...step, act: { type: 'status', state: step.act.state } }
    : step;

/** Delays each step of a task by this many milliseconds. */
const thinkingFor =
  (ms: number): Patch =>
  (inner) => ({
    script(message, waiting) {
      const plot = inner.script(message, waiting);
      if (plot.reply === 'message') return plot;
      return { ...plot, steps: plot.steps.map((step) => ({ ...step, afterMs: step.afterMs + ms })) };
    },
  });

/** Ends a stream on which nothing has happened for this many ms. */
const endingIdleAfter =
  (ms: number): Patch =>
  (inner, { clock }) => ({
    async stream(command, call) {
      const events = (await inner.stream(command, call))[Symbol.asyncIterator]();
      async function* impatient(): AsyncGenerator<StreamEvent> {
        try {
          for (;;) {
            let stop = (): void => {};
            const idle = new Promise<undefined>((resolve) => {
              stop = clock.after(ms, () => resolve(undefined));
            });
            const next = await Promise.race([events.next(), idle]);
            stop();
            if (next === undefined || next.done === true) return;
            yield next.value;
          }
        } finally {
          void events.return?.();
        }
      }
      return impatient();
    },
  });

/** Unusual ways to stream and to send push notifications that the specification allows. */
export const streamingVariants = [
  variant('fails-by-chance', {
    about: 'Work may fail at any time: the second of three tasks that lose a client does.',
    patch: streamingAnd((inner, { clock, store }) => {
      let count = 0;
      return {
        abandoned(taskId, call) {
          inner.abandoned(taskId, call);
          const task = store.get(taskId);
          if (task === undefined || isSettled(task.status.state) || count++ % 3 !== 1) return;
          store.put({ ...task, status: { state: 'failed', timestamp: new Date(clock.now()).toISOString() } });
        },
      };
    }),
    profiles: streamers,
  }),
  variant('streaming', {
    about: 'Streams (0.3 §3.3, 1.0 §3.1.2).',
    patch: streaming,
    profiles: streamers,
  }),
  variant('push', {
    about: 'Sends push notifications (0.3 §9.5, 1.0 §4.3).',
    patch: able({ push: true }),
    profiles: a2a,
  }),
  variant('streaming-and-push', {
    about: 'Streams, and sends push notifications.',
    patch: able({ streaming: true, push: true }),
    profiles: a2a,
  }),
  variant('stream-of-long-work', {
    about: 'Each step of a task takes seconds, so that many tasks end when the kit has given up their streams.',
    patch: streamingAnd(thinkingFor(4000)),
    profiles: streamers,
  }),
  variant('stream-ends-when-idle', {
    about:
      'A stream on which nothing happens for a while ends; the task goes on. No sentence says how long it is kept.',
    patch: streamingAnd(endingIdleAfter(300)),
    profiles: streamers,
  }),
  variant('stream-of-tasks-purged-soon', {
    about: 'Streams, and a task that has ended is gone a moment later, for its subscribers too (0.3 §8.2, 1.0 §3.3.2).',
    patch: streamingAnd(purgingAfter(200)),
    profiles: a2a,
  }),
  variant('stream-of-task-and-end', {
    about: 'A stream brings the task at once, and all else when the task has ended: no event comes before.',
    patch: streamingAnd((inner) => ({
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        const last = plot.reply === 'task' ? plot.steps.at(-1) : undefined;
        // Work that does not end by itself, or that waits, is streamed as usual.
        if (plot.reply !== 'task' || last?.act.type !== 'status' || !isTerminal(last.act.state)) return plot;
        const steps = plot.steps.filter(({ act }) => act.type === 'artifact' || act === last.act);
        const whole = plot.steps.reduce((sum, { afterMs }) => sum + afterMs, 0);
        return { ...plot, steps: steps.map((step, at) => ({ ...step, afterMs: at === 0 ? whole : 0 })) };
      },
    })),
    profiles: streamers,
  }),
  variant('stream-of-answers-begins-before', {
    about: 'The stream of an answer begins with the task as it was when it waited (1.0 §3.1.2: "begin with the Task").',
    patch: streamingAnd((inner) => ({
      async stream(command, call) {
        const before = command.op === 'stream' ? command.params.message?.taskId : undefined;
        const task = before === undefined ? undefined : inner.find(before, 'get');
        const events = await inner.stream(command, call);
        async function* asItWas(): AsyncGenerator<StreamEvent> {
          let isFirst = true;
          for await (const event of events) {
            const { status } = task ?? {};
            yield isFirst && status !== undefined && event.type === 'task'
              ? { ...event, task: { ...event.task, status } }
              : event;
            if (isFirst && task !== undefined && event.type === 'task') yield { type: 'status', ...named(event.task) };
            isFirst = false;
          }
        }
        return asItWas();
      },
    })),
    profiles: a2a,
  }),
  variant('artifacts-when-asked-for', {
    about: 'Streams, and gives artifacts only to who asks for one: what is completed needs none.',
    patch: streamingAnd((inner) => ({
      script(message, waiting) {
        const plot = inner.script(message, waiting);
        if (plot.reply === 'message' || behaviourOf(message).startsWith('tck-artifact')) return plot;
        return { ...plot, steps: plot.steps.filter(({ act }) => act.type !== 'artifact').map(silently) };
      },
    })),
    profiles: a2a,
  }),
  variant('stream-with-comments', {
    about:
      'Streams have comments, ids, retry times and fields that clients ignore, and lines end with CR LF (WHATWG HTML §9.2.5).',
    patch: streamingAnd((inner) => {
      let id = 0;
      return {
        frame(text, call) {
          const framed = inner.frame(text, call);
          if (typeof framed !== 'string') return framed;
          return `: keep alive\n\nid: ${++id}\nretry: 3000\nretry: soon\nmeta: a\n${framed}`.replace(/\n/g, '\r\n');
        },
      };
    }),
    profiles: streamers,
  }),
  variant('stream-ends-with-task', {
    about: 'Sends the finished task once more before a stream closes (AMB10-30).',
    patch: streamingAnd((inner, world, whole) =>
      onEvent((event) => {
        if (event.type !== 'status' || !isTerminal(event.status.state)) return event;
        const task = world.store.get(event.taskId);
        return task === undefined ? event : [event, { type: 'task', task: whole.view(task, undefined) }];
      })(inner, world, whole),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('stream-outlives-interruptions', {
    about: 'A stream stays open while its task waits for the client (AMB03-08, AMB10-02).',
    patch: streamingAnd((inner) => ({
      closes: (event, call) => (event.type === 'status' ? isTerminal(event.status.state) : inner.closes(event, call)),
    })),
    profiles: streamers,
  }),
  variant('stream-refuses-finished-tasks', {
    about: 'Refuses a subscription to a finished task (AMB03-10).',
    patch: streamingAnd((inner) => ({
      refusal: (command, task) =>
        command.op === 'subscribe' && isTerminal(task.status.state)
          ? new RpcFailure('UnsupportedOperation')
          : inner.refusal(command, task),
    })),
    profiles: ['a2a-0.3'],
  }),
  variant('stream-refusals-as-events', {
    about: 'A call for a stream that is refused is answered with a stream of one error (AMB03-19, AMB10-27).',
    patch: streamingAnd((inner, world, whole) => {
      const methods: readonly unknown[] = [
        world.dialect.operations.stream?.rpc,
        world.dialect.operations.subscribe?.rpc,
      ];
      return onReply('endpoint', (reply, request) => {
        const method = methodIn(request);
        if (typeof reply.body !== 'string' || reply.status !== 200 || !methods.includes(method)) return reply;
        const call = { method: String(method), params: undefined, request };
        return {
          ...reply,
          headers: [['content-type', 'text/event-stream']],
          body: whole.frame(reply.body, call) as string,
        };
      })(inner, world, whole);
    }),
    profiles: streamers,
  }),
  variant('stream-of-messages', {
    about: 'Streams, and answers with messages only: each stream has one event.',
    patch: streamingAnd(() => ({
      script: () => ({ reply: 'message', afterMs: 5, parts: [{ kind: 'text', text: 'Whatever you say.' }] }),
    })),
    profiles: a2a,
  }),
  variant('stream-without-progress', {
    about: 'A stream has results and the state in which it ends; of work in between it says nothing.',
    patch: streamingAnd(
      onEvent((event) => (event.type === 'status' && !isSettled(event.status.state) ? undefined : event)),
    ),
    profiles: streamers,
  }),
  variant('stream-in-drips', {
    about: 'Streams come in pieces that end anywhere, also within a line and within a letter.',
    patch: streamingAnd((inner) => ({
      async serve(request) {
        const reply = await inner.serve(request);
        const { body } = reply;
        if (typeof body === 'string' || body instanceof Uint8Array) return reply;
        async function* drips(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
          for await (const chunk of chunks) {
            for (let at = 0; at < chunk.length; at += 17) yield chunk.subarray(at, at + 17);
          }
        }
        return { ...reply, body: drips(body) };
      },
    })),
    profiles: streamers,
  }),
  variant('stream-for-one-only', {
    about: 'A task that is being streamed takes no other stream (1.0 §3.5.2: an agent may serve several).',
    patch: streamingAnd((inner) => {
      const open = new Set<string>();
      return {
        async stream(command, call) {
          if (command.op === 'subscribe' && open.has(command.params.id)) throw new RpcFailure('UnsupportedOperation');
          const events = await inner.stream(command, call);
          async function* alone(): AsyncGenerator<StreamEvent> {
            let taskId = '';
            try {
              for await (const event of events) {
                if (event.type === 'task') taskId = event.task.id;
                open.add(taskId);
                yield event;
              }
            } finally {
              open.delete(taskId);
            }
          }
          return alone();
        },
      };
    }),
    profiles: a2a,
  }),
  variant('stream-resumes-without-task', {
    about: 'A resumed stream begins with the next update, and does not show the task (AMB03-09).',
    patch: streamingAnd((inner, world, whole) =>
      onEvent((event, call) => {
        const resumes = call.method === world.dialect.operations.subscribe?.rpc;
        return resumes && event.type === 'task' && !isTerminal(event.task.status.state) ? undefined : event;
      })(inner, world, whole),
    ),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('stream-replays', {
    about: 'A resumed stream brings all updates again that the task has had (0.3 §7.9).',
    patch: streamingAnd((inner, world) => {
      const had = new Map<string, StreamEvent[]>();
      return {
        audience(event, calls) {
          if ('taskId' in event) had.set(event.taskId, [...(had.get(event.taskId) ?? []), event]);
          return inner.audience(event, calls);
        },
        streamEvent(event, call, index) {
          const made = inner.streamEvent(event, call, index);
          const resumes = call.method === world.dialect.operations.subscribe?.rpc;
          if (!resumes || index > 0 || event.type !== 'task' || isTerminal(event.task.status.state)) return made;
          return [
            ...made,
            ...(had.get(event.task.id) ?? []).flatMap((streamEvent) => inner.streamEvent(streamEvent, call, index)),
          ];
        },
      };
    }),
    profiles: ['a2a-0.3', 'a2a-0.2'],
  }),
  variant('stream-updates-artifacts', {
    about:
      'What has come whole comes again when it has changed, not appended (0.3 §7.2.3: "a new or updated artifact").',
    patch: streamingAnd(
      onEvent((event) => {
        if (event.type !== 'artifact' || event.append === true || event.lastChunk === false) return event;
        const draft = { ...event.artifact, parts: [{ kind: 'text' as const, text: 'A draft.' }] };
        return [{ ...event, artifact: draft, append: false, lastChunk: true }, event];
      }),
    ),
    profiles: streamers,
  }),
  variant('stream-takes-its-time', {
    about: 'Streams, and needs a thousand times as long for everything: nothing ends in time.',
    patch: streamingAnd((inner) => ({
      script(message, task) {
        const plot = inner.script(message, task);
        if (plot.reply === 'message') return plot;
        return { ...plot, steps: plot.steps.map((step) => ({ ...step, afterMs: 1000 * step.afterMs })) };
      },
    })),
    profiles: streamers,
  }),
  variant('cancels-later', {
    about: 'Cancels a task some time after the cancel was answered, with the task as it was (0.3 §7.4, AMB03-25).',
    patch: streamingAnd((inner, { clock }) => ({
      async execute(command, call) {
        const task = command.op === 'cancel' ? inner.find(command.params.id, 'cancel') : undefined;
        if (task === undefined || inner.refusal(command, task) !== undefined) return inner.execute(command, call);
        // The task may have ended by then: a refusal is ignored.
        clock.after(800, () => void inner.execute(command, call).catch(() => undefined));
        return { op: 'cancel', result: task };
      },
    })),
    profiles: streamers,
  }),
  variant('page-size-clamped', {
    about: 'A page size that is too large or too small is set right (AMB10-15).',
    patch: (inner) => ({
      problems: (op, wire) =>
        inner.problems(op, wire).filter(({ path, about }) => path !== 'pageSize' || !about.includes('from 1 to 100')),
      page: (tasks, query) =>
        inner.page(tasks, { ...query, pageSize: Math.min(100, Math.max(1, Math.floor(query.pageSize ?? 50) || 50)) }),
    }),
    profiles: ['a2a-1.0'],
  }),
];
