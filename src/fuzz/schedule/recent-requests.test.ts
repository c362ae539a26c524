import { expect, test } from 'vitest';
import type { Exchange } from '../../wire/index.js';
import type { CallStep, Case } from '../case/case.js';
import type { Trace } from '../execute/trace.js';
import { createRecentRequests } from './recent-requests.js';

const exchange = (startedAt: number, endedAt: number, failure?: 'reset' | 'refused'): Exchange =>
  ({
    startedAt,
    durationMs: endedAt - startedAt,
    ...(failure === undefined ? { response: { status: 200 } } : { failure: { kind: failure, detail: '' } }),
  }) as unknown as Exchange;

/** A case of one request, changed or not, as it went. */
function ran(name: string, isChanged: boolean, went: Exchange): Trace {
  const edits = isChanged
    ? { edits: [{ at: '/params/id', op: 'set' as const, value: 5, keyword: 'type' as const }] }
    : {};
  const step: CallStep = { step: 'call', operation: 'get', params: { id: name }, ...edits };
  const own: Case = { dialect: 'a2a-0.3', steps: [step] };
  return { case: own, sent: [{ step, exchange: went }], begun: new Map() } as unknown as Trace;
}

test('what came shortly before a loss is named: the unanswered first, then the nearest', () => {
  const arrived = createRecentRequests();
  const traces = {
    long: ran('long ago', true, exchange(0, 10)),
    early: ran('early', true, exchange(9000, 9010)),
    near: ran('near', true, exchange(9900, 9990)),
    plain: ran('plain', false, exchange(9990, 9995)),
    lost: ran('lost', true, exchange(9950, 10_005, 'reset')),
    refused: ran('refused', true, exchange(10_001, 10_002, 'refused')),
    later: ran('later', true, exchange(10_100, 10_110)),
  };
  for (const trace of Object.values(traces)) arrived.note(trace);
  const named = arrived.shortlyBefore(exchange(9999, 10_005, 'reset'));
  expect(named).toEqual([traces.lost.case, traces.near.case, traces.early.case]);
});

test('no more than eight cases are named, and each once', () => {
  const arrived = createRecentRequests();
  const all = Array.from({ length: 20 }, (_, at) => ran(`${at}`, true, exchange(at, at + 1)));
  for (const trace of [...all, ...all.slice(-1)]) arrived.note(trace);
  const named = arrived.shortlyBefore(exchange(30, 31, 'reset'));
  expect(named).toEqual(
    all
      .slice(-8)
      .toReversed()
      .map((trace) => trace.case),
  );
});
