import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap((name) => {
    const links = readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
    return [...links].flatMap(([, link = '']) => {
      try {
        readFileSync(join(root, dirname(name), link));
        return [];
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EISDIR' ? [] : [`${name}: ${link}`];
      }
    });
  });
  expect(broken).toEqual([]);
});
