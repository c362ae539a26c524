import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentCard, Artifact, Message, Part, TaskState } from '@a2a-js/sdk';
import {
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

// A real agent, on a server that is not ours: @a2a-js/sdk 0.3.x. It is driven by plain words, as an agent is.

const mediaTypes = ['text/plain', 'application/json'];

// The SDK hands over messages as they came, also without parts or with parts that are no list.
function textOf(message: Message): string {
  return (Array.isArray(message.parts) ? message.parts : [])
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join(' ');
}

class WordDrivenExecutor implements AgentExecutor {
  readonly #canceled = new Set<string>();
  readonly #work = new Map<string, () => void>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, userMessage, task } = context;
    const text = textOf(userMessage).toLowerCase();
    const say = (words: string): Message => ({
      kind: 'message',
      messageId: randomUUID(),
      role: 'agent',
      parts: [{ kind: 'text', text: words }],
      taskId,
      contextId,
    });
    const status = (state: TaskState, words: string | undefined, final: boolean) =>
      bus.publish({
        kind: 'status-update',
        taskId,
        contextId,
        status: {
          state,
          timestamp: new Date().toISOString(),
          ...(words === undefined ? {} : { message: say(words) }),
        },
        final,
      });
    const artifact = (...parts: Part[]) => {
      const made: Artifact = { artifactId: randomUUID(), name: 'answer', parts };
      bus.publish({ kind: 'artifact-update', taskId, contextId, artifact: made });
    };
    if (/message only/.test(text)) {
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
        status: { state: 'submitted', timestamp: new Date().toISOString() },
        history: [userMessage],
      });
    }
    status('working', undefined, false);
    if (task === undefined && /ask me for/.test(text)) status('input-required', 'Which colour?', true);
    else if (task === undefined && /sign in/.test(text)) status('auth-required', 'Please sign in.', true);
    else if (/let this task fail/.test(text)) status('failed', 'It failed, as asked.', true);
    else if (/reject this task/.test(text)) status('rejected', 'Rejected, as asked.', true);
    else if (/long time/.test(text)) {
      await new Promise<void>((resolve) => {
        this.#work.set(taskId, resolve);
      });
      if (this.#canceled.has(taskId)) status('canceled', 'Canceled.', true);
    } else {
      if (/small file/.test(text)) {
        artifact({
          kind: 'file',
          file: { bytes: Buffer.from('hello').toString('base64'), name: 'a.txt', mimeType: 'text/plain' },
        });
      } else if (/link to a file/.test(text)) {
        artifact({ kind: 'file', file: { uri: 'https://example.com/a.txt', mimeType: 'text/plain' } });
      } else if (/structured data/.test(text)) artifact({ kind: 'data', data: { answer: 42 } });
      else artifact({ kind: 'text', text: `You said: ${textOf(userMessage)}` });
      status('completed', 'Done.', true);
    }
    bus.finished();
  }

  cancelTask = async (taskId: string): Promise<void> => {
    this.#canceled.add(taskId);
    this.#work.get(taskId)?.();
  };
}

/** Starts the agent on a free port of the loopback. */
export async function startSdkAgent(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card: AgentCard = {
    protocolVersion: '0.3.0',
    name: 'SDK agent',
    description: 'An agent on @a2a-js/sdk that does what plain words ask for.',
    version: '1.0.0',
    url: `${url}/a2a/jsonrpc`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: mediaTypes,
    defaultOutputModes: mediaTypes,
    skills: [{ id: 'echo', name: 'Echo', description: 'Says what you said.', tags: ['echo'] }],
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
