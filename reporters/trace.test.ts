import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { hostileContext, hostileReport, hostileTexts } from '../test/hostile-reports.js';
import { plainCheck, plainExchange, renderBy, reportOf, unseen } from '../test/reports.js';
import { trace } from './trace.js';

/** What viewers demand of the JSON Object Format of trace events. */
const schema = {
  type: 'object',
  required: ['traceEvents'],
  properties: {
    displayTimeUnit: { enum: ['ms', 'ns'] },
    otherData: { type: 'object' },
    traceEvents: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'ph', 'pid', 'tid'],
        properties: {
          name: { type: 'string', minLength: 1 },
          ph: { enum: ['X', 'C', 'M'] },
          pid: { type: 'integer' },
          tid: { type: 'integer', minimum: 0 },
          ts: { type: 'number', minimum: 0 },
          dur: { type: 'number', minimum: 0 },
          cat: { type: 'string' },
          args: { type: 'object' },
        },
        additionalProperties: false,
        anyOf: [
          { properties: { ph: { const: 'X' } }, required: ['ts', 'dur', 'cat'] },
          { properties: { ph: { const: 'C' } }, required: ['ts', 'args'] },
          { properties: { ph: { const: 'M' } }, required: ['args'] },
        ],
      },
    },
  },
};
const validate = new Ajv({ strict: false }).compile(schema);

interface Slice {
  readonly name: string;
  readonly ph: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly cat: string;
  readonly args: Readonly<Record<string, unknown>>;
}
interface Trace {
  readonly otherData: Readonly<Record<string, unknown>>;
  readonly traceEvents: readonly Slice[];
}
function parsed(text: string): Trace {
  const made = JSON.parse(text) as Trace;
  expect(validate(made), JSON.stringify(validate.errors)).toBe(true);
  return made;
}
const slices = ({ traceEvents }: Trace): readonly Slice[] => traceEvents.filter(({ ph }) => ph === 'X');

/** Slices of a row that overlap, and of which none contains the other: viewers draw these wrongly. */
function badlyNested(all: readonly Slice[]): readonly string[] {
  const wrong: string[] = [];
  for (const [at, slice] of all.entries())
    for (const other of all.slice(at + 1)) {
      if (slice.tid !== other.tid) continue;
      const [first, second] =
        slice.ts < other.ts || (slice.ts === other.ts && slice.dur >= other.dur) ? [slice, other] : [other, slice];
      const isApart = second.ts >= first.ts + first.dur;
      const isWithin = second.ts + second.dur <= first.ts + first.dur;
      if (!isApart && !isWithin) wrong.push(`${first.name} and ${second.name}`);
    }
  return wrong;
}

const start = plainExchange.startedAt;
const call = (id: string, purpose: string, fromMs: number, durationMs: number) => ({
  ...plainExchange,
  id,
  purpose,
  startedAt: start + fromMs,
  durationMs,
});
const run = { startedAt: new Date(start).toISOString(), durationMs: 400, seed: 1, requests: 5, tasks: 0 };

const busy = reportOf(
  [
    { ...plainCheck, id: 'task/one', exchanges: ['x1', 'x2', 'x3', 'x5'] },
    { ...plainCheck, id: 'task/two', exchanges: ['x4'] },
  ],
  {
    run: { ...run, waited: { check: 'task/one', ms: 120 } },
    exchanges: [
      call('x1', 'task/one', 0, 20.5),
      call('x2', 'task/one', 10, 30),
      call('x3', 'source: a completed task', 50, 100),
      call('x4', 'task/two', 5, 10),
      call('x5', 'task/one', 160, 40),
    ],
  },
);

test('shows each check with its requests within, and what it waited for', () => {
  const made = parsed(renderBy(trace, busy));
  const all = slices(made);
  expect(badlyNested(all)).toEqual([]);
  const of = (cat: string) => all.filter((slice) => slice.cat === cat).map(({ name, ts, dur }) => [name, ts, dur]);
  expect(of('check')).toEqual([
    ['task/one', 0, 200_000],
    ['task/two', 5000, 10_000],
  ]);
  expect(of('source')).toEqual([['source: a completed task', 50_000, 100_000]]);
  expect(of('request')).toHaveLength(5);
  expect(of('wait')).toEqual([
    ['no request is in flight', 40_000, 10_000],
    ['no request is in flight', 150_000, 10_000],
    ['no request is in flight', 200_000, 200_000],
    ['waits for source: a completed task', 40_000, 120_000],
  ]);
  const [request] = all.filter(({ cat }) => cat === 'request');
  expect(request).toMatchObject({
    name: 'SendMessage',
    args: { exchange: 'x1', purpose: 'task/one', binding: 'JSON-RPC', status: 200 },
  });
  expect(all.find(({ name }) => name === 'task/one')?.args).toMatchObject({ verdict: 'pass', waitedForMs: 120 });
});

