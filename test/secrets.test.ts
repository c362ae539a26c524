import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// An agent that gives back every credential that it is sent, in every place: none may come out of the kit.

const main = join(import.meta.dirname, '../dist/src/cli/main.js');
const token = 'canary-7Yp2/secret+token==';
const key = 'canary key "quoted" \\ and more';

async function startEcho(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    const said = JSON.stringify({ ...request.headers, url: request.url });
    const leaks = [token, key, encodeURIComponent(token), Buffer.from(token).toString('base64'), said];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('x-echo', leaks.slice(0, 1));
      response.setHeader('set-cookie', `session=${token}`);
      response.setHeader('content-type', 'application/json');
      if (request.method === 'GET') {
        const { port } = server.address() as AddressInfo;
        const card = {
          protocolVersion: '0.3.0',
          name: `Agent ${token}`,
          description: leaks.join(' '),
          version: key,
          url: `http://127.0.0.1:${port}/?key=${encodeURIComponent(token)}`,
          preferredTransport: 'JSONRPC',
          capabilities: { extensions: [{ uri: `urn:${token}` }] },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [{ id: token, name: key, description: said, tags: leaks }],
        };
        response.end(JSON.stringify(card));
        return;
      }
      let id: unknown = null;
      try {
        id = (JSON.parse(Buffer.concat(chunks).toString()) as { id?: unknown }).id ?? null;
      } catch {
        // Not JSON: the id stays null.
      }
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: leaks.join('; '), data: leaks } }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('no credential comes out of any report, of stdout or of stderr', { timeout: 120_000 }, async () => {
  const agent = await startEcho();
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  const reports = ['json=run.json', 'ndjson=run.ndjson', 'junit=run.xml', 'console'].map((one) =>
    one.replace('=', `=${folder}/`),
  );
  const child = spawn(
    process.execPath,
    [
      main,
      ...[
        '--url',
        agent.url,
        '--bearer-env',
        'CANARY',
        '--header',
        `X-Api-Key: ${key}`,
        '--verbose',
        '--timeout',
        '3000',
      ],
      ...reports.flatMap((report) => ['--report', report]),
    ],
    { env: { ...process.env, CANARY: token } },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      said += data.toString();
    });
  }
  const code = await new Promise((resolve) => child.on('close', resolve));
  agent.close();
  expect(code).toBe(1);
  const files = readdirSync(folder);
  expect(files.sort()).toEqual(['run.json', 'run.ndjson', 'run.xml']);
  const texts = [said, ...files.map((file) => readFileSync(join(folder, file), 'utf8'))];
  const forms = [
    token,
    key,
    encodeURIComponent(token),
    Buffer.from(token).toString('base64'),
    JSON.stringify(key).slice(1, -1),
    JSON.stringify(JSON.stringify(key)).slice(3, -3),
    token.replace('/', '\\/'),
  ];
  for (const text of texts) {
    expect(text.length).toBeGreaterThan(100);
    for (const form of forms) expect(text).not.toContain(form);
  }
});
