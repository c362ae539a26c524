import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { validationText } from '../reporters/index.js';
import { judgeDocument } from '../src/document/index.js';
import type { Validation } from '../src/report/index.js';
import { publicJwk, type SigningKey, signCard } from '../src/signing/index.js';
import { rules } from '../suites/index.js';
import { hostileTexts, runnerCommand } from './hostile-reports.js';
import { unseen } from './reports.js';
import { commandLine, type Ended } from './terminal.js';

// `a2a-tck validate`: documents without an agent.

const fixtures = new URL('../fixtures/a2a/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-validate-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const server of servers) server.close().closeAllConnections();
});

const load = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(name, fixtures), 'utf8')) as Record<string, unknown>;
const fileOf = (name: string): string => new URL(name, fixtures).pathname;

let files = 0;
/** A file with this text or JSON. */
function written(content: unknown): string {
  const file = join(folder, `document-${files++}.json`);
  const isBytes = typeof content === 'string' || content instanceof Uint8Array;
  writeFileSync(file, isBytes ? content : JSON.stringify(content, null, 2));
  return file;
}

const validate = (...args: readonly string[]): Promise<Ended> => commandLine(['validate', ...args]);
async function json(...args: readonly string[]): Promise<Validation> {
  const { out, code, err } = await validate(...args, '--json');
  expect(err).toBe('');
  const validation = JSON.parse(out) as Validation;
  expect(validation.exitCode).toBe(code);
  return validation;
}
const judged = (value: unknown, more: Partial<Parameters<typeof judgeDocument>[0]> = {}): Validation =>
  judgeDocument({
    bytes: Buffer.from(JSON.stringify(value)),
    source: 'document.json',
    kit: { name: 'a2a-tck', version: '0' },
    rules,
    ...more,
  });
