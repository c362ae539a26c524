import { expect, test } from 'vitest';
import { clientFaults, oddClients } from '../../fixtures/clients/index.js';
import { clientProfiles, planClients, scenarios } from '../../src/clients/index.js';
import { dialects } from '../../src/dialect/index.js';
import { suiteOf } from '../../src/kit/index.js';
import { mayProve } from '../../src/proof/index.js';
import { rules } from '../index.js';
import { clientRules } from './index.js';

const longestAdvice = 240;

test('ids are unique, and those of clients begin with client-', () => {
  const ids = [...rules, ...clientRules].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(clientRules.filter((rule) => !suiteOf(rule).startsWith('client-'))).toEqual([]);
  expect(rules.filter((rule) => suiteOf(rule).startsWith('client-'))).toEqual([]);
});

test('every check says what to do, at a glance', () => {
  const wrong = clientRules.filter(({ advice }) => advice === undefined || advice.length > longestAdvice);
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('the rows of a check have one level in each profile, and some profile has them', () => {
  const mixed = clientProfiles().flatMap(({ id, ledger }) =>
    clientRules
      .filter((rule) => new Set(rule.keys.flatMap((key) => ledger.rowsOf(key)).map(({ level }) => level)).size > 1)
      .map((rule) => `${rule.id} in ${id}`),
  );
  expect(mixed).toEqual([]);
  const known = new Set(clientProfiles().flatMap(({ ledger }) => ledger.rows.map(({ key }) => key)));
  expect(clientRules.flatMap(({ keys }) => keys.filter((key) => !known.has(key)))).toEqual([]);
});

test('every fault breaks a sentence that a check decides', () => {
  const idle = clientFaults.filter((fault) => !clientRules.some((rule) => mayProve(fault, rule)));
  expect(idle.map(({ id }) => id)).toEqual([]);
});

test('scenarios, faults and odd clients have names of their own', () => {
  for (const all of [scenarios, clientFaults, oddClients]) {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) < at)).toEqual([]);
  }
});

test('every scenario is one that a check plays, or compares with', () => {
  const used = new Set(clientRules.flatMap(({ plays, controls }) => [...(plays === 'all' ? [] : plays), ...controls]));
  expect(scenarios.filter(({ id }) => !used.has(id)).map(({ id }) => id)).toEqual([]);
});

test('every sentence for clients that can be observed is decided by a check, MUST without exception', () => {
  const decided = new Set(clientRules.flatMap(({ keys }) => keys));
  const open = clientProfiles().flatMap(({ ledger }) =>
    ledger.rows.filter(
      ({ key, unobservable, uncovered }) =>
        key !== undefined && unobservable === undefined && uncovered === undefined && !decided.has(key),
    ),
  );
  expect([...new Set(open.map(({ id }) => id))]).toEqual([]);
  const musts = clientProfiles().flatMap(({ ledger }) => ledger.rows.filter(({ level }) => level === 'must'));
  expect(musts.filter(({ uncovered }) => uncovered !== undefined).map(({ id }) => id)).toEqual([]);
});

test.each(dialects.filter(({ id }) => id.startsWith('a2a-')).map((dialect) => [dialect.id, dialect] as const))(
  'there is enough to play for %s',
  (_, dialect) => {
    const selection = { suites: [], checks: [], level: 'may' as const };
    const { planned, scenarios: played } = planClients({ dialect, rules: clientRules, scenarios, selection });
    expect(planned.length).toBeGreaterThan(20);
    expect(played.length).toBeGreaterThan(10);
  },
);

test('a chosen scenario brings those that its checks are compared with', () => {
  const dialect = dialects.find(({ id }) => id === 'a2a-1.0');
  if (dialect === undefined) throw new Error('no such dialect');
  const selection = { suites: [], checks: ['client-stream/line-ends'], level: 'may' as const };
  const chosen = ['stream-cr'];
  const plan = planClients({ dialect, rules: clientRules, scenarios, selection, chosen });
  const controls = clientRules.find(({ id }) => id === 'client-stream/line-ends')?.controls ?? [];
  expect(controls.length).toBeGreaterThan(0);
  expect(plan.scenarios.map(({ id }) => id).sort()).toEqual([...chosen, ...controls].sort());
});
