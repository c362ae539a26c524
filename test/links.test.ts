import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';

// Links lead somewhere for all who read: in the repository, on the page of the registry and in an installed package.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const markdownOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['README.md', 'SKILL.md', 'CHANGELOG.md', ...markdownOf('docs')];
const documents = [...new Set([...markdownOf('.'), ...pages])];
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');

const { repository, files } = JSON.parse(textOf('package.json')) as {
  readonly repository: { readonly url: string };
  readonly files: readonly string[];
};
/** Pages that only the repository has: their links lead there. */
const leftOut = picomatch(files.flatMap((file) => (file.startsWith('!') ? [file.slice(1)] : [])));
const published = pages.filter((name) => !leftOut(name));
const home = repository.url.replace(/^git\+|\.git$/g, '');

const relativeLinks = (name: string): readonly string[] =>
  [...textOf(name).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, link = '']) =>
    relative(root, join(root, dirname(name), link)),
  );

test('links between documents lead somewhere', () => {
  const broken = documents.flatMap((name) =>
    relativeLinks(name).flatMap((path) => (existsSync(join(root, path)) ? [] : [`${name}: ${path}`])),
  );
  expect(broken).toEqual([]);
});

test('what is published links by path only to what is published', () => {
  const outside = published.flatMap((name) =>
    relativeLinks(name).flatMap((path) => (published.includes(path) || path === 'LICENSE' ? [] : [`${name}: ${path}`])),
  );
  expect(outside).toEqual([]);
});

test('links into the repository are those of package.json, and lead to a file', () => {
  const links = documents.flatMap((name) =>
    // The kit of the A2A project has the same name.
    [...textOf(name).matchAll(/https:\/\/github\.com\/(?!a2aproject\/)[^\s)>"'`]*a2a-tck[^\s)>"'`]*/g)].map(
      ([link]) => [name, link],
    ),
  );
  expect(links.length).toBeGreaterThan(5);
  const wrong = links.filter(([, link = '']) => {
    if (link !== home && link !== `${home}.git` && !link.startsWith(`${home}/`)) return true;
    const [, path] = /^\/(?:blob|tree)\/main\/([^#]*)/.exec(link.slice(home.length)) ?? [];
    return path !== undefined && !existsSync(join(root, path));
  });
  expect(wrong).toEqual([]);
});

test('the index names every page', () => {
  const inRepository = textOf('docs/README.md').replaceAll(`${home}/blob/main/docs/`, '');
  const named = [...inRepository.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, link = '']) => `docs/${link}`);
  const all = markdownOf('docs').filter((name) => name !== 'docs/README.md');
  expect(all.filter((name) => !named.includes(name))).toEqual([]);
});
