import { expect, test } from 'vitest';
import type { Report } from '../src/run/index.js';
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

/** One request after the other, each message for 4 s: whoever stands in line behind three of them waits too long. */
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

test('who answers too late is told to wait for, and fails nothing', async () => {
  const report = await judge({ between: thinking });
  expect(failed(report)).toEqual([]);
  const unseen = open(report).filter(({ reason }) => reason.includes('was not seen to'));
  expect(unseen.length).toBeGreaterThan(10);
  expect(unseen.map(({ reason }) => reason).filter((reason) => !reason.endsWith('raise --timeout'))).toEqual([]);
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

const mute =
  (carrier: Carrier): Carrier =>
  (request, signal) =>
    request.method === 'POST' ? new Promise(() => {}) : carrier(request, signal);

test.each([1, 4, 8])('a card without an endpoint that ever answers fails, %i at once', async (concurrency) => {
  const report = await judge({ between: mute, concurrency });
  expect(failed(report)).toContainEqual(expect.stringMatching('^rpc/response-object: no call was answered at all'));
  expect(report.run.cut).toContain('the agent no longer answers');
});
