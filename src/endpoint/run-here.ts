import { type BundledTargets, chargingFor, fuzzPartsOf, signingFor } from '../../packs/index.js';
import { charging } from '../../packs/options.js';
import type { Parameter } from '../client/index.js';
import { isService } from '../client/index.js';
import type { Expectation } from '../expect/index.js';
import type { FuzzSettings } from '../fuzz/index.js';
import { type Behaviours, joinedRules, type Rule } from '../kit/index.js';
import { loadSet } from '../ledger/index.js';
import { type Level, readOrigin, TckError } from '../model/index.js';
import type { OpenPack, PackTarget } from '../pack/index.js';
import type { Baseline, PaymentReport, Report, RunEvent, Shard, TapedRun } from '../report/index.js';
import {
  type ExpectPhase,
  type FuzzOptions,
  run as judge,
  type RunOptions,
  seedOfVersion,
  type Witness,
} from '../run/index.js';
import {
  type Carrier,
  createRedactor,
  describeNetwork,
  type Header,
  isWord,
  longestSecret,
  type Network,
  realClock,
  type Secret,
  secretsInUrl,
  secretsOfNetwork,
} from '../wire/index.js';
import { authorizeRun } from './authorize-run.js';
import { cleanError } from './clean-error.js';
import { readIdentity } from './identity.js';
import { checkNetwork } from './network.js';
import type { DeviceRequest, OAuthTarget } from './oauth.js';
import { untilReady } from './readiness.js';
import { replayOf } from './replay.js';
import { type WebhookTarget, webhooksFor } from './webhooks.js';

/** Inputs of the fuzzer, after the checks or in their place. */
export interface FuzzTarget extends Omit<FuzzSettings, 'kit' | 'partsOf'> {
  /** No check is run. */
  readonly alone?: boolean;
  /** Fuzzing by default, not by request: left out under `readOnly`, and where calls are signed and limited. */
  readonly unasked?: boolean;
}

export interface TargetOptions extends PackTarget, BundledTargets {
  /** Base URL, card URL or endpoint URL of the agent. */
  readonly url: string;
  /** Default `auto`: what the agent speaks is detected. */
  readonly profile?: string;
  /**
   * Default `auto`: the first interface of the card that the kit speaks is judged in full, the others by what belongs
   * to their binding. `all`: each in full.
   */
  readonly binding?: NonNullable<RunOptions['binding']>;
  /** Suite names, globs; default all. */
  readonly suites?: readonly string[];
  /** Check ids, globs; default all. */
  readonly checks?: readonly string[];
  /** Lowest level to run; default `may`, all. */
  readonly level?: Level;
  /** A failed SHOULD fails the gate too. */
  readonly strict?: boolean;
  /** Ends the run after the first check that fails the gate; all others are then inconclusive. */
  readonly failFast?: boolean;
  /** Percent of the applicable MUST checks that must reach pass or fail. */
  readonly minProof?: number;
  readonly baseline?: Baseline;
  /** A frozen set, such as `0.1.0-2026-11-28`: checks that were added after it count for no gate. Default: all count. */
  readonly set?: string;
  /**
   * Seed of every random choice and of the ids that are sent, 0 to 2^32 - 1. Default: fixed for this version of the
   * kit, with new ids in each run; random for a campaign alone.
   */
  readonly seed?: number;
  /** Per exchange; default 10000. */
  readonly timeoutMs?: number;
  /** Checks in flight; default 8, and up to 24 for an agent that answers slowly, but no slower for more at once. */
  readonly concurrency?: number;
  /** The most requests in any time of `windowMs`. Left out: from the first 429 on, what Retry-After shows. */
  readonly rate?: { readonly requests: number; readonly windowMs: number };
  /** Nothing is judged: the report has no checks, and the event `target.detected` says what a run would cost. */
  readonly dryRun?: boolean;
  readonly budget?: { readonly requests?: number; readonly tasks?: number };
  /** Nothing that creates a task, spends money or floods. */
  readonly readOnly?: boolean;
  /** Sent with every request. Their values are secrets: they appear in no event and no report. */
  readonly headers?: readonly Header[];
  /** Credentials in the URL of the endpoint: name and value, not yet encoded. They are secrets too. */
  readonly query?: readonly Parameter[];
  /** The same for a second caller, who must have no access to what belongs to the first. */
  readonly secondHeaders?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
  /** The first caller gets its tokens as a security scheme of the card says, and renews them. */
  readonly oauth?: OAuthTarget;
  /** More texts that must not appear anywhere. */
  readonly secrets?: readonly string[];
  /** How the agent is reached: proxies, certificates, addresses. Left out: directly, and the environment is not read. */
  readonly network?: Network;
  /** Origins, other than that of `url`, to which the card may send the kit. */
  readonly allowedOrigins?: readonly string[];
  /** Prompts that steer the agent where the checks need it. */
  readonly behaviours?: Behaviours;
  /** What you expect of answers beside the protocol: it counts for the gate, and for no share or badge. */
  readonly expect?: readonly Expectation[];
  /** Where the kit listens for push notifications. Default: a free loopback port, for an agent on this machine only. */
  readonly webhook?: WebhookTarget;
  /** Left out: nothing is fuzzed. */
  readonly fuzz?: FuzzTarget;
  /**
   * Restarts the agent, so that the kit can check whether its tasks are still there. Rejects if it could not be done.
   */
  readonly restart?: () => Promise<void>;
  /** Only this share of the checks is judged, counted from 1. All shards of a run need the same seed, as by default. */
  readonly shard?: Shard;
  /**
   * How long the kit waits for an agent that is starting, ms: the run begins when it serves its card. Left out: it must
   * be there. The time counts to `maxTimeMs`.
   */
  readonly waitMs?: number;
  /** Time limit of the whole run, ms: it then ends with what is known. Left out: no limit. */
  readonly maxTimeMs?: number;
  /**
   * Default true: the run has a thread of its own. false: it runs in the thread of the caller, for instance for agents
   * that a test mocks in its own process. Runs with a stub object or a
   * function of the caller always run in the thread of the caller.
   */
  readonly isolate?: boolean;
  /** Ends the run early with what is known. A reason that is a text is reported as the reason. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
  /** Shows a person what to do in the device flow of OAuth; left out: that flow is an error. */
  readonly onDevice?: (request: DeviceRequest) => void;
  /**
   * Called before each payment is sent, with all payments that were signed with the user's money and can still be
   * cashed.
   */
  readonly onPayments?: (list: readonly PaymentReport[]) => void;
}