const pointers = ({ faults }: Validation): readonly string[] =>
  faults.map(({ level, pointer }) => `${level} ${pointer}`);

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('kind and version are found out', () => {
  test.each([
    ['0.3.0/agent-card', 'card', 'a2a-0.3'],
    ['0.3.0/task', 'task', 'a2a-0.3'],
    ['0.3.0/message', 'message', 'a2a-0.3'],
    ['0.3.0/artifact', 'artifact', 'a2a-0.3'],
    ['0.3.0/status-update', 'event', 'a2a-0.3'],
    ['0.3.0/artifact-update', 'event', 'a2a-0.3'],
    ['0.3.0/task-push-config', 'push-config', 'a2a-0.3'],
    ['0.3.0/send-request', 'message', 'a2a-0.3'],
    ['1.0/agent-card', 'card', 'a2a-1.0'],
    ['1.0/task', 'task', 'a2a-1.0'],
    ['1.0/task-minimal', 'task', 'a2a-1.0'],
    ['1.0/message', 'message', 'a2a-1.0'],
    ['1.0/artifact', 'artifact', 'a2a-1.0'],
    ['1.0/status-update', 'event', 'a2a-1.0'],
    ['1.0/artifact-update', 'event', 'a2a-1.0'],
    ['1.0/push-config', 'push-config', 'a2a-1.0'],
    ['1.0/send-request', 'message', 'a2a-1.0'],
    ['xpr/agent-card', 'card', 'xpr'],
  ])('%s is a %s of %s without a fault', (name, kind, profile) => {
    const validation = judged(load(`${name}.json`));
    expect([validation.document.kind, validation.document.profile]).toEqual([kind, profile]);
    expect(pointers(validation)).toEqual([]);
    expect(validation.checks.length).toBeGreaterThan(0);
  });

  test.each([
    ['offer-v1', 'x402-payment-required'],
    ['offer-v2', 'x402-payment-required'],
    ['payment-v1', 'x402-payment-payload'],
    ['payment-v2', 'x402-payment-payload'],
  ])('%s is a %s', (name, kind) => {
    const validation = judged(load(`../x402/${name}.json`));
    expect([validation.document.kind, validation.document.profile]).toEqual([kind, undefined]);
    expect(pointers(validation)).toEqual([]);
  });

  test('receipts and metadata of payments too', () => {
    const [failed, settled] = load('../x402/receipts.json') as unknown as readonly [object, object];
    for (const receipt of [failed, settled]) {
      const validation = judged(receipt);
      expect([validation.document.kind, ...pointers(validation)]).toEqual(['x402-settlement-response']);
    }
    const metadata = { 'x402.payment.status': 'payment-paid', 'x402.payment.receipts': [settled] };
    const validation = judged(metadata);
    expect(validation.document.kind).toBe('x402-metadata');
    expect(pointers(validation)).toEqual(['must /x402.payment.status']);
    expect(validation.faults[0]?.requirement).toMatch(/^X402-/);
  });

  test('metadata of payments inside a task has its place in the task', () => {
    const task = load('0.3.0/task-minimal.json');
    const message = { ...load('0.3.0/message.json'), role: 'agent', metadata: { 'x402.payment.status': 'paid' } };
    const status = { state: 'input-required', message };
    expect(pointers(judged({ ...task, status }))).toEqual(['must /status/message/metadata/x402.payment.status']);
  });

  test('a card that takes payments is judged for its declaration', () => {
    const card = load('../x402/agent-card.json') as { capabilities: { extensions: Record<string, unknown>[] } };
    const [first] = card.capabilities.extensions;
    if (first === undefined) throw new Error('the card declares no extension');
    first['required'] = false;
    expect(pointers(judged(card))).toContain('should /capabilities/extensions/0/required');
  });

  test('an answer of JSON-RPC is judged by what it holds', () => {
    const { status: _, ...task } = load('0.3.0/task.json');
    const validation = judged({ jsonrpc: '2.0', id: 1, result: task });
    expect([validation.document.kind, ...pointers(validation)]).toEqual(['task', 'must /result/status']);
  });

  test('a part, which its version spells', () => {
    expect(judged({ kind: 'text', text: 'x' }).document).toMatchObject({ kind: 'part', profile: 'a2a-0.3' });
    expect(judged({ text: 'x', mediaType: 'text/plain' }).document).toMatchObject({ profile: 'a2a-1.0' });
    expect(pointers(judged({ kind: 'text', text: 7 }))).toEqual(['must /text']);
  });

  test('--as and --profile say them', async () => {
    const file = written({ role: 'user', parts: [{ kind: 'text', text: 'x' }], messageId: 'm', kind: 'message' });
    expect((await json(file)).faults).toEqual([]);
    expect(pointers(await json(file, '--profile', 'a2a-1.0'))).toEqual(
      expect.arrayContaining(['must /role', 'should /kind']),
    );
    expect(pointers(await json(file, '--as', 'card'))).toEqual(expect.arrayContaining(['must /name', 'must /skills']));
  });
});

