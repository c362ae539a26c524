import type { Dialect } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import type { FaultId } from '../ledger/index.js';
import { loadLedger } from '../ledger/index.js';
import {
  faults as allFaults,
  impostors as allImpostors,
  variants as allVariants,
  createAgent,
  type Fault,
  type Impostor,
  type Patch,
  type Variant,
} from '../reference/index.js';
import { glob, planAll, type Report, run } from '../run/index.js';
import { type Carrier, type Exchange, type Header, virtualClock } from '../wire/index.js';
import { type Allowance, allowances } from './allowances/index.js';

/** `contract.md`, output of `prove --json`. */
export interface Proof {
  readonly profile: string;
  readonly clean: {
    readonly fail: readonly string[];
    readonly error: readonly string[];
    readonly pass: readonly string[];
  };
  readonly faults: readonly FaultProof[];
  readonly variants: readonly {
    readonly id: string;
    readonly fail: readonly string[];
    readonly error: readonly string[];
  }[];
  readonly impostors: readonly {
    readonly id: string;
    readonly pass: readonly string[];
    readonly error: readonly string[];
  }[];
  readonly checks: readonly { readonly id: string; readonly killedBy: readonly string[] }[];
  /** Everything that keeps the proof from being perfect, one line each; empty: exit 0. */
  readonly problems: readonly string[];
  readonly cells: number;
  readonly durationMs: number;
}
export interface FaultProof {
  readonly id: string;
  /** Checks that fail on the faulty agent and do not fail on the same agent without the fault. */
  readonly kills: readonly string[];
  /** Checks that name the fault. */
  readonly expected: readonly string[];
  /** The fault changed no byte of any answer. */
  readonly void: boolean;
}

export interface ProofOptions {
  readonly dialect: Dialect;
  readonly rules: readonly Rule[];
  readonly faults?: readonly Fault[];
  readonly variants?: readonly Variant[];
  readonly impostors?: readonly Impostor[];
  /** Called after each agent, for progress. */
  readonly onCell?: (done: number, of: number) => void;
}

const baseUrl = 'http://agent.test';

interface Cell {
  readonly report: Report;
  /** What the agent threw inside: a defect of the fault or of the agent, never a kill. */
  readonly crashes: readonly unknown[];
}

/** One run of all checks on one in-memory agent: same seed, virtual time, one check after the other. */
async function judge(
  options: ProofOptions,
  carrier: Carrier,
  url: string,
  headers: readonly Header[],
  clock = virtualClock(),
): Promise<Report> {
  return run(
    {
      url,
      profile: options.dialect.id,
      rules: options.rules,
      selection: { suites: [], checks: [], level: 'may' },
      carrier,
      rawSocket: false,
      clock,
      seed: 1,
      limits: { timeoutMs: 10_000, maxBytes: 8 << 20 },
      concurrency: 1,
      readOnly: false,
      credentials: headers,
      secrets: [],
      allowedOrigins: [],
      behaviours: {},
      strict: false,
      anyTarget: true,
      kit: { name: 'a2a-tck', version: 'proof' },
    },
    () => undefined,
  );
}

async function cell(options: ProofOptions, patches: readonly Patch[], variant: Variant | undefined): Promise<Cell> {
  const clock = virtualClock();
  const agent = createAgent({ dialect: options.dialect, clock, baseUrl, patches });
  const report = await judge(
    options,
    agent.handle,
    variant?.cardUrl?.(baseUrl) ?? baseUrl,
    variant?.headers ?? [],
    clock,
  );
  agent.stop();
  return { report, crashes: agent.crashes };
}

const withVerdict = (report: Report, verdict: string): readonly string[] =>
  report.checks.filter((check) => check.verdict === verdict).map((check) => check.id);

/** Status, headers and body of every answer, in order; two agents that say the same have the same. */
function answers(exchanges: readonly Exchange[]): string {
  const text = new TextDecoder();
  return JSON.stringify(
    exchanges.map(({ request, response, failure }) => [
      request.url,
      response?.status,
      response?.headers,
      response && text.decode(response.body),
      failure?.kind,
    ]),
  );
}

