import type { CheckResult, Report } from '../src/report/index.js';
import { bodyText, canParseUrl, mediaType, printable } from '../src/wire/index.js';
import { jsonText } from './json-text.js';
import { operationOf } from './operation.js';
import { fromReport, type Reporter } from './reporter.js';
import { scopeTexts } from './wording.js';

// The Trace Event Format, which chrome://tracing, ui.perfetto.dev and others read. A row is a thread there: one for the
// run, and one for each check that is in flight at a time. Times are microseconds since the run began.

type Exchange = Report['exchanges'][number];

/** An event: a slice (`X`), a counter (`C`), or the name of a row (`M`). */
interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'C' | 'M';
  readonly pid: 1;
  readonly tid: number;
  readonly ts?: number;
  readonly dur?: number;
  readonly cat?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A stretch of time, microseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}
interface Call extends Stretch {
  readonly exchange: Exchange;
}
/** What a check, a source or the detection did. */
interface Work extends Stretch {
  readonly purpose: string;
  readonly check: CheckResult | undefined;
  readonly calls: readonly Call[];
}

/** The most requests of one trace: viewers get slow, and the first are of most use. */
const mostCalls = 10_000;
const longest = 200;
/** Shorter waits are between two requests only, microseconds. */
const leastWait = 2000;
/** The rows of one lane: requests that are in flight together do not fit on one. */
const mostRows = 50;

/** A slice without a name cannot be seen. */
const short = (text: string): string => printable(text, longest) || '?';

/** The names of bindings in cards, and what this project calls them. */
const titles: ReadonlyMap<string, string> = new Map([
  ['JSONRPC', 'JSON-RPC'],
  ['GRPC', 'gRPC'],
]);
const jsonRpc = 'JSON-RPC';
const httpJson = 'HTTP+JSON';
/** Characters of a body that are searched for the version of JSON-RPC. */
const mostSearched = 64 * 1024;

/** A URL without its query and the slash at its end. */
const addressOf = (url: string): string => {
  const { origin, pathname } = canParseUrl(url) ? new URL(url) : { origin: '', pathname: url };
  return `${origin}${pathname}`.replace(/\/$/, '');
};

/** The binding of a request; undefined: it belongs to none, as that for the card. */
type BindingOf = (exchange: Exchange) => string | undefined;

function bindingsOf({ target: { interfaces = [] } }: Report): BindingOf {
  const known = interfaces
    .map(({ url, binding }) => ({ address: addressOf(url), binding: titles.get(binding) ?? short(binding) }))
    // The longest first. Operations of HTTP+JSON are below its URL: what is sent to the URL itself is JSON-RPC, if both
    // have the same.
    .sort(
      (first, second) =>
        second.address.length - first.address.length ||
        Number(second.binding === jsonRpc) - Number(first.binding === jsonRpc),
    );
  return ({ request, call }) => {
    if (mediaType(request.headers)?.startsWith('application/grpc') === true) return 'gRPC';
    if (call !== undefined && Object.hasOwn(call, 'rpcId')) return jsonRpc;
    const at = addressOf(request.url);
    // Such a path belongs to the whole host, even if operations are below its root.
    if (at.includes('/.well-known/')) return undefined;
    const own = known.find(
      ({ address, binding }) => at === address || (binding === httpJson && at.startsWith(`${address}/`)),
    );
    if (own !== undefined) return own.binding;
    return /"jsonrpc"\s*:/.test(bodyText(request.body?.subarray(0, mostSearched))) ? jsonRpc : undefined;
  };
}

const statusOf = ({ response, failure }: Exchange): number | string =>
  failure === undefined ? (response?.status ?? 'none') : failure.kind;

/** All exchanges with one purpose, on one interface; in the order in which they began. */
function worksOf({ exchanges, checks }: Report, start: number): readonly Work[] {
  const labels = new Map<string, string>();
  const byId = new Map(checks.map((check) => [check.id, check]));
  for (const { exchanges: ids, interface: label } of checks)
    if (label !== undefined) for (const id of ids) labels.set(id, label);
  const found = new Map<string, Call[]>();
  for (const exchange of exchanges.slice(0, mostCalls)) {
    const label = labels.get(exchange.id);
    const purpose = label === undefined ? exchange.purpose : `${exchange.purpose}@${label}`;
    const from = Math.round(1000 * (exchange.startedAt - start));
    const call = { exchange, from, to: from + Math.max(0, Math.round(1000 * exchange.durationMs)) };
    const known = found.get(purpose);
    if (known === undefined) found.set(purpose, [call]);
    else known.push(call);
  }
  return [...found]
    .map(([purpose, calls]) => ({
      purpose,
      check: byId.get(purpose),
      calls: calls.sort((a, b) => a.from - b.from || b.to - a.to),
      from: Math.min(...calls.map(({ from }) => from)),
      to: Math.max(...calls.map(({ to }) => to)),
    }))
    .sort((a, b) => a.from - b.from || b.to - a.to);
}

