import { describe, expect, test } from 'vitest';
import { faults } from '../../../fixtures/faults/index.js';
import { xprAgent } from '../../../packs/xpr/agent/index.js';
import type { Parameter } from '../../client/index.js';
import { dialectById, dialects, type ProfileId } from '../../dialect/index.js';
import { isObject, type JsonObject } from '../../model/index.js';
import { onCard, onError } from '../../reference/edits.js';
import { peek } from '../../reference/http.js';
import { createAgent, type Patch, variants } from '../../reference/index.js';
import { type Carrier, createTape, createWire, type Header, virtualClock } from '../../wire/index.js';
import { random, uuids } from '../random.js';
import { type Detected, detect } from './detect.js';

const baseUrl = 'http://agent.test';

interface Looking {
  readonly url?: string;
  readonly profile?: string;
  readonly credentials?: readonly Header[];
  readonly query?: readonly Parameter[];
  readonly binding?: 'auto' | 'jsonrpc';
}
interface Found extends Detected {
  /** Method, path and JSON-RPC method of every request, in order. */
  readonly sent: readonly string[];
}

async function look(
  carrier: Carrier,
  { url = baseUrl, profile = 'auto', credentials = [], query = [], binding = 'auto' }: Looking = {},
): Promise<Found> {
  const sent: string[] = [];
  const wire = createWire({
    carrier(request, signal) {
      const body = peek(request);
      const { pathname } = new URL(request.url);
      sent.push([request.method, pathname, isObject(body) ? body['method'] : ''].join(' ').trim());
      return carrier(request, signal);
    },
    clock: virtualClock(),
    tape: createTape(),
    limits: { timeoutMs: 1000, maxBytes: 1 << 20 },
  });
  const found = await detect({
    url,
    profile,
    binding,
    wire,
    credentials,
    query,
    allowedOrigins: [],
    uuid: uuids(random(1)),
  });
  return { ...found, sent };
}

function agentOf(id: ProfileId, ...patches: readonly Patch[]): Carrier {
  const dialect = dialectById(id);
  if (dialect === undefined) throw new Error(`no dialect ${id}`);
  const part = dialect.signed && xprAgent(dialect, {});
  return createAgent({ dialect, clock: virtualClock(), baseUrl, patches, ...(part === undefined ? {} : { part }) })
    .handle;
}
const cardless: Patch = () => ({ serveCard: () => ({ status: 404, headers: [], body: '' }) });
const variant = (id: string) => {
  const found = variants.find((variant) => variant.id === id);
  if (found === undefined) throw new Error(`no variant ${id}`);
  return found;
};

// Over how many lines is signed no card tells.
describe.for(dialects.filter(({ id }) => id !== 'xpr-v2'))('an agent of $id', ({ id, operations, signed, binding }) => {
  test('is known by its card and one probe', async () => {
    const { dialect, evidence, isAgent, sent } = await look(agentOf(id));
    expect(dialect.id).toBe(id);
    expect(isAgent).toBe(true);
    expect(evidence.at(-1)).toBe(
      signed === undefined ? `profile ${id}` : `the agent wants signed requests; profile ${id} is from the card`,
    );
    if (binding.id === 'jsonrpc') {
      expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
      expect(sent.at(-1)).toContain(operations.get.rpc);
    } else expect(sent.filter((request) => /\/tasks\/|\/GetTask$/.test(request))).toHaveLength(1);
  });

  test('is known by the URL of its endpoint', async () => {
    const { target } = await look(agentOf(id));
    expect((await look(agentOf(id), { url: target.endpoint })).dialect.id).toBe(id);
  });

  test('is taken for what the user says it is', async () => {
    const { dialect, evidence } = await look(agentOf(id), { profile: 'a2a-0.3' });
    expect(dialect.id).toBe({ jsonrpc: 'a2a-0.3', 'http+json': 'a2a-0.3-rest', grpc: 'a2a-0.3-grpc' }[binding.id]);
    expect(evidence.at(-1)).toMatch(/^profile a2a-0\.3(-rest|-grpc)?, as asked for/);
  });
});

// Without a card the spellings of 0.2, 0.3 and OpenClaw are one, but for the method that 0.3 brought.
test.for([
  ['a2a-1.0', 'a2a-1.0'],
  ['a2a-0.3', 'a2a-0.3'],
  ['a2a-0.2', 'a2a-0.3'],
  ['terminal-bench', 'terminal-bench'],
] as const)('without a card, %s is detected as %s', async ([id, detected]) => {
  const { dialect, isAgent, target } = await look(agentOf(id, cardless));
  expect(dialect.id).toBe(detected);
  expect(isAgent).toBe(true);
  expect(target.cardDocument).toBeUndefined();
});

