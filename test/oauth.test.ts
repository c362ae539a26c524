import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { reporters } from '../reporters/index.js';
import type { Dialect } from '../src/dialect/index.js';
import { callHere } from '../src/endpoint/index.js';
import { authorize, type OAuthTarget } from '../src/endpoint/oauth.js';
import type { JsonReport } from '../src/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { bodyText, type Carrier, type Clock, createTape, createWire, realClock } from '../src/wire/index.js';
import { certificate } from './certificates.js';
import { startChild } from './child.js';
import { placedAgent } from './networks.js';
import { client, demanding, type Flow, flowsOf, type OAuthServer, startOAuthServer } from './oauth-server.js';
import { commandLine } from './terminal.js';

// Tokens of OAuth 2: a server that is not ours, and an agent that takes its tokens and no others.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-oauth-'));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

const oauth: OAuthTarget = { clientId: client.id, clientSecret: client.secret };
const env = { KIT_ID: client.id, KIT_SECRET: client.secret };
const byEnv = ['--oauth-client-id-env', 'KIT_ID', '--oauth-client-secret-env', 'KIT_SECRET'];

async function server(options?: Parameters<typeof startOAuthServer>[0]): Promise<OAuthServer> {
  const started = await startOAuthServer(options);
  closers.push(() => started.stop());
  return started;
}

