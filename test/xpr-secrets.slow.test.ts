import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { createChain, residentKey, residents, xprAgent } from '../packs/xpr/agent/index.js';
import { setting } from '../packs/xpr/agent/patches.js';
import { pvtText, wif } from '../packs/xpr/signing/index.js';
import { reporters } from '../reporters/index.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';
import { readings } from './readings.js';
import { commandLine } from './terminal.js';

// Neither a key nor a usable signature comes out of the kit, even when the agent shows them to all callers.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-xpr-secrets-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) server.close().closeAllConnections();
});

const callers = ['alice', 'bob', 'carol'] as const;
const keys = callers.flatMap((name) => {
  const key = residentKey(name);
  const secret = Buffer.from(key.secret);
  return [wif(key), pvtText(key), secret.toString('hex'), secret.toString('base64'), secret.toString('base64url')];
});
const signature = /SIG_(?:K1|R1|WA)_[1-9A-HJ-NP-Za-km-z]{40,}/i;

function expectNothingShown(text: string): void {
  for (const reading of readings(text)) {
    expect(keys.filter((key) => reading.includes(key) || reading.toLowerCase().includes(key.toLowerCase()))).toEqual(
      [],
    );
    expect(signature.exec(reading)?.[0]).toBeUndefined();
  }
}

interface Ended {
  readonly code: number;
  readonly said: string;
  readonly files: readonly string[];
}

/** One run with all reports, or one campaign; what it wrote anywhere. */
async function judge(name: string, url: string, more: readonly string[], command = 'run'): Promise<Ended> {
  const reports = reporters.map(({ id }) => `${id}=${join(folder, `${name}.${id}`)}`);
  const env = {
    A2A_TCK_XPR_KEY: wif(residentKey('alice')),
    A2A_TCK_XPR_SECOND_KEY: pvtText(residentKey('bob')),
    A2A_TCK_XPR_UNREGISTERED_KEY: wif(residentKey('carol')),
    A2A_TCK_DEBUG: '1',
  };
  const accounts = ['--xpr-account', 'alice', '--xpr-second-account', 'bob', '--xpr-unregistered-account', 'carol'];
  const shown = ['console', ...reports].flatMap((report) => ['--report', report]);
  const args = [
    command,
    '--url',
    url,
    ...accounts,
    ...shown,
    '--verbose',
    '--seed',
    '1',
    '--xpr-rate',
    '100000',
    ...more,
  ];
  const { code, out, err } = await commandLine(args, env);
  const written = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
  expect(written).toHaveLength(reporters.length);
  return { code, said: out + err, files: written.map((file) => readFileSync(join(folder, file), 'utf8')) };
}

test('a campaign of the fuzzer on a reference agent', { timeout: 60_000 }, async () => {
  const chain = createChain({ clock: realClock });
  await residents(chain.control);
  const dialect = dialectById('xpr') ?? expect.fail('no dialect');
  const crashing = faults.find(({ id }) => id === 'sec-object-for-id-crashes')?.patch ?? expect.fail('no fault');
  const served = await serveAgent((baseUrl) => {
    const patches = [setting({ rateLimit: 100_000 }), crashing];
    const at = { url: 'http://chain.test', carrier: chain.handle };
    return createAgent({ dialect, clock: realClock, baseUrl, patches, part: xprAgent(dialect, { chain: at }) }).handle;
  });
  const [out, corpus] = ['found', 'corpus'].map((text) => join(folder, text)) as [string, string];
  mkdirSync(corpus);
  // Shows the fault.
  const edits = [{ at: '/params/id', op: 'set', value: {}, keyword: 'type' }];
  const steps = [{ step: 'call', operation: 'get', params: { id: 'task' }, edits }];
  writeFileSync(
    join(corpus, 'seed.json'),
    JSON.stringify({ schema: 'a2a-tck-fuzz-case/1', dialect: 'a2a-0.3', steps }),
  );
  const chainId = await chain.control.chainId();
  const limits = ['--runs', '3', '--confirm', '1', '--timeout', '1000', '--xpr-chain-id', chainId, '--out', out];
  const more = ['--profile', 'xpr', '--xpr-allow-send', ...limits, '--corpus', corpus];
  const { said, files } = await judge('fuzz', served.url, more, 'fuzz');
  await served.close();
  const kept = [out, corpus].flatMap((text) => readdirSync(text).map((name) => join(text, name)));
  expect(kept.length).toBeGreaterThan(3);
  for (const text of [said, ...files, ...kept.map((name) => readFileSync(name, 'utf8'))]) expectNothingShown(text);
});

