import type { Parameter } from '../client/index.js';
import type { OAuthTarget } from '../endpoint/index.js';
import { TckError } from '../model/tck-error.js';
import type { PackTarget } from '../pack/index.js';
import type { Header } from '../wire/index.js';
import type { CliOptions } from './cli-options.js';

type Environment = Readonly<Record<string, string | undefined>>;

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const forbidden = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** `Name: value`. Errors never quote the value, which may be a secret. */
function readHeader(text: string, option: string): Header {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).trim();
  if (colon < 1 || !token.test(name)) {
    throw new TckError('usage', `a ${option} is not of the form 'Name: value'`, `give one as ${option} 'X-Api-Key: …'`);
  }
  const value = text.slice(colon + 1).trim();
  if (forbidden.test(value)) throw new TckError('usage', `${option} ${name}: the value has control characters`);
  return [name, value];
}

/** The secret in an environment variable. Throws `TckError('usage')` if it is missing or has control characters. */
function readSecret(option: string, name: string, env: Environment): string {
  const secret = env[name]?.trim();
  if (secret === undefined || secret === '') {
    // Users may give the secret in place of the name of its variable.
    const shown = /^[A-Z][A-Z0-9_]*$/.test(name) ? name : '…';
    throw new TckError('usage', `${option} ${shown}: no such environment variable, or it is empty`);
  }
  if (forbidden.test(secret)) throw new TckError('usage', `${option} ${name}: the value has control characters`);
  return secret;
}

/**
 * The headers of `--header` and `--bearer-env`. Throws `TckError('usage')` for malformed ones and missing variables.
 */
export function credentialHeaders(
  headers: readonly string[],
  bearerEnv: string | undefined,
  env: Environment,
  of: '' | 'second-' = '',
): readonly Header[] {
  const given = headers.map((text) => readHeader(text, `--${of}header`));
  if (bearerEnv === undefined) return given;
  return [...given, ['Authorization', `Bearer ${readSecret(`--${of}bearer-env`, bearerEnv, env)}`]];
}

/** `NAME=VAR`: a query parameter, and the environment variable that holds its value. */
export function credentialQuery(
  given: readonly string[],
  env: Environment,
  of: '' | 'second-' = '',
): readonly Parameter[] {
  const option = `--${of}query-env`;
  return given.map((text) => {
    const [, name, variable] = /^([^=\s]+)=([A-Za-z_]\w*)$/.exec(text) ?? [];
    if (name === undefined || variable === undefined) {
      throw new TckError(
        'usage',
        `a ${option} is not of the form NAME=VARIABLE`,
        `give one as ${option} api_key=API_KEY`,
      );
    }
    return [name, readSecret(option, variable, env)];
  });
}

interface OAuthGiven {
  readonly oauthClientIdEnv?: string;
  readonly oauthClientSecretEnv?: string;
  readonly oauthScope?: string;
  readonly bearerEnv?: string;
}

/** RFC 6749 §A.4: scopes with one space between. */
const scopes = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The client of `--oauth-client-id-env`; an empty object without it. Throws `TckError('usage')`. */
export function oauthClient(given: OAuthGiven, env: Environment): { readonly oauth?: OAuthTarget } {
  const { oauthClientIdEnv, oauthClientSecretEnv, oauthScope } = given;
  if (oauthClientIdEnv === undefined) {
    const lone = oauthClientSecretEnv === undefined ? 'oauth-scope' : 'oauth-client-secret-env';
    if (oauthClientSecretEnv === undefined && oauthScope === undefined) return {};
    throw new TckError('usage', `--${lone} needs --oauth-client-id-env`, 'the client that the OAuth server knows');
  }
  if (given.bearerEnv !== undefined) {
    const hint = 'the kit sends a given token unchanged; a client gets its own';
    throw new TckError('usage', '--bearer-env and --oauth-client-id-env do not go together', hint);
  }
  if (oauthScope !== undefined && !scopes.test(oauthScope)) {
    throw new TckError('usage', '--oauth-scope holds no scopes', "give them with a space between: 'read write'");
  }
  return {
    oauth: {
      clientId: readSecret('--oauth-client-id-env', oauthClientIdEnv, env),
      ...(oauthClientSecretEnv === undefined
        ? {}
        : { clientSecret: readSecret('--oauth-client-secret-env', oauthClientSecretEnv, env) }),
      ...(oauthScope === undefined ? {} : { scope: oauthScope }),
    },
  };
}

/** `<pack>.<name>=<value>`, without the value in errors: it may be a secret in the wrong place. */
function pairsOf(option: string, given: readonly string[], value: string): readonly (readonly [string, string])[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    if (!/^[a-z][a-z0-9-]*\.[A-Za-z][\w-]*=/.test(text))
      throw new TckError('usage', `a ${option} is not of the form <pack>.<name>=<${value}>`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** Options about packs, of any command. */
export type PackOptions = Pick<CliOptions, 'pack' | 'packs' | 'packOption' | 'packSecretEnv'>;

/** The options about packs. Throws `TckError('usage')` for malformed ones and missing variables. */
export function readPacks(
  { pack, packs = [], packOption = [], packSecretEnv = [] }: PackOptions,
  env: Environment,
): PackTarget {
  const named = pack ?? packs;
  const options = pairsOf('--pack-option', packOption, 'value');
  const secrets = pairsOf('--pack-secret-env', packSecretEnv, 'variable');
  return {
    ...(named.length === 0 ? {} : { packs: named }),
    ...(options.length === 0 ? {} : { packOptions: Object.fromEntries(options) }),
    ...(secrets.length === 0
      ? {}
      : {
          packSecrets: Object.fromEntries(
            secrets.map(([name, variable]) => [name, readSecret(`--pack-secret-env ${name}`, variable, env)]),
          ),
        }),
  };
}
