import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { reporters } from '../reporters/index.js';
import { callHere } from '../src/endpoint/index.js';
import { runAgainst, type TargetOptions } from '../src/index.js';
import { createHttpCarrier } from '../src/wire/http.js';
import {
  bodyText,
  createTape,
  createWire,
  type Exchange,
  type Network,
  proxyOfEnvironment,
  realClock,
} from '../src/wire/index.js';
import { certificate, type Pair } from './certificates.js';
import { startChild } from './child.js';
import { agentName, placedAgent, startProxy } from './networks.js';
import { commandLine } from './terminal.js';

// Real networks: proxies, private certificates, IPv6 and names that no name service knows. All on loopback, with
// a proxy that is not ours and certificates that are made here.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-networks-'));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function closed<T extends { stop(): Promise<unknown> }>(item: T): T {
  closers.push(() => item.stop());
  return item;
}
const agent = async (...args: Parameters<typeof placedAgent>) => closed(await placedAgent(...args));
const proxy = async (...args: Parameters<typeof startProxy>) => closed(await startProxy(...args));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The checks that a short run needs: a message is accepted, and a card is read. */
const few: Partial<TargetOptions> = {
  suites: ['card', 'message'],
  minProof: 0,
  isolate: false,
  fuzz: undefined as never,
};
const judge = (url: string, options: Partial<TargetOptions>) => {
  const { fuzz: _, ...rest } = { ...few, ...options };
  return runAgainst({ ...rest, url });
};

function wireOf(network: Network) {
  const carrier = createHttpCarrier({ network, connectTimeoutMs: 5000 });
  closers.push(() => carrier.close());
  return createWire({
    carrier,
    clock: realClock,
    tape: createTape(),
    limits: { timeoutMs: 5000, maxBytes: 1_000_000 },
    rawSocket: true,
  });
}
const card = '/.well-known/agent-card.json';

