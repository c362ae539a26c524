// Builds the Python package: the tarball of the kit with its dependencies, and the Python code around it (packaging/python).
//   node scripts/wheel.js [--out <folder>] [<tarball>]
// Without a tarball it packs the kit that the last build made. Needs npm, and python3 with pip; prints the name of its file.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
const out = resolve(values.out ?? '.');
const stage = mkdtempSync(join(tmpdir(), 'a2a-tck-wheel-'));
const run = (program, words, cwd) =>
  execFileSync(program, words, { cwd, encoding: 'utf8', maxBuffer: 1 << 26, stdio: ['ignore', 'pipe', 'inherit'] });

function packed() {
  if (!existsSync(join(root, 'dist/bundle/cli.js'))) throw new Error('npm run build comes first');
  const said = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', stage], root);
  return join(stage, JSON.parse(said)[0].filename);
}

try {
  const tarball = positionals[0] === undefined ? packed() : resolve(positionals[0]);
  const source = join(stage, 'python');
  cpSync(join(root, 'packaging/python'), source, { recursive: true, filter: (from) => !from.includes('__pycache__') });
  const kit = join(source, 'a2a_tck/kit');
  mkdirSync(kit);
  // What npx installs: no optional part, no script of a package.
  const only = ['--omit=dev', '--omit=peer', '--omit=optional', '--ignore-scripts', '--no-bin-links', '--no-save'];
  run('npm', ['install', ...only, '--no-audit', '--no-fund', '--no-package-lock', '--prefix', kit, tarball], kit);
  rmSync(join(kit, 'node_modules/.package-lock.json'), { force: true });
  const wheels = join(stage, 'wheels');
  run('python3', ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', wheels, source], stage);
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(wheels)) {
    cpSync(join(wheels, name), join(out, name));
    console.log(join(out, name));
  }
} finally {
  rmSync(stage, { recursive: true, force: true });
}
