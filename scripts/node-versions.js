// Installs the packed tarball in an empty folder under each supported version of Node and runs it on the reference
// agent: that of `demo`, and one that listens in a process of its own. `npm run build` first; needs the npm registry.
//   node scripts/node-versions.js [20 22 24 26] [--npx]
// With --npx also measures the time of a first start from an empty cache and of a warm one.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bin = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).bin['a2a-tck'];
const args = process.argv.slice(2);
const asked = args.filter((arg) => /^\d+$/.test(arg));
const versions = asked.length > 0 ? asked : ['20', '22', '24', '26'];
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-node-'));
const quiet = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 };
const npm = (cwd, ...words) =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], { cwd, ...quiet });

/** The exit code and what was printed; a failing run is a result too. */
function run(node, cwd, words) {
  try {
    return { code: 0, out: execFileSync(node, words, { cwd, ...quiet }) };
  } catch (error) {
    return { code: error.status, out: `${error.stdout}${error.stderr}` };
  }
}

function verdict({ code, out }) {
  try {
    const { gate, checks, run: facts } = JSON.parse(out);
    const failed = checks
      .filter((check) => check.verdict === 'fail' || check.verdict === 'error')
      .map((check) => check.id);
    const fine = code === 0 && gate.passed && checks.length > 100 && failed.length === 0;
    return { fine, about: `${checks.length} checks, ${facts.requests} requests, ${failed.join(' ') || 'none failed'}` };
  } catch {
    return { fine: false, about: `exit ${code}: ${out.slice(-400)}` };
  }
}

async function served(node, main, cwd) {
  const agent = spawn(node, [main, 'serve', '--profile', 'a2a-1.0'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface(agent.stdout), 'line');
  try {
    return run(node, cwd, [main, '--url', url, '--json', '--seed', '1']);
  } finally {
    agent.kill();
    await once(agent, 'exit');
  }
}

/** Milliseconds of one start by npx in an empty folder. */
function npx(tarball, cache) {
  const cwd = mkdtempSync(join(folder, 'npx-'));
  const started = performance.now();
  execFileSync('npx', ['--yes', '--cache', cache, '--package', tarball, 'a2a-tck', '--version'], { cwd, ...quiet });
  return Math.round(performance.now() - started);
}

let failures = 0;
try {
  const [packed] = JSON.parse(npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder));
  const tarball = join(folder, packed.filename);
  console.log(`${packed.filename}: ${packed.entryCount} files, ${packed.size} bytes, unpacked ${packed.unpackedSize}`);
  for (const version of versions) {
    const cwd = join(folder, version);
    mkdirSync(cwd);
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }\n');
    npm(cwd, 'install', '--omit=dev', tarball);
    npm(cwd, 'install', '--no-save', '--prefix', join(cwd, 'runtime'), `node@${version}`);
    const node = join(cwd, 'runtime/node_modules/.bin/node');
    const main = join(cwd, 'node_modules/a2a-tck', bin);
    const exact = run(node, cwd, ['--version']).out.trim();
    const results = {
      demo: verdict(run(node, cwd, [main, 'demo', '--json', '--seed', '1'])),
      'serve, --url': verdict(await served(node, main, cwd)),
    };
    for (const [name, { fine, about }] of Object.entries(results)) {
      if (!fine) failures++;
      console.log(`${fine ? 'ok    ' : 'FAILED'} Node ${exact} ${name}: ${about}`);
    }
  }
  if (args.includes('--npx')) {
    const cache = join(folder, 'cache');
    console.log(`npx from an empty cache: ${npx(tarball, cache)} ms`);
    console.log(`npx again: ${npx(tarball, cache)} ms`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
