import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { loadLedger } from '../src/ledger/requirements.js';
import { createInspector } from '../src/ledger/schemas.js';
import { cases } from './a2a-1.0.cases.js';
import { testCases } from './judged-cases.js';
import { changed, rpc, rulesIn, samplesIn } from './samples.js';

const here = new URL('./', import.meta.url);
const inspector = createInspector('a2a/1.0');
const ledger = loadLedger('a2a-1.0');
const keys = new Set<string>(ledger.rows.flatMap(({ key }) => key ?? []));
const files = readdirSync(new URL('a2a/1.0/', here)).map((name) => ({
  name,
  schema: JSON.parse(readFileSync(new URL(`a2a/1.0/${name}`, here), 'utf8')) as Record<string, unknown>,
}));
const { valid, invalid } = cases();

describe('documents of 1.0', () => {
  it('are many, so that nothing below holds by default', () => {
    expect(valid.length).toBeGreaterThanOrEqual(60);
    expect(invalid.length).toBeGreaterThanOrEqual(120);
    const names = [...valid, ...invalid].map(({ ref, name }) => `${ref} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  testCases(inspector, valid, invalid);
});

/** Rows about structure that no single place of one document can decide: other checks read them. */
const beyondSchemas = new Set([
  'card.extended-structure',
  'card.links-are-urls',
  'card.security-names',
  'card.skill-ids-unique',
  'data.agent-role',
  'data.artifact-ids-unique',
  'data.file-uri-absolute',
  'data.history-ids',
  'data.message-ids-unique',
  'data.no-nulls',
]);

describe('rules of 1.0', () => {
  const used = new Set(files.flatMap(({ schema }) => [...rulesIn(schema)]));

  it('are keys of the ledger', () => {
    expect([...used].filter((rule) => !keys.has(rule))).toEqual([]);
  });

  it('reach each structural row', () => {
    const source = /source: proto/;
    const text = readFileSync(new URL('requirements/a2a-1.0.yaml', here), 'utf8');
    const structural = text
      .split(/^ {2}- id: /m)
      .filter((row) => /^A2A10-(CARD|DATA|EXT|SIG)-/.test(row) && source.test(row));
    const wanted = structural.flatMap((row) => /key: (\S+)/.exec(row)?.[1] ?? []);
    expect(wanted.length).toBeGreaterThan(40);
    expect(wanted.filter((key) => !used.has(key) && !beyondSchemas.has(key))).toEqual([]);
    expect([...beyondSchemas].filter((key) => used.has(key) || !keys.has(key))).toEqual([]);
  });

  it('are each shown by an invalid document', () => {
    const shown = new Set(invalid.map(({ rule }) => rule));
    expect([...used].filter((rule) => !shown.has(rule))).toEqual([]);
  });

  it('are each reached by a valid document', () => {
    const visited = new Set<string>(
      valid.flatMap(({ ref, document }) => [...inspector.inspect(ref, document).visited]),
    );
    expect([...used].filter((rule) => !visited.has(rule))).toEqual([]);
  });
});

describe('schema files of 1.0', () => {
  const ajv = new Ajv2020({ strict: false });
  for (const keyword of ['x-rule', 'x-open', 'x-nulls']) ajv.addKeyword(keyword);
  for (const format of ['base64', 'base64url', 'http-url', 'uri', 'grpc-target']) ajv.addFormat(format, true);

  it.each(files)('$name is a schema under its own $id, and compiles in each of its definitions', ({ name, schema }) => {
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    expect(schema['$id']).toBe(`a2a-tck:///schemas/a2a/1.0/${name}`);
    const definitions = Object.keys((schema['$defs'] as object | undefined) ?? {});
    for (const ref of [name, ...definitions.map((key) => `${name}#/$defs/${key}`)]) {
      expect(inspector.has(ref), ref).toBe(true);
      expect(() => inspector.inspect(ref, {}), ref).not.toThrow();
    }
  });

  it('define each operation in four forms', () => {
    const definitions = files.find(({ name }) => name === 'rpc.schema.json')?.schema['$defs'] as object;
    const push = ['pushSet', 'pushGet', 'pushList', 'pushDelete'];
    const operations = ['send', 'stream', 'get', 'list', 'cancel', 'subscribe', ...push, 'extendedCard'];
    const wanted = operations.flatMap((operation) =>
      ['params', 'result', 'request', 'response'].map((form) => `${operation}.${form}`),
    );
    expect(Object.keys(definitions).sort()).toEqual(wanted.sort());
  });
});

describe('required members', () => {
  interface Members {
    readonly required?: readonly string[];
    readonly optional?: readonly string[];
    readonly oneOf?: readonly string[];
  }
  const { load } = samplesIn('1.0');
  const messages = (load('required-fields') as { messages: Readonly<Record<string, Members>> }).messages;
  const at = (document: unknown, pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce((inner, step) => (inner as Record<string, unknown>)[step], document);

  const schemes = '/securitySchemes';
  const flows = (name: string) => `${schemes}/${name}/oauth2SecurityScheme/flows`;
  const oldFlows = changed(load('agent-card'), flows('login'), {
    implicit: { authorizationUrl: '', refreshUrl: '', scopes: {} },
    password: { tokenUrl: '', refreshUrl: '', scopes: {} },
  });
  const params = (operation: string): readonly [string, unknown, string] => [
    rpc(`${operation}.params`),
    (load('params') as Record<string, unknown>)[operation],
    '',
  ];
  const card = (pointer: string): readonly [string, unknown, string] => [
    'agent-card.schema.json',
    load('agent-card'),
    pointer,
  ];
  const item = (file: string, name: string, pointer = ''): readonly [string, unknown, string] => [
    `${file}.schema.json`,
    load(name),
    pointer,
  ];
  /** A full example of each message: schema, document, place in it. */
  const examples: Readonly<Record<string, readonly [string, unknown, string]>> = {
    SendMessageRequest: params('send'),
    SendMessageConfiguration: [...params('send').slice(0, 2), '/configuration'] as unknown as [string, unknown, string],
    GetTaskRequest: params('get'),
    ListTasksRequest: params('list'),
    CancelTaskRequest: params('cancel'),
    SubscribeToTaskRequest: params('subscribe'),
    GetTaskPushNotificationConfigRequest: params('pushGet'),
    DeleteTaskPushNotificationConfigRequest: params('pushDelete'),
    ListTaskPushNotificationConfigsRequest: params('pushList'),
    GetExtendedAgentCardRequest: params('extendedCard'),
    Task: item('task', 'task'),
    TaskStatus: item('task', 'task', '/status'),
    Part: item('message', 'message', '/parts/1'),
    Message: item('message', 'message'),
    Artifact: item('artifact', 'artifact'),
    TaskStatusUpdateEvent: item('events', 'status-update', '/statusUpdate'),
    TaskArtifactUpdateEvent: item('events', 'artifact-update', '/artifactUpdate'),
    StreamResponse: item('events', 'status-update'),
    SendMessageResponse: [rpc('send.result'), { task: load('task') }, ''],
    ListTasksResponse: item('list', 'task-list'),
    TaskPushNotificationConfig: item('push-config', 'push-config'),
    AuthenticationInfo: item('push-config', 'push-config', '/authentication'),
    ListTaskPushNotificationConfigsResponse: [rpc('pushList.result'), load('push-configs'), ''],
    AgentCard: card(''),
    AgentInterface: card('/supportedInterfaces/0'),
    AgentProvider: card('/provider'),
    AgentCapabilities: card('/capabilities'),
    AgentExtension: card('/capabilities/extensions/0'),
    AgentSkill: card('/skills/0'),
    AgentCardSignature: card('/signatures/0'),
    SecurityRequirement: card('/securityRequirements/0'),
    StringList: card('/securityRequirements/0/schemes/login'),
    SecurityScheme: card(`${schemes}/ship`),
    APIKeySecurityScheme: card(`${schemes}/key/apiKeySecurityScheme`),
    HTTPAuthSecurityScheme: card(`${schemes}/token/httpAuthSecurityScheme`),
    OAuth2SecurityScheme: card(`${schemes}/login/oauth2SecurityScheme`),
    OpenIdConnectSecurityScheme: card(`${schemes}/oidc/openIdConnectSecurityScheme`),
    MutualTlsSecurityScheme: card(`${schemes}/ship/mtlsSecurityScheme`),
    OAuthFlows: card(flows('login')),
    AuthorizationCodeOAuthFlow: card(`${flows('login')}/authorizationCode`),
    ClientCredentialsOAuthFlow: card(`${flows('crane')}/clientCredentials`),
    DeviceCodeOAuthFlow: card(`${flows('buoy')}/deviceCode`),
    ImplicitOAuthFlow: ['agent-card.schema.json', oldFlows, `${flows('login')}/implicit`],
    PasswordOAuthFlow: ['agent-card.schema.json', oldFlows, `${flows('login')}/password`],
  };
  /** What the schemas ask for beyond the proto: rows that only warn. */
  const beyondProto: Readonly<Record<string, readonly string[]>> = {
    // EXT-001: an extension without a name is of no use.
    AgentExtension: ['uri'],
  };
  /** Lists that the proto requires and that may be empty: ProtoJSON leaves them out (AMB10-12). */
  const mayBeLeftOut: Readonly<Record<string, string>> = { AgentCard: 'skills' };

  it('have an example of each message', () => {
    expect(Object.keys(examples).sort()).toEqual(Object.keys(messages).sort());
    expect(Object.values(messages).flatMap(({ required }) => required ?? []).length).toBeGreaterThan(60);
  });

  it.each(Object.keys(examples))('of %s are those of the proto', (name) => {
    const [ref, document, pointer] = examples[name]!;
    const { required = [], optional = [], oneOf = [] } = messages[name]!;
    const members = Object.keys(at(document, pointer) as object);
    expect(members).toEqual(expect.arrayContaining([...required, ...optional]));
    expect([...required, ...optional, ...oneOf]).toEqual(expect.arrayContaining(members));
    const demanded = members.filter((member) => {
      const without = changed(document, `${pointer}/${member}`);
      return inspector.inspect(ref, without).findings.some(({ path }) => path === `${pointer}/${member}`);
    });
    const asked = required.filter((member) => member !== mayBeLeftOut[name]);
    expect(demanded.sort()).toEqual([...asked, ...(beyondProto[name] ?? [])].sort());
  });

  it('go beyond the proto only under rows that warn', () => {
    for (const key of ['data.task-context-id', 'ext.uri'] as const) expect(ledger.row(key)?.level).toBe('should');
  });
});

describe('the ledger of 1.0', () => {
  it('has each key once', () => {
    const all = ledger.rows.flatMap(({ key }) => key ?? []);
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
    expect(ledger.rows.filter(({ id, key }) => key === undefined && !/-(REST|GRPC)-/.test(id))).toEqual([]);
  });

  it('shares the sentences of 0.3', () => {
    const earlier = new Set<string>(loadLedger('a2a-0.3').rows.flatMap(({ key }) => key ?? []));
    expect([...keys].filter((key) => earlier.has(key)).length).toBeGreaterThan(230);
    // What compares the interfaces of one agent is mostly of 1.0.
    const ofOneInterface = [...keys].filter((key) => !key.startsWith('equivalence.'));
    expect(ofOneInterface.filter((key) => !earlier.has(key)).length).toBeLessThan(169);
  });

  it('never fails anyone over a contradiction', () => {
    // The verdicts of the AMB10 list that say "warn" or "pass".
    const most = {
      'send.context-id-shown': 'should',
      'data.task-context-id': 'should',
      'sig.verifies-canonical': 'should',
      'push.delete-again': 'should',
      'err.error-info': 'should',
      'card.no-old-members': 'should',
      'data.no-kind': 'should',
      'stream.no-final-flag': 'should',
      'stream.open-at-auth-required': 'may',
      'stream.interrupted': 'may',
      'cancel.again': 'may',
      'data.timestamp-precision': 'may',
      'push.token-carried': 'may',
      'card.single-flow': 'should',
    } as const;
    for (const [key, level] of Object.entries(most)) {
      expect([key, ledger.row(key as keyof typeof most)?.level]).toEqual([key, level]);
    }
  });
});
