import type { Expectation } from '../expect/index.js';
import type { Behaviours } from '../kit/index.js';
import { bindingIds } from '../model/binding-id.js';
import {
  budget,
  choice,
  flag,
  integer,
  list,
  type Options,
  object,
  ofOneRun,
  onlyArgument,
  percent,
  perhapsTexts,
  rate,
  text,
  texts,
} from './shared/option.js';

// Each option of a run and of a campaign of the fuzzer, by group: who adds one, adds a row here and builds.

/** Which agent it is. */
export const agent = {
  url: text('<url>', 'base, card or endpoint URL of the agent', {
    mayBeEmpty: true,
    api: 'url',
    action: {
      input: 'url',
      about: 'Base, card or endpoint URL of the agent; may stand in the configuration file instead',
    },
  }),
} satisfies Options;

/** What the agent speaks. */
export const profile = {
  profile: text('<id>', 'what the agent speaks; a2a-tck list profiles', {
    usual: 'auto',
    mayBeEmpty: true,
    api: 'profile',
    action: {
      input: 'profile',
      about: 'What the agent speaks (default, what the configuration file says, else it is detected)',
    },
  }),
  binding: choice('<name>', ['auto', ...bindingIds, 'all'], 'which interface is judged, all: each in full', {
    usual: 'auto, the first in full, the others in part',
    api: 'binding',
  }),
} satisfies Options;

/** How a run is shown; `report` and `merge` take them too. */
export const report = {
  report: texts(
    '<format[=file]>',
    // The build writes the formats of reporters/index.ts here: help loads none of them.
    'console, json, ndjson, junit, html, sarif, markdown, ctrf, tap, har, trace, tape or badge',
    { usual: 'console', places: ofOneRun, deed: 'writes files' },
  ),
  json: flag('the JSON report on stdout, and nothing else there', { places: ofOneRun }),
  'badge-link': text('<url>', 'where the badge leads: an https URL', { pattern: '^https://', places: ofOneRun }),
  strict: flag('a failed SHOULD fails the gate too', {
    api: 'strict',
    action: { input: 'strict', about: 'A failed SHOULD fails the gate too', usual: 'false' },
  }),
  verbose: flag('every check, and every reason', { places: ofOneRun }),
} satisfies Options;

/** Which checks are judged, and what the gate asks for. */
export const checks = {
  suite: list('<names>', 'only these suites, * stands for anything', { api: 'suites' }),
  check: list('<ids>', 'only these checks, * stands for anything', { api: 'checks' }),
  level: choice('<level>', ['must', 'should', 'may'], 'lowest level to run', { usual: 'all', api: 'level' }),
  'min-proof': percent('gate: share of the MUST checks that must pass or fail; 0: no minimum', {
    usual: '50',
    api: 'minProof',
    action: {
      input: 'min-proof',
      about: "Percent of the MUST checks that must be shown either way; the kit's default is 50",
    },
  }),
  'fail-fast': flag('end the run after the first check that fails the gate', { api: 'failFast' }),
  baseline: text('<file>', 'known failures, each with a reason and perhaps a last day', {
    api: 'baseline',
    action: { input: 'baseline', about: 'Known failures, each with a reason' },
  }),
  'update-baseline': flag('write the MUST that fail now into the baseline; with --strict SHOULD too', {
    places: ofOneRun,
    deed: 'writes files',
  }),
  set: text('<id>', 'only checks of this frozen set count for the gate; a2a-tck list sets', {
    usual: 'all',
    api: 'set',
  }),
  pack: texts('<name|path>', 'checks of this pack too: a module, its folder or an installed package', {
    places: onlyArgument,
    api: 'packs',
    deed: 'runs commands',
  }),
  'pack-option': texts('<pack.name=value>', 'an option of a pack', { api: 'packOptions' }),
  'pack-secret-env': texts('<pack.name=variable>', 'environment variable that holds a secret option of a pack', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'packSecrets',
  }),
  'fuzz-runs': integer('<n>', [0, 1_000_000], 'inputs that are tried after the checks; 0: none', {
    usual: '10 in a run of all checks',
    api: 'fuzz.runs',
  }),
  concurrency: integer('<n>', [1, 64], 'checks in flight', { usual: '8, up to 24 on slow agents', api: 'concurrency' }),
  'replay-tape': text('<file>', 'ask no agent: laws and expectations judge what --report tape=<file> kept', {
    places: onlyArgument,
  }),
  shard: text('<i/n>', 'only this part of the checks, from 1; a2a-tck merge puts the reports together', {
    pattern: '^[0-9]{1,2}/[0-9]{1,2}$',
    places: ofOneRun,
    api: 'shard',
  }),
  attest: text('<file>', 'write the signed result: an in-toto statement about the agent card', {
    places: ofOneRun,
    deed: 'writes files',
  }),
  'attest-key-file': text('<file>', 'a file with the Ed25519 key that signs it (PEM); or A2A_TCK_ATTEST_KEY', {
    places: ofOneRun,
    deed: 'signs or pays with keys',
    secret: 'file',
  }),
} satisfies Options;

