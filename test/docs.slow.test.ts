import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surroundings, tillFor } from '../packs/index.js';
import { cast, serve } from '../src/cli/reference-agent.js';
import { dialectById } from '../src/dialect/index.js';
import type { Served } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';
import { certificate } from './certificates.js';
import { startChild } from './child.js';
import { placedAgent } from './networks.js';
import { client, demanding, flowsOf, startOAuthServer } from './oauth-server.js';
import { installedInto } from './packed.js';

// Every command in the README and the guides is run as a reader runs it: by the packed kit, in a folder that has nothing
// else. Reference agents stand in the place of the addresses that the commands name, and runs have a budget, since it is
// the command that is tested here and not the agent.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
);

/** Run elsewhere, with the same words. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm (ci|test|run|install|init)\b/, 'CI runs them'],
  [
    /^npx a2a-tck(@\S+)? prove\b/,
    'npm test compares the matrix with the stored one, package.slow.test.ts proves a pack',
  ],
  [
    /^npx a2a-tck(@\S+)? client --(command|serve)\b/,
    'a client of one’s own; sdk-clients.slow.test.ts runs those of the guide',
  ],
  [/--watch/, 'it waits for changes: edit-loop.test.ts'],
  [/^node scripts\//, 'they run when they are to write something anew'],
  [/^export /, 'keys of one’s own'],
  [/^(docker|kubectl|git|curl|openssl) /, 'other programs'],
];

/** Commands as they stand in indented blocks and in blocks of a shell, with their continuation lines. */
function commandsIn(text: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const opens = /^ *```(\w*)/.exec(line);
    if (opens !== null) fence = fence === undefined ? opens[1] : undefined;
    else if (fence === 'sh' || fence === 'bash') lines.push(line);
    else if (fence === undefined) lines.push(/^ {4,}(\S.*)$/.exec(line)?.[1] ?? '');
  }
  const joined = lines.join('\n').replaceAll(/\\\n\s*/g, ' ');
  return (
    joined
      .split('\n')
      .map((line) => line.trim().replace(/^\$ /, ''))
      // A report begins with the version of the kit.
      .filter((line) => /^(npx |a2a-tck (?!\d)|npm |node |export |docker |kubectl |git |curl |openssl )/.test(line))
  );
}

/** Words as a shell would make them; comments are left out. */
function wordsOf(command: string, variables: Readonly<Record<string, string>>): readonly string[] {
  const words: string[] = [];
  const pattern = /'([^']*)'|"([^"]*)"|(\S+)/g;
  for (const [, single, double, bare] of command.replace(/\s+#\s.*$/, '').matchAll(pattern)) {
    const filled = (text: string) => text.replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => variables[name] ?? '');
    words.push(single ?? filled(double ?? bare ?? ''));
  }
  return words;
}

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-docs-'));
const place = join(folder, 'kit');
mkdirSync(place);
const served: Served[] = [];
const stops: (() => void)[] = [];
const closers: (() => Promise<void>)[] = [];
const urls: Record<string, string> = {};
let main = '';

async function put(name: string, profile: string, charges = false): Promise<void> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  const around = await surroundings(dialect, realClock);
  // No caller is verified: the pages show what strangers see.
  const alone = around && { part: around.alone, alone: around.alone };
  const till = charges ? await tillFor(dialect, realClock) : undefined;
  const agent = cast(dialect, {}, { till, around: alone });
  const item = await serve(agent.resident, {});
  served.push(item);
  stops.push(agent.stop);
  urls[name] = item.url;
}

beforeAll(async () => {
  ({ main } = await installedInto(place));
  await put('plain', 'a2a-0.3');
  await put('grpc', 'a2a-1.0-grpc');
  await put('xpr', 'xpr');
  await put('x402', 'a2a-0.3', true);
  const server = await startOAuthServer();
  const patches = demanding(flowsOf(server, 'clientCredentials'), [], (token) => server.issued.includes(token));
  const agent = await placedAgent({ name: '127.0.0.1', patches });
  urls['oauth'] = agent.url;
  urls['login'] = new URL(server.issuer).origin;
  closers.push(agent.stop, server.stop);
}, 180_000);
afterAll(async () => {
  for (const stop of stops) stop();
  await Promise.all([...served.map((item) => item.close()), ...closers.map((close) => close())]);
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** It serves until it is ended. */
const isServing = (words: readonly string[]): boolean => words[0] === 'serve' || words[0] === 'stub';

const isRun = (words: readonly string[]): boolean =>
  words[0] !== 'init' &&
  words[0] !== 'call' &&
  (words.includes('--url') || words.includes('--config') || words[0] === 'demo' || words[0] === 'fuzz');

/** The words that run here: other addresses, other keys, a budget, nothing that waits. */
function adapted(words: readonly string[]): readonly string[] {
  const kind = words.some((word) => word.includes('x402'))
    ? 'x402'
    : words.some((word) => /xpr/.test(word))
      ? 'xpr'
      : words.includes('--oauth-client-id-env')
        ? 'oauth'
        : 'plain';
  const away = new Set(['--xpr-rpc', '--xpr-stub', '--x402-stub', '--restart-command']);
  const kept = words.filter((word, at) => !away.has(word) && !away.has(words[at - 1] ?? ''));
  const here = kept.map((word) =>
    word
      .replace('https://login.example', urls['login'] ?? '')
      .replace('20/m', '20/s')
      .replace('grpc://localhost:50051', (urls['grpc'] ?? '').replace(/^http/, 'grpc'))
      .replace(/^https?:\/\/(localhost:4000|127\.0\.0\.1:4101|agent\.example\S*)$/, urls[kind] ?? ''),
  );
  if (isServing(words))
    return [...here.filter((word, at) => word !== '--port' && here[at - 1] !== '--port'), '--port', '0'];
  if (!isRun(words)) return here;
  // A baseline is written of a whole run.
  const isWhole = words.includes('--budget') || words.includes('--update-baseline');
  const limits = isWhole ? [] : ['--budget', 'requests=15'];
  return [...here, ...limits, '--timeout', '2000'];
}

const secrets = {
  AGENT_URL: 'https://agent.example',
  AGENT_TOKEN: 'token-of-the-agent',
  OTHER_TOKEN: 'token-of-another',
  CLIENT_ID: client.id,
  CLIENT_SECRET: client.secret,
  A2A_TCK_XPR_KEY: '5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3',
};
/** Only where the command says how much may be spent. */
const wallet = { A2A_TCK_X402_KEY: `0x${'1'.repeat(64)}` };

describe.each(documents)('%s', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const commands = commandsIn(text).filter((command) => !elsewhere.some(([pattern]) => pattern.test(command)));
  const cwd = mkdtempSync(join(place, 'doc-'));
  const kit = certificate({ name: 'kit' });
  writeFileSync(join(cwd, 'corp-ca.pem'), certificate({ name: 'Corp CA', isAuthority: true }).cert);
  writeFileSync(join(cwd, 'kit.pem'), kit.cert);
  writeFileSync(join(cwd, 'kit.key'), kit.keyText);
  const signer = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(cwd, 'signer.pem'), signer.publicKey.export({ type: 'spki', format: 'pem' }));
  // Files that the document shows under their names.
  for (const [, file = '', body = ''] of text.matchAll(
    /```(?:yaml|json)\n(?:# )([\w./-]+\.(?:yaml|json))[^\n]*\n([\s\S]*?)```/g,
  )) {
    if (!file.includes('/')) writeFileSync(join(cwd, file), body.replaceAll('http://localhost:4000', '$PLAIN'));
  }

  for (const [, file = '', body = ''] of text.matchAll(/^Write this into `(\w+\.js)`[\s\S]*?```js\n([\s\S]*?)```/gm)) {
    writeFileSync(join(cwd, file), body);
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
  }

  test.skipIf(commands.length === 0)('its commands work', { timeout: 120_000 }, async () => {
    for (const file of readdirSync(cwd)) {
      const path = join(cwd, file);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('$PLAIN', urls['plain'] ?? ''));
    }
    const card = await (await fetch(`${urls['plain']}/.well-known/agent-card.json`)).text();
    mkdirSync(join(cwd, 'cards'));
    for (const file of ['agent-card.json', 'cards/agent-card.json']) writeFileSync(join(cwd, file), card);
    for (const command of commands) {
      const words = adapted(wordsOf(command.replace(/^npx /, '').replace(/^a2a-tck(@\S+)? ?/, ''), secrets));
      const env = words.includes('--x402-max-amount') ? { ...secrets, ...wallet } : secrets;
      const child = startChild(words, env, cwd, main);
      if (isServing(words)) child.stdout?.once('data', () => child.kill('SIGINT'));
      const { code, out, err } = await child.ended;
      expect([0, 1, 4], `${command}\n${words.join(' ')}\n${out}\n${err}`).toContain(code);
    }
  });
});

test('there are commands to run, and documents without any are few', () => {
  const counts = documents.map((name) => commandsIn(readFileSync(join(root, name), 'utf8')).length);
  expect(counts.reduce((sum, value) => sum + value, 0)).toBeGreaterThan(40);
});
