import { createHash } from 'node:crypto';
import { createFacilitator, type Facilitator, merchant } from '../packs/x402/agent/index.js';
import { chargingBy, type X402Options } from '../packs/x402/run/index.js';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import type { Rule } from '../src/kit/index.js';
import { createAgent, type Patch } from '../src/reference/index.js';
import type { Report, RunEvent } from '../src/report/index.js';
import { type RunOptions, run } from '../src/run/index.js';
import { type Carrier, type Clock, virtualClock } from '../src/wire/index.js';

/** Runs rules on the reference merchant, in memory and virtual time. */
export interface Selling {
  readonly rules: readonly Rule[];
  readonly profile?: Dialect['id'];
  readonly patches?: readonly Patch[];
  /** The kit knows the facilitator. Default true. */
  readonly stub?: boolean;
  readonly x402?: Partial<X402Options>;
  readonly options?: Partial<RunOptions>;
  /** Stands before the agent. */
  readonly through?: (agent: Carrier, clock: Clock) => Carrier;
  /** Runs on the same agent, one after the other; the last one is reported. Default 1. */
  readonly runs?: number;
  /** Before the run. */
  readonly prepare?: (facilitator: Facilitator) => Promise<void>;
}

export interface Sold {
  readonly report: Report;
  readonly events: readonly RunEvent[];
  /** Bodies of all requests to the agent, as they were sent. */
  readonly bodies: readonly string[];
  readonly facilitator: Facilitator;
  /** Verdict and reason of a rule. */
  of(id: string): string;
}

export async function sell({ rules, profile = 'a2a-1.0', patches = [], stub = true, ...more }: Selling): Promise<Sold> {
  const clock = virtualClock();
  const facilitator = createFacilitator({ clock });
  await more.prepare?.(facilitator);
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const agent = createAgent({
    dialect,
    clock,
    baseUrl: 'http://agent.test',
    patches: [merchant({}, { url: 'http://facilitator.test', carrier: facilitator.handle }), ...patches],
  });
  const through = more.through?.(agent.handle, clock) ?? agent.handle;
  const bodies: string[] = [];
  const events: RunEvent[] = [];
  let count = 0;
  const once = (seed: number): Promise<Report> =>
    run(
      {
        url: 'http://agent.test',
        profile,
        rules,
        selection: { suites: [], checks: [], level: 'may' },
        carrier(request, signal) {
          bodies.push(Buffer.from(request.body ?? []).toString('utf8'));
          return through(request, signal);
        },
        rawSocket: false,
        clock,
        seed,
        limits: { timeoutMs: 10_000, maxBytes: 1 << 22 },
        concurrency: 1,
        readOnly: false,
        credentials: [],
        charging: chargingBy({
          message: 'paid-echo',
          timeoutMs: 60_000,
          random: (length) => createHash('shake256', { outputLength: length }).update(`${count++}`).digest(),
          ...(stub ? { stub: facilitator.control } : {}),
          ...more.x402,
        }),
        secrets: [],
        allowedOrigins: [],
        behaviours: {},
        strict: false,
        kit: { name: 'a2a-tck', version: 'test' },
        ...more.options,
      },
      (event) => void events.push(event),
    );
  let report = await once(1);
  for (let seed = 2; seed <= (more.runs ?? 1); seed++) report = await once(seed);
  agent.stop();
  return {
    report,
    events,
    bodies,
    facilitator,
    of(id) {
      const found = report.checks.find((check) => check.id === id);
      return found === undefined ? 'none' : `${found.verdict}${found.reason === '' ? '' : `: ${found.reason}`}`;
    },
  };
}
