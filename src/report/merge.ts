import { canParseUrl, isLoopback, TckError, type Verdict } from '../model/index.js';
import { type GateOptions, judgeGate } from './gate.js';
import { mergedLatency } from './latency.js';
import { type Cause, type CheckResult, type Report, tally } from './result.js';
import type { ShardReport } from './shard.js';

interface Part extends Report {
  readonly run: Report['run'] & { readonly shard: ShardReport };
}

const isPart = (report: Report): report is Part => report.run.shard !== undefined;

/** On loopback each job of a pipeline has its own agent on its own port, which is in the card too. */
const isHere = (url: string): boolean => canParseUrl(url) && isLoopback(new URL(url).hostname);
const place = (url: string): string => (isHere(url) ? new URL(url).pathname : url);

/** What all parts of one run must have in common, with the words for it. */
const shared: readonly (readonly [what: string, of: (part: Part) => unknown])[] = [
  [
    'targets',
    ({ target: { url, endpoint, agent, extensions } }) => [
      place(url),
      place(endpoint),
      agent.name,
      agent.version,
      extensions,
    ],
  ],
  ['profiles', ({ target }) => target.profile],
  ['agent cards', ({ target }) => (isHere(target.url) ? '' : target.cardDigest)],
  ['kits', ({ kit }) => [kit.name, kit.version]],
  ['frozen sets', ({ run }) => run.set?.id],
  ['packs', ({ run }) => run.packs?.map(({ name, version }) => [name, version])],
  ['seeds', ({ run }) => run.seed],
  ['numbers of shards', ({ run }) => run.shard.of],
  ['selections of checks', ({ run }) => run.shard.plan],
];

/** The parts by their index. Throws `TckError('usage')` unless they are all parts of one run, each once. */
function inOrder(reports: readonly Report[]): readonly Part[] {
  const parts = reports.filter(isPart);
  const [first] = parts;
  if (first === undefined || parts.length < reports.length) {
    throw new TckError(
      'usage',
      'not all of these are parts of a run',
      'a2a-tck --shard 1/4 --report json=<file> writes one',
    );
  }
  for (const [what, of] of shared) {
    if (parts.some((part) => JSON.stringify(of(part)) !== JSON.stringify(of(first)))) {
      throw new TckError('usage', `the parts are of different ${what}`, 'parts of one run differ in --shard alone');
    }
  }
  const { of } = first.run.shard;
  const counts = Array.from({ length: of }, (_, at) => parts.filter(({ run }) => run.shard.index === at + 1).length);
  const named = (wrong: (count: number) => boolean): string =>
    counts.flatMap((count, at) => (wrong(count) ? [`${at + 1}/${of}`] : [])).join(', ');
  const missing = named((count) => count === 0);
  if (missing !== '') throw new TckError('usage', `parts are missing: ${missing}`, 'give all of them');
  const double = named((count) => count > 1);
  if (double !== '') throw new TckError('usage', `parts are there more than once: ${double}`, 'give each once');
  return [...parts].sort((a, b) => a.run.shard.index - b.run.shard.index);
}

/** The first verdict wins. A law fails if one part fails it, and passes if one part passes it and none fails it. */
const weight: readonly Verdict[] = ['error', 'fail', 'not-offered', 'pass', 'inconclusive', 'not-applicable'];

function together(results: readonly CheckResult[]): CheckResult | undefined {
  const worst = [...results].sort((a, b) => weight.indexOf(a.verdict) - weight.indexOf(b.verdict))[0];
  if (worst === undefined) return undefined;
  const alike = results.filter((result) => result.verdict === worst.verdict);
  return {
    ...worst,
    exchanges: alike.flatMap((checkResult) => checkResult.exchanges),
    durationMs: results.reduce((sum, checkResult) => sum + checkResult.durationMs, 0),
  };
}

/**
 * The ids of all parts, each once, in an order that agrees with that of each part. Ids that are in several parts fix
 * it.
 */
function orderOf(lists: readonly (readonly string[])[]): readonly string[] {
  const often = new Map<string, number>();
  for (const id of lists.flat()) often.set(id, (often.get(id) ?? 0) + 1);
  const waiting = lists.map((list) => [...list]);
  const order: string[] = [];
  while (waiting.some((list) => list.length > 0)) {
    for (const list of waiting) {
      while (list[0] !== undefined && often.get(list[0]) === 1) order.push(...list.splice(0, 1));
    }
    const next = waiting.find((list) => list.length > 0)?.[0];
    if (next === undefined) break;
    order.push(next);
    for (const list of waiting) {
      const at = list.indexOf(next);
      if (at >= 0) list.splice(at, 1);
    }
  }
  return order;
}

const numberOf = (id: string): number => Number(/^x(\d+)$/.exec(id)?.[1] ?? 0);

/** Renumbers the exchanges, so that their ids differ between parts. */
function renumbered(parts: readonly Part[]): readonly Part[] {
  let before = 0;
  return parts.map((part) => {
    const shift = before;
    const moved = (id: string): string => `x${numberOf(id) + shift}`;
    before += part.exchanges.reduce((most, { id }) => Math.max(most, numberOf(id)), 0);
    return {
      ...part,
      checks: part.checks.map((check) => ({
        ...check,
        exchanges: check.exchanges.map(moved),
        ...(check.exhibit === undefined ? {} : { exhibit: moved(check.exhibit) }),
      })),
      ...(part.causes === undefined
        ? {}
        : { causes: part.causes.map((cause) => ({ ...cause, exchanges: cause.exchanges.map(moved) })) }),
      findings: part.findings.map((finding) => ({ ...finding, exchanges: finding.exchanges.map(moved) })),
      exchanges: part.exchanges.map((exchange) => ({ ...exchange, id: moved(exchange.id) })),
    };
  });
}