describe('a fault', () => {
  test('has its line and column, its sentence with a link, and what to do', async () => {
    const { protocolVersion: _, ...card } = load('0.3.0/agent-card-minimal.json');
    const file = written({ ...card, capabilities: ['streaming'] });
    const { faults, summary, passed } = await json(file);
    expect([passed, summary.must]).toEqual([false, 2]);
    const text = readFileSync(file, 'utf8').split('\n');
    const list = faults.find(({ pointer }) => pointer === '/capabilities');
    expect(text[(list?.line ?? 0) - 1]?.slice((list?.column ?? 0) - 1)).toMatch(/^"capabilities"/);
    expect(list).toMatchObject({
      level: 'must',
      problem: 'must be object, is array',
      seen: '["streaming"]',
      check: 'card/capabilities',
      requirement: 'A2A03-CARD-013',
      link: 'https://a2a-protocol.org/v0.3.0/specification/#55-agentcard-object-structure',
    });
    expect(list?.fix).toContain('{"streaming": false}');
  });

  test.each<[problem: string, change: Record<string, unknown>, fault: string]>([
    ['a link that is relative', { documentationUrl: 'docs' }, 'should /documentationUrl'],
    ['a scheme that is not declared', { security: [{ ghost: [] }] }, 'must /security/0/ghost'],
    ['a public URL without TLS', { url: 'http://agent.invalid-tld.dev/a' }, 'must /url'],
    ['a misspelled transport', { preferredTransport: 'json-rpc' }, 'must /preferredTransport'],
    ['an API key', { description: `Call me with ${'sk-'}${'a1B2c3D4e5'.repeat(3)}.` }, 'should /description'],
    [
      'an unreadable signature',
      { signatures: [{ protected: 'e30', signature: 'AAAA' }] },
      'must /signatures/0/protected',
    ],
  ])('of a law without a schema has a place: %s', (_, change, fault) => {
    const validation = judged({ ...load('0.3.0/agent-card-minimal.json'), ...change });
    const found = pointers(validation).map((pointer) => pointer.replace(/^\w+ /, ''));
    expect(found).toContain(fault.replace(/^\w+ /, ''));
    expect(found).not.toContain('');
  });

  test('of two skills with one id, two artifacts, or of a history has the place of the second one', () => {
    const card = load('0.3.0/agent-card-minimal.json') as { skills: Record<string, unknown>[] };
    const skill = { id: 'a', name: 'A', description: 'A', tags: [] };
    expect(pointers(judged({ ...card, skills: [skill, skill] }))).toContain('must /skills/1/id');
    const task = load('0.3.0/task-minimal.json');
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] };
    const message = { ...load('0.3.0/message.json'), taskId: 'another' };
    const found = pointers(judged({ ...task, artifacts: [artifact, artifact], history: [message] }));
    expect(found.map((text) => text.replace(/^\w+ /, ''))).toEqual(
      expect.arrayContaining(['/artifacts/1/artifactId', '/history/0/taskId']),
    );
  });

  test('in a message of the user in a history counts: no run has brought it', () => {
    const message = { kind: 'message', messageId: 'm', role: 'user', parts: 'hello' };
    const task = { ...load('0.3.0/task-minimal.json'), history: [message] };
    expect(pointers(judged(task))).toContain('must /history/0/parts');
  });

  test('null in 1.0 is not a value', () => {
    const task = { ...load('1.0/task-minimal.json'), history: null };
    expect(pointers(judged(task))).toEqual(['should /history']);
  });

  test('a SHOULD counts with --strict only', async () => {
    const file = written({ ...load('0.3.0/agent-card-minimal.json'), defaultInputModes: ['text'] });
    expect((await validate(file)).code).toBe(0);
    const strict = await validate(file, '--strict');
    expect([strict.code, /FAILED {2}1 SHOULD fault$/m.test(strict.out)]).toEqual([1, true]);
  });
});

