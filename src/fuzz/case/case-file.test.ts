import { expect, test } from 'vitest';
import { generatorFor } from '../../../test/spelled-agents.js';
import { dialects } from '../../dialect/index.js';
import type { TckError } from '../../model/index.js';
import { createRandomSource } from '../generate/random-source.js';
import { caseOf, documentOf, readCase } from './case-file.js';

test.each(dialects.map((dialect) => [dialect.id, dialect] as const))(
  'cases of %s are read as they were written',
  (_, dialect) => {
    const generator = generatorFor(dialect);
    const randomSource = createRandomSource(5);
    for (let times = 0; times < 60; times++) {
      const made = times % 5 === 0 ? generator.race(randomSource) : generator.fresh(randomSource);
      const text = JSON.stringify(documentOf(made, { kit: '0.1.0', bucket: 'alive/reset', why: 'It crashed.' }));
      const read = readCase(JSON.parse(text), 'a file');
      expect(read).toMatchObject({ kit: '0.1.0', bucket: 'alive/reset', why: 'It crashed.' });
      expect(JSON.stringify(caseOf(read))).toBe(JSON.stringify(made));
    }
  },
);

const call = { step: 'call', operation: 'get', params: { id: 'a' } };
const file = (steps: unknown, more: object = {}): unknown => ({
  schema: 'a2a-tck-fuzz-case/1',
  dialect: 'a2a-0.3',
  steps,
  ...more,
});
const deep = (): unknown => {
  let value: unknown = 1;
  for (let depth = 0; depth < 5000; depth++) value = [value];
  return value;
};

test.each([
  ['no object', 1, /must be object/],
  ['another schema', { ...(file([call]) as object), schema: 'x' }, /"schema" must be "a2a-tck-fuzz-case\/1"/],
  ['an unknown dialect', file([call], { dialect: 'b2b' }), /"dialect" must be one of a2a-1\.0/],
  ['an unknown member', file([call], { shell: 'rm' }), /unknown member "shell"/],
  ['no steps', file([]), /"steps" must NOT have fewer than 1/],
  ['an unknown operation', file([{ ...call, operation: 'delete' }]), /"steps\.0\.operation" must be one of/],
  [
    'a wrong pointer',
    file([{ ...call, edits: [{ at: 'x', op: 'set', keyword: 'type' }] }]),
    /"steps\.0\.edits\.0\.at"/,
  ],
  ['an unknown trick', file([{ ...call, tricks: [{ trick: 'fire' }] }]), /unknown trick "fire"/],
  [
    'the same name twice',
    file([
      { ...call, as: 'a' },
      { ...call, as: 'a' },
    ]),
    /two steps are named "a"/,
  ],
  ['a name full of shell', file([{ ...call, as: '$(id)' }]), /"steps\.0\.as" must match/],
  ['a huge request', file([{ ...call, params: { $text: ['a', 1e9] } }]), /larger than/],
  ['a huge list of lists', file([{ ...call, params: { $list: [{ $list: ['a', 1e5] }, 1e5] } }]), /larger than/],
  [
    'large requests at once',
    file([
      { step: 'together', calls: Array.from({ length: 100 }, () => ({ ...call, params: { $text: ['a', 2.5e6] } })) },
    ]),
    /the requests of one step in total are larger than 24 MiB/,
  ],
  [
    'large requests one after the other',
    file(Array.from({ length: 100 }, () => ({ ...call, params: { $text: ['a', 2.5e6] } }))),
    /the requests of the case in total are larger than 48 MiB/,
  ],
  [
    'requests that tricks make large',
    file([
      {
        step: 'together',
        calls: Array.from({ length: 100 }, () => ({ ...call, tricks: [{ trick: 'many-members', count: 1e5 }] })),
      },
    ]),
    /the requests of one step in total are/,
  ],
  ['deep values', file([{ ...call, params: deep() }]), /nested deeper than 100/],
])('a file with %s is refused with the place', (_, document, message) => {
  expect(() => readCase(document, 'a file')).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringMatching(message) }) as TckError,
  );
});
