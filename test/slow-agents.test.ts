import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import type { Report } from '../src/report/index.js';
import { bodyText, type Carrier, type Clock, sleep } from '../src/wire/index.js';
import { judge } from './judged.js';

// Agents may think for longer than the kit waits by default. None of it is held against them, and the report says what
// to do about it.

const sends = /"message\/(send|stream)"/;

/** Messages are answered after 12 s, others at once. */
const thinking =
  (carrier: Carrier, clock: Clock): Carrier =>
  async (request, signal) => {
    if (sends.test(bodyText(request.body))) await sleep(clock, 12_000);
    return carrier(request, signal);
  };

/** One request after the other, each message for 4 s: a request behind three of them waits too long. */
const oneByOne = (carrier: Carrier, clock: Clock): Carrier => {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const work = async () => {
      if (sends.test(bodyText(request.body))) await sleep(clock, 4000);
      return carrier(request, signal);
    };
    const answer = last.then(work, work);
    last = answer.catch(() => undefined);
    return answer;
  };
};

const failed = ({ checks }: Report) =>
  checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id, reason }) => `${id}: ${reason}`);
const open = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'inconclusive');

test('for an agent that answers too late the report advises to wait, and no check fails', async () => {
  const report = await judge({ between: thinking });
  expect(failed(report)).toEqual([]);
  const unseen = open(report).filter(({ reason }) => reason.includes('finished no message in time'));
  expect(unseen.length).toBeGreaterThan(10);
  expect(unseen.map(({ reason }) => reason).filter((reason) => !reason.startsWith('raise --timeout: '))).toEqual([]);
}, 60_000);

test('who serves one after the other is asked so, and shows all that others show', async () => {
  const [usual, slow] = [await judge(), await judge({ between: oneByOne, concurrency: 8 })];
  expect(failed(slow)).toEqual([]);
  expect(slow.run.cut).toBeUndefined();
  expect(slow.summary.must.pass).toBeGreaterThan(0.9 * usual.summary.must.pass);
}, 60_000);

test('a hang that comes again when nothing else is asked is a fault', async () => {
  const hangs =
    (carrier: Carrier): Carrier =>
    (request, signal) =>
      bodyText(request.body).includes('"params":{"configuration"') ? new Promise(() => {}) : carrier(request, signal);
  const report = await judge({ between: hangs, concurrency: 8 });
  expect(failed(report).map((line) => line.split(':')[0])).toEqual([
    'message/message-required',
    'message/message-required-code',
  ]);
  expect(report.run.cut).toBeUndefined();
}, 60_000);

/** Whatever is asked, the answer comes 3 s later; as many as one likes are worked on at once. */
const late =
  (carrier: Carrier, clock: Clock): Carrier =>
  async (request, signal) => {
    await sleep(clock, 3000);
    return carrier(request, signal);
  };

test('an agent that is slow, but no slower for more at once, is asked more at once and shows all that others show', async () => {
  const [usual, narrow, wide] = [
    await judge({ restarts: false }),
    await judge({ between: late, concurrency: 8, restarts: false }),
    await judge({ between: late, concurrency: 8, slowConcurrency: 24, restarts: false }),
  ];
  expect(failed(wide)).toEqual([]);
  expect(wide.summary.must.pass).toBeGreaterThanOrEqual(usual.summary.must.pass - 2);
  expect(wide.run.requests).toBeLessThan(1.1 * usual.run.requests);
  // So long take 27 requests one after the other.
  expect(wide.run.durationMs).toBeLessThan(80_000);
  expect(wide.run.durationMs).toBeLessThan(0.5 * narrow.run.durationMs);
}, 60_000);

test.each(['sec-deep-nesting-resets', 'sec-odd-letters-crash', 'sec-many-parts-reset', 'sec-dies-of-bad-input'])(
  'on a slow agent that many requests meet at once %s fails what it fails otherwise',
  async (id) => {
    const patches = faults.flatMap((fault) => (fault.id === id ? [fault.patch] : []));
    const settings = { profile: 'a2a-1.0' as const, patches, concurrency: 8 };
    const [quick, slow] = [await judge(settings), await judge({ ...settings, between: late, slowConcurrency: 24 })];
    const ids = (report: Report) => failed(report).map((line) => line.split(':')[0]);
    expect(ids(quick).length).toBeGreaterThan(0);
    expect(ids(slow)).toEqual(ids(quick));
  },
  60_000,
);

const mute =
  (carrier: Carrier): Carrier =>
  (request, signal) =>
    request.method === 'POST' ? new Promise(() => {}) : carrier(request, signal);

test.each([1, 4, 8])('a card without an endpoint that ever answers fails, %i at once', async (concurrency) => {
  const report = await judge({ between: mute, concurrency });
  expect(failed(report)).toContainEqual(expect.stringMatching('^rpc/response-object: no call was answered at all'));
  expect(report.run.cut).toContain('the agent no longer answers');
});