/** A campaign of the fuzzer. */
export const fuzz = {
  runs: integer('<n>', [1, 1_000_000_000], 'cases to try', { usual: '1000', places: ofOneRun, api: 'fuzz.runs' }),
  time: integer('<seconds>', [1, 1_000_000], 'end after this time, confirmations included', {
    places: ofOneRun,
    api: 'fuzz.timeMs',
  }),
  corpus: text('<folder>', 'begin with the cases in it, and add those that show something new', {
    places: ofOneRun,
    deed: 'writes files',
    api: 'fuzz.corpus',
  }),
  out: text('<folder>', 'where findings go: a case and a script each', {
    usual: 'a2a-tck-findings',
    places: ofOneRun,
    deed: 'writes files',
  }),
  replay: text('<file>', 'run stored cases again, and nothing else: a case or a folder of them', {
    places: onlyArgument,
    api: 'fuzz.replay',
  }),
  confirm: integer('<n>', [1, 20], 'runs from scratch that confirm a finding', {
    usual: '3',
    places: ofOneRun,
    api: 'fuzz.confirmations',
  }),
  unguided: flag('choose each case without regard to earlier answers', { places: ofOneRun, api: 'fuzz.guided' }),
  concurrency: integer('<n>', [1, 64], 'cases in flight', { usual: '1', api: 'concurrency' }),
} satisfies Options;

/** How an agent is reached. HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured without an option. */
export const network = {
  'ca-file': text('<file>', 'certificates in PEM that are trusted too: a private CA, or a self-signed one', {
    deed: 'trusts others',
    api: 'network.ca',
  }),
  'cert-file': text('<file>', 'certificate of the kit in PEM, for agents that want one (mTLS)', {
    deed: 'sends credentials',
    api: 'network.cert',
  }),
  'key-file': text('<file>', 'its private key in PEM', {
    deed: 'sends credentials',
    secret: 'file',
    api: 'network.key',
  }),
  insecure: flag('check no certificate; said in every report, never with payments or signed calls', {
    deed: 'trusts others',
    api: 'network.insecure',
  }),
  resolve: texts('<host:address>', 'call the host at this address; host:port:address too', {
    deed: 'trusts others',
    api: 'network.resolve',
  }),
} satisfies Options;

/** Seed, time, pace and cost of a run. */
export const limits = {
  seed: integer('<n>', [0, 2 ** 32 - 1], 'of every random choice', {
    usual: { run: 'that of this version of the kit', fuzz: 'a new one' },
    api: 'seed',
  }),
  timeout: integer('<ms>', [1, 600_000], 'for each exchange', { usual: '10000', api: 'timeoutMs' }),
  'max-time': integer('<seconds>', [1, 1_000_000], 'for the whole run, which then ends with what it knows', {
    usual: { run: '600; 3600 with signed calls, payments or --slow', fuzz: 'no limit' },
    api: 'maxTimeMs',
  }),
  wait: integer('<seconds>', [1, 3600], 'for an agent that is starting: until it serves its card', { api: 'waitMs' }),
  budget: budget('hard caps, as requests=500,tasks=20', {
    inFile: 'hard caps: the run ends with what it has',
    api: 'budget',
  }),
  rate: rate('requests at most, as 20/m; a number alone is per second', { places: ofOneRun, api: 'rate' }),
  'dry-run': flag(
    'judge nothing, and estimate the cost of a run; with payments: sign nothing, and list what a run would sign',
    { api: 'dryRun' },
  ),
  'read-only': flag('nothing that creates a task, spends money or floods', { api: 'readOnly' }),
} satisfies Options;

