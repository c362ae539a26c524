import { charges, insteadOfMoney, readTargets, signs } from '../../packs/settings.js';
import type { JudgedTarget, TargetOptions } from '../endpoint/index.js';
import { checkNetwork } from '../endpoint/network.js';
import { readOrigin } from '../model/origin.js';
import { TckError } from '../model/tck-error.js';
import { canParseUrl } from '../model/uri.js';
import { readShard } from '../report/index.js';
import { type AttestationSettings, readAttestation } from './attestation.js';
import { readBadgeLink } from './badge-link.js';
import type { CliArguments, CliOptions } from './cli-options.js';
import { credentialHeaders, credentialQuery, oauthClient, readPacks } from './credentials.js';
import { readFuzz } from './fuzz.js';
import { readKeyFile } from './key-file.js';
import { readNetwork } from './network.js';
import { type Output, readOutputs } from './output.js';
import { readRate } from './rate.js';
import { restartBy } from './restart.js';
import type { Terminal } from './terminal.js';
import { readWebhook } from './webhook.js';

/** The checked settings of a run: arguments win over the configuration file, which wins over the defaults. */
export interface Settings extends AttestationSettings {
  readonly url: string | undefined;
  readonly outputs: readonly Output[];
  readonly baselineFile: string | undefined;
  readonly updatesBaseline: boolean;
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly badgeLink?: string;
  /** Where findings are written; undefined: nowhere. */
  readonly findings?: string;
  readonly target: Omit<JudgedTarget, 'url' | 'baseline' | 'signal' | 'onEvent'>;
}

/** Refuses credentials in the URL, which would be in the process list and in every log. */
export function checkUrl(text: string | undefined): void {
  if (text === undefined || !canParseUrl(text)) return;
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') {
    throw new TckError('usage', '--url has credentials in it', 'give them with --header, --bearer-env or --query-env');
  }
}

/**
 * Time limit of a run, s. Signed calls stay below a limit per minute, and payments have to settle: both take longer.
 */
const usualTime = 600;
const patientTime = 3600;

function timeFor(given: CliOptions, isSlow: boolean): Pick<TargetOptions, 'maxTimeMs'> {
  const waits = isSlow || given.slow === true;
  return { maxTimeMs: 1000 * (given.maxTime ?? (waits ? patientTime : usualTime)) };
}

/** Makes checked settings of options. Throws `TckError('usage')` for values that do not go together. */
export function resolveSettings(given: CliOptions, env: Readonly<Record<string, string | undefined>>): Settings {
  checkUrl(given.url);
  const updatesBaseline = given.updateBaseline ?? false;
  if (updatesBaseline && given.baseline === undefined) {
    throw new TckError('usage', '--update-baseline needs --baseline <file>', 'the file is made when there is none');
  }
  const isPartial = given.suite !== undefined || given.check !== undefined || (given.level ?? 'may') !== 'may';
  if (updatesBaseline && isPartial) {
    throw new TckError(
      'usage',
      '--update-baseline needs a run of all checks',
      'leave --suite, --check and --level out',
    );
  }
  const shard = given.shard === undefined ? undefined : readShard(given.shard);
  if (updatesBaseline && shard !== undefined) {
    throw new TckError('usage', '--update-baseline needs a run of all checks', 'leave --shard out');
  }
  const { seed, timeout, minProof, level, concurrency, budget, behaviours, expect } = given;
  const reached = { ...readNetwork(given, env), ...readTargets(given, env, readKeyFile) };
  checkNetwork(reached);
  const instead = insteadOfMoney(reached);
  if (shard !== undefined && instead !== undefined) {
    const hint = `leave --shard out, or ${instead}`;
    throw new TckError('usage', 'each part of a run would spend as much as the whole: --shard takes no wallet', hint);
  }
  return {
    url: given.url,
    outputs: readOutputs(given.report ?? [], given.json ?? false, true),
    baselineFile: given.baseline,
    updatesBaseline,
    verbose: given.verbose ?? false,
    strict: given.strict ?? false,
    ...readBadgeLink(given.badgeLink),
    ...readAttestation(given, env),
    target: {
      profile: given.profile ?? 'auto',
      ...(given.binding === undefined ? {} : { binding: given.binding }),
      suites: given.suite ?? [],
      checks: given.check ?? [],
      ...(level === undefined ? {} : { level }),
      strict: given.strict ?? false,
      ...(given.failFast === true ? { failFast: true } : {}),
      ...(minProof === undefined ? {} : { minProof }),
      ...(seed === undefined ? {} : { seed }),
      ...(given.dryRun === true && !charges(reached) ? { dryRun: true } : {}),
      ...(given.rate === undefined ? {} : { rate: readRate(given.rate) }),
      ...(given.set === undefined ? {} : { set: given.set }),
      ...(shard === undefined ? {} : { shard }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      ...timeFor(given, signs(reached) || charges(reached)),
      ...(given.wait === undefined ? {} : { waitMs: 1000 * given.wait }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(budget === undefined ? {} : { budget }),
      readOnly: given.readOnly ?? false,
      headers: credentialHeaders(given.header ?? [], given.bearerEnv, env),
      query: credentialQuery(given.queryEnv ?? [], env),
      ...oauthClient(given, env),
      secondHeaders: credentialHeaders(given.secondHeader ?? [], given.secondBearerEnv, env, 'second-'),
      secondQuery: credentialQuery(given.secondQueryEnv ?? [], env, 'second-'),
      allowedOrigins: (given.allowOrigin ?? []).map(readOrigin),
      ...readWebhook(given.webhook, given.webhookUrl),
      ...readPacks(given, env),
      ...reached,
      ...readFuzz(given),
      ...(behaviours === undefined ? {} : { behaviours }),
      ...(expect === undefined ? {} : { expect }),
      ...(given.restartCommand === undefined ? {} : { restart: restartBy(given.restartCommand) }),
    },
  };
}

/**
 * The options of the user: arguments win over the configuration file that they name, or that is found here or above.
 * The kit names a file that it found by itself, with what it does beside choosing checks: the user may not know of it.
 */
export async function readTold(
  { config, ...given }: CliArguments,
  terminal: Pick<Terminal, 'err'>,
): Promise<CliOptions> {
  if (config === false) return given;
  const { deedsOf, findConfig, readConfig } = await import('./config.js');
  if (config !== undefined) return { ...(await readConfig(config)), ...given };
  const found = await findConfig(process.cwd());
  if (found === undefined) return given;
  const { file, options } = found;
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => !(name in given)));
  const deeds = deedsOf(own);
  const more = deeds.length === 0 ? '' : `; it ${deeds.join('; ')}`;
  terminal.err(`a2a-tck: options of ${file} (--no-config: without)${more}\n`);
  return { ...options, ...given };
}

export const readSettings = async (given: CliArguments, terminal: Pick<Terminal, 'env' | 'err'>): Promise<Settings> =>
  resolveSettings(await readTold(given, terminal), terminal.env);