describe.each(['xpr', 'xpr-v2'] as const)('the reference agent of %s', (profile) => {
  test('and the whole command', { timeout: 120_000 }, async () => {
    const chain = createChain({ clock: realClock });
    await residents(chain.control);
    const dialect = dialectById(profile) ?? expect.fail('no dialect');
    const served = await serveAgent((baseUrl) => {
      const patches = [setting({ rateLimit: 100_000 })];
      const at = { url: 'http://chain.test', carrier: chain.handle };
      return createAgent({ dialect, clock: realClock, baseUrl, patches, part: xprAgent(dialect, { chain: at }) })
        .handle;
    });
    const chainId = await chain.control.chainId();
    const more = ['--profile', profile, '--suite', 'xpr,auth,card', '--xpr-chain-id', chainId];
    const { code, said, files } = await judge(profile, served.url, more);
    await served.close();
    expect(said).toMatch(/^pass +MUST +xpr\/signed-accepted/m);
    expect([0, 1]).toContain(code);
    for (const text of [said, ...files]) expectNothingShown(text);
    // Something was there to be hidden.
    expect(files.some((text) => text.includes('[hidden]'))).toBe(true);
  });
});

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => [...text].map((text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%25${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
  (text) => text.replaceAll('_', '%5F'),
  (text) => text.replaceAll('_', '\\u005F').replaceAll('S', '\\\\u0053'),
];
type Answer = (response: ServerResponse, echo: string, id: string) => void;
const json = (response: ServerResponse, body: string): unknown =>
  response.setHeader('content-type', 'application/json').end(body);
const answers: readonly Answer[] = [
  (response, echo, id) => json(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32001,"message":"${echo}"}}`),
  (response, echo, id) =>
    json(response, `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no","data":"${echo}"}}`),
  (response, echo, id) =>
    json(response, `{"jsonrpc":"2.0","id":${id},"result":{"id":"${echo}","${echo}":["${echo}"]}}`),
  (response, echo) => json(response, `{"jsonrpc":"2.0","id":"${echo}","error":{"code":-32603,"message":"${echo}"}}`),
  (response, echo) => response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${echo}</h1>`),
  (response, echo) => response.writeHead(400, { 'content-type': echo.slice(0, 200) }).end(echo),
  (response, echo, id) =>
    response
      .setHeader('content-type', 'text/event-stream')
      .end(`event: ${echo}\nid: ${echo}\ndata: {"jsonrpc":"2.0","id":${id},"result":"${echo}"}\n\n`),
  (response, echo) => {
    response.statusMessage = echo;
    response.writeHead(418, { 'x-echo': echo, [`x-${echo.slice(4, 100).replace(/[^\w-]/g, '')}`]: '1' }).end();
  },
  (response, echo) => {
    // In pieces, so that what must be hidden lies across them.
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    for (const piece of echo.match(/.{1,7}/gs) ?? []) response.write(piece);
    response.end();
  },
  (response, echo) => response.writeHead(302, { location: `http://elsewhere.test/${encodeURIComponent(echo)}` }).end(),
];

/** Repeats all that it gets, in another way each time; its card is that of an agent. */
async function echoing(): Promise<{ readonly url: string; readonly signed: () => number }> {
  let count = 0;
  let signed = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = `http://${request.headers.host}/`;
    if (request.method === 'GET') {
      const skill = { id: 's', name: 's', description: 's', tags: [] };
      const card = {
        name: 'Echo',
        description: 'e',
        version: '1',
        url,
        skills: [skill],
        capabilities: {},
        'xpr:account': 'echo',
      };
      json(response, JSON.stringify({ ...card, defaultInputModes: ['text'], defaultOutputModes: ['text'] }));
      return;
    }
    const signature = request.headers['x-xpr-signature'];
    if (signature === undefined) {
      json(response, '{"jsonrpc":"2.0","id":"tck-probe","error":{"code":-32000,"message":"a signature is needed"}}');
      return;
    }
    signed++;
    const encode = encodings[Math.floor(count / answers.length) % encodings.length] ?? String;
    const said = [...request.rawHeaders.filter((_, at) => at % 2 === 1), Buffer.concat(chunks).toString()].join(' ');
    const echo = encode(`${String(signature)} ${said}`.replace(/[^ !#-[\]-~]/g, '?'));
    const id = /"id":("[^"\\]*"|\d+)/.exec(Buffer.concat(chunks).toString())?.[1] ?? 'null';
    const answer = answers[count++ % answers.length];
    try {
      answer?.(response, echo, id);
    } catch {
      response.destroy();
    }
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, signed: () => signed };
}

test('an agent that says everything back', { timeout: 240_000 }, async () => {
  const { url, signed } = await echoing();
  const more = ['--profile', 'xpr', '--xpr-digest', 'v1', '--timeout', '1000', '--xpr-allow-send'];
  const { code, said, files } = await judge('echo', url, more);
  expect([0, 1, 4]).toContain(code);
  // Each way of answering, in each spelling.
  expect(signed()).toBeGreaterThan(encodings.length * answers.length);
  for (const text of [said, ...files]) expectNothingShown(text);
  expect(files.some((text) => text.includes('SIG_[hidden]'))).toBe(true);
});
