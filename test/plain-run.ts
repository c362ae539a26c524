import type { RunOptions } from '../src/run/index.js';
import { rules } from '../suites/index.js';

/** Of a run on an agent in memory, which needs no options: all checks, one at a time, without callers by name. */
export const plainRun = {
  rules,
  selection: { suites: [], checks: [], level: 'may' },
  rawSocket: false,
  seed: 1,
  limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
  concurrency: 1,
  readOnly: false,
  credentials: [],
  secrets: [],
  allowedOrigins: [],
  behaviours: {},
  strict: false,
  kit: { name: 'a2a-tck', version: 'test' },
} satisfies Partial<RunOptions>;