/** A run whose answers are those of a tape: the agent is not asked. */
export interface JudgedTarget extends TargetOptions {
  readonly tape?: TapedRun;
}

/** An answer longer than this is cut and counts as too large. */
const maxBytes = 4 * 1024 * 1024;

/** The secrets in a header: the value, the part after its scheme, the password of basic credentials, each cookie. */
function secretsOf([name, value]: Header): readonly string[] {
  if (isService([name, value])) return [];
  if (/^cookie$/i.test(name))
    return [value, ...value.split(';').map((text) => text.slice(text.indexOf('=') + 1).trim())];
  const token = /^\S+\s+(\S.*)$/.exec(value)?.[1];
  if (token === undefined) return [value];
  if (!/^basic\s/i.test(value)) return [value, token];
  const password = Buffer.from(token, 'base64').toString('utf8').split(':').slice(1).join(':');
  return [value, token, password];
}

/** Said in the report where a credential is a word. */
const wordNotice =
  'a credential is a common word or very short: the kit hides it in exchanges, where it stands alone, and not in reasons';

/** Throws `TckError('usage')` for a credential that is too long to be sent, and to be hidden in each text. */
function checkLength(what: string, credential: string): void {
  const { length } = credential.replace(/^\S{1,20} +/, '');
  if (length <= longestSecret) return;
  throw new TckError(
    'usage',
    `${what} has ${length} characters`,
    `the kit takes at most ${longestSecret} of a credential`,
  );
}

/**
 * Texts that must appear in no output: credentials of all callers, and what the user names. Throws `TckError('usage')`
 * for one that is too long.
 */
export function hiddenIn({
  url,
  secrets = [],
  packSecrets = {},
  headers = [],
  secondHeaders = [],
  query = [],
  secondQuery = [],
  network = {},
  oauth,
}: Pick<
  TargetOptions,
  'url' | 'secrets' | 'packSecrets' | 'headers' | 'secondHeaders' | 'query' | 'secondQuery' | 'network' | 'oauth'
>): string[] {
  for (const [name, value] of [...headers, ...secondHeaders]) checkLength(`the header ${name}`, value);
  for (const [name, value] of [...query, ...secondQuery]) checkLength(`the query parameter ${name}`, value);
  for (const secret of [...secrets, ...Object.values(packSecrets), ...secretsInUrl(url)])
    checkLength('a secret', secret);
  checkLength('the secret of the OAuth client', oauth?.clientSecret ?? '');
  return [
    ...secrets,
    ...Object.values(packSecrets),
    ...secretsInUrl(url),
    ...secretsOfNetwork(network),
    ...secretsOfClient(oauth),
    ...[...headers, ...secondHeaders].flatMap(secretsOf),
    ...[...query, ...secondQuery].map(([, value]) => value),
  ].filter((secret) => secret !== '');
}

