import { dialects, type ProfileId } from '../src/dialect/index.js';
import { createExpectPhase, type Expectation } from '../src/expect/index.js';
import { createAgent, kitWebhooks, memoryArchive, type Patch } from '../src/reference/index.js';
import type { Report, RunEvent, Shard } from '../src/report/index.js';
import { type FuzzOptions, type RunOptions, run } from '../src/run/index.js';
import { type Carrier, type Clock, memoryWebhooks, openly, virtualClock } from '../src/wire/index.js';
import { plainRun } from './plain-run.js';

const url = 'http://agent.test';

export interface JudgedSettings {
  /** What the agent speaks. Default: a2a-0.3. */
  readonly profile?: ProfileId;
  /** Ids of the only checks. Default: all. */
  readonly checks?: readonly string[];
  /** Checks in flight. Default: 1. */
  readonly concurrency?: number;
  /** The same where answers are slow. Default: `concurrency`. */
  readonly slowConcurrency?: number;
  readonly patches?: readonly Patch[];
  /** Prompts that steer the agent. Default: none. */
  readonly behaviours?: RunOptions['behaviours'];
  readonly shard?: Shard;
  /** What the user expects beside the protocol. Default: nothing. */
  readonly expect?: readonly Expectation[];
  /** Inputs after the checks. Default: none. */
  readonly fuzz?: FuzzOptions;
  /** Between the kit and the agent. */
  readonly between?: (carrier: Carrier, clock: Clock) => Carrier;
  /** The most requests in a time. Default: any number. */
  readonly rate?: RunOptions['rate'];
  /** Hears the events of the run. */
  readonly hear?: (event: RunEvent) => void;
  /** Default: hides nothing. */
  readonly redactor?: RunOptions['redactor'];
  /** The kit can have it restarted. Default: true. */
  readonly restarts?: boolean;
}

/** What all checks say of a fresh agent, as each job of a pipeline has one; in memory and virtual time. */
export function judge({
  profile = 'a2a-0.3',
  checks = [],
  patches = [],
  behaviours = {},
  shard,
  fuzz,
  expect,
  concurrency = 1,
  slowConcurrency = concurrency,
  between = (carrier) => carrier,
  redactor = openly,
  restarts = true,
  rate,
  hear = () => undefined,
}: JudgedSettings = {}): Promise<Report> {
  const dialect = dialects.find(({ id }) => id === profile);
  if (dialect === undefined) throw new Error('no such dialect');
  const clock = virtualClock();
  const webhooks = memoryWebhooks('http://127.0.0.1:48080');
  const archive = memoryArchive();
  const born = () =>
    createAgent({
      dialect,
      clock,
      baseUrl: url,
      patches,
      outbound: webhooks.carrier,
      webhookHosts: kitWebhooks,
      archive,
    });
  let agent = born();
  const carrier = between((request, signal) => agent.handle(request, signal), clock);
  const restart = async () => {
    agent.stop();
    agent = born();
  };
  const options = {
    ...plainRun,
    selection: { ...plainRun.selection, checks },
    concurrency,
    slowConcurrency,
    behaviours,
    url,
    profile: dialect.id,
    binding: dialect.binding.id,
    carrier,
    clock,
    redactor,
    webhooks: webhooks.open,
    ...(restarts ? { restart } : {}),
    ...(shard === undefined ? {} : { shard }),
    ...(fuzz === undefined ? {} : { fuzz }),
    ...(expect === undefined ? {} : { expect: createExpectPhase(expect) }),
    ...(rate === undefined ? {} : { rate }),
  };
  return run(options, hear).finally(() => agent.stop());
}
