import type { Operation } from '../../model/index.js';
import type { Court, Oracle, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { type Baseline, baselineOf, noteUsual } from './baseline.js';
import { growthOf, type Kind } from './cost-series.js';
import { type Sizable, sizablesOf } from './sizes.js';
import { remembered, symptomOf } from './symptom.js';

// A2A 0.3 §10.2, 1.0 §13: resource management. Time and bytes may grow with the request, but not faster than it.

/** Nobody waits for less, milliseconds. */
const slowMs = 250;
/** Nobody minds less, bytes. */
const largeBytes = 64 * 1024;
const times = 20;

/** Their answers are as long as the agent has something to tell. */
const tellsMuch: ReadonlySet<Operation> = new Set(['list', 'stream', 'subscribe']);

function suspicion({ step, exchange }: Sent, said: number, baseline: Baseline): Kind | undefined {
  const { durationMs, response, failure } = exchange;
  if (step.operation === 'stream' || step.operation === 'subscribe') return undefined;
  // Against small requests: of large ones, slow may be what is usual.
  const small = baseline.of(step.operation, 0);
  if (failure?.kind === 'timeout') return 'time';
  if (failure?.kind === 'too-large' && !tellsMuch.has(step.operation)) return 'answer';
  if (failure !== undefined || response === undefined) return undefined;
  if (durationMs > Math.max(slowMs, times * small.time.value)) return 'time';
  if (tellsMuch.has(step.operation)) return undefined;
  return response.body.length > times * (said + small.size.value) + largeBytes ? 'answer' : undefined;
}

/** What series told so far. */
interface Weighed {
  /** Series in vain, by bucket. */
  readonly vain: Map<string, number>;
  /** Time that they took, ms. */
  vainMs: number;
}
const weighed = remembered((): Weighed => ({ vain: new Map(), vainMs: 0 }));
const mostPlaces = 64;
/** A place that grew as it may is not measured for ever, nor is an agent that takes its time for everything. */
const mostSeries = 2;
const mostVainMs = 60_000;
/** Of one request, the largest places. */
const mostTried = 4;

interface Place {
  readonly at: number;
  readonly sizable: Sizable;
}

/** Places of the request, and of those before it if it shows what they said. */
function placesOf(trace: Trace, sent: Sent, kind: Kind): readonly Place[] {
  const [own] = sent.place;
  const before = trace.case.steps.slice(0, own).flatMap((step, at): readonly Place[] => {
    if (kind !== 'answer' || step.step !== 'call') return [];
    return sizablesOf(step).map((sizable) => ({ at, sizable }));
  });
  const places = [...before, ...sizablesOf(sent.step).map((sizable) => ({ at: own, sizable }))];
  return places.sort((a, b) => b.sizable.weight - a.sizable.weight).slice(0, mostTried);
}

async function weigh(trace: Trace, sent: Sent, court: Court, kind: Kind): Promise<Symptom | undefined> {
  const memory = weighed(court);
  const { vain } = memory;
  const { operation } = sent.step;
  for (const { at, sizable } of placesOf(trace, sent, kind)) {
    const bucket = `cost/${operation} ${sizable.place}${kind === 'time' ? '' : ' answer'}`;
    const series = vain.get(bucket) ?? 0;
    if (memory.vainMs > mostVainMs || series >= mostSeries || (series === 0 && vain.size >= mostPlaces)) continue;
    const started = court.clock.now();
    const points = await growthOf({ trace, sent, court, kind, at, sizable });
    if (points === undefined) {
      vain.set(bucket, series + 1);
      memory.vainMs += court.clock.now() - started;
      continue;
    }
    const unit = kind === 'time' ? 'ms' : 'bytes';
    const told = points.map(({ size, cost }) => `${Math.round(size)}: ${Math.round(cost)} ${unit}`).join(', ');
    const what = kind === 'time' ? 'the time' : 'the answer';
    const title = `${operation}: ${what} grows faster than ${sizable.place}`;
    return symptomOf('cost', bucket, title, sent, [], `size and cost there: ${told}`);
  }
  return undefined;
}

async function weighAll(
  trace: Trace,
  court: Court,
  suspects: readonly { readonly sent: Sent; readonly kind: Kind }[],
): Promise<readonly Symptom[]> {
  const found: Symptom[] = [];
  for (const { sent, kind } of suspects.slice(0, 2)) {
    const symptom = await weigh(trace, sent, court, kind);
    if (symptom !== undefined) found.push(symptom);
  }
  return found;
}

/** No field of a request makes the agent work or talk out of all proportion. */
export const cost: Oracle = (trace, court) => {
  const baseline = baselineOf(court);
  const suspects: { readonly sent: Sent; readonly kind: Kind }[] = [];
  // What was said before may come back.
  let said = 0;
  for (const sent of trace.sent) {
    said += sent.body.length;
    const kind = suspicion(sent, said, baseline);
    if (kind === undefined) noteUsual(baseline, sent);
    else suspects.push({ sent, kind });
  }
  return suspects.length === 0 ? [] : weighAll(trace, court, suspects);
};
