import type { TargetOptions } from '../index.js';
import { TckError } from '../model/tck-error.js';
import { credentialHeaders, credentialQuery } from './credentials.js';
import type { Given, GivenArguments } from './given.js';
import { type Output, readOutputs } from './output.js';
import { restartBy } from './restart.js';
import { readWebhook } from './webhook.js';
import { readX402 } from './x402.js';
import { readXpr } from './xpr.js';

/** A run as it was asked for: arguments over configuration over defaults, and all of it checked. */
export interface Settings {
  readonly url: string | undefined;
  readonly outputs: readonly Output[];
  readonly baselineFile: string | undefined;
  readonly updatesBaseline: boolean;
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly target: Omit<TargetOptions, 'url' | 'baseline' | 'signal' | 'onEvent'>;
}

function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TckError('usage', `--allow-origin ${text} is no origin`, 'give one such as https://agent.example');
  }
  return url.origin;
}

/** A password in the URL would stand in the process list and in every log. */
function checkUrl(text: string | undefined): void {
  if (text === undefined || !URL.canParse(text)) return;
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') {
    throw new TckError('usage', '--url has credentials in it', 'give them with --header, --bearer-env or --query-env');
  }
}

/** Throws `TckError('usage')` for values that do not go together. */
export function settle(given: Given, env: Readonly<Record<string, string | undefined>>): Settings {
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
  const { seed, timeout, minProof, level, concurrency, budget, behaviours } = given;
  return {
    url: given.url,
    outputs: readOutputs(given.report ?? [], given.json ?? false),
    baselineFile: given.baseline,
    updatesBaseline,
    verbose: given.verbose ?? false,
    strict: given.strict ?? false,
    target: {
      profile: given.profile ?? 'auto',
      suites: given.suite ?? [],
      checks: given.check ?? [],
      ...(level === undefined ? {} : { level }),
      strict: given.strict ?? false,
      ...(minProof === undefined ? {} : { minProof }),
      ...(seed === undefined ? {} : { seed }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(budget === undefined ? {} : { budget }),
      readOnly: given.readOnly ?? false,
      headers: credentialHeaders(given.header ?? [], given.bearerEnv, env),
      query: credentialQuery(given.queryEnv ?? [], env),
      secondHeaders: credentialHeaders(given.secondHeader ?? [], given.secondBearerEnv, env, 'second-'),
      secondQuery: credentialQuery(given.secondQueryEnv ?? [], env, 'second-'),
      allowedOrigins: (given.allowOrigin ?? []).map(readOrigin),
      ...readWebhook(given.webhook, given.webhookUrl),
      ...readXpr(given, env),
      ...readX402(given, env),
      ...(behaviours === undefined ? {} : { behaviours }),
      ...(given.restartCommand === undefined ? {} : { restart: restartBy(given.restartCommand) }),
    },
  };
}

/** Arguments win over the configuration file that they name. */
export async function readSettings(
  { config, ...given }: GivenArguments,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Settings> {
  if (config === undefined) return settle(given, env);
  const { readConfig } = await import('./config.js');
  return settle({ ...(await readConfig(config)), ...given }, env);
}
