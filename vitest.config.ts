import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They take minutes of a processor: `npm run test:all` runs them, `npm test` does not. */
const slow = '**/*.slow.test.ts';
/** They look at what a process has loaded, change its settings, or measure what a full heap would slow down. */
const commands = [
  'src/cli/**/*.test.ts',
  'packs/*/options/**/*.test.ts',
  'src/wire/redaction/secret-search.test.ts',
  'test/growth.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    // Published servers under test log after their test has ended; a line that is still on its way must not fail the run.
    disableConsoleIntercept: true,
    // More than there are cores: many tests wait for a process of their own. Shares above all cores would be cut.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'src/**/*.test.ts',
            'suites/**/*.test.ts',
            'packs/**/*.test.ts',
            'reporters/**/*.test.ts',
            'fixtures/**/*.test.ts',
            'schemas/**/*.test.ts',
            'test/**/*.test.ts',
          ],
          exclude: [...commands, slow],
          // They leave nothing behind, and loading the kit anew for each file takes longer than most of them.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'commands', include: commands } },
      {
        extends: true,
        test: { name: 'slow', include: ['src/**/*.slow.test.ts', 'test/**/*.slow.test.ts'], isolate: false },
      },
    ],
  },
});
