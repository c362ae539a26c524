import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Peer } from './peers/express-server.js';
import { startStreamingReference } from './peers/streaming-reference.js';

// What a process of the command loads: a run pays only for what its binding needs.

const main = join(import.meta.dirname, '../dist/src/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-modules-'));

/** Writes the address of every module that any thread of the process loads to the file that MODULE_LIST names. */
const hooks = `
import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  appendFileSync(process.env.MODULE_LIST, url + '\\n');
  return next(url, context);
}`;
const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
/** Hooks of Node 20 see no module of CommonJS that another one requires: those are in the cache at the end. */
const listing = asUrl(`
import { appendFileSync } from 'node:fs';
import { Module, register } from 'node:module';
register(${JSON.stringify(asUrl(hooks))});
process.on('exit', () => appendFileSync(process.env.MODULE_LIST, Object.keys(Module._cache).join('\\n') + '\\n'));`);

let lists = 0;
/** The modules that a command loads, by their paths from the folder of the package on. */
async function loadedBy(...args: readonly string[]): Promise<readonly string[]> {
  const list = join(folder, `${++lists}.txt`);
  const child = spawn(process.execPath, ['--import', listing, main, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], MODULE_LIST: list },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code, err.slice(-2000)).toBe(0);
  const urls = readFileSync(list, 'utf8').trim().split('\n');
  return [...new Set(urls.map((url) => url.replace(/^.*?\/(?=dist\/|node_modules\/)/, '')))];
}

/** Only agents of the profile of a pack need it: its keys, its checks, and the library of its chain. */
const ofPacks = /^node_modules\/@proton\/|^dist\/packs\/[^/]+\/(?!options\/)/;

/** Only calls over gRPC need them: the messages with the library below them, and the connections of HTTP/2. */
const ofGrpc =
  /^node_modules\/@bufbuild\/|^dist\/src\/grpc\/(?:codec|registry|status)\.js$|^dist\/src\/(?:wire\/carriers|reference)\/http2-/;

const agents: Peer[] = [];
async function urlOf(profile: string): Promise<string> {
  const agent = await startStreamingReference(profile);
  agents.push(agent);
  return agent.url;
}
let jsonrpc = '';
let rest = '';
let grpc = '';
beforeAll(async () => {
  [jsonrpc, rest, grpc] = await Promise.all([urlOf('a2a-1.0'), urlOf('a2a-1.0-rest'), urlOf('a2a-1.0-grpc')]);
}, 30_000);
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  rmSync(folder, { recursive: true, force: true });
});

const send = ['send', '--text', 'hi'];

// How long that takes depends on the machine: `npm run bench` holds it against a bare node. What it takes is known here.
test('help starts fast: it loads the command line, the table of options and the package that reads them, nothing else', async () => {
  const loaded = (await loadedBy('--help')).filter((text) => /^(?:dist|node_modules)\//.test(text));
  expect(loaded).toContain('dist/src/cli/main.js');
  const light =
    /^node_modules\/commander\/|^dist\/src\/cli\/[^/]+$|^dist\/packs\/(?:options|[^/]+\/options\/rows)\.js$|^dist\/src\/(?:options\/(?!made|page|schemas|steering|action)[^/]+|options\/shared\/option|endpoint\/identity|model\/(?:tck-error|binding-id))\.js$/;
  expect(loaded.filter((text) => !light.test(text))).toEqual([]);
  expect(new Set(loaded.map((text) => text.replace(/^(node_modules\/[^/]+\/).*/, '$1'))).size).toBeLessThan(16);
});

test('a run over JSON-RPC loads nothing that only gRPC needs', { timeout: 120_000 }, async () => {
  const loaded = await loadedBy('--url', jsonrpc, '--suite', 'task', '--seed', '1');
  expect(loaded).toContain('dist/src/wire/carriers/http-carrier.js');
  expect(loaded.filter((text) => ofGrpc.test(text))).toEqual([]);
});

test('a run without a choice of checks loads no pack that ships with the kit', { timeout: 120_000 }, async () => {
  const loaded = await loadedBy('--url', jsonrpc, '--dry-run');
  expect(loaded).toContain('dist/suites/kit.js');
  expect(loaded.filter((path) => ofPacks.test(path))).toEqual([]);
});

test('a run over HTTP+JSON loads nothing that only gRPC needs', { timeout: 120_000 }, async () => {
  const loaded = await loadedBy('--url', rest, '--suite', 'task', '--seed', '1');
  expect(loaded).toContain('dist/src/wire/carriers/http-carrier.js');
  expect(loaded.filter((text) => ofGrpc.test(text))).toEqual([]);
});

test('a call over JSON-RPC loads nothing of it, a call over gRPC all of it', { timeout: 60_000 }, async () => {
  expect((await loadedBy('call', ...send, '--url', jsonrpc)).filter((text) => ofGrpc.test(text))).toEqual([]);
  expect(await loadedBy('call', ...send, '--url', grpc)).toEqual(
    expect.arrayContaining([
      'dist/src/grpc/codec.js',
      'dist/src/grpc/registry.js',
      'dist/src/grpc/status.js',
      'dist/src/wire/carriers/http2-carrier.js',
      expect.stringMatching(/^node_modules\/@bufbuild\/protobuf\//),
    ]),
  );
});
