export { canParseUrl } from '../model/index.js';
// Modules that need sockets are exported by the second entry point, `http.ts`.
export * from './breather.js';
export * from './clock.js';
export * from './create-wire.js';
export * from './curl.js';
export * from './ending.js';
export * from './exchange.js';
export * from './markup.js';
export * from './redaction.js';
export * from './short-headers.js';
export * from './sse.js';
export * from './sse-framing.js';
export * from './tape.js';
export { isGrpcAddress, parseTargetUrl } from './target-url.js';
export * from './text.js';
export * from './webhook.js';
export * from './wire.js';
