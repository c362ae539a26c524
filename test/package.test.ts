import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What a user gets from the registry: reviewed file by file, and by the judges of packages.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}
let packed: Packed;
beforeAll(async () => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 1 << 26 });
  [packed] = JSON.parse(stdout) as [Packed];
}, 60_000);

const paths = () => packed.files.map(({ path }) => path);

test('there is what runs, what it reads, and nothing else', () => {
  const wanted = [
    /^(package\.json|README\.md|LICENSE)$/,
    /^dist\/(src|suites|reporters)\/.+\.(js|d\.ts)$/,
    /^dist\/(schemas|fixtures)\/.+\.(json|yaml|txt|md)$/,
  ];
  expect(paths().filter((path) => !wanted.some((one) => one.test(path)))).toEqual([]);
  expect(paths().filter((path) => /\.test\.|\.cases\.|\/scratch\/|node_modules/.test(path))).toEqual([]);
  expect(paths()).toContain('dist/schemas/kit/report.schema.json');
  expect(paths()).toContain('dist/schemas/requirements/a2a-1.0.yaml');
  expect(paths().filter((path) => /^dist\/suites\/.+\.js$/.test(path)).length).toBeGreaterThan(100);
});

test('the command is there, and can be run', () => {
  for (const file of Object.values(manifest.bin)) {
    const found = packed.files.find(({ path }) => path === file.replace(/^\.\//, ''));
    expect(found, file).toBeDefined();
    expect((found?.mode ?? 0) & 0o111).not.toBe(0);
    expect(readFileSync(join(root, file), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  }
});

test('what is exported is there', () => {
  const files = Object.values(manifest.exports).flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one),
  );
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((file) => !file.includes('*') && !existsSync(join(root, file)))).toEqual([]);
});

test('each schema can be imported by its path, and is enough for ajv alone', () => {
  const require = createRequire(import.meta.url);
  const plain = paths().filter((path) => path.startsWith('dist/schemas/plain/'));
  expect(plain.length).toBeGreaterThan(50);
  for (const path of plain) {
    const name = path.replace('dist/schemas/plain/', 'a2a-tck/schemas/');
    const schema = require(name) as Record<string, unknown>;
    expect(schema['$id'], path).toBe(`a2a-tck:///${path.replace('dist/schemas/', '')}`);
    expect(() => new Ajv2020({ logger: false }).compile(schema), path).not.toThrow();
  }
  const card = require('a2a-tck/schemas/a2a/1.0/agent-card.schema.json') as object;
  const validate = new Ajv2020({ logger: false }).compile(card);
  const example = JSON.parse(readFileSync(join(root, 'fixtures/a2a/1.0/agent-card.json'), 'utf8')) as object;
  expect([validate(example), validate({ ...example, skills: {} })]).toEqual([true, false]);
  // The kit's own documents stay where they were.
  expect(require('a2a-tck/schemas/config.schema.json')).toHaveProperty('$id');
  expect(require('a2a-tck/schemas/validation.schema.json')).toHaveProperty('$id');
  const index = readFileSync(join(root, 'docs/schemas.md'), 'utf8');
  const listed = plain.map((path) => path.replace('dist/schemas/plain/', '').replace('.schema.json', ''));
  expect(
    listed.filter(
      (name) =>
        !index.includes(name.split('/').at(-1) ?? name) || !index.includes(name.slice(0, name.lastIndexOf('/'))),
    ),
  ).toEqual([]);
});

test('every dependency is exact, and has its reason in docs/dependencies.md', () => {
  const all = { ...manifest.dependencies, ...manifest.optionalDependencies };
  expect(Object.values(all).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  const reasons = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');
  expect(Object.keys(all).filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('no file names a place of the machine that made it', () => {
  const texts = paths().filter((path) => /\.(js|json|yaml|md)$/.test(path));
  const told = texts.filter((path) => readFileSync(join(root, path), 'utf8').includes(root));
  expect(told).toEqual([]);
});

test('publint finds nothing', { timeout: 60_000 }, async () => {
  const { messages } = await publint({ pkgDir: root, pack: false, strict: true });
  expect(messages).toEqual([]);
});

test('the types are right for who imports it as ESM', { timeout: 120_000 }, async () => {
  const attw = join(root, 'node_modules/.bin/attw');
  const { stdout } = await run(
    process.execPath,
    [
      attw,
      join(folder, packed.filename),
      '--profile',
      'esm-only',
      '--format',
      'json',
      '--exclude-entrypoints',
      './package.json',
    ],
    { cwd: root, maxBuffer: 1 << 26 },
  );
  type Problem = { readonly kind: string; readonly resolutionKind?: string };
  const { analysis, problems } = JSON.parse(stdout) as {
    readonly analysis: { readonly entrypoints: object };
    readonly problems?: Readonly<Record<string, readonly Problem[]>>;
  };
  expect(Object.keys(analysis.entrypoints)).toContain('.');
  // Who resolves as Node 10 did, or by require, has no way to load ESM on the versions that are supported.
  const esm = Object.values(problems ?? {})
    .flat()
    .filter(({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10');
  expect(esm).toEqual([]);
});
