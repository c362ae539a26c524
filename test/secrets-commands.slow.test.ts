import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { reporters } from '../reporters/index.js';
import { disguises } from './disguises.js';
import { readings } from './readings.js';
import { commandLine } from './terminal.js';

// No command writes a credential anywhere, on an agent that shows what it got to all callers.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-commands-'));
const at = (...names: readonly string[]): string => join(folder, ...names);

const secrets = {
  BEARER: 'Sesame-Bearer/0001+aBcD',
  KEY: 'Sesame-Key "0002" %41\\n',
  COOKIE: 'Sesame-Cookie-0003',
  QUERY: 'Sesame Query&0004=<b>',
  SECOND: 'Sesame-Second-0005',
  IN_URL: 'Sesame-In-The-URL-0006',
  PASSWORD: 'Sesame-Password:0007',
};
const basic = Buffer.from(`alice:${secrets.PASSWORD}`).toString('base64');

const swapped = (text: string): string =>
  [...text].map((text) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())).join('');
const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  swapped,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text.toUpperCase())),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`alice:${text}`).toString('base64url'),
  (text) => Buffer.from(text).toString('hex').toUpperCase(),
  (text) => [...text].map((text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (text) => JSON.stringify(JSON.stringify(text)),
  ...disguises,
];

/** What a reader sees in a text who takes each of the disguises off. */
const undisguised = (text: string): readonly string[] => [
  text,
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  text.replace(/(?:\b\d{2,3}\b\D{1,12}){6,}\d{2,3}/g, (list) =>
    String.fromCharCode(...(list.match(/\d+/g) ?? []).map(Number)),
  ),
  text.replace(/\s|\\+[rn]/g, ''),
];

/** Its beginning and its end, as a text or in base64 at any place, and in hex; small letters. */
const pieces = Object.values(secrets).flatMap((secret) => [
  ...[secret.slice(0, 9), secret.slice(-9)].flatMap((piece) => [
    piece.replaceAll('\\', ''),
    Buffer.from(piece).toString('hex'),
  ]),
  ...[0, 1, 2].map((shift) =>
    Buffer.from('x'.repeat(shift) + secret)
      .toString('base64')
      .slice(4, 20),
  ),
]);
const leaksIn = (text: string): readonly string[] =>
  undisguised(text)
    .flatMap(readings)
    .flatMap((reading) =>
      pieces.flatMap((piece) => {
        const place = reading.toLowerCase().indexOf(piece.toLowerCase());
        return place < 0 ? [] : [reading.slice(Math.max(0, place - 60), place + 60)];
      }),
    );

/** What the agent got. */
function toldBy(request: IncomingMessage): readonly string[] {
  const { authorization = '', cookie = '', 'x-api-key': key = '' } = request.headers;
  const { searchParams } = new URL(request.url ?? '/', 'http://agent.test');
  return [
    authorization.replace(/^Bearer /, ''),
    Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString()
      .replace(/^alice:/, ''),
    String(key),
    cookie.replace('sid=', ''),
    ...searchParams.values(),
  ].filter((text) => Object.values(secrets).includes(text));
}
/** One of it, in another spelling each time. */
let echoed = 0;
function echoOf(request: IncomingMessage): string {
  const texts = toldBy(request);
  const spell = encodings[echoed % encodings.length];
  // Excerpts of it end anywhere.
  const before = 'a word '.repeat(echoed % 31);
  const secret = texts[echoed++ % Math.max(1, texts.length)];
  return secret === undefined || spell === undefined ? '' : `${before}${spell(secret)}${' and on'.repeat(60)}`;
}

const cardWith = (echo: string, url: string): unknown => ({
  protocolVersion: '0.3.0',
  name: `Echo ${echo}`,
  description: echo,
  version: echo,
  url,
  preferredTransport: 'JSONRPC',
  provider: { organization: echo, url: `http://agent.test/?token=${echo}` },
  skills: [{ id: echo.slice(0, 300), name: echo, description: echo, tags: [echo], examples: [echo] }],
  capabilities: { streaming: true, extensions: [{ uri: `https://agent.test/${echo}` }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: [echo],
});
const taskWith = (echo: string): unknown => ({
  kind: 'task',
  id: echo.slice(-300),
  contextId: echo,
  status: { state: 'completed', message: { kind: 'message', role: 'agent', messageId: echo, parts: [] } },
  artifacts: [{ artifactId: echo, name: echo, parts: [{ kind: 'text', text: echo }] }],
  metadata: { [echo]: echo },
});

function answer(request: IncomingMessage, body: string, response: ServerResponse): void {
  const echo = echoOf(request);
  const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  response.setHeader('x-echo', encodeURIComponent(echo));
  response.setHeader('set-cookie', `echo=${encodeURIComponent(echo)}`);
  // The same each time: parts of one run are of one agent.
  if (request.method === 'GET')
    return void json(cardWith(toldBy(request).join(' '), `http://${request.headers.host}/`));
  const id: unknown = /"id":("[^"\\]*"|\d+)/.exec(body)?.[1]?.replaceAll('"', '') ?? null;
  const rpc = (rest: object) => json({ jsonrpc: '2.0', id, ...rest });
  const method = /"method":"([^"]*)"/.exec(body)?.[1];
  if (method === 'message/send') return void rpc({ result: taskWith(echo) });
  if (method === 'message/stream') {
    const event = JSON.stringify({ jsonrpc: '2.0', id, result: taskWith(echo) });
    response.setHeader('content-type', 'text/event-stream').end(`event: ${encodeURI(echo)}\ndata: ${event}\n\n`);
    return;
  }
  if (method === 'tasks/cancel') {
    const page = `<pre>TypeError: ${echo}\n    at run (/srv/agent/src/index.js:1:2)</pre>`;
    response.writeHead(500, { 'content-type': 'text/html' }).end(page);
    return;
  }
  rpc({ error: { code: -32001, message: `Task not found: ${echo}`, data: [{ '@type': echo, [echo]: echo }] } });
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  request.on('end', () => answer(request, body, response));
});
/** Not an agent, but it says what it got all the same. */
const site = createServer((request, response) => {
  response.writeHead(404, { 'content-type': 'text/html' }).end(`<h1>${echoOf(request)}</h1>`);
});
const urlOf = (item: typeof server): string => `http://127.0.0.1:${(item.address() as AddressInfo).port}`;
let url = '';
beforeAll(async () => {
  await Promise.all([server, site].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  url = urlOf(server);
});
afterAll(() => {
  for (const item of [server, site]) item.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

async function command(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const { code, out, err } = await commandLine(args, { ...secrets, A2A_TCK_DEBUG: '1' });
  return { code, said: out + err };
}

/** All files below a folder. */
const filesIn = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
function expectSilence(said: string, ...paths: readonly string[]): void {
  expect(leaksIn(said)).toEqual([]);
  for (const file of paths.flatMap((path) => (statSync(path).isDirectory() ? filesIn(path) : [path]))) {
    expect({ file, leaks: leaksIn(file + readFileSync(file, 'utf8')) }).toEqual({ file, leaks: [] });
  }
}

/** Every way to give a credential. `config`: some stand in a file. */
const config = at('given.yaml');
const given = ['--config', config, '--bearer-env', 'BEARER', '--second-bearer-env', 'SECOND', '--timeout', '1000'];
writeFileSync(
  config,
  stringify({ header: [`X-Api-Key: ${secrets.KEY}`, `Cookie: sid=${secrets.COOKIE}`], 'query-env': ['q=QUERY'] }),
);
const reports = (name: string, formats = reporters): readonly string[] =>
  formats.flatMap(({ id }) => ['--report', `${id}=${at(name, `report.${id}`)}`]).concat('--report', 'console');
const target = (): readonly string[] => ['--url', `${url}/?api_key=${secrets.IN_URL}`, ...given];

test('the echo comes in every spelling, so that silence says something', () => {
  for (const [name, secret] of Object.entries(secrets))
    for (const [place, spell] of encodings.entries())
      expect({ name, place, heard: leaksIn(`x ${spell(secret)}`).length > 0 }).toEqual({ name, place, heard: true });
});

const shown = /\[secret-\d|\[hidden\]/;

test('fuzz: what it says, finds, keeps, runs again and promotes', { timeout: 60_000 }, async () => {
  const out = (name: string): readonly string[] => ['--out', at('fuzz', name)];
  mkdirSync(at('fuzz', 'corpus'), { recursive: true });
  const limits = ['--seed', '1', '--runs', '20', '--confirm', '1', '--budget', 'requests=300', '--verbose'];
  const kept = ['--corpus', at('fuzz', 'corpus')];
  const ran = await command('fuzz', ...target(), ...limits, ...kept, ...out('found'), ...reports('fuzz'));
  expect({ code: ran.code, shown: shown.test(ran.said) }).toEqual({ code: 1, shown: true });
  const [found = ''] = readdirSync(at('fuzz', 'found')).filter((name) => name.endsWith('.json'));
  expect(filesIn(at('fuzz', 'corpus')).some((file) => shown.test(readFileSync(file, 'utf8')))).toBe(true);
  const again = await command('fuzz', ...target(), '--replay', at('fuzz', 'found', found), ...out('again'));
  const promoted = await command('promote', at('fuzz', 'found', found), '--as', 'one', '--into', at('fuzz', 'kept'));
  expect(promoted.code).toBe(0);
  expectSilence(ran.said + again.said + promoted.said, at('fuzz'));
});

describe('stored runs', () => {
  const part = (index: number, name = `part-${index}`): readonly string[] => [
    ...[...target(), '--second-header', `Authorization: Basic ${basic}`, '--suite', 'auth,card,rpc'],
    ...['--seed', '1', '--shard', `${index}/2`, '--report', `json=${at('stored', `${name}.json`)}`],
  ];
  const key = at('key');
  beforeAll(async () => {
    const parts = [await command(...part(1)), await command(...part(2))];
    expect(parts.map(({ code }) => code)).toEqual([1, 1]);
    const pair = await command('keygen', '--out', key);
    expect(pair.code).toBe(0);
    expect(pair.said).not.toContain(secretOf(key));
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expectSilence(parts.map(({ said }) => said).join(''), at('stored'));
  }, 60_000);
  /** The key itself, without what all keys begin with. */
  const secretOf = (file: string): string => readFileSync(file, 'utf8').split('\n')[1]?.slice(-43) ?? '';

  // Only a run makes a tape.
  const stored = reporters.filter(({ id }) => id !== 'tape');
  test.each<readonly [name: string, args: () => readonly string[]]>([
    ['report', () => ['report', at('stored', 'part-1.json'), '--verbose', ...reports('report', stored)]],
    ['merge', () => ['merge', ...[1, 2].map((n) => at('stored', `part-${n}.json`)), ...reports('merge', stored)]],
    ['diff', () => ['diff', ...[1, 2].map((n) => at('stored', `part-${n}.json`))]],
    ['diff --json', () => ['diff', ...[1, 2].map((n) => at('stored', `part-${n}.json`)), '--json']],
    ['attest', () => ['attest', at('merge', 'report.json'), '--key', key, '--out', at('signed.att')]],
    ['verify', () => ['verify', at('signed.att'), '--key', `${key}.pub`, '--json']],
    [
      'another card',
      () => ['verify', at('signed.att'), '--key', `${key}.pub`, '--card', `${url}/?token=${secrets.IN_URL}`],
    ],
    ['the wrong key', () => ['verify', at('signed.att'), '--key', key]],
    ['the key for the run', () => ['attest', key, '--key', key]],
    ['the key for the result', () => ['verify', key, '--key', `${key}.pub`]],
    ['the key for the card', () => ['verify', at('signed.att'), '--key', `${key}.pub`, '--card', key]],
  ])('%s', { timeout: 120_000 }, async (name, args) => {
    const { said } = await command(...args());
    expect(said.length > 20 || name === 'attest').toBe(true);
    const written = ['report', 'merge'].filter((text) => text === name).map((text) => at(text));
    expectSilence(said, ...written);
    for (const file of [...written.flatMap(filesIn), `${key}.pub`, at('signed.att')].filter((text) => existsSync(text)))
      expect(readFileSync(file, 'utf8')).not.toContain(secretOf(key));
    expect(said).not.toContain(secretOf(key));
    expect(said).not.toContain('-----BEGIN PRIV');
  });
});

test('fleet: the overview and the report of each agent, also of one that is none', { timeout: 60_000 }, async () => {
  const file = at('targets.yaml');
  const defaults = {
    header: [`X-Api-Key: ${secrets.KEY}`, `Cookie: sid=${secrets.COOKIE}`, `Authorization: Basic ${basic}`],
    'query-env': ['q=QUERY'],
    'second-bearer-env': 'SECOND',
    suite: ['card', 'auth'],
    timeout: 1000,
  };
  const targets = [
    { name: 'echo', url: `${url}/?api_key=${secrets.IN_URL}` },
    { name: 'nobody', url: `${urlOf(site)}/?token=${secrets.IN_URL}` },
    { name: 'away', url: `http://127.0.0.1:1/?token=${secrets.IN_URL}` },
  ];
  writeFileSync(file, stringify({ defaults, targets }));
  const { code, said } = await command('fleet', file, '--out', at('fleet'));
  expect(code).toBe(3);
  for (const sentence of ['is not an A2A agent', 'cannot be reached', 'of MUST shown'])
    expect(said).toContain(sentence);
  expectSilence(said, at('fleet'));
});

test.each<readonly [name: string, place: () => string, code: number]>([
  ['an agent', () => url, 0],
  ['a token in the URL', () => `${url}/?token=${secrets.IN_URL}`, 2],
  ['a site', () => urlOf(site), 3],
])('init: %s', async (name, place, code) => {
  const to = at('init', name);
  mkdirSync(to, { recursive: true });
  const ended = await command('init', '--url', place(), '--folder', to);
  expect(ended.code).toBe(code);
  expectSilence(ended.said, to);
});

test.each<readonly [name: string, args: readonly string[]]>([
  ['a user in the URL', ['--url', `http://alice:${secrets.PASSWORD}@localhost:1`]],
  ['a user in what is no URL', ['--url', `alice:${secrets.PASSWORD}@localhost`]],
  ['a user in the URL of init', ['init', '--url', `http://alice:${secrets.PASSWORD}@localhost:1`]],
  ['a user in the URL of fuzz', ['fuzz', '--url', `http://alice:${secrets.PASSWORD}@localhost:1`]],
  ['a header without quotes', ['--url', 'http://localhost:1', '--header', 'X-Api-Key:', secrets.KEY]],
  ['a header without a name', ['--url', 'http://localhost:1', '--header', secrets.COOKIE]],
  ['the token for its variable', ['--url', 'http://localhost:1', '--bearer-env', secrets.BEARER]],
  ['the value for its variable', ['--url', 'http://localhost:1', '--query-env', `q=${secrets.COOKIE}`]],
  ['an option that there is not', ['--url', 'http://localhost:1', `--bearer=${secrets.BEARER}`]],
  ['a file of secrets for a configuration', ['--config', at('secret.txt')]],
  ['a file of secrets for a baseline', ['--url', 'http://localhost:1', '--baseline', at('secret.txt')]],
  ['a file of secrets for targets', ['fleet', at('secret.txt'), '--out', at('none')]],
  ['a file of secrets for a case', ['fuzz', '--url', 'http://localhost:1', '--replay', at('secret.txt')]],
  ['a file of secrets for a run', ['report', at('secret.txt')]],
  ['a file of secrets for a finding', ['promote', at('secret.txt'), '--as', 'x']],
  ['an alias in a configuration', ['--config', at('alias.yaml')]],
])('wrong usage: %s', async (_, args) => {
  writeFileSync(at('secret.txt'), `"${secrets.COOKIE}\n${secrets.SECOND}\n`);
  writeFileSync(at('alias.yaml'), `header: *${secrets.COOKIE}\n`);
  const { code, said } = await command(...args);
  expect(code).toBe(2);
  expect(leaksIn(said)).toEqual([]);
});
