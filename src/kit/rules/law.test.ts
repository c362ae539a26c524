import { expect, test } from 'vitest';
import { rules } from '../../../suites/index.js';
import type { Law, Reading, Target } from '../index.js';

const laws = rules.filter((rule): rule is Law => rule.kind === 'law' && rule.bySchemas === true);
const kinds = ['card', 'payment', 'payment-card', 'result', 'extended-card', 'error'] as const;

/** An answer of every kind of document; a broken one has a finding of each key. */
function reading(keys: readonly string[], isBroken: boolean): Reading {
  const findings = isBroken ? keys.map((rule) => ({ rule, path: '/a', message: 'must not be', seen: '1' })) : [];
  const inspection = { findings, more: new Map(), visited: new Set(keys) };
  const documents = kinds.map((of) => ({ of, name: of, value: { a: 1 }, inspection }));
  return { valid: true, documents } as unknown as Reading;
}

test('what the schemas decide is broken only where they find something', () => {
  expect(laws.length).toBeGreaterThan(50);
  const target = {} as Target;
  for (const law of laws) {
    expect(law.judge(reading(law.keys, false), target, []), law.id).toBe('holds');
    expect(law.judge(reading(law.keys, true), target, []), law.id).toContain('must not be');
  }
});