/** If the agent accepted a message in one part, or a stream was read, it counts for the whole run. */
function messagesOf(parts: readonly Part[]): Pick<Report['run'], 'messages'> {
  const known = parts.flatMap(({ run }) => run.messages ?? []);
  const messages = known.find(({ accepted }) => accepted) ?? known[0];
  if (messages === undefined) return {};
  const { streams: _, ...rest } = messages;
  const opened = known.flatMap(({ streams }) => streams ?? []);
  const streams = opened.find(({ read }) => read) ?? opened[0];
  return { messages: streams === undefined ? rest : { ...rest, streams } };
}

/** The set of all parts, with the stale entries of each. */
function setOf(parts: readonly Part[]): Pick<Report['run'], 'set'> {
  const [set] = parts.flatMap(({ run }) => run.set ?? []);
  if (set === undefined) return {};
  const stale = [...new Set(parts.flatMap(({ run }) => run.set?.stale ?? []))];
  return { set: { id: set.id, ...(stale.length === 0 ? {} : { stale }) } };
}

/** Each cause once, with the checks of all parts. */
function causesOf(parts: readonly Part[]): Pick<Report, 'causes'> {
  const known = new Map<string, Cause>();
  for (const cause of parts.flatMap((part) => part.causes ?? [])) {
    const first = known.get(cause.id);
    const checks = [...new Set([...(first?.checks ?? []), ...cause.checks])];
    const failures = [...new Set([...(first?.failures ?? []), ...(cause.failures ?? [])])];
    known.set(cause.id, { ...(first ?? cause), checks, ...(failures.length === 0 ? {} : { failures }) });
  }
  return known.size === 0 ? {} : { causes: [...known.values()] };
}

/** The agent of all parts. If their cards differ, `cardDigest` is left out. */
function targetOf(parts: readonly Part[], { target }: Part): Report['target'] {
  const { cardDigest, network: _, insecure: __, ...rest } = target;
  const network = [...new Set(parts.flatMap((part) => part.target.network ?? []))];
  return {
    ...rest,
    ...(network.length === 0 ? {} : { network }),
    ...(parts.some((part) => part.target.insecure === true) ? { insecure: true } : {}),
    ...(parts.every((part) => part.target.cardDigest === cardDigest) && cardDigest !== undefined ? { cardDigest } : {}),
  };
}

/**
 * Makes one run of its parts. A check has the result of its part; a law is judged by the results of all parts; the gate
 * has the strictest demands of the parts and of `demands`. Throws `TckError('usage')` for parts that do not belong
 * together.
 */
export function merged(reports: readonly Report[], demands: Partial<GateOptions> = {}): Report {
  const parts = renumbered(inOrder(reports));
  const [first] = parts;
  if (first === undefined) throw new TckError('internal', 'a run without parts');
  const results = new Map<string, CheckResult[]>();
  for (const check of parts.flatMap((part) => part.checks)) {
    results.set(check.id, [...(results.get(check.id) ?? []), check]);
  }
  const ids = orderOf(parts.map((part) => part.checks.map(({ id }) => id)));
  const checks = ids.flatMap((id) => together(results.get(id) ?? []) ?? []);
  const begins = parts.map(({ run }) => Date.parse(run.startedAt));
  const began = Math.min(...begins);
  const ended = Math.max(...parts.map(({ run }, at) => (begins[at] ?? began) + run.durationMs));
  const cuts = parts.flatMap(({ run }) => (run.cut === undefined ? [] : [`part ${run.shard.index}: ${run.cut}`]));
  const cut = cuts.length === 0 ? {} : { cut: cuts.join('; ') };
  const proofs = [
    ...parts.flatMap(({ gate }) => gate.minProof ?? []),
    ...(demands.minProof === undefined ? [] : [demands.minProof]),
  ];
  const payments = parts.flatMap((part) => part.payments ?? []);
  const findings = parts.flatMap((part) => part.findings);
  // Only one part has fuzzed, and asked what the user expects.
  const fuzz = parts.find((part) => part.fuzz !== undefined)?.fuzz;
  const latency = mergedLatency(parts.flatMap((part) => part.latency ?? []));
  const { expectations } = parts.find((part) => part.expectations !== undefined) ?? first;
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    kit: first.kit,
    target: targetOf(parts, first),
    run: {
      startedAt: new Date(began).toISOString(),
      durationMs: ended - began,
      seed: first.run.seed,
      requests: sum(({ run }) => run.requests),
      tasks: sum(({ run }) => run.tasks),
      ...cut,
      ...setOf(parts),
      ...(first.run.packs === undefined ? {} : { packs: first.run.packs }),
      ...(first.run.readOnly === undefined ? {} : { readOnly: first.run.readOnly }),
      ...messagesOf(parts),
      ...(first.run.selection === undefined ? {} : { selection: first.run.selection }),
      ...(first.run.skipped === undefined ? {} : { skipped: first.run.skipped }),
    },
    gate: judgeGate(checks, {
      strict: demands.strict === true || parts.some(({ gate }) => gate.strict === true),
      ...(proofs.length === 0 ? {} : { minProof: Math.max(...proofs) }),
      ...cut,
      findings,
      expectations,
      ...messagesOf(parts),
      ...causesOf(parts),
      readOnly: parts.some(({ run }) => run.readOnly),
    }),
    ...causesOf(parts),
    summary: tally(checks),
    checks,
    findings,
    ...(fuzz === undefined ? {} : { fuzz }),
    ...(expectations === undefined ? {} : { expectations }),
    ...(latency === undefined ? {} : { latency }),
    ...(parts.some((part) => part.payments !== undefined) ? { payments } : {}),
    exchanges: parts.flatMap(({ exchanges }) => exchanges),
  };
}