describe('notes', () => {
  const card = load('0.3.0/agent-card-minimal.json');
  test.each<[what: string, value: object, pointer: string, text: RegExp]>([
    [
      'authentication of 0.1',
      { ...card, authentication: { schemes: ['Bearer'] } },
      '/authentication',
      /A2A 0\.1.*security/,
    ],
    ['extensions at the root', { ...card, extensions: [] }, '/extensions', /capabilities\.extensions/],
    ['a card below a member', { agent: card }, '/agent', /below agent/],
    [
      'a registration by EIP-8004',
      { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1', name: 'x', description: 'x', endpoints: [] },
      '',
      /EIP-8004/,
    ],
    ['an unknown version', { ...card, protocolVersion: '7.0' }, '', /7\.0.*does not know/],
  ])('%s', (_, value, pointer, text) => {
    const { notes } = judged(value, { as: 'card' });
    expect(notes.find((note) => note.pointer === pointer)?.text).toMatch(text);
  });

  test('none on a card with nothing odd', () => {
    for (const name of ['0.3.0/agent-card', '1.0/agent-card', '0.3.0/agent-card-minimal'])
      expect(judged(load(`${name}.json`)).notes).toEqual([]);
  });
});

describe('formats', () => {
  const broken = { ...load('0.3.0/agent-card-minimal.json'), skills: [{ id: 7 }, { id: 8 }], url: 'nowhere' };
  const require = createRequire(import.meta.url);
  const {
    $schema: _,
    id: __,
    ...sarifSchema
  } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
  const draft4 = new Ajv({ strict: false, unicodeRegExp: false });
  formats.default(draft4);
  const isSarif = draft4.compile(sarifSchema);
  const own = JSON.parse(
    readFileSync(new URL('../schemas/kit/validation.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const isOurs = new Ajv2020().compile(own);

  test('JSON fits its schema, SARIF the published one, for all that a document may say', async () => {
    const all = [broken, ...hostileTexts.map((text) => ({ ...broken, [text]: text, name: [text], url: text }))];
    for (const value of all) {
      const file = written(value);
      const { out } = await validate(file, '--report', 'sarif');
      expect(isSarif(JSON.parse(out)), JSON.stringify(isSarif.errors)).toBe(true);
      const plain = await validate(file, '--json');
      expect(isOurs(JSON.parse(plain.out)), JSON.stringify(isOurs.errors)).toBe(true);
      const junit = await validate(file, '--report', 'junit');
      const ended = await validate(file);
      for (const text of [out, plain.out, junit.out, ended.out]) {
        expect(unseen(text)).toEqual([]);
        expect(text).not.toMatch(runnerCommand);
      }
    }
    expect(isOurs({})).toBe(false);
  });

  test('SARIF has the line and column in the file, and the link as help', async () => {
    const file = written(broken);
    const { out } = await validate(file, '--report', 'sarif');
    const [run] = (JSON.parse(out) as { runs: SarifRun[] }).runs;
    const place = run?.results.find(({ ruleId }) => ruleId === 'card/url')?.locations[0]?.physicalLocation;
    const { faults } = await json(file);
    const fault = faults.find(({ pointer }) => pointer === '/url');
    expect(place?.region).toEqual({ startLine: fault?.line, startColumn: fault?.column });
    expect(place?.artifactLocation.uri.endsWith('.json')).toBe(true);
    expect(run?.results.length).toBe(faults.length);
    for (const { ruleId, ruleIndex } of run?.results ?? []) expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
    expect(run?.tool.driver.rules.find(({ id }) => id === 'card/url')?.helpUri).toMatch(/#\w/);
  });
  interface SarifRun {
    readonly tool: { readonly driver: { readonly rules: { id: string; helpUri?: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly locations: readonly [
        { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object } },
      ];
    }[];
  }

  test('JUnit has a case for each check, red where the gate is', async () => {
    const file = written({ ...broken, defaultInputModes: ['text'] });
    const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
    const { out, code } = await validate(file, '--report', 'junit');
    const { testsuites } = parser.parse(out) as { testsuites: { tests: string; failures: string; skipped: string } };
    const { faults, checks } = await json(file);
    const failed = new Set(faults.filter(({ level }) => level === 'must').map(({ check }) => check));
    expect([code, Number(testsuites.failures), Number(testsuites.tests)]).toEqual([1, failed.size, checks.length]);
    expect(Number(testsuites.skipped)).toBeGreaterThan(0);
    expect(out).toContain(`${file}:`);
  });

  test('the console shows the same fault of several skills once, and fits a terminal', async () => {
    const { out, code } = await validate(written(broken));
    expect(code).toBe(1);
    expect(out.match(/tags is missing/g)?.length).toBe(1);
    expect(out).toMatch(/at +\S+:\d+:\d+; also \/skills\/1\/tags \(\d+:\d+\)/);
    expect(out).toMatch(/FAILED {2}\d+ MUST( and \d+ SHOULD)? faults\n$/);
  });

  test('several reports at once, and files that appear whole or not at all', async () => {
    const [first, other] = [join(folder, 'out.sarif'), join(folder, 'out.xml')];
    const { out, code } = await validate(written(broken), '--report', `sarif=${first}`, '--report', `junit=${other}`);
    expect([code, out.includes('FAILED')]).toEqual([1, true]);
    expect(readFileSync(other, 'utf8')).toContain('</testsuites>');
    expect(isSarif(JSON.parse(readFileSync(first, 'utf8')))).toBe(true);
    const none = join(folder, 'none.json');
    expect((await validate(join(folder, 'missing'), '--report', `json=${none}`)).code).toBe(2);
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([]);
  });
});

test('docs/validate.md shows what the command says', () => {
  const card = {
    name: 'Weather',
    description: 'Tells the weather of a city',
    url: 'https://weather.example/a2a',
    version: '1.2.0',
    capabilities: ['streaming'],
    defaultInputModes: ['text'],
    defaultOutputModes: ['text'],
    skills: [{ id: 'now', name: 'Now', description: 'The weather of a city now' }],
  };
  const text = JSON.stringify(card, null, 2)
    .replaceAll(/\[\n\s+("\w+")\n\s+\]/g, '[$1]')
    .replace(/\{\n\s+("id".*),\n\s+(".*),\n\s+(".*)\n\s+\}/, '{ $1, $2, $3 }');
  const validation = judged(card, { bytes: Buffer.from(text), source: 'agent-card.json' });
  const shown = validationText('console', [validation], { colour: false, columns: 80, verbose: false, strict: false });
  const indented = shown.replaceAll(/^(?=.)/gm, '    ');
  expect(readFileSync(new URL('../docs/validate.md', import.meta.url), 'utf8')).toContain(indented);
  expect(Math.max(...shown.split('\n').map((line) => (line.includes('https:') ? 0 : line.length)))).toBeLessThanOrEqual(
    80,
  );
});

describe('the signature of a card', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key: SigningKey = { kid: 'k', alg: 'ES256', jwk: pair.privateKey.export({ format: 'jwk' }) };
  const card = load('1.0/agent-card-minimal.json');
  const signed = { ...card, signatures: [signCard(card, key)] };
  const pem = pair.publicKey.export({ format: 'pem', type: 'spki' }).toString();

  test.each([
    ['a JWK', JSON.stringify(publicJwk(key))],
    ['a key set', JSON.stringify({ keys: [publicJwk(key)] })],
    ['PEM', pem],
  ])('is verified by %s', async (_, text) => {
    const { passed, signatures } = await json(written(signed), '--key', written(text));
    expect([passed, signatures.map(({ verified }) => verified)]).toEqual([true, [true]]);
  });

  test('of another card, by another key, or none at all is a fault', async () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const another = other.export({ format: 'pem', type: 'spki' }).toString();
    for (const [value, text] of [
      [{ ...signed, name: 'Mallory' }, pem],
      [signed, another],
      [card, pem],
    ] as const) {
      const { passed, faults } = await json(written(value), '--key', written(text));
      expect(passed).toBe(false);
      expect(faults.map(({ pointer, check }) => `${pointer} ${check}`)).toEqual(['/signatures signature/verifies']);
    }
  });

  test('needs a key, and a card', async () => {
    for (const text of ['{}', 'no key', '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----']) {
      const { code, err } = await validate(written(signed), '--key', written(text));
      expect([code, err.includes('--key holds no public key')]).toEqual([2, true]);
    }
    expect((await validate(fileOf('1.0/task.json'), '--key', written(pem))).code).toBe(2);
  });
});

describe('a text that is not a document', () => {
  test.each<[what: string, content: string | Uint8Array, problem: RegExp, fix: RegExp]>([
    ['a comment', '{\n  "name": "x", // for now\n}', /not JSON: here is a comment/, /no comments/],
    ['YAML', 'name: x\nurl: y\n', /not JSON/, /YAML/],
    ['a comma at the end', '{"name": "x",}', /not JSON/, /no comma at the end/],
    ['HTML', '<!doctype html><title>x</title>', /not JSON/, /HTML/],
    ['nothing', '', /not JSON: here is the end/, /Give a file/],
    ['binary', Uint8Array.of(0, 255, 254, 1), /not text in UTF-8/, /UTF-8/],
    ['a byte order mark', '\uFEFF{"name":"x"}', /byte order mark/, /BOM/],
    ['a half', '{"name": "x", "skills": [', /not JSON/, /Correct/],
  ])('%s is a fault with its place', async (_, content, problem, fix) => {
    const { code, out, err } = await validate(written(content));
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(problem);
    expect(out).toMatch(fix);
    expect(out).toMatch(/:\d+:\d+/);
  });

  test.each<[what: string, args: () => readonly string[], code: number, said: RegExp]>([
    ['a folder', () => [folder], 2, /it is a folder/],
    ['no file', () => [join(folder, 'nowhere.json')], 2, /the file does not exist/],
    ['a file without end', () => ['/dev/zero'], 2, /longer than 4 MiB/],
    ['a deep list', () => [written(`${'['.repeat(300_000)}${']'.repeat(300_000)}`)], 2, /nests 300000 levels/],
    ['another object', () => [written({ a: 1 })], 3, /an object with a\n.*--as card/],
    ['a list', () => [written([])], 3, /no object/],
    ['an unknown kind', () => [written({}), '--as', 'crad'], 2, /did you mean card/],
    ['an unknown profile', () => [written({ name: 'x', skills: [] }), '--profile', 'a2a-9'], 2, /known profiles/],
    [
      'a kind that a profile lacks',
      () => [written({ url: 'x', token: 'y' }), '--profile', 'openclaw'],
      2,
      /knows no push-config/,
    ],
    ['an unknown format', () => [written({}), '--report', 'html'], 2, /is not a format of a document/],
    ['two formats on stdout', () => [written({}), '--report', 'json', '--report', 'sarif'], 2, /both go to stdout/],
  ])('%s', async (_, args, expected, said) => {
    const { code, out, err } = await validate(...args());
    expect([code, out]).toEqual([expected, '']);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/\n {4}at /);
  });

  test('a document of many megabytes with many faults is judged in seconds', () => {
    const skills = Array.from({ length: 40_000 }, (_, at) => ({ id: at }));
    const validation = judged({ ...load('0.3.0/agent-card-minimal.json'), skills });
    expect(validation.faults.length).toBeLessThanOrEqual(500);
    expect(validation.more).toBeGreaterThan(100);
    expect(validation.passed).toBe(false);
  });
});

describe('a URL', () => {
  const card = load('0.3.0/agent-card-minimal.json');
  test('of an agent leads to its card', async () => {
    const url = await served((request, response) => {
      response.statusCode = request.url === '/.well-known/agent-card.json' ? 200 : 404;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...card, name: 7 }));
    });
    const validation = await json(url);
    expect([validation.document.source, ...pointers(validation)]).toEqual([
      `${url}/.well-known/agent-card.json`,
      'must /name',
    ]);
  });

  test('of a document is judged as it came', async () => {
    const url = await served((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(load('1.0/task.json')));
    });
    expect((await json(`${url}/task.json`, '--as', 'task')).document.profile).toBe('a2a-1.0');
  });

  test('with a broken card shows where it is broken', async () => {
    const url = await served((_, response) => {
      response.setHeader('content-type', 'application/json').end('{\n "name": "x", // now\n}');
    });
    const { faults } = await json(`${url}/.well-known/agent-card.json`);
    expect(faults.map(({ line, column }) => [line, column])).toEqual([[2, 15]]);
  });

  test.each<[what: string, listener: RequestListener, said: RegExp]>([
    [
      'leads away',
      (_, response) => response.writeHead(302, { location: 'https://elsewhere.example/x' }).end(),
      /leads to https:\/\/elsewhere\.example\/x|at https:\/\/elsewhere/,
    ],
    ['wants credentials', (_, response) => response.writeHead(401).end(), /wants credentials|HTTP 401/],
    ['has nothing', (_, response) => response.writeHead(404).end(), /HTTP 404/],
    ['breaks off', (_, response) => response.destroy(), /reset|no agent card/],
  ])('that %s says so', async (_, listener, said) => {
    const url = await served(listener);
    for (const args of [[url], [`${url}/t.json`, '--as', 'task']]) {
      const { code, out, err } = await validate(...args);
      expect([code, out]).toEqual([3, '']);
      expect(err).toMatch(said);
    }
  });

  test('that no server serves says so, and one with a password does not repeat it', async () => {
    const { code, err } = await validate('http://user:hunter2@127.0.0.1:9/card.json');
    expect(code).toBe(3);
    expect(err).toMatch(/cannot be (reached|read): refused/);
    expect(err).not.toContain('hunter2');
  });
});

