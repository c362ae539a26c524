import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Peer } from './express-server.js';

/** Puts a service on a free port of the loopback; the URL has the scheme that cards of some agents have. */
export async function startGrpc(
  service: ServiceDefinition,
  implementation: UntypedServiceImplementation,
): Promise<Peer> {
  const server = new Server();
  server.addService(service, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    url: `grpc://127.0.0.1:${port}`,
    close: () => Promise.resolve(server.forceShutdown()),
  };
}
