import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { faults } from '../fixtures/faults/index.js';
import { rules } from '../suites/index.js';

// What contributors read: the forms, and commands and names that must exist.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8');
interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly author: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly publishConfig: Readonly<Record<string, unknown>>;
}
const manifest = JSON.parse(textOf('package.json')) as Manifest;

test('the package says where it comes from, and every place is one repository', () => {
  const home = manifest.repository.url.replace(/^git\+|\.git$/g, '');
  expect(manifest.repository.url).toBe(`git+${home}.git`);
  expect([manifest.homepage, manifest.bugs.url]).toEqual([`${home}#readme`, `${home}/issues`]);
  expect(manifest.author).toBe('The a2a-tck authors');
  expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
});

test('the changelog has the form of Keep a Changelog', () => {
  const headings = textOf('CHANGELOG.md').match(/^#{1,3} .*$/gm) ?? [];
  const [title, newest] = headings;
  expect([title, newest]).toEqual(['# Changelog', '## [Unreleased]']);
  const kinds = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  let before = -1;
  for (const heading of headings.slice(1)) {
    if (heading.startsWith('## ')) {
      expect(heading).toMatch(/^## \[(?:Unreleased|\d+\.\d+\.\d+(?:-[\w.]+)?\] - \d{4}-\d{2}-\d{2}$)/);
      expect(textOf('CHANGELOG.md')).toContain(`\n${heading.replace(/^## (\[[^\]]*\]).*$/, '$1')}: https://`);
      before = -1;
      continue;
    }
    const at = kinds.indexOf(heading.slice(4));
    // Each kind once in a version, in one order.
    expect(at, heading).toBeGreaterThan(before);
    before = at;
  }
});

test('a release has notes, and what the changelog does not have is not released', () => {
  const notes = (version: string): string =>
    execFileSync(process.execPath, [join(root, 'scripts/release-notes.js'), version], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  expect(notes('Unreleased')).toMatch(/^### /);
  expect(() => notes('999.0.0')).toThrow();
});

test('the forms for issues can be read by GitHub', () => {
  const names = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
  expect(names.sort()).toEqual(['defect.yml', 'missing.yml', 'wrong-verdict.yml']);
  for (const name of names) {
    const form = parse(textOf(`.github/ISSUE_TEMPLATE/${name}`)) as {
      readonly name: string;
      readonly description: string;
      readonly body: readonly { readonly type: string; readonly id: string; readonly attributes: { label: string } }[];
    };
    expect([form.name, form.description].filter((text) => text === '')).toEqual([]);
    expect(form.body.map(({ type }) => type).filter((type) => !['input', 'textarea'].includes(type))).toEqual([]);
    expect(new Set(form.body.map(({ id }) => id)).size).toBe(form.body.length);
    expect(form.body.filter(({ attributes }) => !attributes.label)).toEqual([]);
  }
});

test('what the guide for contributors names is there', () => {
  const guide = textOf('CONTRIBUTING.md') + textOf('.github/PULL_REQUEST_TEMPLATE.md');
  const scripts = [...guide.matchAll(/npm (?:run )?(test|build|format)\b/g)].map(([, name = '']) => name);
  expect(new Set(scripts)).toEqual(new Set(['test', 'build', 'format']));
  expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
  const files = [...guide.matchAll(/`((?:suites|src|schemas|scripts|docs|proof)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const [, check] = /--check (\S+)$/m.exec(guide) ?? [];
  expect(rules.map(({ id }) => id)).toContain(check);
  const [, fault] = /--fault (\S+)$/m.exec(guide) ?? [];
  expect(faults.map(({ id }) => id)).toContain(fault);
});
