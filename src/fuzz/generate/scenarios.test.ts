import { describe, expect, test } from 'vitest';
import { dialectById, type ProfileId } from '../../dialect/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { isObject, isString, type Operation, operations } from '../../model/index.js';
import { type CallStep, type Case, callsOf, type Value } from '../case/case.js';
import { race } from './races.js';
import { createRandomSource } from './random-source.js';
import { scenario } from './scenarios.js';
import type { ScriptTools } from './scripting.js';

const profiles: readonly ProfileId[] = ['a2a-1.0', 'a2a-0.3', 'a2a-0.2', 'openclaw', 'terminal-bench', 'xpr', 'xpr-v2'];

const schemaOf = (operation: Operation): string => `rpc.schema.json#/$defs/${operation}.params`;

function toolsOf(id: ProfileId): ScriptTools {
  const dialect = dialectById(id) ?? expect.fail('no dialect');
  const inspector = createInspector(dialect.schemas);
  return {
    dialect,
    operations: operations.filter((operation) => operation !== 'extendedCard' && inspector.has(schemaOf(operation))),
    behaviours: {},
    outputModes: ['text/plain'],
    webhook: 'https://example.com/a2a-tck',
    hasSecond: true,
  };
}

const makers = { scenario, race } as const;
const casesOf = (tools: ScriptTools, make: typeof scenario, times: number): readonly Case[] => {
  const randomSource = createRandomSource(3);
  return Array.from({ length: times }, () => make(randomSource.branch('case'), tools));
};

/** Names of earlier steps that a value refers to, and the value with any text in their place. */
function references(value: Value, found: string[]): Value {
  if (Array.isArray(value)) return value.map((item: Value) => references(item, found));
  if (!isObject(value)) return value;
  const ref = value['$ref'];
  if (isString(ref)) {
    found.push(ref);
    return '00000000-0000-4000-8000-000000000000';
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, references(member as Value, found)]));
}

describe.each(profiles)('%s', (profile) => {
  const tools = toolsOf(profile);
  const inspector = createInspector(tools.dialect.schemas);

  test.each(Object.entries(makers))('what a %s sends is valid', (_, make) => {
    for (const call of casesOf(tools, make, 60).flatMap(callsOf)) {
      const params = references(call.params ?? {}, []);
      const { findings } = inspector.inspect(schemaOf(call.operation), params);
      expect({ call, findings }).toEqual({ call, findings: [] });
    }
  });

  test.each(Object.entries(makers))('a %s refers to what it began before, and to nothing else', (_, make) => {
    for (const { steps } of casesOf(tools, make, 60)) {
      const begun = new Set<string>();
      for (const step of steps) {
        if (step.step === 'wait') expect(begun).toContain(step.for);
        const calls: readonly CallStep[] = step.step === 'call' ? [step] : step.step === 'together' ? step.calls : [];
        for (const { params, as } of calls) {
          const found: string[] = [];
          references(params ?? {}, found);
          for (const name of found) expect([...begun]).toContain(name.split('.')[0]);
          if (as !== undefined) begun.add(as);
        }
      }
    }
  });

  test.each(Object.entries(makers))('each step of a %s that has a name has one of its own', (_, make) => {
    for (const fuzzCase of casesOf(tools, make, 400)) {
      const names = callsOf(fuzzCase).flatMap((call) => call.as ?? []);
      expect(new Set(names).size, JSON.stringify(names)).toBe(names.length);
    }
  });

  test('all operations take part', () => {
    const used = new Set(
      [scenario, race]
        .flatMap((make) => casesOf(tools, make, 200).flatMap(callsOf))
        .map((callStep) => callStep.operation),
    );
    expect([...used].sort()).toEqual([...tools.operations].sort());
  });
});

test('the same randomSource make the same scripts, and no message is sent twice', () => {
  const tools = toolsOf('a2a-0.3');
  for (const make of [scenario, race]) expect(casesOf(tools, make, 50)).toEqual(casesOf(tools, make, 50));
  for (const { steps } of casesOf(tools, scenario, 200)) {
    const ids = JSON.stringify(steps).match(/"messageId":"[^"]+"/g) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('a race is of 2 to 12 operations, and is looked at twice or more', () => {
  const sizes = new Set<number>();
  for (const { steps } of casesOf(toolsOf('a2a-1.0'), race, 300)) {
    const together = steps.flatMap((step) => (step.step === 'together' ? [step.calls.length] : []));
    expect(together.length).toBe(1);
    sizes.add(together[0] ?? 0);
    expect(steps.at(-1)).toMatchObject({ step: 'call' });
  }
  expect(Math.min(...sizes)).toBe(2);
  expect(Math.max(...sizes)).toBe(12);
});

test('some races are streams of several tasks', () => {
  const several = casesOf(toolsOf('a2a-0.3'), race, 300).filter(({ steps }) =>
    steps.some((step) => {
      if (step.step !== 'together') return false;
      const isHeard = step.calls.every(({ operation }) => operation === 'stream' || operation === 'subscribe');
      const tasks = step.calls.map(({ as, params }) => as ?? JSON.stringify(params));
      return isHeard && new Set(tasks).size === step.calls.length;
    }),
  );
  expect(several.length).toBeGreaterThan(20);
});

test('where nothing may be changed only what does not exist is asked for', () => {
  const tools: ScriptTools = { ...toolsOf('a2a-0.3'), operations: ['get', 'subscribe'] };
  const used = new Set(
    casesOf(tools, scenario, 50)
      .flatMap(callsOf)
      .map(({ operation }) => operation),
  );
  expect([...used].sort()).toEqual(['get', 'subscribe']);
});
