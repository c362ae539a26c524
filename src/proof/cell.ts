import { createHash, type Hash } from 'node:crypto';
import type { Fault } from '../../fixtures/faults/index.js';
import { charging } from '../../packs/options.js';
import type { Dialect } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import type { Verdict } from '../model/index.js';
import type { Impostor, Patch, Variant } from '../reference/index.js';
import type { CheckResult, Report } from '../report/index.js';
import { type RunOptions, run, type Taped } from '../run/index.js';
import { type Exchange, memoryWebhooks, openly, virtualClock } from '../wire/index.js';
import type { Shown, Tasks } from './mutants.js';
import { baseUrl, stageAgent, stageImpostor, toldOf, webhooksUrl } from './staged-agent.js';

/** The agents on which a proof runs all checks. */
export interface Cast {
  readonly dialect: Dialect;
  readonly rules: readonly Rule[];
  readonly faults: readonly (Omit<Fault, 'breaks'> & { readonly breaks: readonly string[] })[];
  readonly variants: readonly Variant[];
  readonly impostors: readonly Impostor[];
  /** What every agent is made of before its own patches, and the packs whose rows the checks are about. Left out: none. */
  readonly base?: readonly Patch[];
  readonly packs?: RunOptions['packs'];
  /** The agents charge, and only the checks of payments run on them. Left out: all other checks run. */
  readonly charges?: boolean;
}

/** One agent of the cast, by name, and the checks to run on it. It can be sent to another thread. */
export type Role = (
  | { readonly type: 'clean' }
  | { readonly type: 'fault' | 'variant' | 'impostor'; readonly id: string }
) & {
  /** Ids; all when left out. */
  readonly checks?: readonly string[];
  /** Checks that run beside them, so that laws have exchanges to judge; their verdicts do not count. */
  readonly beside?: readonly string[];
  /** What to do with the recorded answers; left out: nothing. */
  readonly tasks?: Tasks;
};

/** The verdicts of the checks on one agent. */
export interface Row {
  readonly role: Role;
  readonly pass: readonly string[];
  /** Ids of the checks that failed or ended in an error, with the reasons. */
  readonly fail: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, string>>;
  /** The run of all checks passed: its exit code was 0. */
  readonly isGreen: boolean;
  /** Checks that failed without an exchange of the tape that shows it. */
  readonly unshown: readonly string[];
  /** A hash that is the same for two agents with the same answers, byte by byte. */
  readonly answers: string;
  /** Errors thrown inside the agent: a defect of the fault or of the agent, never a kill. */
  readonly crashes: readonly string[];
  /** What changes to the recorded answers have shown; left out: none were tried. */
  readonly shown?: Shown;
}

/** One run of the checks: same seed, virtual time, one check after the other. */
function judge(
  cast: Cast,
  { checks = [], beside = [] }: Role,
  addresses: ReturnType<typeof toldOf>,
  onTape: (taped: Taped) => void = () => undefined,
): Promise<Report> {
  return run(
    {
      ...addresses,
      onTape,
      profile: cast.dialect.id,
      binding: cast.dialect.binding.id,
      rules: cast.rules,
      ...(cast.packs === undefined ? {} : { packs: cast.packs }),
      selection: {
        suites: cast.charges === true && checks.length === 0 ? [charging.pack] : [],
        checks: [...checks, ...beside],
        level: 'may',
      },
      rawSocket: false,
      seed: 1,
      limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
      concurrency: 1,
      readOnly: false,
      secrets: [],
      redactor: openly,
      allowedOrigins: [],
      behaviours: {},
      strict: false,
      anyTarget: true,
      kit: { name: 'a2a-tck', version: 'proof' },
    },
    () => undefined,
  );
}

/** Status, headers, body and trailers of every answer, and of every notification, in order. */
function digest(exchanges: readonly Exchange[]): string {
  const hash: Hash = createHash('sha256');
  for (const { request, response, failure, toWebhook } of exchanges) {
    hash.update(JSON.stringify([request.url, response?.status, response?.headers, response?.trailers, failure?.kind]));
    // At a webhook the agent sends the request.
    if (toWebhook) hash.update(JSON.stringify([request.method, request.headers])).update(request.body ?? '');
    if (response !== undefined) hash.update(response.body);
  }
  return hash.digest('hex');
}

function rowOf(role: Role, report: Report, crashes: readonly unknown[]): Row {
  const { checks, beside } = role;
  const judged = beside === undefined ? report.checks : report.checks.filter(({ id }) => checks?.includes(id));
  const reasons = (...verdicts: readonly Verdict[]): Record<string, string> =>
    Object.fromEntries(
      judged
        .filter((checkResult) => verdicts.includes(checkResult.verdict))
        .map((checkResult) => [checkResult.id, checkResult.reason]),
    );
  const isBroken = ({ verdict }: CheckResult): boolean => verdict === 'fail' || verdict === 'not-offered';
  const onTape = new Set(report.exchanges.map(({ id }) => id));
  const isShown = ({ exhibit }: CheckResult): boolean => exhibit !== undefined && onTape.has(exhibit);
  return {
    role,
    isGreen: checks === undefined && report.gate.passed,
    unshown: judged.filter((checkResult) => isBroken(checkResult) && !isShown(checkResult)).map(({ id }) => id),
    pass: Object.keys(reasons('pass')),
    fail: reasons('fail', 'not-offered'),
    error: reasons('error'),
    answers: digest(report.exchanges),
    crashes: crashes.map(String),
  };
}

async function onAgent(cast: Cast, role: Role, patches: readonly Patch[], variant: Variant | undefined): Promise<Row> {
  const staged = await stageAgent(cast, patches, variant);
  const { tasks } = role;
  // Loaded on use: most agents are faults.
  const mutants = tasks === undefined ? undefined : await import('./mutants.js');
  let shown: Shown | undefined;
  const report = await judge(cast, role, toldOf(staged), (taped) => {
    if (tasks !== undefined) shown = mutants?.tryMutants(taped, tasks);
  });
  staged.end();
  return { ...rowOf(role, report, staged.crashes), ...(shown === undefined ? {} : { shown }) };
}

async function onImpostor(cast: Cast, role: Role, impostor: Impostor): Promise<Row> {
  const clock = virtualClock();
  const { context, callers } = await stageImpostor(cast, clock);
  const carrier = impostor.carrier(context);
  const webhooks = memoryWebhooks(webhooksUrl);
  return rowOf(role, await judge(cast, role, toldOf({ url: baseUrl, carrier, clock, callers, webhooks })), []);
}

/** Runs checks on one agent. Throws for a role that the cast does not have. */
export function play(cast: Cast, role: Role): Promise<Row> {
  const find = <T extends { readonly id: string }>(all: readonly T[], id: string): T => {
    const found = all.find((item) => item.id === id);
    if (found === undefined) throw new Error(`the cast has no ${role.type} ${id}`);
    return found;
  };
  switch (role.type) {
    case 'clean':
      return onAgent(cast, role, [], undefined);
    case 'variant': {
      const variant = find(cast.variants, role.id);
      return onAgent(cast, role, [variant.patch], variant);
    }
    case 'fault': {
      const { on, patch } = find(cast.faults, role.id);
      const variant = on === undefined ? undefined : cast.variants.find((variant) => variant.id === on);
      return onAgent(cast, role, variant === undefined ? [patch] : [variant.patch, patch], variant);
    }
    case 'impostor':
      return onImpostor(cast, role, find(cast.impostors, role.id));
  }
}
