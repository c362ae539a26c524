import { describe, expect, test } from 'vitest';
import { ableCard, generatorFor } from '../../../test/spelled-agents.js';
import { dialects } from '../../dialect/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { writingOperations } from '../../model/index.js';
import { type CallStep, type Case, callsOf, type Step } from '../case/case.js';
import { refsOf } from '../case/values.js';
import { createSpell } from '../execute/spell.js';
import { breaking } from '../mutate/schema-mutators.js';
import { createDictionary } from './dictionary.js';
import { createGeneratorContext } from './generator-context.js';
import { paramsOf } from './places.js';
import { createRandomSource } from './random-source.js';

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  const context = {
    dialect,
    rpcId: 'f',
    resolve: (ref: string) => ref,
    endpoint: 'http://agent.test/',
    credentials: [],
  };
  const card = ableCard(dialect);
  const dictionary = createDictionary({ card, behaviours: {} });
  const inspector = createInspector(dialect.schemas);
  const problemsOf = (step: CallStep): readonly { readonly path: string }[] => {
    const spelled = createSpell()(step, context);
    const params = (spelled.request() as { readonly params?: unknown } | undefined)?.params;
    if (params === undefined) return [{ path: '' }];
    const { findings } = inspector.inspect(`rpc.schema.json#/$defs/${step.operation}.params`, params);
    return findings.filter(({ message }) => !/no member/.test(message));
  };

  test('every keyword of every place of every operation can be broken, there and nowhere else', () => {
    const workshop = createGeneratorContext({ dialect, card, dictionary, readOnly: false, rawSocket: false });
    const randomSource = createRandomSource(2);
    const wrong: string[] = [];
    for (const operation of workshop.operations) {
      const breakables = paramsOf(dialect, operation)?.breakables ?? [];
      expect(breakables.length).toBeGreaterThan(0);
      for (const chosen of breakables) {
        const { place, keyword, key } = chosen;
        const step = workshop.valid(randomSource, operation, ['a'], place.path === '' ? undefined : place);
        if (step.params !== undefined && problemsOf(step).length > 0)
          wrong.push(`${operation} ${key}: not valid before`);
        const edits = breaking({ randomSource, maxBytes: 10_000 }, { params: step.params ?? {} }, chosen) ?? [];
        const [first] = edits;
        const found = problemsOf({ ...step, edits }).map(({ path }) => `/params${path}`);
        const isThere = found.some((at) => first !== undefined && (first.at.startsWith(at) || at.startsWith(first.at)));
        if (keyword === 'additional' ? first === undefined : !isThere) {
          wrong.push(`${operation} ${key}: ${JSON.stringify(edits)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('null in lists and members, odd ids of requests and empty ids are tried early', () => {
    const isMessage = dialect.binding.requests === 'messages';
    const generator = generatorFor(dialect);
    const randomSource = createRandomSource(4);
    const edits = Array.from(
      // Over gRPC faults of bytes, frames and metadata are tried early too.
      { length: isMessage ? 240 : 120 },
      () => generator.first?.(randomSource.branch('case')) ?? generator.fresh(randomSource.branch('case')),
    )
      .flatMap(callsOf)
      .flatMap(({ operation, edits = [] }) =>
        edits.map(({ at, value }) => `${operation} ${at} ${JSON.stringify(value)}`),
      );
    const tried = (pattern: RegExp): boolean => edits.some((edit) => pattern.test(edit));
    for (const id of dialect.binding.requests === 'envelopes' ? ['true', '\\[\\]', '\\{\\}', '1\\.5'] : [])
      expect(tried(new RegExp(`^\\w+ /id ${id}$`)), id).toBe(true);
    expect(tried(/^get \/params\/(id|taskId) ""$/)).toBe(true);
    if (generator.operations.includes('send')) {
      // A message has no null in a list, and null in the place of a member is one that is not there.
      expect(tried(/^send \/params\/message\/parts\/0 null$/)).toBe(!isMessage);
      if (!isMessage) expect(tried(/^send \/params\/message\/parts\/0\/\w+ null$/)).toBe(true);
      if (!isMessage) expect(tried(/^send \/params\/message\/parts null$/)).toBe(true);
      for (const id of ['messageId', 'contextId', 'taskId'])
        if (dialect.id.startsWith('a2a')) expect(tried(new RegExp(`^send /params/message/${id} ""$`)), id).toBe(true);
      if (dialect.id.startsWith('a2a') && !isMessage)
        expect(tried(/^send \/params\/message\/(?!parts)\w+\/0 null$/)).toBe(true);
    }
  });

  test('the same randomSource make the same cases', () => {
    const run = (): string => {
      const generator = generatorFor(dialect);
      const randomSource = createRandomSource(42);
      const cases: Case[] = [];
      for (let times = 0; times < 60; times++) {
        const branch = randomSource.branch('case');
        const [parent, other] = [cases.at(-1), cases.at(-2)];
        cases.push(times % 3 === 2 && parent ? generator.near(branch, parent, other) : generator.fresh(branch));
        cases.push(generator.race(branch));
      }
      return JSON.stringify(cases);
    };
    expect(run()).toBe(run());
  });

  test('cases stay small, name what begins before them, and call no other server', () => {
    const generator = generatorFor(dialect);
    const randomSource = createRandomSource(8);
    let parent = generator.fresh(randomSource);
    for (let times = 0; times < 120; times++) {
      const made =
        times % 4 === 0
          ? generator.fresh(randomSource)
          : generator.near(randomSource, parent, generator.fresh(randomSource));
      if (callsOf(made).length < 20) parent = made;
      expect(made.dialect).toBe(dialect.id);
      expect(made.steps.length).toBeLessThanOrEqual(13);
      expect(namesTwice(made.steps)).toEqual([]);
      for (const call of callsOf(made)) {
        const text = JSON.stringify(call);
        for (const [, host = ''] of text.matchAll(/\bhttps?:\/\/([^/"\\:]+)/g)) {
          expect(host).toMatch(/^(127\.0\.0\.1|([a-z]+\.)?example(\.com)?)$/);
        }
        expect(text.length).toBeLessThan(200_000);
      }
    }
  });

  test('--read-only asks, and does nothing', () => {
    const generator = generatorFor(dialect, card, true);
    const randomSource = createRandomSource(4);
    expect(generator.operations.filter((operation) => writingOperations.has(operation))).toEqual([]);
    for (let times = 0; times < 100; times++) {
      const made = [
        generator.fresh(randomSource),
        generator.race(randomSource),
        generator.near(randomSource, generator.fresh(randomSource), undefined),
      ];
      const writing = made.flatMap(callsOf).filter(({ operation }) => writingOperations.has(operation));
      expect(writing).toEqual([]);
    }
  });
});

/** Names that two steps have. */
function namesTwice(steps: readonly Step[]): readonly string[] {
  const names = callsOf({ steps }).flatMap(({ as }) => as ?? []);
  return names.filter((name, at) => names.indexOf(name) !== at);
}

test('references go to the task that a step before began', () => {
  const [dialect] = dialects;
  if (dialect === undefined) throw new Error('no dialect');
  const generator = generatorFor(dialect);
  const randomSource = createRandomSource(6);
  let references = 0;
  for (let times = 0; times < 200; times++) {
    const { steps } = generator.fresh(randomSource);
    const known = new Set<string>();
    for (const call of callsOf({ steps })) {
      for (const ref of refsOf(call.params ?? null)) {
        references++;
        expect(known).toContain(ref.split('.')[0]);
      }
      if (call.as !== undefined) known.add(call.as);
    }
  }
  expect(references).toBeGreaterThan(50);
});
