import type { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { type Peer, startExpress } from './express-server.js';
import { WordDrivenExecutor } from './word-driven-executor.js';

const mediaTypes = ['text/plain', 'application/json'];

/** A real agent, on a server that is not ours: @a2a-js/sdk 0.3.x, with streaming and push notifications. */
export const startSdkAgent = (): Promise<Peer> =>
  startExpress((app, baseUrl) => {
    const card: AgentCard = {
      protocolVersion: '0.3.0',
      name: 'SDK agent',
      description: 'An agent on @a2a-js/sdk that does what plain words ask for.',
      version: '1.0.0',
      url: `${baseUrl}/a2a/jsonrpc`,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming: true, pushNotifications: true },
      defaultInputModes: mediaTypes,
      defaultOutputModes: mediaTypes,
      skills: [{ id: 'echo', name: 'Echo', description: 'Says what you said.', tags: ['echo'] }],
    };
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    app.use('/a2a/jsonrpc', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  });
