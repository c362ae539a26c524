import type { Operation } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import { type Baseline, baselineOf, noteUsual } from './baseline.js';
import { costIn, growthOf, type Kind, least } from './cost-series.js';
import { doublings, isSuperLinear } from './growth.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { byWeight, type Sizable, sizablesOf } from './sizes.js';
import { remembered, symptomOf, throughAny } from './symptom.js';

// A2A 0.3 §10.2, 1.0 §13: resource management. Time and bytes may grow with the request, but not faster than it.

/** Faster answers are never held against an agent, milliseconds. */
const slowMs = 250;
/** Smaller answers are never held against an agent, bytes. */
const largeBytes = 64 * 1024;
const times = 20;

/** Operations whose answers are as long as the agent has data to show. */
const tellsMuch: ReadonlySet<Operation> = new Set(['list', 'stream', 'subscribe']);

interface Suspicion {
  readonly sent: Sent;
  readonly kind: Kind;
  /** The field that showed it, where one did. */
  readonly field?: string;
}

function suspicion({ step, exchange }: Sent, said: number, baseline: Baseline): Kind | undefined {
  const { durationMs, response, failure } = exchange;
  if (step.operation === 'stream' || step.operation === 'subscribe') return undefined;
  // Compared with small requests: for large ones, slow answers may be usual.
  const small = baseline.of(step.operation, 0);
  if (failure?.kind === 'timeout') return 'time';
  if (failure?.kind === 'too-large' && !tellsMuch.has(step.operation)) return 'answer';
  if (failure !== undefined || response === undefined) return undefined;
  if (durationMs > Math.max(slowMs, times * small.time.value)) return 'time';
  if (tellsMuch.has(step.operation)) return undefined;
  return response.body.length > times * (said + small.size.value) + largeBytes ? 'answer' : undefined;
}

const kinds: readonly Kind[] = ['time', 'answer'];

/**
 * Requests of growing size in one field whose cost grows faster: an agent may be slow for all fields, and wrong for
 * one.
 */
function climbing({ sent }: Trace): readonly Suspicion[] {
  const fields = new Map<string, { readonly sent: Sent; readonly size: number; readonly field: string }[]>();
  for (const request of sent) {
    const [edit, ...others] = request.step.edits ?? [];
    if (edit?.keyword !== 'bounds' || others.length > 0 || tellsMuch.has(request.step.operation)) continue;
    const [largest] = sizablesOf({ ...request.step, params: null });
    if (largest === undefined) continue;
    const name = `${request.step.operation} ${largest.place}`;
    fields.set(name, [...(fields.get(name) ?? []), { sent: request, size: largest.count, field: largest.place }]);
  }
  return [...fields.values()].flatMap((rungs) => {
    const last = rungs.at(-1);
    return kinds.flatMap((kind) => {
      const points = rungs.flatMap(({ sent: request, size }) => {
        const cost = costIn(kind, request);
        return cost === undefined ? [] : [{ size, cost }];
      });
      return last !== undefined && isSuperLinear(points, least[kind])
        ? [{ sent: last.sent, kind, field: last.field }]
        : [];
    });
  });
}

/** What the measured series showed so far. */
interface Weighed {
  /** Series in vain, by bucket and whether the field was changed. */
  readonly vain: Map<string, number>;
  /** Time that they took, ms. */
  vainMs: number;
}
const weighed = remembered((): Weighed => ({ vain: new Map(), vainMs: 0 }));
const mostPlaces = 64;
/** A place with normal growth is measured only so often, and a slow agent only for so long. */
const mostSeries = 2;
const mostVainMs = 60_000;
/** Most places that are tried in one request, the largest first. */
const mostTried = 4;

interface Place {
  readonly at: number;
  readonly sizable: Sizable;
}

/** Places of the request; for the size of an answer, also those of earlier requests, which it may repeat. */
function placesOf(trace: Trace, sent: Sent, kind: Kind): readonly Place[] {
  const [own] = sent.place;
  const before = trace.case.steps.slice(0, own).flatMap((step, at): readonly Place[] => {
    if (kind !== 'answer' || step.step !== 'call') return [];
    return sizablesOf(step).map((sizable) => ({ at, sizable }));
  });
  const places = [...before, ...sizablesOf(sent.step).map((sizable) => ({ at: own, sizable }))];
  return places.sort((a, b) => byWeight(a.sizable, b.sizable)).slice(0, mostTried);
}

async function weigh(trace: Trace, oracleContext: OracleContext, suspicion: Suspicion): Promise<Symptom | undefined> {
  const { sent, kind, field } = suspicion;
  const memory = weighed(oracleContext);
  const { vain } = memory;
  const { operation } = sent.step;
  for (const { at, sizable } of placesOf(trace, sent, kind)) {
    if (field !== undefined && sizable.place !== field) continue;
    const bucket = `cost/${operation} ${sizable.place}${kind === 'time' ? '' : ' answer'}`;
    // A changed field is more likely to blame: it says little that a valid value of the same field was not.
    const key = `${bucket} ${sizable.changed}`;
    const series = vain.get(key) ?? 0;
    // Growth in one field alone is measured whatever else was in vain: there are few such fields.
    if (
      (field === undefined && memory.vainMs > mostVainMs) ||
      series >= mostSeries ||
      (series === 0 && vain.size >= mostPlaces)
    )
      continue;
    const started = oracleContext.clock.now();
    const points = await growthOf({ trace, sent, oracleContext, kind, at, sizable });
    if (points === undefined) {
      vain.set(key, series + 1);
      memory.vainMs += oracleContext.clock.now() - started;
      continue;
    }
    const unit = kind === 'time' ? 'ms' : 'bytes';
    const costTexts = points.map(({ size, cost }) => `${Math.round(size)}: ${Math.round(cost)} ${unit}`).join(', ');
    const what = kind === 'time' ? 'the time' : 'the answer';
    const title = `${operation}: ${what} grows faster than ${sizable.place}`;
    return throughAny(symptomOf('cost', bucket, title, sent, [], `size and cost there: ${costTexts}`));
  }
  return undefined;
}

async function weighAll(
  trace: Trace,
  oracleContext: OracleContext,
  suspects: readonly Suspicion[],
): Promise<readonly Symptom[]> {
  const found: Symptom[] = [];
  for (const suspect of suspects.slice(0, 2)) {
    const symptom = await weigh(trace, oracleContext, suspect);
    if (symptom !== undefined) found.push(symptom);
  }
  return found;
}

/** No field of a request costs time or bytes out of all proportion. */
export const cost: Oracle = (trace, oracleContext) => {
  const baseline = baselineOf(oracleContext);
  const grown = trace.sent.length > doublings ? climbing(trace) : [];
  const suspects: Suspicion[] = [...grown];
  // An answer may repeat what was sent before.
  let said = 0;
  for (const sent of trace.sent) {
    said += sent.body.length;
    const kind = suspicion(sent, said, baseline);
    if (kind === undefined) noteUsual(baseline, sent);
    // Smaller requests of an operation that grew show nothing more.
    else if (
      !grown.some((suspicion) => suspicion.kind === kind && suspicion.sent.step.operation === sent.step.operation)
    )
      suspects.push({ sent, kind });
  }
  return suspects.length === 0 ? [] : weighAll(trace, oracleContext, suspects);
};
