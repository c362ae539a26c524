import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'suites/**/*.test.ts',
      'reporters/**/*.test.ts',
      'schemas/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    testTimeout: 30_000,
    // Published servers under test log after their test has ended; a line that is still on its way must not fail the run.
    disableConsoleIntercept: true,
    // More than there are cores: many tests wait for a process of their own.
    maxWorkers: '150%',
  },
});
