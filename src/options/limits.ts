import { budget, flag, integer, type Options, ofOneRun, rate } from './option.js';

/** Seed, time, pace and cost of a run. */
export const limits = {
  seed: integer('<n>', [0, 2 ** 32 - 1], 'of every random choice', {
    usual: { run: 'that of this version of the kit', fuzz: 'a new one' },
    api: 'seed',
  }),
  timeout: integer('<ms>', [1, 600_000], 'for each exchange', { usual: '10000', api: 'timeoutMs' }),
  'max-time': integer('<seconds>', [1, 1_000_000], 'for the whole run, which then ends with what it knows', {
    usual: { run: '600; 3600 with signed calls, payments or --slow', fuzz: 'no limit' },
    api: 'maxTimeMs',
  }),
  wait: integer('<seconds>', [1, 3600], 'for an agent that is starting: until it serves its card', { api: 'waitMs' }),
  budget: budget('hard caps, as requests=500,tasks=20', {
    inFile: 'hard caps: the run ends with what it has',
    api: 'budget',
  }),
  rate: rate('requests at most, as 20/m; a number alone is per second', { places: ofOneRun, api: 'rate' }),
  'read-only': flag('nothing that creates a task, spends money or floods', { api: 'readOnly' }),
} satisfies Options;
