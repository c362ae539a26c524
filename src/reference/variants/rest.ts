import { type Patch, together } from '../seams.js';
import { declaring } from './declaring.js';

/** Serves HTTP+JSON below `prefix` as well. */
export const rest =
  (prefix: string): Patch =>
  (inner, { baseUrl }) => ({
    httpBases: () => [`${new URL(baseUrl).pathname.replace(/\/$/, '')}${prefix}`, ...inner.httpBases()],
  });

/** Speaks HTTP+JSON besides JSON-RPC, at another URL, and declares both. */
export const bothBindings: Patch = together(
  declaring(({ interfaces }) => ({
    interfaces: [
      ...interfaces,
      ...interfaces.map((item) => ({ ...item, url: `${item.url}rest`, transport: 'HTTP+JSON' })),
    ],
  })),
  rest('/rest'),
);
