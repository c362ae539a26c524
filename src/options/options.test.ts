import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groups, optionsIn } from './index.js';
import { madeFiles } from './made.js';

// Everything that names an option comes from the

test.each([...madeFiles((path) => readFileSync(path, 'utf8'))])(
  '%s is what the table makes; npm run build writes it anew',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

interface Part {
  readonly properties?: Readonly<Record<string, Part>>;
}

test('what the table calls an option of programs is one', () => {
  const schema = JSON.parse(readFileSync('schemas/kit/options.schema.json', 'utf8')) as Part;
  const find = (path: string): Part | undefined =>
    path.split('.').reduce<Part | undefined>((at, name) => at?.properties?.[name], schema);
  const named = Object.values(groups).flatMap(({ options }) => Object.values(options).map(({ api }) => api));
  const missing = named.filter((api) => api !== undefined && find(api) === undefined);
  expect(named.length).toBeGreaterThan(80);
  expect(missing).toEqual([]);
});

test('no option that holds a secret itself may stand in the targets of a fleet but headers', () => {
  const found = [...optionsIn('fleet')].flatMap(([name, { secret }]) => (secret === 'value' ? [name] : []));
  expect(found).toEqual(['header', 'second-header']);
});
