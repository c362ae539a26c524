import type { AgentCard } from 'a2a-sdk-0.2';
import { A2AExpressApp, DefaultRequestHandler, InMemoryTaskStore } from 'a2a-sdk-0.2/server';
import { type Peer, startExpress } from './express-server.js';
import { WordDrivenExecutor } from './word-driven-executor.js';

const mediaTypes = ['text/plain', 'application/json'];

/** A real agent, on a server that is not ours: @a2a-js/sdk 0.2.x, with streaming and push notifications. */
export const startSdk02Agent = (): Promise<Peer> =>
  startExpress((app, baseUrl) => {
    // The SDK's own type does not know the version, which 0.2.6 requires.
    const card: AgentCard & { readonly protocolVersion: string } = {
      protocolVersion: '0.2.6',
      name: 'SDK 0.2 agent',
      description: 'An agent on @a2a-js/sdk 0.2 that does what plain words ask for.',
      version: '1.0.0',
      url: `${baseUrl}/`,
      capabilities: { streaming: true, pushNotifications: true },
      defaultInputModes: mediaTypes,
      defaultOutputModes: mediaTypes,
      skills: [{ id: 'echo', name: 'Echo', description: 'Says what you said.', tags: ['echo'] }],
    };
    const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());
    // Its types are those of Express 4.
    new A2AExpressApp(handler).setupRoutes(app as never);
  });
