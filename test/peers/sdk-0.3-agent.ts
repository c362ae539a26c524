import type { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import { A2AService, UserBuilder as GrpcUserBuilder, grpcService } from '@a2a-js/sdk/server/grpc';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import { type Peer, startExpress, withCardBeside } from './express-server.js';
import { startGrpc } from './grpc-server.js';
import { WordDrivenExecutor } from './word-driven-executor.js';

const mediaTypes = ['text/plain', 'application/json'];

const cardOf = (url: string, preferredTransport: 'JSONRPC' | 'HTTP+JSON' | 'GRPC'): AgentCard => ({
  protocolVersion: '0.3.0',
  name: 'SDK agent',
  description: 'An agent on @a2a-js/sdk that does what plain words ask for.',
  version: '1.0.0',
  url,
  preferredTransport,
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: mediaTypes,
  defaultOutputModes: mediaTypes,
  skills: [{ id: 'echo', name: 'Echo', description: 'Says what you said.', tags: ['echo'] }],
});

const handlerOf = (card: AgentCard) =>
  new DefaultRequestHandler(card, new InMemoryTaskStore(), new WordDrivenExecutor());

const start = (preferredTransport: 'JSONRPC' | 'HTTP+JSON'): Promise<Peer> =>
  startExpress((app, baseUrl) => {
    const url = `${baseUrl}/a2a/${preferredTransport === 'JSONRPC' ? 'jsonrpc' : 'rest'}`;
    const requestHandler = handlerOf(cardOf(url, preferredTransport));
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
    if (preferredTransport === 'JSONRPC') app.use('/a2a/jsonrpc', jsonRpcHandler(options));
    else app.use('/a2a/rest', restHandler(options));
  });

/** A real agent, on a server that is not ours: @a2a-js/sdk 0.3.x, with streaming and push notifications. */
export const startSdkAgent = () => start('JSONRPC');

/** The same agent over HTTP+JSON alone. */
export const startSdkRestAgent = () => start('HTTP+JSON');

const startGrpcOf = (requestHandler: DefaultRequestHandler): Promise<Peer> =>
  startGrpc(
    A2AService,
    grpcService({
      requestHandler,
      userBuilder: GrpcUserBuilder.noAuthentication,
    }) as unknown as UntypedServiceImplementation,
  );

/** The same agent over gRPC alone, on the server of @grpc/grpc-js; it serves no card. */
export const startSdkGrpcAgent = () => startGrpcOf(handlerOf(cardOf('127.0.0.1:0', 'GRPC')));

/** The same agent over gRPC alone, with its card on a web server beside it. */
export async function startSdkGrpcAgentWithCard(): Promise<Peer> {
  // The handler keeps the card, which names the place once it is known.
  const card = cardOf('', 'GRPC');
  const requestHandler = handlerOf(card);
  const rpc = await startGrpcOf(requestHandler);
  card.url = rpc.url;
  return withCardBeside(rpc, (app) =>
    app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler })),
  );
}