/** Credentials of the callers, webhooks, other allowed origins, and the restart of the agent. */
export const callers = {
  header: texts('<header>', "'Name: value', sent with every request; hidden in all output", {
    inFile: 'a text or a list of texts: Name: value, in quotes; sent with every request',
    deed: 'sends credentials',
    secret: 'value',
    api: 'headers',
  }),
  'bearer-env': text('<variable>', 'environment variable that holds a bearer token', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'headers',
    action: { input: 'bearer-token', about: 'Sent to the agent; give it as a secret' },
  }),
  'oauth-client-id-env': text(
    '<variable>',
    'environment variable that holds an OAuth client id: the kit gets tokens as the card says, and renews them',
    { deed: 'sends credentials', api: 'oauth.clientId' },
  ),
  'oauth-client-secret-env': text('<variable>', 'environment variable that holds the secret of that client', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'oauth.clientSecret',
  }),
  'oauth-scope': text('<scopes>', 'scopes to ask for, with spaces between', {
    usual: 'those of the card',
    api: 'oauth.scope',
  }),
  'query-env': texts('<name=variable>', 'a key that belongs into the URL, from the environment', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'query',
  }),
  'second-header': texts('<header>', 'header of a second caller, who must have no access to the data of the first', {
    deed: 'sends credentials',
    secret: 'value',
    api: 'secondHeaders',
  }),
  'second-bearer-env': text('<variable>', 'environment variable that holds the bearer token of that caller', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'secondHeaders',
  }),
  'second-query-env': texts('<name=variable>', 'a key of that caller that belongs into the URL', {
    deed: 'sends credentials',
    secret: 'variable',
    api: 'secondQuery',
  }),
  'allow-origin': texts('<origin>', 'another origin to which the card may point', {
    deed: 'trusts others',
    api: 'allowedOrigins',
  }),
  webhook: text('<host[:port]>', 'where the kit listens for push notifications', {
    usual: 'for agents on this machine',
    api: 'webhook',
  }),
  'webhook-url': text('<url>', 'where the agent reaches the kit, if not at --webhook', { api: 'webhook.url' }),
  'restart-command': text('<command>', 'restarts the agent: the kit then checks that its tasks are still there', {
    deed: 'runs commands',
    api: 'restart',
  }),
} satisfies Options;

/** Long waits, and the file that holds options. */
export const files = {
  slow: flag('checks may wait out time windows of several minutes', { api: 'xpr.slow' }),
  config: text('<file>', 'YAML or JSON with these options, and prompts that steer the agent', {
    usual: 'a2a-tck.config.yaml, .yml or .json here or above',
    without: 'no configuration file, although there is one',
    places: onlyArgument,
    action: { input: 'config', about: 'Configuration file, below the working directory' },
  }),
} satisfies Options;

/** Runs after a first one. */
export const again = {
  'last-failed': flag('only what failed in the last run here (kept in .a2a-tck)', { places: onlyArgument }),
  'last-unproven': flag('only what was inconclusive in it; both options: what was either', { places: onlyArgument }),
  watch: perhapsTexts(
    '[globs...]',
    'stay, and run again when the agent comes back, or when files with these names change',
    { places: onlyArgument },
  ),
} satisfies Options;

/** What only a file can say. */
export const steering = {
  packs: texts('<name|path>', 'checks of these packs too: modules, their folders or installed packages', {
    places: ['config', 'fleet'],
    api: 'packs',
    deed: 'runs commands',
  }),
  behaviours: object<Behaviours>('prompts that bring the agent where checks need it', { api: 'behaviours' }),
  expect: object<readonly Expectation[]>(
    'what you expect of answers beside the protocol: it counts for the gate only',
    { api: 'expect' },
  ),
} satisfies Options;
