// A real agent on @a2a-js/sdk, whose task is done at once. Prints its URL.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';

const executor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const status = (state, final) =>
      bus.publish({ kind: 'status-update', taskId, contextId, status: { state }, final });
    bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] });
    const parts = [{ kind: 'text', text: 'Done.' }];
    bus.publish({ kind: 'artifact-update', taskId, contextId, artifact: { artifactId: 'answer', parts } });
    status('completed', true);
    bus.finished();
  },
  async cancelTask() {},
};

const app = express();
const server = createServer(app);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}`;
const card = {
  protocolVersion: '0.3.0',
  name: 'SDK agent',
  description: 'An agent on @a2a-js/sdk.',
  version: '1.0.0',
  url: `${url}/a2a`,
  preferredTransport: 'JSONRPC',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
};
const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
process.stdout.write(`${url}\n`);