test('names the binding by the interface that a request goes to', () => {
  const { call: _, ...plain } = plainExchange;
  const to = (url: string, method: string, body: string | undefined, rpcId?: string) => ({
    ...plain,
    request: {
      method,
      url,
      headers: [['content-type', 'application/json']] as const,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    },
    ...(rpcId === undefined ? {} : { call: { valid: true, rpcId } }),
  });
  const at = (url: string, binding: string) => ({ url, binding, declared: true, judged: 'in-full' as const });
  const bindings = (interfaces: readonly ReturnType<typeof at>[], ...sent: readonly ReturnType<typeof to>[]) => {
    const exchanges = sent.map((item, index) => ({ ...item, id: `x${index}`, startedAt: start + index * 10 }));
    const { target } = reportOf([]);
    const made = parsed(renderBy(trace, reportOf([], { run, exchanges, target: { ...target, interfaces } })));
    return slices(made).flatMap(({ cat, args }) => (cat === 'request' ? [args['binding']] : []));
  };
  const sent = [
    to('http://a.test/rpc', 'POST', '{"jsonrpc":"2.0","method":'),
    to('http://a.test/rpc?key=1', 'POST', 'no JSON'),
    to('http://a.test/v1/message:send', 'POST', '{"method":"SendMessage"}'),
    to('http://a.test/v1/tasks/t', 'GET', undefined),
    to('http://a.test/.well-known/agent-card.json', 'GET', undefined),
    to('http://b.test/keys', 'GET', undefined),
  ];
  const named = ['JSON-RPC', 'JSON-RPC', 'HTTP+JSON', 'HTTP+JSON', undefined, undefined];
  expect(bindings([at('http://a.test/v1/', 'HTTP+JSON'), at('http://a.test/rpc', 'JSONRPC')], ...sent)).toEqual(named);
  expect(bindings([at('http://a.test', 'HTTP+JSON'), at('http://a.test/rpc', 'JSONRPC')], ...sent)).toEqual(named);
  const together = [at('http://a.test/', 'HTTP+JSON'), at('http://a.test/', 'JSONRPC')];
  expect(
    bindings(
      together,
      to('http://a.test/', 'POST', '['),
      to('http://a.test/v1/message:send', 'POST', '{}', 'r1'),
      to('http://a.test/v1/message:send', 'POST', '{}'),
    ),
  ).toEqual(['JSON-RPC', 'JSON-RPC', 'HTTP+JSON']);
  // Of a client, and in older reports, no interface is known.
  expect(
    bindings([], to('http://a.test/', 'POST', '{"jsonrpc":"2.0"}'), to('http://a.test/', 'POST', '{"method":"x"}')),
  ).toEqual(['JSON-RPC', undefined]);
});

test('names the slowest operations and the check that the run waited for', () => {
  const { otherData } = parsed(renderBy(trace, busy));
  expect(otherData).toMatchObject({
    waitedLongestFor: 'task/one',
    slowest: [{ operation: 'SendMessage (JSON-RPC)', calls: 5, medianMs: 30, longestMs: 100 }],
  });
});

test('says how a request ended without a status, and what the agent sent', () => {
  const { response: _, ...asked } = call('x1', 'task/one', 0, 10);
  const failed = { ...asked, failure: { kind: 'timeout' as const, detail: 'nothing came' } };
  const hook = { ...call('x2', 'webhook', 20, 1), toWebhook: true as const };
  const made = slices(parsed(renderBy(trace, reportOf([], { run, exchanges: [failed, hook] }))));
  expect(made.find(({ cat }) => cat === 'request')?.args['status']).toBe('timeout');
  expect(made.find(({ cat }) => cat === 'webhook')?.name).toBe('webhook: SendMessage');
});

test('is well formed, whatever the target says', () => {
  for (const text of hostileTexts) {
    const rendered = renderBy(trace, hostileReport(text), hostileContext(text));
    expect(unseen(rendered)).toEqual([]);
    parsed(rendered);
  }
});

test('stays small, and nests any number of requests', () => {
  const many = Array.from({ length: 12_000 }, (_, at) =>
    call(`x${at + 1}`, `task/n${at % 40}`, at / 7, (at * 37) % 300),
  );
  const rendered = renderBy(trace, reportOf([], { run, exchanges: many }));
  expect(rendered.length).toBeLessThan(8_000_000);
  const made = parsed(rendered);
  expect(made.otherData['notes']).toEqual(['2000 more requests are left out']);
  const few = many.slice(0, 700);
  expect(badlyNested(slices(parsed(renderBy(trace, reportOf([], { run, exchanges: few })))))).toEqual([]);
});
