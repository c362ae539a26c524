import { createRequire } from 'node:module';

// Packages that few commands and threads need. Each is loaded at its first use, and in the middle of what needs it: `import`
// would load it before, or make all around it asynchronous.

const load = createRequire(import.meta.url);

export const yaml = (): typeof import('yaml') => load('yaml') as typeof import('yaml');
export const ajv2020 = (): typeof import('ajv/dist/2020.js') =>
  load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
