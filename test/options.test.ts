import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type BaselineEntry,
  type Behaviour,
  type FuzzTarget,
  fuzzAgainst,
  type Goal,
  type Network,
  type OAuthTarget,
  run,
  runAgainst,
  type Shard,
  type TargetOptions,
  TckError,
  type WebhookTarget,
  type X402Target,
  type XprTarget,
} from '../src/index.js';

// An option that does not exist is an error of the caller, like on the command line: a misspelled one must not judge
// something else than was meant.

type Names<Type> = { readonly [Name in keyof Required<Type>]: true };
interface Schema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean;
  readonly items?: Schema;
}
const schema = JSON.parse(readFileSync('schemas/kit/options.schema.json', 'utf8')) as Schema & {
  readonly $defs: { readonly behaviour: Schema };
};
const at = (...names: readonly string[]): Schema => {
  let found: Schema | undefined = schema;
  for (const name of names) found = found?.properties[name];
  if (found === undefined) throw new Error(`the schema has no ${names.join('.')}`);
  return found;
};

// The compiler holds these against the types; the test holds the schema against them.
const all: Names<TargetOptions> = {
  url: true,
  profile: true,
  binding: true,
  suites: true,
  checks: true,
  level: true,
  packs: true,
  packOptions: true,
  packSecrets: true,
  strict: true,
  minProof: true,
  baseline: true,
  set: true,
  rate: true,
  dryRun: true,
  seed: true,
  timeoutMs: true,
  concurrency: true,
  budget: true,
  failFast: true,
  readOnly: true,
  headers: true,
  query: true,
  secondHeaders: true,
  secondQuery: true,
  xpr: true,
  x402: true,
  secrets: true,
  allowedOrigins: true,
  behaviours: true,
  expect: true,
  webhook: true,
  fuzz: true,
  restart: true,
  shard: true,
  waitMs: true,
  maxTimeMs: true,
  isolate: true,
  signal: true,
  onEvent: true,
  onPayments: true,
  oauth: true,
  network: true,
  onDevice: true,
};
const xpr: Names<XprTarget> = {
  account: true,
  key: true,
  secondAccount: true,
  secondKey: true,
  unregisteredAccount: true,
  unregisteredKey: true,
  digest: true,
  audience: true,
  chainId: true,
  rpc: true,
  rate: true,
  allowSend: true,
  slow: true,
  minKyc: true,
  minTrust: true,
  stub: true,
};
const x402: Names<X402Target> = {
  message: true,
  key: true,
  maxAmount: true,
  maxTotal: true,
  purse: true,
  allowNetworks: true,
  assets: true,
  allowUpfront: true,
  timeoutMs: true,
  dryRun: true,
  stub: true,
};
const fuzz: Names<FuzzTarget> = {
  runs: true,
  timeMs: true,
  rate: true,
  concurrency: true,
  guided: true,
  races: true,
  corpus: true,
  renews: true,
  onKept: true,
  patienceMs: true,
  listenMs: true,
  revivalMs: true,
  confirmations: true,
  shrinkCap: true,
  shrinkMs: true,
  replay: true,
  alone: true,
  unasked: true,
};
const budget: Names<NonNullable<TargetOptions['budget']>> = { requests: true, tasks: true };
const webhook: Names<WebhookTarget> = { host: true, port: true, url: true };
const shard: Names<Shard> = { index: true, of: true };
const entry: Names<BaselineEntry> = { check: true, profile: true, reason: true, owner: true, expires: true };
const behaviour: Names<Behaviour> = { text: true, parts: true, metadata: true };
const oauth: Names<OAuthTarget> = { clientId: true, clientSecret: true, scope: true };
const network: Names<Network> = { proxy: true, ca: true, cert: true, key: true, insecure: true, resolve: true };
const proxy: Names<NonNullable<Network['proxy']>> = { http: true, https: true, no: true };
const goals: Readonly<Record<Goal, true>> = {
  completed: true,
  failed: true,
  rejected: true,
  canceled: true,
  'input-required': true,
  'auth-required': true,
  working: true,
  message: true,
  'artifact-text': true,
  'artifact-file': true,
  'artifact-file-uri': true,
  'artifact-data': true,
  'streamed-chunks': true,
  'long-running': true,
};
const entries = at('baseline', 'entries').items;
if (entries === undefined) throw new Error('the schema has no entries of a baseline');

