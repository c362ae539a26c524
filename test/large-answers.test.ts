import { expect, test } from 'vitest';
import type { Report } from '../src/report/index.js';
import type { Carrier } from '../src/wire/index.js';
import { judge } from './judged.js';

// An agent may answer with large texts and files. The kit keeps little of them, and says of the agent what it would say
// without them.

const filling = `"text":"${'x'.repeat(256 * 1024)}`;

/** A quarter of a megabyte in each answer that has a text, the card aside. */
const wordy =
  (carrier: Carrier): Carrier =>
  async (request, signal) => {
    const reply = await carrier(request, signal);
    if (request.method === 'GET') return reply;
    async function* body() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply.body) chunks.push(chunk);
      yield Buffer.from(Buffer.concat(chunks).toString().replace('"text":"', filling));
    }
    return { ...reply, body: body() };
  };

const weightOf = ({ exchanges }: Report): number =>
  exchanges.reduce((sum, { response }) => sum + (response?.body.length ?? 0), 0);
const shown = ({ checks }: Report, suite: string): readonly string[] =>
  checks.filter(({ id }) => id.startsWith(`${suite}/`)).map(({ id, verdict }) => `${verdict} ${id}`);

test('large answers take nothing from the verdict of the card, fail no other check, and are not kept', async () => {
  const [plain, large] = [await judge(), await judge({ between: wordy })];
  // The words of the user in a history are texts, too, and are no longer what was sent.
  const wrong = large.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
  expect(wrong.map(({ id }) => id)).toEqual(['message/shown-as-sent']);
  expect(shown(large, 'card')).toEqual(shown(plain, 'card'));
  expect(large.summary.must.pass).toBeGreaterThan(0.9 * plain.summary.must.pass);
  // What sources have found is found again once it is too much to be kept.
  expect(large.exchanges.length).toBeGreaterThan(plain.exchanges.length);
  expect(weightOf(large)).toBeLessThan(13 * 1024 * 1024);
}, 60_000);