/** The card over each of the three carriers; gRPC has none, so there the answer is only that of HTTP/2. */
async function byEachCarrier(url: string, network: Network): Promise<Record<'http' | 'raw' | 'http2', Exchange>> {
  const wire = wireOf(network);
  const { host } = new URL(url);
  const get = { method: 'GET', url: `${url}${card}`, headers: [] } as const;
  const sending = { purpose: 'test' };
  const bytes = Buffer.from(`GET ${card} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return {
    http: await wire.exchange(get, sending),
    raw: (await wire.raw?.(`${url}${card}`, bytes, sending)) as Exchange,
    http2: await wire.exchange({ ...get, http2: true }, sending),
  };
}
const failures = (all: Record<string, Exchange>) =>
  Object.fromEntries(Object.entries(all).map(([name, { failure }]) => [name, failure?.detail]));
const bodies = (all: Record<string, Exchange>) =>
  Object.values(all).map(({ response }) => (response === undefined ? undefined : bodyText(response.body)));

describe('a proxy', () => {
  test('is asked by every carrier, and keeps headers of one name apart', async () => {
    const came: (readonly (readonly [string, string])[])[] = [];
    const { url, port } = await agent({
      between: (handle) => (request, signal) => {
        came.push(request.headers);
        return handle(request, signal);
      },
    });
    const via = await proxy();
    const all = await byEachCarrier(url, { proxy: { http: via.url } });
    expect(failures(all)).toEqual({ http: undefined, raw: undefined, http2: undefined });
    for (const body of bodies(all))
      expect(JSON.parse(body ?? '')).toMatchObject({ supportedInterfaces: [{ url: `${url}/` }] });
    const twice = [
      ['X-Twice', 'one'],
      ['x-twice', 'two'],
    ] as const;
    const request = { method: 'GET', url: `${url}${card}`, headers: twice } as const;
    await wireOf({ proxy: { http: via.url } }).exchange(request, { purpose: 'test' });
    expect(came.at(-1)).toEqual(expect.arrayContaining([...twice]));
    expect(came.flat().filter(([name]) => /^proxy-/i.test(name))).toEqual([]);
    // Raw bytes, and HTTP/2, need a tunnel; the proxy makes usual requests itself.
    const name = `${agentName}:${port}`;
    expect(via.asked).toEqual([name, `CONNECT ${name}`, `CONNECT ${name}`, name]);
  });

  test('is asked for a tunnel to https agents, whose certificate is still checked', async () => {
    const authority = certificate({ name: 'Test CA', isAuthority: true });
    const pair = certificate({ name: agentName, names: [agentName], issuer: authority });
    const { url, port } = await agent({ tls: { key: pair.keyText, cert: pair.cert } });
    const via = await proxy(['kit', 'pass:word']);
    const all = await byEachCarrier(url, { proxy: { https: via.url }, ca: authority.cert });
    expect(failures(all)).toEqual({ http: undefined, raw: undefined, http2: undefined });
    expect(new Set(via.asked)).toEqual(new Set([`CONNECT ${agentName}:${port}`]));
    const unknown = await byEachCarrier(url, { proxy: { https: via.url } });
    expect(Object.values(unknown).map(({ failure }) => failure?.kind)).toEqual(['tls', 'tls', 'tls']);
  });

  test('that wants credentials, refuses, or is not there is named, and the agent is not blamed', async () => {
    const { url } = await agent();
    const strict = await proxy(['kit', 'right']);
    const bare = strict.url.replace(/\/\/.*@/, '//');
    const wrong = strict.url.replace('right', 'wrong');
    const detail = async (network: Network) => {
      const { http, raw } = await byEachCarrier(url, network);
      expect([http.failure?.kind, raw.failure?.kind]).toEqual(['proxy', 'proxy']);
      return [http.failure?.detail, raw.failure?.detail];
    };
    for (const text of await detail({ proxy: { http: bare } }))
      expect(text).toBe(`the proxy ${bare} wants credentials (HTTP 407)`);
    for (const text of await detail({ proxy: { http: wrong } }))
      expect(text).toBe(`the proxy ${bare} refuses the credentials (HTTP 407)`);
    const gone = await proxy();
    await gone.stop();
    for (const text of await detail({ proxy: { http: gone.url } }))
      expect(text).toMatch(/^the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached: refused \(/);
  });

  test('is said in the report, without its credentials, and a run through it is as good as one without', async () => {
    const { url } = await agent();
    const via = await proxy(['kit', 'pass:word']);
    const direct = await judge(url, { network: { resolve: [{ host: agentName, address: '127.0.0.1' }] } });
    const through = await judge(url, { network: { proxy: { http: via.url } } });
    const verdicts = ({ checks }: typeof direct) => checks.map(({ id, verdict }) => [id, verdict]);
    expect(through.gate.exitCode).toBe(0);
    expect(verdicts(through)).toEqual(verdicts(direct));
    expect(through.target.network).toEqual([`through the proxy http://127.0.0.1:${via.port}`]);
    expect(JSON.stringify(through)).not.toMatch(/pass(:|%3A)word|a2l0OnBhc3M6d29yZA/);
    expect(via.asked.length).toBeGreaterThan(10);
  });

  test('that fails during the run is not a fault of the agent', { timeout: 60_000 }, async () => {
    const authority = certificate({ name: 'Test CA', isAuthority: true });
    const pair = certificate({ name: agentName, names: [agentName], issuer: authority });
    const { url } = await agent({ tls: { key: pair.keyText, cert: pair.cert } });
    let asked = 0;
    const via = await proxy(undefined, () => ++asked > 8);
    const report = await judge(url, { network: { proxy: { https: via.url }, ca: authority.cert } });
    expect(asked).toBeGreaterThan(8);
    expect(report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
    const open = report.checks.filter(({ reason }) => reason.includes('opens no connection to agent.test'));
    expect(new Set(open.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    expect(report.causes?.filter(({ id }) => /^(died|dropped)/.test(id)) ?? []).toEqual([]);
  });

  test('of the environment is taken by the command, and NO_PROXY leaves it out', { timeout: 120_000 }, async () => {
    const { url, port } = await agent();
    const via = await proxy(['kit', 'pass:word']);
    const args = ['--url', url, '--suite', 'card', '--min-proof', '0', '--fuzz-runs', '0'];
    const run = await startChild(args, { HTTP_PROXY: via.url }).ended;
    expect(run.out).toContain(`through the proxy http://127.0.0.1:${via.port}`);
    expect(run.out + run.err).not.toMatch(/pass(:|%3A)word/);
    expect(run.code).toBe(0);
    expect(via.asked).toContain(`${agentName}:${port}`);
    const before = via.asked.length;
    const without = await commandLine(args, { HTTP_PROXY: via.url, NO_PROXY: '.test' });
    expect([without.code, via.asked.length]).toEqual([3, before]);
    expect(without.err).toContain(`${url} cannot be reached: dns (`);
    const refused = await commandLine(args, { http_proxy: via.url.replace('pass', 'other') });
    expect(refused.code).toBe(3);
    expect(refused.err).toContain(`the proxy http://127.0.0.1:${via.port} refuses the credentials (HTTP 407)`);
    expect(refused.err).toContain('NO_PROXY=<host>');
    const strange = await commandLine(args, { HTTP_PROXY: 'socks5://user:secret@127.0.0.1:1' });
    expect(strange.code).toBe(2);
    expect(strange.err).toContain('HTTP_PROXY names a proxy of another kind: socks5:');
    expect(strange.err).not.toContain('secret');
  });
});

test.for([
  ['400 No required SSL certificate was sent', /it wants a certificate of the kit \(HTTP 400\)/, /--cert-file/],
  ['400 The SSL certificate error', /it refuses the certificate of the kit/, /--cert-file/],
  ['400 The plain HTTP request was sent to HTTPS port', /its port speaks https/, /https:/],
] as const)('a server before the agent says "%s"', async ([title, message, hint]) => {
  const server = createServer((_, response) => {
    response.writeHead(400, { 'content-type': 'text/html' });
    response.end(`<html><head><title>${title}</title></head></html>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ended = await judge(`http://127.0.0.1:${port}`, {}).catch((error: unknown) => error);
  server.close();
  expect(ended).toMatchObject({
    code: 'unreachable',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
});

describe('certificates', () => {
  const authority = certificate({ name: 'Test CA', isAuthority: true });
  const own = certificate({ name: agentName, names: [agentName, '127.0.0.1', '::1'] });
  const signed = certificate({ name: agentName, names: [agentName], issuer: authority });
  const kit = certificate({ name: 'kit', issuer: authority });
  const here = [{ host: agentName, address: '127.0.0.1' }];
  const of = ({ cert, keyText }: Pair) => ({ key: keyText, cert });
  const mutual = { ...of(signed), ca: authority.cert, requestCert: true, rejectUnauthorized: true };

  test.for([
    ['self-signed', own, own],
    ['of a private CA', signed, authority],
  ] as const)(
    '%s: named, trusted by --ca-file, unchecked by --insecure, over every carrier',
    async ([, pair, trusted]) => {
      const { url } = await agent({ tls: of(pair) });
      const plain = await byEachCarrier(url, { resolve: here });
      for (const [name, { failure }] of Object.entries(plain)) {
        expect([name, failure?.kind]).toEqual([name, 'tls']);
        expect(failure?.detail).toMatch(/^its certificate is (self-signed|signed by a)/);
      }
      for (const more of [{ ca: trusted.cert }, { insecure: true }]) {
        const all = await byEachCarrier(url, { resolve: here, ...more });
        expect(failures(all)).toEqual({ http: undefined, raw: undefined, http2: undefined });
        for (const body of bodies(all))
          expect(JSON.parse(body ?? '')).toMatchObject({ supportedInterfaces: [{ url: `${url}/` }] });
      }
      const other = await byEachCarrier(url, { resolve: here, ca: kit.cert });
      expect(Object.values(other).map(({ failure }) => failure?.kind)).toEqual(['tls', 'tls', 'tls']);
    },
  );

  test('for another name, or expired, are named', async () => {
    const late = certificate({ name: agentName, names: [agentName], issuer: authority, ends: -1000 });
    const foreign = certificate({ name: 'other.test', names: ['other.test'], issuer: authority });
    for (const [pair, reason] of [
      [late, 'its certificate has expired (CERT_HAS_EXPIRED)'],
      [foreign, 'its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID)'],
    ] as const) {
      const { url } = await agent({ tls: of(pair) });
      const all = await byEachCarrier(url, { resolve: here, ca: authority.cert });
      expect(failures(all)).toEqual({ http: reason, raw: reason, http2: reason });
    }
  });

  test.for(['TLSv1.2', 'TLSv1.3'] as const)('of the kit (mTLS, %s): wanted, shown, and said', async (version) => {
    const { url } = await agent({ tls: { ...mutual, maxVersion: version } });
    const network = { resolve: here, ca: authority.cert };
    for (const [name, { failure }] of Object.entries(await byEachCarrier(url, network))) {
      expect([name, failure?.kind]).toEqual([name, 'tls']);
      expect(failure?.detail).toMatch(/^it wants a certificate of the kit/);
    }
    const report = await judge(url, { network: { ...network, cert: kit.cert, key: kit.keyText } });
    expect(report.gate.exitCode).toBe(0);
    expect(report.target.network).toContain('the kit showed a certificate of its own (--cert-file)');
    expect(failures(await byEachCarrier(url, { ...network, cert: kit.cert, key: kit.keyText }))).toEqual({
      http: undefined,
      raw: undefined,
      http2: undefined,
    });
  });

  test('over gRPC: TLS with ALPN', async () => {
    const { url } = await agent({ profile: 'a2a-1.0-grpc', tls: mutual });
    const network = { resolve: here, ca: authority.cert, cert: kit.cert, key: kit.keyText };
    const called = await callHere({ url, operation: 'send', text: 'hello', network });
    expect(called.title).toContain('gRPC');
    expect(called.outcome.kind).toBe('result');
  });

  test('are options of the command and of the configuration, and what goes wrong says what helps', {
    timeout: 120_000,
  }, async () => {
    const { url } = await agent({ tls: mutual });
    const [ca, cert, key] = [
      file('ca.pem', authority.cert),
      file('kit.pem', kit.cert),
      file('kit.key', kit.keyText),
    ] as const;
    const args = ['--url', url, '--suite', 'card', '--min-proof', '0', '--fuzz-runs', '0'];
    const found = ['--resolve', `${agentName}:127.0.0.1`];
    const trying = async (...more: readonly string[]) => {
      const { code, out, err } = await commandLine([...args, ...more]);
      return { code, said: out + err };
    };
    const unknown = await trying(...found);
    expect(unknown.code).toBe(3);
    expect(unknown.said).toContain('its certificate is signed by');
    expect(unknown.said).toContain('--ca-file <file>');
    const uncertified = await trying(...found, '--ca-file', ca);
    expect(uncertified.code).toBe(3);
    expect(uncertified.said).toContain('--cert-file <file> and --key-file <file>');
    expect(await trying(...found, '--ca-file', ca, '--cert-file', cert, '--key-file', key)).toMatchObject({ code: 0 });
    const config = file(
      'config.yaml',
      `url: ${url}\nca-file: ${ca}\ncert-file: ${cert}\nkey-file: ${key}\nresolve: ${agentName}:127.0.0.1\nsuite: card\nmin-proof: 0\n`,
    );
    expect(await commandLine(['--config', config, '--fuzz-runs', '0'])).toMatchObject({ code: 0 });
    for (const [more, problem] of [
      [['--cert-file', cert], '--cert-file needs --key-file'],
      [['--cert-file', cert, '--key-file', file('other.key', signed.keyText)], 'do not belong together'],
      [['--ca-file', key], 'holds no certificate'],
      [['--ca-file', join(folder, 'none.pem')], 'cannot be read'],
      [['--resolve', 'agent.test'], 'is not of the form host:address'],
      [['--insecure', '--x402'], '--insecure and --x402 do not go together'],
      [['--insecure', '--xpr-account', 'alice'], 'do not go together'],
    ] as const) {
      const { code, err } = await commandLine([...args, ...more], { A2A_TCK_XPR_KEY: 'x' });
      expect([more, code]).toEqual([more, 2]);
      expect(err).toContain(problem);
      expect(err).not.toContain('PRIVATE KEY');
    }
  });

  test('that are not checked keep payments and signed calls out, from a program too', async () => {
    const network = { insecure: true };
    for (const more of [{ x402: {} }, { xpr: { account: 'alice', key: 'x' } }])
      await expect(judge('https://agent.test', { network, ...more })).rejects.toMatchObject({ code: 'usage' });
  });

  test('that are not checked are said in every report', { timeout: 60_000 }, async () => {
    const { url } = await agent({ tls: of(own) });
    // A tape has the exchanges for the kit, and nothing for a reader.
    const formats = reporters.map(({ id }) => id).filter((id) => id !== 'console' && id !== 'tape');
    const args = [
      '--url',
      url,
      '--suite',
      'card',
      '--min-proof',
      '0',
      '--fuzz-runs',
      '0',
      '--insecure',
      '--resolve',
      `${agentName}:127.0.0.1`,
    ];
    const files = formats.flatMap((format) => ['--report', `${format}=${join(folder, `insecure.${format}`)}`]);
    const { code, out } = await commandLine([...args, '--report', 'console', ...files]);
    expect(code).toBe(0);
    expect(out).toContain('certificates were not checked (--insecure)');
    const written = readdirSync(folder).filter((name) => name.startsWith('insecure.'));
    expect(written.length).toBe(formats.length);
    for (const name of written) {
      expect([name, readFileSync(join(folder, name), 'utf8').includes('certificates were not checked')]).toEqual([
        name,
        true,
      ]);
    }
  });
});

describe('addresses', () => {
  test('of IPv6 are called by every carrier, and a run is a run', async () => {
    const { url } = await agent({ host: '::1', name: '[::1]' });
    expect(failures(await byEachCarrier(url, {}))).toEqual({ http: undefined, raw: undefined, http2: undefined });
    const report = await judge(url, {});
    expect(report.gate.exitCode).toBe(0);
    expect(report.target.endpoint).toContain('http://[::1]:');
    expect(report.target.network).toBeUndefined();
  });

  test('of --resolve stand in for a name, which stays in Host, in SNI and in the certificate', async () => {
    const pair = certificate({ name: agentName, names: [agentName] });
    const names: string[] = [];
    const hosts = new Set<string | undefined>();
    const { url, port } = await agent({
      tls: {
        key: pair.keyText,
        cert: pair.cert,
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
      },
      between: (handle) => (request, signal) => {
        hosts.add(request.headers.find(([name]) => /^(host|:authority)$/i.test(name))?.[1]);
        return handle(request, signal);
      },
    });
    const network = { ca: pair.cert, resolve: [{ host: agentName, port, address: '127.0.0.1' }] };
    expect(failures(await byEachCarrier(url, network))).toEqual({ http: undefined, raw: undefined, http2: undefined });
    expect(new Set(names)).toEqual(new Set([agentName]));
    expect(hosts).toContain(`${agentName}:${port}`);
    const elsewhere = await byEachCarrier(url, {
      ...network,
      resolve: [{ host: agentName, port: port - 1, address: '127.0.0.1' }],
    });
    expect(Object.values(elsewhere).map(({ failure }) => failure?.kind)).toEqual(['dns', 'dns', 'dns']);
  });

  test('of --resolve reach a proxy too', async () => {
    const { url, port } = await agent();
    const via = await proxy();
    const network = {
      proxy: proxyOfEnvironment({ http_proxy: via.url }) ?? {},
      resolve: [{ host: agentName, address: '127.0.0.1' }],
    };
    expect(failures(await byEachCarrier(url, network))).toEqual({ http: undefined, raw: undefined, http2: undefined });
    expect(new Set(via.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${port}`]));
  });
});
