import { TckError } from '../model/tck-error.js';
import type { Header } from '../wire/index.js';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const forbidden = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** `Name: value`. Errors never quote the value, which may be a secret. */
function readHeader(text: string): Header {
  const colon = text.indexOf(':');
  const name = text.slice(0, colon).trim();
  if (colon < 1 || !token.test(name)) {
    throw new TckError('usage', "a --header is not of the form 'Name: value'", "give one as --header 'X-Api-Key: …'");
  }
  const value = text.slice(colon + 1).trim();
  if (forbidden.test(value)) throw new TckError('usage', `--header ${name}: the value has control characters`);
  return [name, value];
}

/** The headers of `--header` and `--bearer-env`. Throws `TckError('usage')` for malformed ones and missing variables. */
export function credentialHeaders(
  headers: readonly string[],
  bearerEnv: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Header[] {
  const given = headers.map(readHeader);
  if (bearerEnv === undefined) return given;
  const secret = env[bearerEnv]?.trim();
  if (secret === undefined || secret === '') {
    throw new TckError('usage', `--bearer-env ${bearerEnv}: no such environment variable, or it is empty`);
  }
  if (forbidden.test(secret))
    throw new TckError('usage', `--bearer-env ${bearerEnv}: the value has control characters`);
  return [...given, ['Authorization', `Bearer ${secret}`]];
}
