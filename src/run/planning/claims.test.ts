import { expect, test } from 'vitest';
import type { Target } from '../../kit/index.js';
import type { Requirement } from '../../ledger/index.js';
import { type Card, unknownCard } from '../../model/index.js';
import { notApplicable } from './claims.js';

const target = (card: Card, cardDocument?: unknown): Target => ({
  url: 'http://agent.test/',
  endpoint: 'http://agent.test/',
  origins: ['http://agent.test'],
  cardUrl: undefined,
  cardExchange: undefined,
  card,
  cardDocument,
});
const needs = (...all: readonly string[]): readonly Requirement[] => [{ needs: all } as unknown as Requirement];

test.each([
  ['cap:streaming', 'the card does not declare streaming', 'no card was found, so none declares streaming'],
  ['skill', 'the card lists no skill', 'no card was found, so none lists a skill'],
  ['auth:declared', 'the card declares no security', 'no card was found, so none declares security'],
  ['signed-card', 'the card has no signatures', 'no card was found, so none has signatures'],
  ['multi-transport', 'the card declares one interface only', 'no card was found, so none declares several interfaces'],
  ['tenant', 'the card names no tenant', 'no card was found, so none names a tenant'],
])(
  'a need of %s is not met by a card without it, and where no card was found the reason says that alone',
  (need, lacks, none) => {
    expect(notApplicable(needs(need), target(unknownCard, {}))).toBe(lacks);
    expect(notApplicable(needs(need), target(unknownCard))).toBe(none);
  },
);

test('what the card declares meets the need, and rules out the need of its absence', () => {
  const card = { ...unknownCard, capabilities: { ...unknownCard.capabilities, streaming: true } };
  expect(notApplicable(needs('cap:streaming'), target(card, {}))).toBeUndefined();
  expect(notApplicable(needs('no-cap:streaming'), target(card, {}))).toBe('the card declares streaming');
  expect(notApplicable(needs('no-cap:streaming'), target(unknownCard, {}))).toBeUndefined();
  expect(notApplicable(needs('no-cap:streaming'), target(unknownCard))).toBe(
    'no card was found, so none says whether there is streaming',
  );
});
