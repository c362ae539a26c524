import { expect, test } from 'vitest';
import { isObject } from '../src/model/index.js';
import { testKey } from '../src/reference/keys.js';
import { signCard } from '../src/signing/index.js';
import { judge } from './judged.js';

test.each([
  [4, true],
  [5, false],
])('a card with %i signatures, of which the last one may be over the card', async (count, isLooked) => {
  const { checks } = await judge({
    profile: 'a2a-1.0',
    checks: ['signature/verifies'],
    patches: [
      (inner, { baseUrl }) => ({
        signingKeys: () => [testKey],
        cardDocument() {
          const card = inner.cardDocument();
          if (!isObject(card)) return card;
          const { signatures: _, ...rest } = card;
          const jku = `${baseUrl}/.well-known/jwks.json`;
          const old = signCard({ ...rest, version: '0.0.1' }, testKey, { jku });
          return {
            ...rest,
            signatures: [...Array.from({ length: count - 1 }, () => old), signCard(rest, testKey, { jku })],
          };
        },
      }),
    ],
  });

  expect(checks[0]).toMatchObject(
    isLooked ? { verdict: 'pass' } : { verdict: 'inconclusive', reason: expect.stringContaining('5 signatures') },
  );
});
