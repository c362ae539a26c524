import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the build of the container gets each folder that is compiled', () => {
  const { include } = JSON.parse(readFileSync('tsconfig.json', 'utf8')) as { readonly include: readonly string[] };
  const kept = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(include.length).toBeGreaterThan(3);
  expect(include.map((path) => `!${path.split('/')[0]}`).filter((line) => !kept.includes(line))).toEqual([]);
});
