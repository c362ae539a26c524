/** The second entry point: all that needs sockets. Import it dynamically, so that in-memory runs never load undici. */
export * from './http-carrier.js';
export * from './raw-socket.js';
export * from './webhook-server.js';