/** A token endpoint that answers as it likes. */
async function endpoint(answer: RequestListener): Promise<string> {
  const started = createServer(answer);
  started.listen(0, '127.0.0.1');
  await once(started, 'listening');
  closers.push(async () => {
    started.closeAllConnections();
    started.close();
  });
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/token`;
}

const tokenIn = (headers: readonly (readonly [string, string])[]): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1].replace(/^Bearer /, '');

interface Guarded {
  readonly url: string;
  /** Tokens that were shown to it, each once. */
  readonly shown: ReadonlySet<string>;
}

/** An agent on loopback that takes tokens of the server, and repeats them in a header of each answer, or in bodies too. */
async function guarded(
  from: OAuthServer,
  flow: Flow = 'clientCredentials',
  profile: Dialect['id'] = 'a2a-1.0',
  repeats = false,
): Promise<Guarded> {
  const shown = new Set<string>();
  const patches = demanding(flowsOf(from, flow), ['tasks.read', 'offline_access'], (token) =>
    from.issued.includes(token),
  );
  const echoing =
    (handle: Carrier): Carrier =>
    async (request, signal) => {
      const token = tokenIn(request.headers);
      const response = await handle(request, signal);
      if (token === undefined) return response;
      shown.add(token);
      const headers = [...response.headers, ['x-echo', `you sent ${token}`] as const];
      if (!repeats || !response.headers.some(([, value]) => value === 'application/json'))
        return { ...response, headers };
      const pieces: Uint8Array[] = [];
      for await (const piece of response.body) pieces.push(piece);
      const body = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.concat(pieces).toString()), echo: token }));
      return {
        ...response,
        headers: headers.filter(([name]) => name !== 'content-length'),
        body: (async function* () {
          yield new Uint8Array(body);
        })(),
      };
    };
  const agent = await placedAgent({ name: '127.0.0.1', patches, between: echoing, profile });
  closers.push(() => agent.stop());
  return { url: agent.url, shown };
}

describe('client credentials', () => {
  test.for(['a2a-1.0', 'a2a-0.3'] as const)(
    'of a card of %s: a run is that of a caller who is known',
    { timeout: 120_000 },
    async (profile) => {
      const from = await server();
      const { url, shown } = await guarded(from, 'clientCredentials', profile, true);
      const formats = reporters.map(({ id }) => id).filter((id) => id !== 'console');
      const files = formats.flatMap((format) => ['--report', `${format}=${join(folder, `${profile}.${format}`)}`]);
      const allow = ['--allow-origin', from.issuer];
      const args = ['--url', url, ...allow, '--suite', 'card,message,auth', '--min-proof', '0', '--verbose'];
      const run = await commandLine([...args, ...byEnv, '--report', 'console', ...files], env);
      expect(run.err).toBe('');
      const report = JSON.parse(readFileSync(join(folder, `${profile}.json`), 'utf8')) as JsonReport;
      expect(report.run.messages).toEqual({ accepted: true });
      const verdictOf = (id: string) => report.checks.find((check) => check.id === id)?.verdict;
      expect([verdictOf('auth/accepted'), verdictOf('auth/missing-refused')]).toEqual(['pass', 'pass']);
      // The law sees the token that was sent, though it was known only then.
      if (profile === 'a2a-1.0') expect(verdictOf('auth/no-disclosure')).toBe('fail');
      expect(report.target.network).toEqual([`with access tokens of ${from.issuer}, by client credentials`]);
      expect(from.issued.length).toBe(1);
      expect(shown).toContain(from.issued[0]);
      // Nothing that the kit writes has the token or the secret, though the agent repeats the token.
      const written = readdirSync(folder).filter((name) => name.startsWith(`${profile}.`));
      expect(written.length).toBe(formats.length);
      const texts = [run.out + run.err, ...written.map((name) => readFileSync(join(folder, name), 'utf8'))];
      const secrets = [...from.issued, client.secret, encodeURIComponent(client.secret)];
      for (const text of texts) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect(texts.some((text) => text.includes('you sent [token]'))).toBe(true);
      expect(run.out).toContain('by client credentials');
    },
  );

  test('for the fuzzer: nothing that it writes has the token', { timeout: 120_000 }, async () => {
    const from = await server();
    const { url, shown } = await guarded(from, 'clientCredentials', 'a2a-1.0', true);
    const out = join(folder, 'findings');
    const args = [
      'fuzz',
      '--url',
      url,
      '--allow-origin',
      from.issuer,
      '--runs',
      '40',
      '--confirm',
      '1',
      '--out',
      out,
      '--verbose',
      '--seed',
      '7',
    ];
    const ran = await commandLine([...args, '--corpus', join(folder, 'corpus'), ...byEnv], env);
    // The agent repeats the token, and that is found.
    expect([ran.code, ran.err]).toEqual([1, expect.any(String)]);
    expect([...shown]).toEqual(expect.arrayContaining([...from.issued]));
    const written = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /findings|corpus/.test(entry.parentPath))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(written.length).toBeGreaterThan(0);
    const secrets = [...from.issued, client.secret];
    for (const text of [ran.out + ran.err, ...written])
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  });

  test('where the server takes the secret in the body only', async () => {
    const from = await server({ proof: 'client_secret_post' });
    const { url } = await guarded(from);
    const called = await callHere({ url, operation: 'send', text: 'hello', oauth, allowedOrigins: [from.issuer] });
    expect(called.outcome.kind).toBe('result');
  });

  test('over gRPC, and with exact bytes', async () => {
    const from = await server();
    const { url, shown } = await guarded(from, 'clientCredentials', 'a2a-1.0-grpc');
    const called = await callHere({ url, operation: 'send', text: 'hello', oauth, allowedOrigins: [from.issuer] });
    expect([called.title, called.outcome.kind]).toEqual([expect.stringContaining('gRPC'), 'result']);
    expect([...shown]).toEqual(from.issued);
    expect(JSON.stringify(called)).not.toContain(from.issued[0]);
  });
});

/** A clock whose time is set by the test. */
function settable(): Clock & { pass(ms: number): void } {
  let now = Date.now();
  return {
    now: () => now,
    after: (ms, then) => realClock.after(ms, then),
    pass(ms) {
      now += ms;
    },
  };
}

/** Who gets tokens as a card says, and calls an agent that repeats what it was sent. */
async function calling(from: OAuthServer, flow: Flow, clock: Clock, onDevice?: (code: string) => void) {
  const echo = await endpoint((request, response) => response.end(request.headers.authorization ?? 'nothing'));
  const carrier = createHttpCarrier();
  closers.push(() => carrier.close());
  const authorized = await authorize({
    oauth,
    card: {
      securitySchemes: { main: { type: 'oauth2', flows: flowsOf(from, flow) } },
      security: [{ main: ['offline_access'] }],
    },
    agent: new URL(echo),
    allowedOrigins: [from.issuer],
    carrier,
    clock,
    onDevice: ({ code }) => onDevice?.(code),
  });
  const tape = createTape();
  const wire = createWire({
    carrier: authorized.carrier(carrier),
    clock: realClock,
    tape,
    limits: { timeoutMs: 5000, maxBytes: 1_000_000 },
    rawSocket: true,
  });
  const headers = [authorized.header];
  return {
    tape,
    secrets: () => authorized.secrets().map(({ secret }) => secret),
    /** The token that came. */
    call: async () => {
      const { response, failure } = await wire.exchange({ method: 'GET', url: echo, headers }, { purpose: 'test' });
      return failure?.detail ?? bodyText(response?.body).replace('Bearer ', '');
    },
    callRaw: async () => {
      const [name, value] = authorized.header;
      const bytes = Buffer.from(`GET / HTTP/1.1\r\nHost: here\r\n${name}: ${value}\r\nConnection: close\r\n\r\n`);
      return bodyText((await wire.raw?.(echo, bytes, { purpose: 'test' }))?.response?.body).replace('Bearer ', '');
    },
  };
}

test('init writes what such an agent needs, and a run with it passes', { timeout: 60_000 }, async () => {
  const from = await server();
  const { url } = await guarded(from);
  const target = join(folder, 'init');
  const written = await commandLine(['init', '--url', url, '--folder', target]);
  expect(written.code).toBe(0);
  expect(written.err).toContain(`AGENT_CLIENT_ID: the id of a client that gets tokens at ${from.tokenUrl}`);
  const config = join(target, 'a2a-tck.config.yaml');
  expect(readFileSync(config, 'utf8')).toContain('\noauth-client-secret-env: AGENT_CLIENT_SECRET\n');
  const workflow = readFileSync(join(target, '.github/workflows/a2a-tck.yml'), 'utf8');
  expect(workflow).toMatch(/AGENT_CLIENT_SECRET: \$\{\{ secrets\.AGENT_CLIENT_SECRET \}\}/);
  const args = [
    '--config',
    config,
    '--allow-origin',
    from.issuer,
    '--check',
    'auth/accepted',
    '--min-proof',
    '100',
    '--json',
  ];
  const ran = await commandLine(args, { AGENT_CLIENT_ID: client.id, AGENT_CLIENT_SECRET: client.secret });
  expect([ran.code, ran.err]).toEqual([0, '']);
});

describe('a token that expires', () => {
  test('is renewed before it does, once for all who wait', async () => {
    const from = await server({ seconds: 600 });
    const clock = settable();
    const { call, callRaw, tape, secrets } = await calling(from, 'clientCredentials', clock);
    const first = await call();
    clock.pass(560_000);
    expect([await call(), await callRaw(), from.issued]).toEqual([first, first, [first]]);
    clock.pass(45_000);
    const later = await Promise.all([call(), call(), callRaw()]);
    expect(from.issued.length).toBe(2);
    expect(new Set(later)).toEqual(new Set([from.issued[1]]));
    expect(secrets()).toEqual(from.issued);
    // The tape has what was sent: laws compare it with what an agent shows.
    const recorded = tape.exchanges.map(({ request }) => JSON.stringify([request.headers, bodyText(request.body)]));
    expect(recorded.map((text) => from.issued.findIndex((token) => text.includes(token)))).toEqual([0, 0, 0, 1, 1, 1]);
  });

  test('is used on while the server is away, and then the kit says so', async () => {
    const from = await server({ seconds: 600 });
    const clock = settable();
    const { call } = await calling(from, 'clientCredentials', clock);
    const first = await call();
    await from.stop();
    closers.splice(0, 1);
    clock.pass(580_000);
    expect(await call()).toBe(first);
    clock.pass(60_000);
    expect(await call()).toMatch(/^the access token has expired, and no new token came: refused \(/);
  });

  test('of the device flow is renewed by its refresh token', { timeout: 60_000 }, async () => {
    const from = await server({ seconds: 600 });
    const clock = settable();
    const { call, secrets } = await calling(from, 'deviceCode', clock, (code) => void from.allow(code));
    const first = await call();
    clock.pass(601_000);
    const second = await call();
    expect(second).not.toBe(first);
    expect(from.issued).toEqual([first, second]);
    for (const token of from.issued) expect(secrets()).toContain(token);
  });
});

describe('the device flow', () => {
  test('tells a person what to do, and waits for it', { timeout: 60_000 }, async () => {
    const from = await server();
    const { url, shown } = await guarded(from, 'deviceCode');
    const child = startChild(
      ['call', 'send', '--url', url, '--allow-origin', from.issuer, '--text', 'hello', ...byEnv],
      env,
    );
    let output = '';
    child.stderr?.on('data', (text: string) => {
      output += text;
      const code = /enter the code (\S+) within 10 min/.exec(output)?.[1];
      if (code === undefined) return;
      output = '';
      void from.allow(code);
    });
    const { code, out, err } = await child.ended;
    expect([code, err]).toEqual([0, expect.stringContaining(`open ${from.issuer}/device\nand enter the code `)]);
    expect([...shown]).toEqual(from.issued);
    expect(out + err).not.toContain(from.issued[0]);
  });

  test('needs a person', async () => {
    const from = await server();
    const { url } = await guarded(from, 'deviceCode');
    await expect(
      callHere({ url, operation: 'send', text: 'hello', oauth, allowedOrigins: [from.issuer] }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: 'the device flow needs a person, and there is none to ask',
    });
  });
});

describe('a card or a server that means harm', () => {
  const asking = async (tokenUrl: string, more: { allowedOrigins?: readonly string[]; agent?: string } = {}) => {
    const carrier = createHttpCarrier();
    closers.push(() => carrier.close());
    const { agent = 'http://127.0.0.1:1/', allowedOrigins = [] } = more;
    const flows = { clientCredentials: { tokenUrl, scopes: {} } };
    const card = { securitySchemes: { main: { oauth2SecurityScheme: { flows } } } };
    return authorize({ oauth, card, agent: new URL(agent), allowedOrigins, carrier, clock: realClock });
  };

  test.for([
    ['http://login.example/token', 'the token endpoint of the card is http://login.example/token'],
    [
      'https://login.example/token',
      'the token endpoint of the card is at another origin than the agent: https://login.example',
    ],
    ['https://user:pass@agent.example/token', 'the token endpoint of the card is not a URL that the kit calls'],
    ['ftp://agent.example/token', 'the token endpoint of the card is ftp://agent.example/token'],
    ['//token', 'the token endpoint of the card is not a URL that the kit calls'],
    ['http://127.0.0.1:5000/token', 'the token endpoint of the card is at another origin than the agent'],
    // Another port of this machine may belong to any program.
    [
      'http://127.0.0.1:5000/token',
      'the token endpoint of the card is at another origin than the agent',
      'http://localhost:4000/',
    ],
  ] as const)('%s gets no secret', async ([url, reason, agent = 'https://agent.example/']) => {
    await expect(asking(url, { agent })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(reason),
    });
  });

  test('answers are bounded, redirects are not followed, and what is not a token is not sent', async () => {
    let visits = 0;
    const elsewhere = await endpoint((_, response) => {
      visits++;
      response.end();
    });
    const json =
      (body: unknown): RequestListener =>
      (_, response) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      };
    const good = { access_token: 'abc', token_type: 'Bearer', expires_in: 60 };
    for (const [answer, reason] of [
      [(_, response) => void response.writeHead(307, { location: elsewhere }).end(), /^no access token from /],
      [(_, response) => void response.end('x'.repeat(1_000_000)), /too-large/],
      [
        (_, response) => void response.setHeader('content-type', 'application/json').end('['.repeat(60_000)),
        /^no access/,
      ],
      [(request) => void request.socket.destroy(), /reset/],
      [json({ ...good, access_token: 'a\r\nx-injected: yes' }), /characters that no token has/],
      [json({ ...good, access_token: 'a'.repeat(9000) }), /its token has 9000 characters/],
      [json({ ...good, access_token: 7 }), /access_token/],
      [json({ ...good, token_type: 'mac' }), /token_type/],
      [json({ ...good, expires_in: -1 }), /expires_in/],
      [json([]), /^no access token from /],
    ] as const satisfies readonly (readonly [RequestListener, RegExp])[]) {
      const tokenUrl = await endpoint(answer);
      await expect(asking(tokenUrl, { allowedOrigins: [new URL(tokenUrl).origin] })).rejects.toMatchObject({
        code: 'unreachable',
        message: expect.stringMatching(reason),
      });
    }
    expect(visits).toBe(0);
  });

  test('an error that repeats the secret does not tell it', async () => {
    const tokenUrl = await endpoint((request, response) => {
      const proof = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
      const error_description = `unknown client ${decodeURIComponent(proof.replaceAll('+', ' '))}, sent as ${request.headers.authorization}`;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'invalid_request', error_description }));
    });
    const flows = { clientCredentials: { tokenUrl, scopes: {} } };
    const agent = await placedAgent({ name: '127.0.0.1', patches: demanding(flows, [], () => false) });
    closers.push(() => agent.stop());
    const allow = ['--allow-origin', new URL(tokenUrl).origin];
    const { code, out, err } = await commandLine(['--url', agent.url, ...allow, ...byEnv], env);
    expect(code).toBe(3);
    expect(err).toContain('it answers invalid_request (unknown client kit & co:[secret-');
    expect(out + err).not.toContain(client.secret);
    expect(out + err).not.toContain(Buffer.from(`${client.id}:${client.secret}`).toString('base64').slice(8, 40));
  });

  test('options that do not go together, and cards without a flow, say what to do', async () => {
    const plain = await placedAgent({ name: '127.0.0.1' });
    closers.push(() => plain.stop());
    for (const [more, problem] of [
      [['--oauth-client-secret-env', 'KIT_SECRET'], '--oauth-client-secret-env needs --oauth-client-id-env'],
      [['--oauth-client-id-env', 'NOT_SET'], '--oauth-client-id-env NOT_SET: no such environment variable'],
      [[...byEnv, '--bearer-env', 'KIT_ID'], '--bearer-env and --oauth-client-id-env do not go together'],
      [[...byEnv, '--header', 'authorization: Basic abcd'], 'a token is given, and OAuth tokens are asked for'],
      [[...byEnv, '--oauth-scope', ' '], '--oauth-scope holds no scopes'],
      [byEnv, 'the card offers no OAuth 2 flow that the kit can use: it has no security scheme'],
    ] as const) {
      const { code, err } = await commandLine(['--url', plain.url, ...more], env);
      expect([more, code]).toEqual([more, 2]);
      expect(err).toContain(problem);
    }
    const secretless = await placedAgent({
      name: '127.0.0.1',
      patches: demanding({ clientCredentials: { tokenUrl: 'https://login.example', scopes: {} } }, [], () => false),
    });
    closers.push(() => secretless.stop());
    const { code, err } = await commandLine(['--url', secretless.url, '--oauth-client-id-env', 'KIT_ID'], env);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('the card offers client credentials, which need a secret'),
    ]);
    const foreign = await commandLine(['--url', secretless.url, ...byEnv], env);
    expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining('--allow-origin https://login.example')]);
  });
});

test('with --insecure, the certificate of the OAuth server is checked all the same', async () => {
  const pair = certificate({ name: '127.0.0.1', names: ['127.0.0.1'] });
  const front = await placedAgent({ name: '127.0.0.1', tls: { key: pair.keyText, cert: pair.cert } });
  closers.push(() => front.stop());
  const flows = { clientCredentials: { tokenUrl: `${front.url}/token`, scopes: {} } };
  const agent = await placedAgent({
    name: '127.0.0.1',
    tls: { key: pair.keyText, cert: pair.cert },
    patches: demanding(flows, [], () => false),
  });
  closers.push(() => agent.stop());
  await expect(
    callHere({
      url: agent.url,
      operation: 'send',
      text: 'hello',
      oauth,
      allowedOrigins: [new URL(front.url).origin],
      network: { insecure: true },
    }),
  ).rejects.toMatchObject({ message: expect.stringContaining('its certificate is self-signed') });
});
