import type { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { type Peer, startExpress } from './express-server.js';
import { WordDrivenExecutor } from './word-driven-executor.js';

const mediaTypes = ['text/plain', 'application/json'];

const start = (preferredTransport: 'JSONRPC' | 'HTTP+JSON'): Promise<Peer> =>
  startExpress((app, baseUrl) => {
    const card: AgentCard = {
      protocolVersion: '0.3.0',
      name: 'SDK agent',
      description: 'An agent on @a2a-js/sdk that does what plain words ask for.',
      version: '1.0.0',
      url: `${baseUrl}/a2a/${preferredTransport === 'JSONRPC' ? 'jsonrpc' : 'rest'}`,
      preferredTransport,
      capabilities: { streaming: true, pushNotifications: true },
      defaultInputModes: mediaTypes,
      defaultOutputModes: mediaTypes,
      skills: [{ id: 'echo', name: 'Echo', description: 'Says what you said.', tags: ['echo'] }],
    };
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
    if (preferredTransport === 'JSONRPC') app.use('/a2a/jsonrpc', jsonRpcHandler(options));
    else app.use('/a2a/rest', restHandler(options));
  });

/** A real agent, on a server that is not ours: @a2a-js/sdk 0.3.x, with streaming and push notifications. */
export const startSdkAgent = () => start('JSONRPC');

/** The same agent over HTTP+JSON alone. */
export const startSdkRestAgent = () => start('HTTP+JSON');