test.each([
  ['all', all, schema],
  ['xpr', xpr, at('xpr')],
  ['x402', x402, at('x402')],
  ['fuzz', fuzz, at('fuzz')],
  ['budget', budget, at('budget')],
  ['webhook', webhook, at('webhook')],
  ['shard', shard, at('shard')],
  ['oauth', oauth, at('oauth')],
  ['network', network, at('network')],
  ['proxy', proxy, at('network', 'proxy')],
  ['entries of a baseline', entry, entries],
  ['behaviours', goals, at('behaviours')],
  ['a behaviour', behaviour, schema.$defs.behaviour],
] as const)(
  'the schema has the options of the types, and closes them: %s',
  (_, names, { properties, additionalProperties }) => {
    expect(Object.keys(properties).sort()).toEqual(Object.keys(names).sort());
    expect(additionalProperties).toBe(false);
  },
);

/** No agent is there: what gets past the options ends as unreachable. */
const nowhere = 'http://127.0.0.1:9/';
const asking = (options: object): Promise<unknown> => runAgainst(options as TargetOptions);

test.each([
  [{ url: nowhere, suits: ['card'] }, 'unknown option "suits" (did you mean suites?)'],
  [{ url: nowhere, timeout: 5 }, 'unknown option "timeout" (did you mean timeoutMs?)'],
  [{ url: nowhere, xpr: { acount: 'alice' } }, 'unknown option "xpr.acount" (did you mean account'],
  [
    { url: nowhere, behaviours: { complete: { text: 'x' } } },
    'unknown option "behaviours.complete" (did you mean completed',
  ],
  [{ url: nowhere, fuzz: { runs: 1, seed: 3 } }, 'unknown option "fuzz.seed"'],
  [{ suites: ['card'] }, 'the option "url" is missing'],
  [{ url: 7 }, 'the option "url" must be string'],
  [{ url: nowhere, suites: 'card' }, 'the option "suites" must be array'],
  [{ url: nowhere, level: 'all' }, 'the option "level" must be one of must, should, may'],
  [{ url: nowhere, minProof: 101 }, 'the option "minProof" must be <= 100'],
  [{ url: nowhere, onEvent: 'log' }, 'the option "onEvent" must be a function'],
  [{ url: nowhere, signal: {} }, 'the option "signal" must be an AbortSignal'],
])('%j is an error before anything is sent', async (options, message) => {
  await expect(asking(options)).rejects.toThrow(TckError);
  await expect(asking(options)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(message) });
});

test('all of them are named at once, and no value is quoted', async () => {
  const options = {
    url: nowhere,
    levl: 'must',
    headers: [['Authorization', 'Bearer top-secret', 'x']],
    strict: 'top-secret',
  };
  const error = await asking(options).then(
    () => undefined,
    (thrown: unknown) => thrown as TckError,
  );
  expect(error?.message.split('; ')).toHaveLength(3);
  expect(error?.message).not.toContain('top-secret');
});

test('run and fuzzAgainst judge their options too', async () => {
  const events = run({ url: nowhere, sead: 1 } as TargetOptions)[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('"sead"') });
  const fuzzing = fuzzAgainst({ url: nowhere, fuzz: { runs: 1, run: 2 } } as Parameters<typeof fuzzAgainst>[0]);
  await expect(fuzzing).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('"fuzz.run"') });
});

test('options that are undefined are left out, and callbacks and signals are taken', { timeout: 60_000 }, async () => {
  const controller = new AbortController();
  const options = {
    url: nowhere,
    profile: undefined,
    xpr: undefined,
    signal: controller.signal,
    onEvent: () => undefined,
  };
  await expect(asking(options)).rejects.toMatchObject({ code: 'unreachable' });
});