/** The secret of a client, alone and as RFC 6749 §2.3.1 sends it. */
function secretsOfClient(oauth: OAuthTarget | undefined): readonly string[] {
  if (oauth?.clientSecret === undefined) return [];
  const { clientId, clientSecret } = oauth;
  const spelled = [clientId, clientSecret].map((text) => new URLSearchParams({ _: text }).toString().slice(2));
  return [clientSecret, Buffer.from(spelled.join(':')).toString('base64')];
}

/** Loaded only where something is expected. Its secrets join `hidden`. */
async function expectFor(list: readonly Expectation[] = [], hidden: Secret[]): Promise<ExpectPhase | undefined> {
  if (list.length === 0) return undefined;
  const { createExpectPhase, secretsOfExpectations } = await import('../expect/index.js');
  hidden.push(...secretsOfExpectations(list));
  return createExpectPhase(list);
}

/** The fuzzer is loaded only where there is something to fuzz. */
async function fuzzFor(target: FuzzTarget | undefined): Promise<{ readonly fuzz?: FuzzOptions }> {
  if (target === undefined) return {};
  const { createFuzzPhase } = await import('../fuzz/index.js');
  const { alone = false, unasked = false, ...settings } = target;
  const { name, version } = readIdentity();
  return {
    fuzz: { phase: createFuzzPhase({ ...settings, kit: `${name} ${version}`, partsOf: fuzzPartsOf }), alone, unasked },
  };
}

/**
 * Checks of packs that ship with the kit are loaded when the agent turns out to speak a profile of one, but for where their
 * ids are needed before.
 */
async function rulesFor({
  suites = [],
  checks = [],
  packs = [],
  baseline,
  set,
  tape,
}: JudgedTarget): Promise<Pick<RunOptions, 'rules' | 'bringsRules'>> {
  const isNamed =
    suites.length + checks.length + packs.length > 0 ||
    baseline !== undefined ||
    set !== undefined ||
    tape !== undefined;
  return isNamed
    ? { rules: (await import('../../suites/index.js')).rules }
    : { rules: (await import('../../suites/kit.js')).kitRules, bringsRules: true };
}

/** Packs and what they are made of are loaded only where there is one, or an option of one. */
async function packsFor(options: TargetOptions, rules: readonly Rule[]): Promise<readonly OpenPack[]> {
  const { packs = [], packOptions = {}, packSecrets = {} } = options;
  if (packs.length === 0 && Object.keys({ ...packOptions, ...packSecrets }).length === 0) return [];
  const { loadPacks } = await import('../pack/index.js');
  return loadPacks(options, rules);
}

const anySeed = (): number => Math.floor(Math.random() * 2 ** 32);

/**
 * The default seed stays the same until the kit changes, so that a gate does not turn red by itself; a campaign alone
 * shall try something new. Ids are new in each run: an agent may take a message with a known id for the old one.
 */
function seedsFor({ seed, fuzz }: TargetOptions): { readonly seed: number; readonly idSeed?: number } {
  if (seed !== undefined) return { seed };
  return fuzz?.alone === true
    ? { seed: anySeed() }
    : { seed: seedOfVersion(readIdentity().version), idSeed: anySeed() };
}

/** Loads what a run usually needs before it begins. Errors are ignored here: the run will report them. */
export async function loadAhead(): Promise<void> {
  await Promise.allSettled([import('../wire/http.js'), import('../../suites/kit.js'), import('../fuzz/index.js')]);
}

/**
 * Judges one agent over HTTP, in this thread. Throws `TckError` when there is nothing to judge: wrong options (`usage`,
 * `config`), no answer (`unreachable`), no agent (`not-an-agent`). Defects of the agent are in the report, never
 * thrown.
 */
