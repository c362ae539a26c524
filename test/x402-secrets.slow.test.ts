import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFacilitator, merchant } from '../packs/x402/agent/index.js';
import { caip2Of, localToken, readWallet } from '../packs/x402/payments/index.js';
import { reporters } from '../reporters/index.js';
import { dialectById } from '../src/dialect/index.js';
import { createAgent, serveAgent } from '../src/reference/index.js';
import { realClock } from '../src/wire/index.js';
import { readings } from './readings.js';
import { commandLine } from './terminal.js';

// Neither the key of a funded wallet nor a whole signature of it comes out of the kit, even when the agent shows them
// to all: a program that reads such a signature in time can cash it.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-x402-secrets-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true });
  for (const server of servers) server.close().closeAllConnections();
});

const digits = '3c9d5e7fa1b2046882e4c6d1f09b7a5533cc4477dd1188ee99aa22bb66ff0a5d';
const wallet = readWallet(digits);
const token = { network: caip2Of(localToken.chainId), asset: localToken.asset };
const bytes = Buffer.from(digits, 'hex');
const keys = [
  digits,
  String(BigInt(`0x${digits}`)),
  bytes.toString('base64').slice(0, -1),
  bytes.toString('base64url'),
];

/** Of both halves, also where they are cut; and in base64. */
const piecesOf = (signature: string): readonly string[] => [
  signature.slice(2, 16),
  signature.slice(66, 80),
  Buffer.from(signature).toString('base64').slice(4, 86).toLowerCase(),
];

function expectNothingShown(text: string, signatures: readonly string[]): void {
  const pieces = signatures.flatMap(piecesOf);
  for (const reading of readings(text)) {
    const small = reading.toLowerCase();
    expect(keys.filter((key) => small.includes(key.toLowerCase()))).toEqual([]);
    expect(pieces.filter((piece) => small.includes(piece))).toEqual([]);
  }
}

/** Signatures of the funded wallet in a request. */
function signaturesIn(body: string): readonly string[] {
  if (!body.toLowerCase().includes(wallet.address.slice(2).toLowerCase())) return [];
  return [...body.matchAll(/"signature":"(0x[0-9a-f]{130})"/g)].map(([, found = '']) => found);
}

/** Everything that the command says with these arguments. */
async function command(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const { code, out, err } = await commandLine(args, { ...env, A2A_TCK_DEBUG: '1' });
  return { code, said: out + err };
}

/** One run with all reports; what it wrote anywhere. */
async function judge(name: string, url: string, more: readonly string[]) {
  const reports = ['console', ...reporters.map(({ id }) => `${id}=${join(folder, `${name}.${id}`)}`)];
  const limits = ['--x402-max-amount', '10000', '--x402-max-total', '1000000'];
  const shown = reports.flatMap((report) => ['--report', report]);
  const args = ['--url', url, '--x402', '--suite', 'x402', ...limits, ...shown, '--verbose', '--seed', '1', ...more];
  const { code, said } = await command(args, { A2A_TCK_X402_KEY: `0x${digits}` });
  const written = readdirSync(folder).filter((file) => file.startsWith(`${name}.`));
  expect(written).toHaveLength(reporters.length);
  return { code, said, files: written.map((file) => readFileSync(join(folder, file), 'utf8')) };
}

describe('a merchant', () => {
  test.each([
    ['a2a-0.3', 'funds'],
    ['a2a-1.0', 'no funds'],
  ] as const)('of %s, and a wallet with %s', { timeout: 120_000 }, async (profile, funds) => {
    const facilitator = createFacilitator({ clock: realClock });
    if (funds === 'funds') await facilitator.control.fund(wallet.address, token, '1000000');
    const signatures = new Set<string>();
    const served = await serveAgent((baseUrl) => {
      const at = { url: 'http://facilitator.test', carrier: facilitator.handle };
      const dialect = dialectById(profile) ?? expect.fail('no dialect');
      const agent = createAgent({ dialect, clock: realClock, baseUrl, patches: [merchant({}, at)] });
      return (request, signal) => {
        const body = Buffer.from(request.body ?? []).toString('utf8');
        for (const signature of signaturesIn(body)) signatures.add(signature);
        return agent.handle(request, signal);
      };
    });
    const { code, said, files } = await judge(profile, served.url, ['--profile', profile]);
    await served.close();
    expect(code).toBe(0);
    expect(said).toMatch(funds === 'funds' ? /^pass +MUST +x402\/paid/m : /payments can still be cashed/);
    expect(signatures.size).toBeGreaterThan(2);
    for (const text of [said, ...files]) expectNothingShown(text, [...signatures]);
    // Its beginning stands in place of a signature, so that it can be found again.
    const [first = ''] = signatures;
    expect(files.filter((text) => text.includes(`${first.slice(0, 10)}...`))).not.toEqual([]);
  });
});

