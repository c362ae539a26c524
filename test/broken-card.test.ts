import { expect, test } from 'vitest';
import type { Patch } from '../src/reference/index.js';
import { judge } from './judged.js';

// What stands in the place of a card and is none: one cause, one finding, and the place of the defect.

const serving =
  (body: string, status = 200): Patch =>
  (inner) => ({
    serveCard: (request) => ({ ...inner.serveCard(request), status, body }),
  });
const checks = ['card/*'];

test.each(['a2a-0.3', 'a2a-1.0'] as const)('%s: a card with a comment is one finding', async (profile) => {
  const broken = '{\n  "name": "Agent", // for now\n  "url": "https://agent.example"\n}\n';
  const { checks: judged } = await judge({ profile, checks, patches: [serving(broken)] });
  const failed = judged.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['card/is-object']);
  expect(failed[0]?.reason).toBe(
    'http://agent.test/.well-known/agent-card.json: the body is not JSON: line 2, column 20 is a comment: "// for now"',
  );
  const name = judged.find(({ id }) => id === 'card/name');
  expect([name?.verdict, name?.reason]).toEqual([
    'inconclusive',
    'the kit found no card: http://agent.test/.well-known/agent-card.json gives no JSON: line 2, column 20 is a comment',
  ]);
  const published = judged.find(({ id }) => id === 'card/published');
  expect([published?.verdict, published?.reason.includes('card/is-object')]).toEqual(['inconclusive', true]);
});

test('an object that is not a card is reported with its members', async () => {
  const { checks: judged } = await judge({ checks, patches: [serving('{"agent":{"name":"x"},"ok":true}')] });
  const failed = judged.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['card/published']);
  expect(failed[0]?.reason).toContain(
    '/.well-known/agent-card.json gives a JSON object with agent, ok, which is not a card',
  );
});

test('a card that cannot be fetched is one finding too', async () => {
  const { checks: judged } = await judge({ checks, patches: [serving('oops', 500)] });
  const failed = judged.filter(({ verdict }) => verdict === 'fail');
  expect(failed.map(({ id }) => id)).toEqual(['card/published']);
  expect(failed[0]?.reason).toContain('HTTP 500');
});
