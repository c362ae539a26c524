import { describe, expect, test } from 'vitest';
import { type Fault, faults } from '../fixtures/faults/index.js';
import { badgeState } from '../reporters/badge/state.js';
import { scopeTexts } from '../reporters/wording.js';
import { statementOf } from '../src/attest/index.js';
import { a2a10 } from '../src/dialect/a2a-1.0.js';
import { type FrozenSet, loadLedger, loadSet, setIds } from '../src/ledger/index.js';
import type { Level } from '../src/model/index.js';
import { createAgent, memoryArchive } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { planAll, type RunOptions, run } from '../src/run/index.js';
import { realClock } from '../src/wire/index.js';
import { rules } from '../suites/index.js';
import { plainRun } from './plain-run.js';
import { commandLine } from './terminal.js';

// Frozen sets: an upgrade of the kit alone turns no gate red.

const [newest = ''] = setIds();

/** The set as it would be if the version had not had these checks yet, or at a lower level. */
const without = (left: Readonly<Record<string, Level | 'none'>>): FrozenSet => {
  const whole = loadSet(newest);
  const ranks = { must: 0, should: 1, may: 2, none: 3 } as const;
  return {
    ...whole,
    version: '0.0.9',
    has: (profile, check, level) => whole.has(profile, check, level) && ranks[left[check] ?? 'must'] <= ranks[level],
  };
};

async function judged(fault: string | undefined, options: Partial<RunOptions>): Promise<Report> {
  const patches = faults.filter(({ id }: Fault) => id === fault).map(({ patch }) => patch);
  const agent = createAgent({
    dialect: a2a10,
    clock: realClock,
    baseUrl: 'http://agent.test',
    patches,
    archive: memoryArchive(),
  });
  try {
    return await run(
      {
        ...plainRun,
        url: 'http://agent.test',
        profile: 'a2a-1.0',
        clock: realClock,
        carrier: (request, signal) => agent.handle(request, signal),
        selection: { suites: [], checks: ['card/*', 'task/cancel-terminal-refused', 'rpc/id-*'], level: 'may' },
        ...options,
      },
      () => undefined,
    );
  } finally {
    agent.stop();
  }
}

const fault = 'cancel-accepts-terminal';
const check = 'task/cancel-terminal-refused';

describe('a check that was added after the set', () => {
  test('fails a gate that pins no set, or the set that has it', async () => {
    for (const options of [{}, { set: loadSet(newest) }]) {
      expect((await judged(fault, options)).gate).toMatchObject({ exitCode: 1 });
    }
  });

  test('is judged and reported, and counts neither for the gate nor for badge and signed result', async () => {
    for (const added of ['none', 'should'] as const) {
      const report = await judged(fault, { set: without({ [check]: added }) });
      expect(report.gate).toMatchObject({ exitCode: 0 });
      expect(report.checks.find(({ id }) => id === check)).toMatchObject({ verdict: 'fail', afterSet: true });
      expect(scopeTexts(report).join()).toContain(
        `set ${newest}: 1 check added after your set, not counted: ${check} (fail)`,
      );
      const whole = { ...report, run: { ...report.run } };
      expect(badgeState(whole)).toMatchObject({ percent: 100, label: expect.stringContaining(newest) });
      expect(statementOf(whole, '{}').predicate).toMatchObject({ result: 'WARNED', failedTests: [] });
    }
  });

  test('does not end a run with --fail-fast', async () => {
    const report = await judged(fault, { set: without({ [check]: 'none' }), failFast: true });
    expect(report.run.cut).toBeUndefined();
  });
});

test('an entry of the baseline whose check passes with a later kit is named, and fails nothing', async () => {
  const baseline = { entries: [{ check, reason: 'the agent was believed to be wrong' }] };
  expect((await judged(undefined, { baseline })).gate.exitCode).toBe(1);
  const report = await judged(undefined, { baseline, set: without({}) });
  expect(report.gate.exitCode).toBe(0);
  expect(report.run.set).toEqual({ id: newest, stale: [check] });
  expect(scopeTexts(report).join()).toContain(`entries of the baseline that pass with this kit: ${check}`);
});

test('a set without a profile is refused, before checks run', async () => {
  const set = { ...loadSet(newest), knows: () => false };
  await expect(judged(undefined, { set })).rejects.toMatchObject({ code: 'usage' });
});

test('every set has checks of every profile that it knows, and each stands once', () => {
  for (const id of setIds()) {
    const set = loadSet(id);
    const planned = planAll(rules, loadLedger('a2a-1.0'));
    const counted = planned.filter(({ rule, level }) => set.has('a2a-1.0', rule.id, level));
    expect(counted.length).toBeGreaterThan(300);
  }
});

test('a set that does not exist is one error, which names the nearest', async () => {
  const { code, err } = await commandLine(['demo', '--set', `${newest}1`]);
  expect([code, err]).toEqual([2, expect.stringContaining(`did you mean ${newest}?`)]);
});

describe('a gate of clients', () => {
  test('--set counts the checks of the set alone', async () => {
    const { runClients, scenarios } = await import('../src/clients/index.js');
    const { clientFaults, referenceClient } = await import('../fixtures/clients/index.js');
    const { clientRules } = await import('../suites/clients/index.js');
    const fault = clientFaults.find(({ id }) => id === 'client-message-without-id');
    const judge = (set: FrozenSet | undefined) =>
      runClients(
        {
          dialect: a2a10,
          rules: clientRules,
          scenarios,
          name: 'a client',
          way: '--demo',
          selection: { suites: [], checks: ['client-request/*'], level: 'may' },
          chosen: ['send'],
          start: referenceClient(fault === undefined ? [] : [fault.patch]),
          kit: { name: 'a2a-tck', version: '0.1.0' },
          minProof: 0,
          ...(set === undefined ? {} : { set }),
        },
        () => undefined,
      );
    const whole = await judge(undefined);
    expect(whole.gate.exitCode).toBe(1);
    const old = await judge(without({ 'client-request/form': 'none' }));
    expect(old).toMatchObject({ gate: { exitCode: 0 }, run: { set: { id: newest } } });
    const form = old.checks.find(({ id }) => id === 'client-request/form');
    expect(form).toMatchObject({ verdict: 'fail', afterSet: true });
  });

  test('a set that does not exist is reported', async () => {
    const { code, err } = await commandLine(['client', '--demo', '--set', 'nothing']);
    expect(code).toBe(2);
    expect(err).toContain('nothing');
  });
});