describe('a card without a version', () => {
  const unversioned = onCard(({ protocolVersion: _, ...card }) => card);
  test('at the path of 0.2 is one of 0.2', async () => {
    expect((await look(agentOf('a2a-0.2', unversioned))).dialect.id).toBe('a2a-0.2');
  });
  test('is one of 0.3 where the agent knows a method of 0.3', async () => {
    const { dialect, evidence } = await look(agentOf('a2a-0.3', unversioned));
    expect(dialect.id).toBe('a2a-0.3');
    expect(evidence.join('\n')).toContain('agent/getAuthenticatedExtendedCard without params');
  });
});

describe('a card that claims one version where another is spoken', () => {
  const claimsNew = onCard((card) => ({
    ...card,
    supportedInterfaces: [{ url: `${baseUrl}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    protocolVersion: undefined,
    url: undefined,
  }));
  const claimsOld = onCard(({ supportedInterfaces: _, ...card }) => ({
    ...card,
    protocolVersion: '0.3.0',
    url: `${baseUrl}/`,
  }));
  test.for([
    ['a2a-0.3', claimsNew, 'the card claims a2a-1.0, the agent speaks a2a-0.3'],
    ['terminal-bench', claimsNew, 'the card claims a2a-1.0, the agent speaks terminal-bench'],
    ['a2a-1.0', claimsOld, 'the card claims a2a-0.3, the agent speaks a2a-1.0'],
    ['terminal-bench', claimsOld, 'the card claims a2a-0.3, the agent speaks terminal-bench'],
  ] as const)('%s', async ([id, patch, said]) => {
    const { dialect, evidence } = await look(agentOf(id, patch));
    expect(dialect.id).toBe(id);
    expect(evidence.at(-1)).toBe(said);
  });
  test('in words only', async () => {
    const { evidence } = await look(agentOf('terminal-bench'));
    expect(evidence).toContain('the metadata of the card claim A2A 1.0');
  });
});

describe('a card of 1.0 at an agent with the methods of 0.3', () => {
  test.for([
    ['auto', 'rpc-methods-of-0-3', 'and GetTask is not there'],
    ['a2a-1.0', 'rpc-methods-of-0-3', 'and GetTask is not there'],
    ['auto', 'rpc-methods-of-0-3-vague', 'and that is answered with error -32603'],
  ] as const)('and objects of 1.0 is judged as 1.0 with these methods (%s, %s)', async ([profile, id, said]) => {
    const patches = faults.filter((fault) => fault.id === id).map(({ patch }) => patch);
    const { dialect, evidence } = await look(agentOf('a2a-1.0', ...patches), { profile });
    expect([dialect.id, dialect.operations.get.rpc]).toEqual(['a2a-1.0', 'tasks/get']);
    expect(evidence.at(-1)).toContain(`message/send does the work of SendMessage, ${said}`);
  });

  test('an agent whose errors are all internal keeps its own methods', async () => {
    const vague = onError(({ data: _, ...error }) => ({ ...error, code: -32603 }));
    const { dialect, sent } = await look(agentOf('a2a-1.0', vague));
    expect(dialect.operations.get.rpc).toBe('GetTask');
    expect(sent.filter((request) => request.includes('message/send'))).toEqual([]);
  });

  test('and objects of 0.3 is judged as 0.3', async () => {
    const is10: Patch = onCard((card) => ({ ...card, protocolVersion: '1.0' }));
    expect((await look(agentOf('a2a-0.3', is10))).dialect.id).toBe('a2a-0.3');
  });
});

describe('a dual card', () => {
  const old = agentOf('a2a-0.3');
  const at = (path: string, version: string) => ({
    url: `${baseUrl}${path}`,
    protocolBinding: 'JSONRPC',
    protocolVersion: version,
  });
  /** 1.0 at the root, 0.3 below /old: one card for both. */
  const both = (interfaces: readonly object[], more: object): Carrier => {
    const young = agentOf(
      'a2a-1.0',
      onCard((card) => ({ ...card, ...more, supportedInterfaces: interfaces })),
    );
    return (request, signal) =>
      new URL(request.url).pathname === '/old'
        ? old({ ...request, url: `${baseUrl}/` }, signal)
        : young(request, signal);
  };
  const legacy = { protocolVersion: '0.3.0', url: `${baseUrl}/old`, preferredTransport: 'JSONRPC' };

  test('is tested as the first that it names, and says that there is another', async () => {
    const { dialect, evidence, target } = await look(both([at('/', '1.0')], legacy));
    expect([dialect.id, target.endpoint]).toEqual(['a2a-1.0', `${baseUrl}/`]);
    expect(evidence.join('\n')).toContain(
      'a dual card: it claims a2a-1.0 (supportedInterfaces) and a2a-0.3 (protocolVersion)',
    );
  });
  test('is tested at the endpoint of the version that the user asks for', async () => {
    const { dialect, target } = await look(both([at('/', '1.0')], legacy), { profile: 'a2a-0.3' });
    expect([dialect.id, target.endpoint]).toEqual(['a2a-0.3', `${baseUrl}/old`]);
  });
  test('has a version for each interface', async () => {
    const carrier = both([at('/old', '0.3'), at('/', '1.0')], {});
    expect((await look(carrier)).target.endpoint).toBe(`${baseUrl}/old`);
    expect((await look(carrier)).dialect.id).toBe('a2a-0.3');
    const { dialect, target } = await look(carrier, { profile: 'a2a-1.0' });
    expect([dialect.id, target.endpoint]).toEqual(['a2a-1.0', `${baseUrl}/`]);
  });
  test('may name a version that the kit does not know yet', async () => {
    const { dialect, evidence } = await look(both([at('/next', '2.0'), at('/', '1.0')], {}));
    expect(dialect.id).toBe('a2a-1.0');
    expect(evidence).toContain('the card names an interface of version 2.0, which the kit does not know');
  });
});

describe('credentials', () => {
  test('that are missing end the search: the card says what is spoken', async () => {
    const { headers = [], patch } = variant('bearer-required');
    for (const id of ['a2a-1.0', 'a2a-0.3', 'a2a-0.2', 'openclaw'] as const) {
      const carrier = agentOf(id, patch);
      const { dialect, evidence, isAgent, sent } = await look(carrier);
      expect(dialect.id).toBe(id);
      expect(isAgent).toBe(true);
      expect(evidence.at(-1)).toBe(
        `the agent wants credentials; give valid credentials with --bearer-env, --header, --query-env or --oauth-client-id-env; profile ${id} is from the card`,
      );
      expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
      expect((await look(carrier, { credentials: headers })).evidence.at(-1)).toBe(`profile ${id}`);
    }
  });
  test('are also missed inside of JSON-RPC', async () => {
    const error = { code: -32000, message: 'Authentication required: missing signature headers' };
    const locked: Patch = (inner) => ({
      serveRpc: async (request) => ({
        ...(await inner.serveRpc(request)),
        body: JSON.stringify({ jsonrpc: '2.0', id: 'tck-probe', error }),
      }),
    });
    const { evidence, sent } = await look(agentOf('a2a-0.2', locked));
    expect(evidence.at(-1)).toMatch(/^the agent wants credentials/);
    expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1);
  });
});

describe('redirects of the endpoint', () => {
  const moved =
    (status: number, where: (url: URL) => string): Carrier =>
    async (request, signal) => {
      const url = new URL(request.url);
      if (url.pathname === '/rpc/') return agentOf('a2a-0.3')({ ...request, url: `${url.origin}/` }, signal);
      if (request.method !== 'POST') return agentOf('a2a-0.3')(request, signal);
      async function* nothing() {}
      return { status, headers: [['location', where(url)]], body: nothing() };
    };

  test.each([301, 302, 307, 308])('%i is followed within the origin, by POST', async (status) => {
    const { target, redirect, evidence, dialect } = await look(moved(status, () => '/rpc/'));
    expect(new URL(target.endpoint).pathname).toBe('/rpc/');
    expect(redirect).toMatchObject({ status, stopped: undefined });
    expect(dialect.id).toBe('a2a-0.3');
    expect(evidence.join('\n')).toMatch(/\/rpc\/ instead; followed/);
  });
  test.each([
    ['303', 303, () => '/rpc/', 'not for a POST'],
    ['another origin', 307, () => 'https://other.test/rpc/', 'another origin'],
    ['itself', 307, ({ pathname }: URL) => pathname, 'a loop'],
    ['ever more', 308, ({ pathname }: URL) => `${pathname}x`, 'a loop'],
  ] as const)('%s is reported and not followed', async (_, status, where, stopped) => {
    const { redirect, sent } = await look(moved(status, where));
    expect(redirect).toMatchObject({ status, stopped });
    expect(sent.filter((request) => request.includes('other.test'))).toEqual([]);
    expect(sent.length).toBeLessThan(40);
  });
  test.each(['', 'no url://', 'ftp://agent.test/', `/${'x'.repeat(5000)}`])('to %j leads nowhere', async (location) => {
    const { redirect } = await look(moved(307, () => location));
    expect(redirect === undefined || redirect.stopped !== undefined).toBe(true);
  });
  test('the query that the kit adds by itself does not come twice', async () => {
    const carrier = moved(307, ({ search }) => `/rpc/${search}`);
    const { target } = await look(carrier, { query: [['key', 'secret']] });
    expect(target.endpoint).toMatch(/\/rpc\/$/);
  });
});

describe('a card that differs by the version that the client names', () => {
  const { patch } = variant('card-by-version');
  const note = 'the card differs by whether the client names its version with A2A-Version; each client gets its own';

  test('is judged as a client of 1.0 gets it', async () => {
    const { dialect, target, evidence, sent } = await look(agentOf('a2a-1.0', patch));
    expect(dialect.id).toBe('a2a-1.0');
    expect(target.card.capabilities.extendedCard).toBe(true);
    expect(target.cardExchange?.request.headers).toContainEqual(['A2A-Version', '1.0']);
    expect(evidence).toContain(note);
    expect(sent.filter((request) => request.startsWith('GET'))).toHaveLength(2);
  });
  test('is judged as a client of 0.3 gets it, where 0.3 is asked for', async () => {
    const { dialect, target, evidence } = await look(agentOf('a2a-1.0', patch), { profile: 'a2a-0.3' });
    expect([dialect.id, evidence.at(-1)]).toEqual(['a2a-0.3', 'profile a2a-0.3, as asked for']);
    expect(target.card).toMatchObject({ protocolVersion: '0.3.0', capabilities: { extendedCard: false } });
    expect(evidence).not.toContain(note);
  });
  test('is one where the version is nothing to the agent', async () => {
    for (const id of ['a2a-0.3', 'a2a-1.0'] as const) {
      const { dialect, evidence, sent } = await look(agentOf(id));
      expect(dialect.id).toBe(id);
      expect(evidence).not.toContain(note);
      expect(sent.filter((request) => request.startsWith('GET'))).toHaveLength(2);
    }
  });
  test.for([200, 406])('may be there for those alone that name it (HTTP %i without)', async (status) => {
    const strict: Patch = (inner) => ({
      serveCard: (request) =>
        request.headers.some(([name]) => name.toLowerCase() === 'a2a-version')
          ? inner.serveCard(request)
          : { status, headers: [['content-type', 'application/json']], body: '{"error":"VersionNotSupported"}' },
    });
    const { dialect, target } = await look(agentOf('a2a-1.0', strict));
    expect(dialect.id).toBe('a2a-1.0');
    expect(target.card.name).toBe('Reference Agent');
  });
});

describe('the machine itself has several names', () => {
  const named = (url: string): Patch => onCard((card) => ({ ...card, url }));
  const says = (evidence: readonly string[]) => evidence.filter((line) => line.includes('another origin'));

  test.for([
    ['http://127.0.0.1:4000', 'http://localhost:4000/'],
    ['http://[::1]:4000', 'http://localhost:4000/'],
    ['http://localhost:4000', 'http://127.0.0.1:4000/'],
    ['http://localhost:4000', 'http://[::1]:4000/'],
  ] as const)('at %s the card names %s', async ([url, other]) => {
    const { target, evidence, interfaces } = await look(agentOf('a2a-0.3', named(other)), { url });
    expect(target.endpoint).toBe(`${url}/`);
    expect(says(evidence)).toEqual([]);
    expect(interfaces).toEqual([
      { url: other, binding: 'JSONRPC', version: '0.3.0', declared: true, judged: 'in-full' },
    ]);
  });
  test.for([
    'http://localhost:4001/',
    'https://localhost:4000/',
    'http://127.0.0.2:4000/',
    'http://agent.localhost:4000/',
  ])('at another port, scheme or machine it is another origin: %s', async (other) => {
    const { evidence } = await look(agentOf('a2a-0.3', named(other)), { url: 'http://127.0.0.1:4000' });
    expect(says(evidence)).toHaveLength(1);
  });
});

describe('a server that is not an agent, or an agent of another time', () => {
  const answering =
    (answer: (body: JsonObject) => unknown): Carrier =>
    async ({ method, body }) => {
      const sent: unknown =
        method === 'POST' && body !== undefined ? JSON.parse(Buffer.from(body).toString()) : undefined;
      const made = isObject(sent) ? answer(sent) : undefined;
      async function* chunks() {
        yield new TextEncoder().encode(made === undefined ? 'Not found' : JSON.stringify(made));
      }
      return {
        status: made === undefined ? 404 : 200,
        headers: [['content-type', made === undefined ? 'text/plain' : 'application/json']],
        body: chunks(),
      };
    };

  test('a web server is none', async () => {
    const { isAgent, evidence } = await look(answering(() => undefined));
    expect(isAgent).toBe(false);
    expect(evidence.at(-1)).toMatch(/but the agent did not answer in it$/);
  });
  test('an agent of 0.1 is named', async () => {
    const oldest = answering(({ id, method }) => ({
      jsonrpc: '2.0',
      id,
      error:
        method === 'tasks/send' ? { code: -32602, message: 'Invalid params' } : { code: -32601, message: 'Unknown' },
    }));
    const { evidence } = await look(oldest);
    expect(evidence).toContain('the agent speaks A2A 0.1 (tasks/send), which the kit does not test');
  });
});

describe('a card behind a redirect', () => {
  const redirecting =
    (to: (path: string) => string | undefined, isAgent = true): Carrier =>
    async (request, signal) => {
      const { pathname } = new URL(request.url);
      const location = request.method === 'GET' ? to(pathname) : undefined;
      if (location !== undefined) {
        return { status: 302, headers: [['Location', location]], body: (async function* () {})() };
      }
      if (!isAgent) return { status: 404, headers: [], body: (async function* () {})() };
      const url = pathname === '/cards/main' ? `${baseUrl}/.well-known/agent-card.json` : request.url;
      return agentOf('a2a-0.3')({ ...request, url }, signal);
    };
  const isKnown = (path: string): boolean => path.startsWith('/.well-known/');

  test.each(['/cards/main', `${baseUrl}/cards/main`, '../cards/main'])('to %s is found', async (location) => {
    const found = await look(redirecting((path) => (isKnown(path) ? location : undefined)));
    expect(found.dialect.id).toBe('a2a-0.3');
    expect(found.sent.slice(0, 2)).toEqual(['GET /.well-known/agent-card.json', 'GET /cards/main']);
  });

  test('of another origin is not, and the reason names it', async () => {
    const asked = look(redirecting((path) => (isKnown(path) ? 'http://elsewhere.test/card' : undefined), false));
    const { isAgent, evidence, sent } = await asked;
    expect(isAgent).toBe(false);
    expect(evidence.join('\n')).toContain('HTTP 302, at http://elsewhere.test/card instead');
    expect(sent).not.toContain('GET /card');
  });

  test('to itself, or always on, comes to an end', async () => {
    let count = 0;
    expect((await look(redirecting((path) => path, false))).isAgent).toBe(false);
    expect((await look(redirecting(() => `/again/${++count}`, false))).isAgent).toBe(false);
    expect(count).toBeLessThan(20);
  });
});

describe('the URL of an interface', () => {
  const all = agentOf('a2a-1.0', variant('all-bindings').patch);
  test('is that of the interface that is judged', async () => {
    for (const url of [`${baseUrl}/rest`, `${baseUrl}/rest/`]) {
      const { dialect, target, interfaces } = await look(all, { url });
      expect([dialect.id, target.endpoint]).toEqual(['a2a-1.0-rest', `${baseUrl}/rest`]);
      expect(interfaces.flatMap(({ why, judged }) => (judged === 'in-full' ? [why] : []))).toEqual([undefined]);
    }
  });

  test('is none where it is that of the agent, or of its card', async () => {
    for (const url of [baseUrl, `${baseUrl}/.well-known/agent-card.json`]) {
      const { dialect, interfaces } = await look(all, { url });
      expect(dialect.id).toBe('a2a-1.0');
      expect(interfaces[0]).not.toHaveProperty('why');
    }
  });

  test.each([
    ['/elsewhere', 'auto', 'the card names no interface at http://agent.test/elsewhere, which was given'],
    ['/rest', 'jsonrpc', 'http://agent.test/rest, which was given, is HTTP+JSON'],
  ] as const)('is reported where another one is judged: %s, %s', async (path, binding, why) => {
    const { dialect, interfaces, evidence } = await look(all, { url: `${baseUrl}${path}`, binding });
    expect(dialect.id).toBe('a2a-1.0');
    expect(interfaces[0]).toMatchObject({ judged: 'in-full', why });
    expect(evidence).toContain(why);
  });

  test('may be the base of the agent too, whose first interface is meant then', async () => {
    const below: Carrier = (request, signal) =>
      all({ ...request, url: request.url.replace('/rest/.well-known/', '/.well-known/') }, signal);
    expect((await look(below, { url: `${baseUrl}/rest` })).dialect.id).toBe('a2a-1.0');
  });
});
