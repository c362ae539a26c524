/** The second entry point: all that needs sockets. Import it dynamically, so that in-memory runs never load undici. */
export * from './carriers/http-carrier.js';
export * from './carriers/raw-socket.js';
export * from './webhook/webhook-server.js';