/** All checks × all faults, variants and impostors of one dialect. Never throws for what an agent does. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const started = performance.now();
  const { dialect, rules } = options;
  const planned = planAll(rules, loadLedger(dialect.ledger));
  const ids = new Set(planned.map((one) => one.rule.id));
  const fits = (variant: Variant) => variant.profiles === undefined || variant.profiles.includes(dialect.id);
  const variants = (options.variants ?? allVariants).filter(fits);
  const byId = new Map(variants.map((variant) => [variant.id, variant]));
  const named = new Set<string>(planned.flatMap((one) => one.rule.killedBy));
  // A fault of a check that this version does not have breaks nothing here.
  const faults = (options.faults ?? allFaults).filter((fault) => named.has(fault.id) || options.faults !== undefined);
  const impostors = options.impostors ?? allImpostors;
  const total = 1 + faults.length + variants.length + impostors.length;
  let done = 0;
  const tick = () => options.onCell?.(++done, total);
  const problems: string[] = [];

  const clean = await cell(options, [], undefined);
  tick();
  const bases = new Map<string, Cell>();
  const variantProofs: { readonly id: string; readonly fail: readonly string[]; readonly error: readonly string[] }[] =
    [];
  for (const variant of variants) {
    const seen = await cell(options, [variant.patch], variant);
    bases.set(variant.id, seen);
    variantProofs.push({
      id: variant.id,
      fail: withVerdict(seen.report, 'fail'),
      error: withVerdict(seen.report, 'error'),
    });
    for (const crash of seen.crashes) problems.push(`variant ${variant.id} crashes: ${String(crash)}`);
    tick();
  }
  const faultProofs: FaultProof[] = [];
  for (const fault of faults) {
    const variant = fault.on === undefined ? undefined : byId.get(fault.on);
    if (fault.on !== undefined && variant === undefined)
      problems.push(`fault ${fault.id} is seen on ${fault.on}, which is no variant of ${dialect.id}`);
    const base = variant === undefined ? clean : (bases.get(variant.id) ?? clean);
    const seen = await cell(options, variant === undefined ? [fault.patch] : [variant.patch, fault.patch], variant);
    const before = new Set(withVerdict(base.report, 'fail'));
    faultProofs.push({
      id: fault.id,
      kills: withVerdict(seen.report, 'fail').filter((id) => !before.has(id)),
      expected: planned.filter((one) => one.rule.killedBy.includes(fault.id as FaultId)).map((one) => one.rule.id),
      void: answers(base.report.exchanges) === answers(seen.report.exchanges),
    });
    for (const id of withVerdict(seen.report, 'error'))
      problems.push(`check ${id} ends in an error on fault ${fault.id}: ${reasonOf(seen.report, id)}`);
    for (const crash of seen.crashes) problems.push(`fault ${fault.id} crashes: ${String(crash)}`);
    tick();
  }
  const impostorProofs: { readonly id: string; readonly pass: readonly string[]; readonly error: readonly string[] }[] =
    [];
  for (const impostor of impostors) {
    const clock = virtualClock();
    const report = await judge(options, impostor.carrier({ dialect, clock, baseUrl }), baseUrl, [], clock);
    impostorProofs.push({ id: impostor.id, pass: withVerdict(report, 'pass'), error: withVerdict(report, 'error') });
    tick();
  }

  const checks = planned.map(({ rule }) => ({
    id: rule.id,
    killedBy: faultProofs.filter((fault) => fault.kills.includes(rule.id)).map((fault) => fault.id),
  }));
  const cleanProof = {
    fail: withVerdict(clean.report, 'fail'),
    error: withVerdict(clean.report, 'error'),
    pass: withVerdict(clean.report, 'pass'),
  };
  for (const id of cleanProof.fail) problems.push(`the clean agent fails ${id}: ${reasonOf(clean.report, id)}`);
  for (const id of cleanProof.error)
    problems.push(`check ${id} ends in an error on the clean agent: ${reasonOf(clean.report, id)}`);
  for (const crash of clean.crashes) problems.push(`the clean agent crashes: ${String(crash)}`);
  for (const fault of faultProofs) {
    if (fault.void) problems.push(`fault ${fault.id} is void: it changed no byte on the wire`);
    for (const id of fault.expected)
      if (!fault.kills.includes(id)) problems.push(`fault ${fault.id} survives ${id}, which names it`);
    if (fault.kills.length === 0) problems.push(`fault ${fault.id} is killed by no check`);
  }
  for (const variant of variantProofs) {
    const { report } = bases.get(variant.id) ?? clean;
    for (const id of variant.fail) problems.push(`variant ${variant.id} fails ${id}: ${reasonOf(report, id)}`);
    for (const id of variant.error)
      problems.push(`check ${id} ends in an error on variant ${variant.id}: ${reasonOf(report, id)}`);
  }
  for (const impostor of impostorProofs) {
    for (const id of impostor.pass) {
      if (ids.has(id) && !allowed(allowances, impostor.id, id)) problems.push(`impostor ${impostor.id} passes ${id}`);
    }
    for (const id of impostor.error) problems.push(`check ${id} ends in an error on impostor ${impostor.id}`);
  }
  for (const check of checks) if (check.killedBy.length === 0) problems.push(`check ${check.id} is killed by no fault`);
  for (const { rule } of planned) {
    for (const id of rule.killedBy)
      if (!faultProofs.some((fault) => fault.id === id))
        problems.push(`check ${rule.id} names the fault ${id}, which does not exist`);
  }
  return {
    profile: dialect.id,
    clean: cleanProof,
    faults: faultProofs,
    variants: variantProofs,
    impostors: impostorProofs,
    checks,
    problems,
    cells: total * planned.length,
    durationMs: Math.round(performance.now() - started),
  };
}

const reasonOf = (report: Report, id: string): string => report.checks.find((check) => check.id === id)?.reason ?? '';

const allowed = (list: readonly Allowance[], impostor: string, check: string): boolean =>
  list.some((one) => glob(one.check).test(check) && (one.impostors === 'any' || one.impostors.includes(impostor)));
