import type { Parameter } from '../client/index.js';
import { TckError } from '../model/tck-error.js';
import type { Header } from '../wire/index.js';

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

/** The secret in an environment variable. */
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
