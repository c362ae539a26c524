import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What a user gets from the registry: reviewed file by file, by the judges of packages, and run as it was unpacked.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Manifest {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
}
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}
let packed: Packed;
/** The package as a user has it: unpacked, beside what it depends on, and without its optional peers. */
const user = join(folder, 'user');
const installed = join(user, 'node_modules/a2a-tck');
beforeAll(async () => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: 1 << 26 });
  [packed] = JSON.parse(stdout) as [Packed];
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components', '1']);
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(user, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
}, 60_000);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
async function started(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const main = join(installed, manifest.bin['a2a-tck'] ?? '');
  const options = { cwd: user, env: { ...process.env, ...env }, maxBuffer: 1 << 26 };
  try {
    const { stdout, stderr } = await run(process.execPath, [main, ...words], options);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as {
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    };
    return { code, out: stdout, err: stderr };
  }
}

const paths = () => packed.files.map(({ path }) => path);

test('there is what runs, what it reads, what explains it, and nothing else', () => {
  const wanted = [
    /^(package\.json|README\.md|SKILL\.md|LICENSE)$/,
    /^docs\/[\w.-]+\.md$/,
    // Programs for users, that docs/clients.md names.
    /^docs\/clients\/[\w./-]+\.(mjs|py|go|mod|sum|rs|toml|lock|java|xml)$/,
    /^dist\/bundle\/[\w-]+\.(js|d\.ts)$/,
    // What each check was seen to catch.
    /^dist\/proof\/kills\.json$/,
    /^dist\/schemas\/.+\.(json|yaml)$/,
    /^dist\/schemas\/compiled\/[\w./-]+\.cjs$/,
  ];
  expect(paths().filter((path) => !wanted.some((item) => item.test(path)))).toEqual([]);
  expect(paths().filter((path) => /\.test\.|\.cases\.|\/scratch\/|node_modules/.test(path))).toEqual([]);
  for (const path of [
    'dist/schemas/kit/report.schema.json',
    'dist/schemas/requirements/a2a-1.0.json',
    'docs/README.md',
    'SKILL.md',
  ])
    expect(paths()).toContain(path);
});

test('it is a few files, and no large download', () => {
  expect(packed.files.length).toBeLessThan(400);
  // One for each door with types, and one for what they share.
  const doors = Object.values(manifest.exports).filter((item) => typeof item === 'object' && 'types' in item);
  expect(paths().filter((path) => path.endsWith('.d.ts')).length).toBe(doors.length + 1);
  expect(packed.size).toBeLessThan(1_850_000);
});

