import { expect, test } from 'vitest';
import { rules } from '../../../suites/index.js';
import { a2a03 } from '../../dialect/a2a-0.3.js';
import type { Dialect } from '../../dialect/index.js';
import type { Exchange } from '../../wire/index.js';
import { type Inspector, type Law, type Reading, readExchange, type Target } from '../index.js';

// What laws read of a large answer is read once, however often they ask: a flood of events must not stop a run.

const events = 400;

/** A stream that brings the end of its task, and then goes on for very long. */
function flood(id: string, startedAt: number): Exchange {
  const update = (state: string) => ({
    kind: 'status-update',
    taskId: id,
    contextId: 'c',
    status: { state },
    metadata: { padding: 'x'.repeat(600) },
    final: false,
  });
  const states = ['completed', ...Array<string>(events - 1).fill('working')];
  const lines = states.map(
    (state) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 'r', result: update(state) })}\n\n`,
  );
  const body = new TextEncoder().encode(lines.join(''));
  return {
    id,
    purpose: 'test',
    request: { method: 'POST', url: 'http://agent.test/', headers: [] },
    response: { status: 200, headers: [['content-type', 'text/event-stream']], body, chunks: [] },
    startedAt,
    durationMs: 10,
    call: { operation: 'stream', rpcId: 'r', valid: true },
  } as unknown as Exchange;
}

/** Readings of the exchanges, and how often one of their events was decoded, and one of their results inspected. */
function counted(exchanges: readonly Exchange[]) {
  const counts = { decoded: 0, inspected: 0 };
  const { stream } = a2a03.operations;
  const decode = (wire: unknown) => {
    counts.decoded++;
    return stream?.result.decode(wire);
  };
  const result = { ...stream?.result, decode };
  const dialect = { ...a2a03, operations: { ...a2a03.operations, stream: { ...stream, result } } } as Dialect;
  const inspector: Inspector = {
    has: () => true,
    inspect() {
      counts.inspected++;
      return { findings: [], more: new Map(), visited: new Set() };
    },
  };
  const tape = exchanges.map((exchange) => readExchange(exchange, dialect, inspector, false));
  return { counts, tape };
}

const laws = rules.filter((rule): rule is Law => rule.kind === 'law' && /^(stream|task|data|rpc)\//.test(rule.id));
const target = { endpoint: 'http://agent.test/' } as Target;
const judgeAll = (tape: readonly Reading[]): readonly string[] =>
  laws
    .filter((law) =>
      tape
        .map((reading) => law.judge(reading, target, tape))
        .some((said) => typeof said === 'string' && said.startsWith('the task')),
    )
    .map(({ id }) => id);

test('large streams are read once for all laws', () => {
  const exchanges = [flood('a', 0), flood('b', 20)];
  for (const { response } of exchanges) expect(response?.body.length).toBeGreaterThan(256 * 1024);
  const { counts, tape } = counted(exchanges);
  expect(laws.length).toBeGreaterThan(50);
  expect(judgeAll(tape)).toEqual(['stream/terminal-final']);
  // Besides the events, the first one is decoded as the outcome.
  expect(counts).toEqual({ decoded: 2 * (events + 1), inspected: 2 * events });
});