/** Puts each stretch on the first row that is free then, or `most`, where none is. */
function rowsFor<T extends Stretch>(all: readonly T[], most: number): readonly number[] {
  const ends: number[] = [];
  return all.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from);
    const row = free < 0 ? Math.min(ends.length, most) : free;
    ends[row] = Math.max(to, ends[row] ?? 0);
    return row;
  });
}

/** The stretches within `whole` in which none of `calls` was in flight. */
function gapsIn({ from, to }: Stretch, calls: readonly Stretch[]): readonly Stretch[] {
  const gaps: Stretch[] = [];
  let at = from;
  for (const call of calls) {
    if (call.from - at >= leastWait) gaps.push({ from: at, to: call.from });
    at = Math.max(at, call.to);
  }
  if (to - at >= leastWait) gaps.push({ from: at, to });
  return gaps;
}

/** What a check waited for while it had no request in flight: what it used and others did, or only time. */
function waitName(gap: Stretch, { check, purpose }: Work, byId: ReadonlyMap<string, Call>): string {
  const used = (check?.exchanges ?? []).flatMap((id) => byId.get(id) ?? []);
  const [other] = used.filter(
    ({ exchange, from, to }) => from < gap.to && to > gap.from && exchange.purpose !== purpose,
  );
  return other === undefined ? 'waits' : `waits for ${short(other.exchange.purpose)}`;
}

const slice = (name: string, { from, to }: Stretch, tid: number, cat: string, args: TraceEvent['args'] = {}) =>
  ({ name, ph: 'X', pid: 1, tid, ts: from, dur: to - from, cat, args }) satisfies TraceEvent;

function callEvent({ exchange, from, to }: Call, tid: number, bindingOf: BindingOf): TraceEvent {
  const { id, purpose, response, toWebhook } = exchange;
  const first = response?.chunks[0]?.atMs;
  const binding = toWebhook === true ? undefined : bindingOf(exchange);
  const shown = `${toWebhook === true ? 'webhook: ' : ''}${operationOf(exchange)}`;
  return slice(short(shown), { from, to }, tid, toWebhook === true ? 'webhook' : 'request', {
    exchange: id,
    purpose: short(purpose),
    ...(binding === undefined ? {} : { binding }),
    status: statusOf(exchange),
    ...(first === undefined ? {} : { firstBytesAfterMs: first }),
  });
}

/** How long the calls of each operation took, the slowest first: the figures to look at before the picture. */
function slowest(works: readonly Work[], bindingOf: BindingOf) {
  const found = new Map<string, number[]>();
  for (const { calls } of works)
    for (const { exchange, from, to } of calls) {
      if (exchange.toWebhook === true) continue;
      const binding = bindingOf(exchange);
      const name = short(`${operationOf(exchange)}${binding === undefined ? '' : ` (${binding})`}`);
      const known = found.get(name) ?? [];
      if (known.push((to - from) / 1000) === 1) found.set(name, known);
    }
  return [...found]
    .map(([operation, times]) => {
      const sorted = times.sort((a, b) => a - b);
      const medianMs = sorted[Math.floor(sorted.length / 2)] ?? 0;
      return { operation, calls: sorted.length, medianMs, longestMs: sorted.at(-1) ?? 0 };
    })
    .sort((a, b) => b.longestMs - a.longestMs)
    .slice(0, 50);
}

/** How many requests are in flight, each time that this changes. */
function* inFlight(works: readonly Work[]): Generator<TraceEvent> {
  const steps = new Map<number, number>();
  for (const { calls } of works)
    for (const { from, to } of calls) {
      steps.set(from, (steps.get(from) ?? 0) + 1);
      steps.set(to, (steps.get(to) ?? 0) - 1);
    }
  let requests = 0;
  for (const [ts, change] of [...steps].sort(([a], [b]) => a - b)) {
    requests += change;
    yield { name: 'requests in flight', ph: 'C', pid: 1, tid: 0, ts, args: { requests } };
  }
}