test('installing it runs nothing, and asks for no optional peer', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(atInstall.filter((name) => name in manifest.scripts)).toEqual([]);
  const peers = Object.keys(manifest.peerDependencies);
  expect(peers.filter((name) => manifest.peerDependenciesMeta[name]?.optional !== true)).toEqual([]);
  expect(peers.filter((name) => name in manifest.dependencies)).toEqual([]);
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
  const files = Object.values(manifest.exports).flatMap((item) =>
    typeof item === 'string' ? [item] : Object.values(item),
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
  const named = [...Object.keys(all), ...Object.keys(manifest.peerDependencies)];
  expect(named.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

test('no file names a place of the machine that made it', () => {
  const texts = paths().filter((path) => /\.(js|json|yaml|md|ts)$/.test(path));
  const leaking = texts.filter((path) => readFileSync(join(root, path), 'utf8').includes(root));
  expect(leaking).toEqual([]);
});

/** The files that a start loads, in a process that writes down each. */
async function loadedBy(words: readonly string[]): Promise<readonly string[]> {
  const list = join(folder, `loaded-${words.join('')}`);
  const hook = `import { appendFileSync } from 'node:fs';
    export async function load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n');
      return next(url, context);
    }`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
  const args = [`--import=data:text/javascript,${encodeURIComponent(register)}`, join(installed, 'dist/bundle/cli.js')];
  await run(process.execPath, [...args, ...words], { cwd: user });
  return readFileSync(list, 'utf8').trim().split('\n');
}

test.each(['--version', '--help'])('%s loads nothing that it does not need', async (word) => {
  const loaded = await loadedBy([word]);
  const own = loaded.filter((url) => url.includes('/a2a-tck/dist/bundle/'));
  expect(own.length).toBeGreaterThan(0);
  const bytes = own.reduce((sum, url) => sum + readFileSync(new URL(url)).length, 0);
  expect(bytes).toBeLessThan(80_000);
  const others = loaded.filter((url) => !own.includes(url));
  const commander = pathToFileURL(join(root, 'node_modules/commander/')).href;
  expect(others.filter((url) => !url.startsWith(commander))).toEqual([]);
});

test('what was unpacked knows its version', async () => {
  expect(await started(['--version'])).toMatchObject({ code: 0, out: `${manifest.version}\n` });
});

test('it judges its own agent in a thread of its own, and writes reports in another', {
  timeout: 120_000,
}, async () => {
  const words = ['--profile', 'a2a-1.0', '--seed', '1', '--suite', 'card', '--report', 'html=page.html', '--json'];
  const { code, out } = await started(['demo', ...words]);
  expect(code).toBe(0);
  const { kit, checks } = JSON.parse(out) as { readonly kit: object; readonly checks: readonly object[] };
  expect(kit).toEqual({ name: 'a2a-tck', version: manifest.version });
  expect(checks.length).toBeGreaterThan(20);
  expect(readFileSync(join(user, 'page.html'), 'utf8')).toContain('</html>');
});

test('a fault of its agent is found, and explained', { timeout: 120_000 }, async () => {
  const check = 'task/cancel-terminal-refused';
  const words = ['--profile', 'a2a-0.3', '--fault', 'cancel-accepts-terminal', '--check', check, '--fuzz-runs', '0'];
  const { code, out } = await started(['demo', ...words]);
  expect(code).toBe(1);
  expect(out).toContain(check);
  expect(await started(['explain', check])).toMatchObject({ code: 0, out: expect.stringContaining(check) as string });
});

test.each([
  [['list', 'requirements', '--json'], /A2A10-GET-020/],
  [['list', 'faults', '--json'], /cancel-accepts-terminal/],
])('the data of %s is there', async (words, wanted) => {
  const { code, out } = await started(words);
  expect(code).toBe(0);
  expect(out).toMatch(wanted);
});

test('--xpr-rpc without @proton/js says how to install it', { timeout: 60_000 }, async () => {
  const words = ['--url', 'http://127.0.0.1:9', '--xpr-account', 'alice', '--xpr-rpc', 'http://127.0.0.1:9'];
  const key = { A2A_TCK_XPR_KEY: '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3' };
  const { code, err } = await started(words, key);
  expect(err).toContain('--xpr-rpc needs the package @proton/js, which is not installed');
  const major = /\d+/.exec(manifest.peerDependencies['@proton/js'] ?? '')?.[0] ?? '';
  expect(err).toContain(`npm install @proton/js@${major} `);
  expect(code).toBe(2);
});

test('mcp without the SDK of MCP says how to install it', { timeout: 60_000 }, async () => {
  const { code, out, err } = await started(['mcp']);
  expect(err).toContain('mcp needs the package @modelcontextprotocol/sdk, which is not installed');
  // The version that is tested, there and in the guide.
  const tested = `@modelcontextprotocol/sdk@${manifest.devDependencies['@modelcontextprotocol/sdk']}`;
  expect(err).toContain(`npm install ${tested} `);
  const named = readFileSync(join(root, 'docs/mcp.md'), 'utf8').match(/@modelcontextprotocol\/sdk@[\w.]+/g) ?? [];
  expect([...new Set(named)]).toEqual([tested]);
  expect([code, out]).toEqual([2, '']);
});

const program = `import { fuzzAgainst, jsonReport, type Report, run, runAgainst, type TargetOptions, TckError } from 'a2a-tck';
import { accepted, asking, check, conforms, definePack, extending, membersNamed, onTask, source, together } from 'a2a-tck/pack';
import { conformance, type ConformanceOptions } from 'a2a-tck/vitest';
const options: TargetOptions = { url: 'http://localhost:4000', suites: ['card'] };
export const report: Report = await runAgainst(options);
export const passed: boolean = report.gate.passed;
for await (const event of run(options)) if (event.type === 'run.ended') jsonReport(event.report);
export const fuzzed: Promise<Report> = fuzzAgainst({ url: options.url, fuzz: { runs: 1 } });
export const failed = (error: unknown): string => (error instanceof TckError ? error.code : '');
const declared: ConformanceOptions = { name: 'agent', url: options.url };
conformance(declared);
const uri = 'https://shop.example/v1';
const order = source('an order', (scene) => scene.client.call('send', { message: scene.say() }, asking(scene, uri)));
export default definePack({
  name: 'shop',
  version: '1.0.0',
  api: 1,
  extension: uri,
  options: { currency: { about: 'the currency', usual: 'EUR' } },
  rows: [{ id: 'SHOP-1', key: 'shop.taken', level: 'MUST', section: '1', statement: 'a', observe: 'b' }],
  rules: ({ option }) => [
    check('shop/taken', 'shop.taken')
      .given('order', order)
      .when('the client orders', async (scene) => scene.order)
      .expects('take it in ' + option('currency'), accepted)
      .advice('Take it.'),
    conforms('shop/price', 'shop.taken', 'be a number', {
      schema: { type: 'number' },
      at: ({ value }) => membersNamed(value, 'price'),
      otherwise: 'no price came',
      advice: 'Write a number.',
    }),
  ],
  agent: extending(uri, together()),
  faults: [{ id: 'shop-closed', about: 'It takes none.', breaks: ['shop.taken'], patch: onTask((task) => ({ ...task, id: 1 })) }],
});
`;
test.each([
  ['typescript', '7'],
  ['typescript-5', '5.9'],
])('a program compiles with %s %s, whose libraries are checked too', { timeout: 120_000 }, async (name, version) => {
  const compiler = join(root, 'node_modules', name);
  const { version: exact } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as Manifest;
  expect(exact.startsWith(`${version}.`), exact).toBe(true);
  const own = join(user, name);
  mkdirSync(own);
  writeFileSync(join(own, 'program.ts'), program);
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
  const settings = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [] };
  const compilerOptions = { ...settings, module: 'NodeNext', target: 'ES2023', lib: ['ES2023'] };
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const { stdout } = await run(process.execPath, [join(compiler, 'bin/tsc'), '-p', own]).catch(
    (error: unknown) => error as { readonly stdout: string },
  );
  expect(stdout).toBe('');
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