export async function runHere(options: JudgedTarget, witness?: Witness): Promise<Report> {
  const { createHttpCarrier, webhookServer } = await import('../wire/http.js');
  const { rules: own, ...bringing } = await rulesFor(options);
  const packs = await packsFor(options, own);
  const hidden: Secret[] = hiddenIn(options);
  const replay = options.tape && replayOf(options.tape, () => createRedactor(hidden));
  // What a check sends is on no tape.
  const all = [...own, ...packs.flatMap((pack) => pack.rules)];
  const rules = replay === undefined ? all : all.filter(({ kind }) => kind === 'law');
  const { headers = [], query = [], secondHeaders = [], secondQuery = [] } = options;
  const { budget = {}, minProof, baseline, signal } = options;
  const set = options.set === undefined ? undefined : loadSet(options.set);
  checkNetwork(options);
  const { network = {} } = options;
  const allowedOrigins = (options.allowedOrigins ?? []).map(readOrigin);
  const plain: Carrier & { close(): Promise<void> } =
    replay === undefined
      ? createHttpCarrier({ network })
      : Object.assign(replay.carrier, { close: async () => undefined });
  const expected = await expectFor(options.expect, hidden);
  let authorized: Awaited<ReturnType<typeof authorizeRun>>;
  try {
    const { waitMs } = options;
    if (waitMs !== undefined) await untilReady({ ...options, waitMs, carrier: plain, clock: realClock });
    authorized = await authorizeRun({ ...options, allowedOrigins }, network, plain);
    const carrier = authorized?.carrier(plain) ?? plain;
    const given = authorized === undefined ? headers : [...headers, authorized.header];
    hidden.push(...(authorized === undefined ? [] : secretsOf(authorized.header)));
    const signed = await signingFor(options, carrier);
    const paid = await chargingFor(options, carrier);
    hidden.push(...(paid?.secrets ?? []), ...signed.secrets);
    return await judge(
      {
        url: options.url,
        profile: options.profile ?? 'auto',
        binding: options.binding ?? 'auto',
        rules: joinedRules(rules, paid?.rules ?? []),
        ...bringing,
        ...(packs.length === 0 ? {} : { packs }),
        selection: { suites: options.suites ?? [], checks: options.checks ?? [], level: options.level ?? 'may' },
        carrier,
        rawSocket: replay === undefined,
        clock: replay?.clock ?? realClock,
        ...seedsFor(options),
        limits: { timeoutMs: options.timeoutMs ?? 10_000, maxBytes },
        concurrency: options.concurrency ?? 8,
        slowConcurrency: options.concurrency ?? 24,
        ...(options.dryRun === true ? { dryRun: true } : {}),
        ...(options.rate === undefined ? {} : { rate: options.rate }),
        ...(budget.requests === undefined ? {} : { requestBudget: budget.requests }),
        ...(budget.tasks === undefined ? {} : { taskBudget: budget.tasks }),
        readOnly: options.readOnly ?? false,
        credentials: given,
        query,
        secondCredentials: secondHeaders,
        secondQuery,
        signing: signed.signing,
        ...(paid === undefined ? {} : { charging: paid.charging }),
        onRequest: [charging],
        secrets: hidden.filter((secret) => secret !== ''),
        network: [
          ...describeNetwork(options.url, network),
          ...(authorized === undefined ? [] : [authorized.about]),
          ...(replay === undefined ? [] : [replay.about]),
          ...(hidden.some((secret) => typeof secret === 'string' && isWord(secret)) ? [wordNotice] : []),
        ],
        insecure: network.insecure === true,
        lateSecrets: () => authorized?.secrets() ?? [],
        allowedOrigins,
        hasCertificate: network.cert !== undefined,
        behaviours: options.behaviours ?? {},
        webhooks:
          replay === undefined
            ? webhooksFor(options.url, options.webhook, webhookServer, network)
            : 'the answers are those of a tape',
        ...(replay === undefined ? {} : { replayed: replay.replayed }),
        ...(options.restart === undefined ? {} : { restart: options.restart }),
        ...(await fuzzFor(options.fuzz)),
        ...(expected === undefined ? {} : { expect: expected }),
        strict: options.strict ?? false,
        ...(options.failFast === true ? { failFast: true } : {}),
        ...(minProof === undefined ? {} : { minProof }),
        ...(baseline === undefined ? {} : { baseline }),
        ...(set === undefined ? {} : { set }),
        ...(options.shard === undefined ? {} : { shard: options.shard }),
        kit: readIdentity(),
        ...(signal === undefined ? {} : { signal }),
        ...(options.onPayments === undefined ? {} : { onPayments: options.onPayments }),
        ...(witness === undefined ? {} : { witness }),
      },
      options.onEvent ?? (() => undefined),
    );
  } catch (error) {
    throw cleanError(
      error,
      createRedactor(hidden, () => authorized?.secrets() ?? []),
    );
  } finally {
    await plain.close();
    await authorized?.close();
  }
}
