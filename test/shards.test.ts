import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { Patch } from '../src/reference/index.js';
import { merged, type Report } from '../src/report/index.js';
import { judge } from './judged.js';
import { runsByDay } from './property-runs.js';

// A run in parts says what the whole run says, however many parts there are.

const night = runsByDay(1) > 1;

const verdicts = (report: Report) =>
  new Map(report.checks.map(({ id, verdict, level }) => [id, `${level} ${verdict}`]));

async function inParts(of: number, patches: readonly Patch[]): Promise<readonly Report[]> {
  const parts: Report[] = [];
  for (let index = 1; index <= of; index++) parts.push(await judge({ patches, shard: { index, of } }));
  return parts;
}

/** Of the card, of calls, of streams, of pushes; broken on one exchange, on all, and between two of them. */
const faulty = [
  'rpc-fixed-id',
  'cancel-accepts-terminal',
  'card-no-version',
  'rpc-unknown-method-answered',
  'get-answers-another-id',
];

/** Of the clean agent, once for several tests. */
let four: Promise<readonly Report[]> | undefined;
const inFour = (): Promise<readonly Report[]> => (four ??= inParts(4, []));

test('the clean agent: any number of parts says what the whole run says', async () => {
  const whole = await judge();
  expect(whole.checks.length).toBeGreaterThan(150);
  for (const of of night ? [1, 2, 3, 5, 6, 7, 8] : [1, 4]) {
    const parts = await (of === 4 ? inFour() : inParts(of, []));
    const report = merged([...parts].reverse());
    expect(verdicts(report)).toEqual(verdicts(whole));
    expect({ summary: report.summary, gate: report.gate }).toEqual({ summary: whole.summary, gate: whole.gate });
    const ids = new Set(report.exchanges.map(({ id }) => id));
    expect(ids.size).toBe(parts.reduce((sum, part) => sum + part.exchanges.length, 0));
    expect(report.checks.flatMap(({ exchanges }) => exchanges).filter((id) => !ids.has(id))).toEqual([]);
  }
});

test('each check is in one part, and no part is much longer than another', async () => {
  const parts = await inFour();
  const often = new Map<string, number>();
  for (const { id } of parts.flatMap(({ checks }) => checks)) often.set(id, (often.get(id) ?? 0) + 1);
  expect(new Set(often.values())).toEqual(new Set([1, 4]));
  const own = parts.map(({ checks }) => checks.filter(({ id }) => often.get(id) === 1).length);
  expect(Math.max(...own) - Math.min(...own)).toBeLessThan(12);
});

test('parts on one agent send no id that another has sent', async () => {
  const sent = (await inFour()).map((part) => {
    const bodies = part.exchanges.map(({ request }) => Buffer.from(request.body ?? []).toString());
    return new Set(bodies.flatMap((body) => body.match(/(?<="messageId":")[0-9a-f-]{36}(?=")/g) ?? []));
  });
  const all = sent.flatMap((ids) => [...ids]);
  expect(all.length).toBeGreaterThan(40);
  expect(new Set(all).size).toBe(all.length);
});

test.for(faulty.map((id, at) => [id, night ? at + 2 : 2 + (at % 2)] as const))(
  '%s: %i parts say what the whole run says',
  async ([id, of]) => {
    const found = faults.find((fault) => fault.id === id);
    if (found === undefined) throw new Error(`no fault ${id}`);
    const patches = [found.patch];
    const whole = await judge({ patches });
    expect(whole.gate.exitCode).toBe(1);
    const report = merged(await inParts(of, patches));
    expect(verdicts(report)).toEqual(verdicts(whole));
    expect(report.gate).toEqual(whole.gate);
  },
);
