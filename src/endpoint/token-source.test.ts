import { expect, test } from 'vitest';
import { sleep, virtualClock } from '../wire/index.js';
import { checkedToken, createTokenSource, type Grant } from './token-source.js';

/** A source whose server gives what `answers` says, in turn; `asked`: when, ms after the first token. */
function sourceOf(first: Grant, answers: readonly (Grant | Error)[]) {
  const clock = virtualClock();
  const begun = clock.now();
  const asked: number[] = [];
  const source = createTokenSource(first, begun, clock, async () => {
    const answer = answers[asked.length] ?? new Error('no more');
    asked.push(clock.now() - begun);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  /** The token at a time, ms after the first one; a text that begins with `!`: why there is none. */
  async function at(ms: number): Promise<string> {
    await sleep(clock, ms - (clock.now() - begun));
    return source.token().catch((error: Error) => `!${error.message}`);
  }
  return { at, asked };
}

test('a token without a time is never renewed', async () => {
  const { at, asked } = sourceOf({ token: 'a' }, []);
  expect([await at(0), await at(10_000_000), asked]).toEqual(['a', 'a', []]);
});

test('a token is renewed half a minute before it expires, and no call waits for that', async () => {
  const { at, asked } = sourceOf({ token: 'a', lifetime: 600 }, [{ token: 'b', lifetime: 600 }]);
  expect([await at(569_999), asked]).toEqual(['a', []]);
  expect([await at(570_000), asked]).toEqual(['a', [570_000]]);
  expect([await at(570_001), await at(1_139_999), asked]).toEqual(['b', 'b', [570_000]]);
});

test('a short one after three quarters of its time; one without any, once a second', async () => {
  const short = sourceOf({ token: 'a', lifetime: 8 }, [
    { token: 'b', lifetime: 0 },
    { token: 'c', lifetime: 0 },
  ]);
  expect([await short.at(5999), await short.at(6000), await short.at(6001)]).toEqual(['a', 'a', 'b']);
  expect([await short.at(6999), short.asked]).toEqual(['b', [6000]]);
  expect([await short.at(7001), short.asked]).toEqual(['c', [6000, 7001]]);
});

test('who comes after the end waits for the new one, and all get the same', async () => {
  const { at, asked } = sourceOf({ token: 'a', lifetime: 60 }, [{ token: 'b', lifetime: 60 }]);
  expect(await Promise.all([at(60_000), at(60_000), at(60_000)])).toEqual(['b', 'b', 'b']);
  expect(asked).toEqual([60_000]);
});

test('where no new one comes, the old one is used to its end, then the kit says why, and asks every five seconds', async () => {
  const gone = new Error('the server is away');
  const { at, asked } = sourceOf({ token: 'a', lifetime: 100 }, [
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
    gone,
    { token: 'b', lifetime: 100 },
  ]);
  expect([await at(75_000), await at(76_000), await at(80_000), asked]).toEqual(['a', 'a', 'a', [75_000, 80_000]]);
  await at(86_000);
  await at(92_000);
  await at(98_000);
  const why = '!the access token has expired, and no new token came: the server is away';
  expect([await at(100_000), await at(103_000), await at(104_000), asked.length]).toEqual([why, why, why, 6]);
  expect([await at(109_000), await at(115_000), asked.length]).toEqual([why, 'b', 8]);
});

test.for(['a b', 'a\r\nx: y', '', 'é', 'a'.repeat(9000)])('%j cannot stand in a header', (text) => {
  expect(() => checkedToken(text)).toThrow(
    /^its token has (?:characters that|9000 characters, and the kit takes at most 8192)/,
  );
});

test('any other token can', () => {
  expect(checkedToken('1|abc.DEF-_~+/=:')).toBe('1|abc.DEF-_~+/=:');
});