const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase(),
  (text) => `${text.slice(2, 66)} ${text.slice(66, 130)} ${text.slice(130)}`,
  (text) => Buffer.from(text).toString('base64'),
  (text) => [...text].map((text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  (text) => [...Buffer.from(text)].map((byte) => `%25${byte.toString(16).padStart(2, '0').toUpperCase()}`).join(''),
];
interface Asked {
  readonly id: unknown;
  readonly taskId: string;
}
type Answer = (response: ServerResponse, echo: string, asked: Asked) => void;
const json = (response: ServerResponse, body: string): unknown =>
  response.setHeader('content-type', 'application/json').end(body);
const rpc = (id: unknown, rest: string): string => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}}`;
const paidTask = (taskId: string, state: string, metadata: string, text: string): string =>
  `"result":{"kind":"task","id":"${taskId}","contextId":"c","status":{"state":"${state}","message":{"kind":"message","role":"agent","messageId":"m","taskId":"${taskId}","contextId":"c","parts":[{"kind":"text","text":"${text}"}],"metadata":{${metadata}}}}}`;
const answers: readonly Answer[] = [
  (response, echo, { id }) => json(response, rpc(id, `"error":{"code":-32001,"message":"${echo}"}`)),
  (response, echo, { id }) => json(response, rpc(id, `"error":{"code":-32000,"message":"no","data":"${echo}"}`)),
  (response, echo, { id, taskId }) => {
    const metadata = `"x402.payment.status":"payment-failed","x402.payment.error":"${echo}"`;
    json(response, rpc(id, paidTask(taskId, 'failed', metadata, `no: ${echo}`)));
  },
  (response, echo, { id, taskId }) => {
    const receipt = `{"success":true,"transaction":"${echo}","network":"${echo}","payer":"${echo}","${echo}":1}`;
    const metadata = `"x402.payment.status":"payment-completed","x402.payment.receipts":[${receipt}]`;
    json(response, rpc(id, paidTask(taskId, 'completed', metadata, echo)));
  },
  (response, echo, { id }) => json(response, rpc(id, paidTask(echo, echo, `"x402.payment.status":"${echo}"`, echo))),
  (response, echo) => json(response, rpc(1, `"error":{"code":-32603,"message":"${echo}"}`)),
  (response, echo) => response.writeHead(500, { 'content-type': 'text/html' }).end(`<h1>${echo}</h1>`),
  (response, echo) => response.writeHead(400, { 'content-type': echo.slice(0, 200) }).end(echo),
  (response, echo, { id }) =>
    response
      .setHeader('content-type', 'text/event-stream')
      .end(`event: ${echo}\nid: ${echo}\ndata: ${rpc(id, `"result":"${echo}"`)}\n\n`),
  (response, echo) => {
    response.statusMessage = echo;
    response.writeHead(418, { 'x-echo': echo, [`x-${echo.replace(/[^\w-]/g, '')}`]: '1' }).end();
  },
  (response, echo) => {
    // In pieces, so that what must be hidden lies across them.
    response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    for (const piece of echo.match(/.{1,7}/gs) ?? []) response.write(piece);
    response.end();
  },
  (response, echo) => response.writeHead(302, { location: `http://elsewhere.test/${encodeURIComponent(echo)}` }).end(),
];

