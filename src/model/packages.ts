import { createRequire } from 'node:module';

// Packages that few commands and threads need. A synchronous function loads each at its first use: an `import` at the top
// of a file would load it in every command, and `import()` would make each caller asynchronous.

const load = createRequire(import.meta.url);

export const yaml = (): typeof import('yaml') => load('yaml') as typeof import('yaml');
export const ajv2020 = (): typeof import('ajv/dist/2020.js') =>
  load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