describe('several documents', () => {
  const cards = join(folder, 'cards');
  mkdirSync(join(cards, 'deep'), { recursive: true });
  const good = load('1.0/agent-card.json');
  writeFileSync(join(cards, 'good.json'), JSON.stringify(good));
  writeFileSync(join(cards, 'deep', 'bad.json'), JSON.stringify({ ...good, name: 7 }));
  writeFileSync(join(cards, 'notes.txt'), 'no document');

  test('each file that fits a pattern is judged, and one fault is enough', async () => {
    const item = await validate(join(cards, '*.json'));
    expect([item.code, item.out]).toEqual([0, expect.stringContaining('good.json')]);
    const all = await validate(join(cards, '**/*.json'), '--json');
    const validations = JSON.parse(all.out) as readonly Validation[];
    expect(all.code).toBe(1);
    expect(validations.map(({ document, exitCode }) => [document.source.split('/').at(-1), exitCode])).toEqual([
      ['bad.json', 1],
      ['good.json', 0],
    ]);
  });

  test('JUnit has a suite for each, and SARIF a run with a category of its own', async () => {
    const junit = await validate(join(cards, '**/*.json'), '--report', 'junit');
    const parsed = new XMLParser({ ignoreAttributes: false }).parse(junit.out) as {
      readonly testsuites: { readonly testsuite: readonly { readonly '@_failures': string }[] };
    };
    expect(parsed.testsuites.testsuite.map((suite) => suite['@_failures'])).toEqual(['1', '0']);
    const sarif = await validate(join(cards, '**/*.json'), '--report', 'sarif');
    const { runs } = JSON.parse(sarif.out) as {
      runs: readonly { readonly automationDetails: { readonly id: string } }[];
    };
    const ids = runs.map(({ automationDetails }) => automationDetails.id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^a2a-tck\/validate\/card\/.*\.json\/$/);
  });

  test('a pattern that fits nothing is reported', async () => {
    const { code, err } = await validate(join(cards, '*.yaml'));
    expect(code).toBe(2);
    expect(err).toMatch(/\*\.yaml fits no file/);
  });
});

test('a name of a binding in other letters is shown as its right name', () => {
  const named = (protocolBinding: string): Validation => {
    const card = load('1.0/agent-card.json');
    const [first, ...rest] = card['supportedInterfaces'] as readonly object[];
    return judged({ ...card, supportedInterfaces: [{ ...first, protocolBinding }, ...rest] });
  };
  const fixOf = ({ faults }: Validation) => faults.find(({ check }) => check === 'card/custom-binding-uri')?.fix;
  expect(fixOf(named('jsonrpc'))).toBe('Write "JSONRPC": names of bindings are compared letter by letter.');
  expect(fixOf(named('http_json'))).toMatch(/^Write "HTTP\+JSON"/);
  expect(fixOf(named('stdio'))).toMatch(/URI/);
});
