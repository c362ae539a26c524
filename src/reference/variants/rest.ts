import type { Patch } from '../seams.js';

/** Serves HTTP+JSON below `prefix` as well. */
export const rest =
  (prefix: string): Patch =>
  (inner, { baseUrl }) => ({
    httpBases: () => [`${new URL(baseUrl).pathname.replace(/\/$/, '')}${prefix}`, ...inner.httpBases()],
  });