const option = {
  scheme: 'exact',
  network: token.network,
  amount: '10000',
  asset: token.asset,
  payTo: `0x${'12'.repeat(20)}`,
  maxTimeoutSeconds: 120,
  extra: { name: localToken.name, version: localToken.version },
};
const offer = JSON.stringify({ x402Version: 2, resource: { url: 'http://echo.test/' }, accepts: [option] });
const asking = `"x402.payment.status":"payment-required","x402.payment.required":${offer}`;

const cardAt = (url: string): string =>
  JSON.stringify({
    protocolVersion: '0.3.0',
    name: 'Echo',
    description: 'e',
    version: '1',
    url,
    preferredTransport: 'JSONRPC',
    skills: [{ id: 's', name: 's', description: 's', tags: [] }],
    capabilities: { extensions: [{ uri: 'https://github.com/google-a2a/a2a-x402/v0.1', required: true }] },
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
  });

/** Wants money, and shows what it got to all callers, in another way each time. */
async function echoing() {
  const signatures = new Set<string>();
  const paid = new Set<string>();
  let [tasks, count] = [0, 0];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.method === 'GET') return void json(response, cardAt(`http://${request.headers.host}/`));
    const text = (name: string): string => new RegExp(`"${name}":"([^"\\\\]*)"`).exec(body)?.[1] ?? '';
    const id = text('id');
    const taskId = text('taskId') || /"params":\{"id":"([^"]+)"/.exec(body)?.[1] || '';
    for (const signature of signaturesIn(body)) signatures.add(signature);
    if (body.includes('x402.payment.payload')) paid.add(taskId);
    const last = [...signatures].at(-1);
    if (last === undefined || !paid.has(taskId)) {
      const isNew = body.includes('message/send') && taskId === '';
      const asked = isNew ? `t${++tasks}` : taskId;
      return void json(response, rpc(id, paidTask(asked, 'input-required', asking, 'pay')));
    }
    const echo = encodings[Math.floor(count / answers.length) % encodings.length]?.(last) ?? last;
    try {
      answers[count++ % answers.length]?.(response, echo, { id, taskId });
    } catch {
      response.destroy();
    }
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, signatures: () => [...signatures], echoed: () => count };
}

test('a merchant that shows every signature to each caller', { timeout: 240_000 }, async () => {
  const { url, signatures, echoed } = await echoing();
  const more = ['--profile', 'a2a-0.3', '--timeout', '1000', '--x402-timeout', '500'];
  const { code, said, files } = await judge('echo', url, more);
  expect(code).toBe(1);
  expect(said).toMatch(/payments? can still be cashed/);
  expect(signatures()).not.toEqual([]);
  // Each way of answering, in each spelling.
  expect(echoed()).toBeGreaterThan(encodings.length * answers.length);
  for (const text of [said, ...files]) expectNothingShown(text, signatures());
});

const url = ['--url', 'http://127.0.0.1:1', '--x402'];
test.each([
  ['a key that is cut', url, digits.slice(0, 63)],
  ['no limit', url, digits],
  ['the key as a message', [...url, '--x402-message', ' ', '--x402-max-amount', '1'], digits],
  ['the key as a limit', [...url, '--x402-max-amount', digits], digits],
  ['the key as the other limit', [...url, '--x402-max-amount', '1', '--x402-max-total', `0x${digits}`], digits],
  ['the key as a network', [...url, '--x402-max-amount', '1', '--x402-allow-network', digits], digits],
  ['the key as a token', [...url, '--x402-max-amount', '1', '--x402-asset', `base:0x${digits}`], digits],
  ['the key as a file', [...url, '--x402-max-amount', '1', '--x402-key-file', digits], undefined],
  ['the key and a stub', [...url, '--x402-max-amount', '1', '--x402-stub', 'http://127.0.0.1:1'], digits],
  ['the key without payments', ['--url', 'http://127.0.0.1:1', '--x402-key', digits], undefined],
])('wrong options: %s', async (_, args, key) => {
  const { code, said } = await command(args, { A2A_TCK_X402_KEY: key });
  expect(code).toBe(2);
  const small = said.toLowerCase();
  expect([...keys, digits.slice(0, 63)].filter((text) => small.includes(text.toLowerCase()))).toEqual([]);
});