const named = (tid: number, name: string): readonly TraceEvent[] => [
  { name: 'thread_name', ph: 'M', pid: 1, tid, args: { name } },
  { name: 'thread_sort_index', ph: 'M', pid: 1, tid, args: { sort_index: tid } },
];

function* eventsOf(report: Report, works: readonly Work[], start: number, bindingOf: BindingOf): Generator<TraceEvent> {
  const { run, target, gate } = report;
  const began = Math.max(0, 1000 * (Date.parse(run.startedAt) - start));
  const whole = { from: began, to: began + 1000 * run.durationMs };
  const calls = works.flatMap((work) => work.calls).sort((a, b) => a.from - b.from);
  const byId = new Map(calls.map((call) => [call.exchange.id, call]));
  yield { name: 'process_name', ph: 'M', pid: 1, tid: 0, args: { name: `a2a-tck on ${short(target.url)}` } };
  yield* named(0, 'run');
  yield slice('run', whole, 0, 'run', { exit: gate.exitCode, requests: run.requests });
  for (const gap of gapsIn(whole, calls)) yield slice('no request is in flight', gap, 0, 'wait');
  yield* inFlight(works);
  const lanes = rowsFor(works, mostCalls);
  const rows = new Map<number, number>();
  for (const [at, work] of works.entries()) {
    const lane = lanes[at] ?? 0;
    const tid = (lane + 1) * (mostRows + 1);
    const { check } = work;
    yield slice(short(work.purpose), work, tid, check === undefined ? 'source' : 'check', {
      requests: work.calls.length,
      ...(check === undefined ? {} : { level: check.level, verdict: check.verdict, tookMs: check.durationMs }),
      ...(check !== undefined && run.waited?.check === check.id ? { waitedForMs: run.waited.ms } : {}),
    });
    for (const gap of gapsIn(work, work.calls)) yield slice(waitName(gap, work, byId), gap, tid, 'wait');
    const own = rowsFor(work.calls, mostRows);
    for (const [index, call] of work.calls.entries()) {
      const row = own[index] ?? 0;
      rows.set(lane, Math.max(row, rows.get(lane) ?? 0));
      // What no row is left for is counted and not shown: slices of one row must not overlap.
      if (row < mostRows) yield callEvent(call, tid + row, bindingOf);
    }
  }
  for (const [lane, most] of rows) {
    for (let row = 0; row <= Math.min(most, mostRows - 1); row++)
      yield* named((lane + 1) * (mostRows + 1) + row, `lane ${lane + 1}${row === 0 ? '' : ', at the same time'}`);
  }
}

function* pieces(report: Report): Generator<string, void, undefined> {
  const { kit, target, run, exchanges } = report;
  const start = exchanges.reduce((least, exchange) => Math.min(least, exchange.startedAt), Date.parse(run.startedAt));
  const works = worksOf(report, start);
  const bindingOf = bindingsOf(report);
  const notes = [
    ...scopeTexts(report).map((scopeText) => printable(scopeText, 600)),
    ...(run.cut === undefined ? [] : [`the run ended early: ${printable(run.cut)}`]),
    ...(exchanges.length > mostCalls ? [`${exchanges.length - mostCalls} more requests are left out`] : []),
  ];
  const otherData = {
    kit: `${kit.name} ${kit.version}`,
    target: short(target.url),
    profile: target.profile,
    startedAt: new Date(start).toISOString(),
    ...(run.waited === undefined ? {} : { waitedLongestFor: short(run.waited.check), waitedLongestMs: run.waited.ms }),
    slowest: slowest(works, bindingOf),
    ...(notes.length === 0 ? {} : { notes }),
  };
  // One line an event, so that the whole is in memory only once.
  yield `{"displayTimeUnit":"ms","otherData":${jsonText(otherData)},"traceEvents":[`;
  let before = '\n';
  for (const event of eventsOf(report, works, start, bindingOf)) {
    yield `${before}${jsonText(event)}`;
    before = ',\n';
  }
  yield '\n]}\n';
}

export const trace: Reporter = {
  id: 'trace',
  readers: 'which calls are slow, and what the run waited for: `chrome://tracing`, ui.perfetto.dev',
  begin: fromReport(pieces),
};
