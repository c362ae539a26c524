// An agent of @a2a-js/sdk 1.3.0 as its users write one: JSON-RPC and HTTP+JSON on Express, gRPC beside it. PORT and GRPC in
// the environment; with LEGACY it speaks 0.3 as well, over JSON-RPC alone.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';

const port = Number(process.env.PORT ?? 4151);
const grpcPort = Number(process.env.GRPC ?? 4152);
const legacyCompat = { enabled: process.env.LEGACY !== undefined };

const part = (content, mediaType = 'text/plain', filename = '') => ({
  content,
  mediaType,
  filename,
  metadata: undefined,
});
const textPart = (value) => part({ $case: 'text', value });
const say = (words, taskId, contextId) => ({
  messageId: randomUUID(),
  role: Role.ROLE_AGENT,
  parts: [textPart(words)],
  taskId,
  contextId,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

class Words {
  #canceled = new Set();
  #contexts = new Map();

  async execute({ taskId, contextId, userMessage, task }, bus) {
    const said = userMessage.parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join(' ');
    const has = (word) => said.toLowerCase().includes(word);
    if (has('message only')) return void bus.publish(AgentEvent.message(say('Just a message.', '', contextId)));
    this.#contexts.set(taskId, contextId);
    const status = (state, words) => this.#status(bus, taskId, contextId, state, words);
    const artifact = (content, artifactId = randomUUID(), append = false, lastChunk = true) =>
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId,
            name: 'answer',
            description: '',
            parts: [content],
            metadata: undefined,
            extensions: [],
          },
          append,
          lastChunk,
          metadata: undefined,
        }),
      );
    const isCanceled = async (ms) => {
      for (let left = ms; left > 0 && !this.#canceled.has(taskId); left -= 50) await sleep(50);
      if (!this.#canceled.delete(taskId)) return false;
      status(TaskState.TASK_STATE_CANCELED, 'Canceled.');
      return true;
    };
    // The library wants a task as the first event of every turn.
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
        artifacts: task?.artifacts ?? [],
        history: task?.history ?? [userMessage],
        metadata: undefined,
      }),
    );
    status(TaskState.TASK_STATE_WORKING);
    if (task === undefined && has('ask me')) return status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which colour?');
    if (task === undefined && has('sign in')) return status(TaskState.TASK_STATE_AUTH_REQUIRED, 'Please sign in.');
    if (has('fail')) return status(TaskState.TASK_STATE_FAILED, 'It failed.');
    if (has('reject')) return status(TaskState.TASK_STATE_REJECTED, 'Not for me.');
    if (has('work long') && (await isCanceled(20_000))) return;
    else if (has('slow'))
      for (let step = 1; step <= 6; step++) {
        if (await isCanceled(500)) return;
        status(TaskState.TASK_STATE_WORKING, `Step ${step}`);
      }
    if (has('piece')) {
      const id = randomUUID();
      for (const [at, word] of ['one ', 'two ', 'three '].entries()) {
        artifact(textPart(word), id, at > 0, at === 2);
        if (await isCanceled(50)) return;
      }
    } else if (has('link')) artifact(part({ $case: 'url', value: 'https://example.com/dot.png' }, 'image/png'));
    else if (has('file')) artifact(part({ $case: 'raw', value: Buffer.from('hello') }, 'text/plain', 'hello.txt'));
    else if (has('data')) artifact(part({ $case: 'data', value: { answer: 42 } }, 'application/json'));
    else artifact(textPart(`You said: ${said}`));
    status(TaskState.TASK_STATE_COMPLETED, 'Done.');
  }

  #working = new Set();

  #status(bus, taskId, contextId, state, words) {
    const message = words === undefined ? undefined : say(words, taskId, contextId);
    if (state === TaskState.TASK_STATE_WORKING) this.#working.add(taskId);
    else this.#working.delete(taskId);
    const timestamp = new Date().toISOString();
    bus.publish(
      AgentEvent.statusUpdate({ taskId, contextId, status: { state, message, timestamp }, metadata: undefined }),
    );
  }

  cancelTask = async (taskId, bus) => {
    if (this.#working.has(taskId)) this.#canceled.add(taskId);
    // A task that waits for the client: nothing is at work that could say so itself.
    else this.#status(bus, taskId, this.#contexts.get(taskId) ?? '', TaskState.TASK_STATE_CANCELED, 'Canceled.');
  };
}

const base = `http://127.0.0.1:${port}`;
const at = (url, protocolBinding, protocolVersion = '1.0') => ({ url, protocolBinding, protocolVersion, tenant: '' });
const rpc = `${base}/a2a/jsonrpc`;
const card = {
  name: 'Words',
  description: 'Does what words ask for.',
  supportedInterfaces: legacyCompat.enabled
    ? [at(rpc, 'JSONRPC'), at(rpc, 'JSONRPC', '0.3')]
    : [at(rpc, 'JSONRPC'), at(`${base}/a2a/rest`, 'HTTP+JSON'), at(`127.0.0.1:${grpcPort}`, 'GRPC')],
  provider: undefined,
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'words',
      name: 'Words',
      description: 'Does what words ask for.',
      tags: ['words'],
      examples: [],
      inputModes: [],
      outputModes: [],
      securityRequirements: [],
    },
  ],
  signatures: [],
};
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new Words());
const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
app.use('/a2a/jsonrpc', jsonRpcHandler(options));
app.use('/a2a/rest', restHandler(options));
const server = new Server();
server.addService(A2AService, grpcService({ requestHandler, userBuilder: GrpcUserBuilder.noAuthentication }));
server.bindAsync(`127.0.0.1:${grpcPort}`, ServerCredentials.createInsecure(), () => app.listen(port, '127.0.0.1'));
