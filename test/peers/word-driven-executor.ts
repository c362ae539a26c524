import { randomUUID } from 'node:crypto';
import type { Message, Part, TaskState } from '@a2a-js/sdk';
import type { AgentExecutor, ExecutionEventBus, RequestContext } from '@a2a-js/sdk/server';
import { SlowWork, wishIn } from './plain-words.js';

// The SDK hands over messages as they came, also without parts or with parts that are not a list.
function textOf(message: Message): string {
  return (Array.isArray(message.parts) ? message.parts : [])
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join(' ');
}

/** An executor for @a2a-js/sdk 0.2 and 0.3, whose events are the same. It does what plain words ask for. */
export class WordDrivenExecutor implements AgentExecutor {
  readonly #work = new SlowWork();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const now = () => new Date().toISOString();
    const say = (words: string): Message => ({
      kind: 'message',
      messageId: randomUUID(),
      role: 'agent',
      parts: [{ kind: 'text', text: words }],
      taskId,
      contextId,
    });
    const status = (state: TaskState, words?: string) =>
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        status: { state, timestamp: now(), ...(words === undefined ? {} : { message: say(words) }) },
        final: state !== 'working',
      });
    const answer = (part: Part) => {
      const artifact = { artifactId: randomUUID(), name: 'answer', parts: [part] };
      bus.publish({ kind: 'artifact-update', taskId, contextId, artifact });
      status('completed', 'Done.');
    };
    const wait = (ms: number) => this.#work.wait(taskId, ms, () => status('canceled', 'Canceled.'));
    const wish = wishIn(textOf(userMessage), task === undefined);
    if (wish === 'message') {
      const { taskId: _, ...direct } = say('Just a message.');
      bus.publish(direct);
      bus.finished();
      return;
    }
    if (task === undefined) {
      bus.publish({
        kind: 'task',
        id: taskId,
        contextId,
        status: { state: 'submitted', timestamp: now() },
        history: [userMessage],
      });
    }
    status('working');
    if (wish === 'ask') status('input-required', 'Which colour?');
    else if (wish === 'sign-in') status('auth-required', 'Please sign in.');
    else if (wish === 'fail') status('failed', 'It failed, as asked.');
    else if (wish === 'reject') status('rejected', 'Rejected, as asked.');
    else if (wish === 'work') await wait(Number.POSITIVE_INFINITY);
    else if (wish === 'progress') {
      for (const percent of [20, 40, 60, 80]) {
        if (await wait(250)) break;
        status('working', `${percent} %`);
        if (percent === 80) answer({ kind: 'text', text: 'That took its time.' });
      }
    } else if (wish === 'pieces') {
      const artifactId = randomUUID();
      const pieces = ['Once ', 'upon ', 'a time.'];
      for (const [index, text] of pieces.entries()) {
        const artifact = { artifactId, name: 'story', parts: [{ kind: 'text' as const, text }] };
        const lastChunk = index === pieces.length - 1;
        bus.publish({ kind: 'artifact-update', taskId, contextId, artifact, append: index > 0, lastChunk });
        if (await wait(20)) break;
        if (lastChunk) status('completed', 'Done.');
      }
    } else if (wish === 'file') {
      const bytes = Buffer.from('hello').toString('base64');
      answer({ kind: 'file', file: { bytes, name: 'a.txt', mimeType: 'text/plain' } });
    } else if (wish === 'link') {
      answer({ kind: 'file', file: { uri: 'https://example.com/a.txt', mimeType: 'text/plain' } });
    } else if (wish === 'data') answer({ kind: 'data', data: { answer: 42 } });
    else answer({ kind: 'text', text: `You said: ${textOf(userMessage)}` });
    bus.finished();
  }

  cancelTask = async (taskId: string): Promise<void> => {
    this.#work.cancel(taskId);
  };
}
