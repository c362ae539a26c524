import { secretsInUrl } from '../wire/index.js';

/** Shorter values are too often words that mean something else. */
const shortest = 8;

/** Names whose last word says that the value is secret: `GITHUB_TOKEN`, `DB_PASSWORD`, `OPENAI_API_KEY`, `apiKey`. */
const secretName =
  /(?:token|secret|passw(?:or)?d|passphrase|passcode|credentials?|(?:^|[_.-])(?:pass|pwd|pat|auth|jwt|cookie)|(?:^|[_.-]|api|access|private|signing|secret|master|account)key)(?:[_.-]?\d{1,3}|[_.-](?:base64|b64|hex|json|value))?$/i;

/** A folder or a file, such as the socket of an agent for keys. */
const path = /^(?:~|\.{1,2})?[/\\]|^[a-z]:[/\\]/i;
const url = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Settings that are named like secrets: `USE_TOKEN=disabled`. */
const setting = /^(?:disabled|required|optional|undefined|-?\d{1,12})$/i;

/** Lines of a key in PEM, without those that every key has. */
const linesOf = (value: string): readonly string[] =>
  value
    .split(/\r?\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('-----'));

/**
 * What looks like a secret among variables of the environment: values of variables whose name says so, and user and
 * password in URLs of any variable. Values of less than 8 characters, paths and other URLs are none.
 */
export function secretsInEnvironment(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = Object.entries(environment).flatMap(([name, value = '']): readonly string[] => {
    if (url.test(value)) return secretsInUrl(value);
    if (!secretName.test(name) || path.test(value) || setting.test(value)) return [];
    return [value, ...(value.includes('-----BEGIN') ? linesOf(value) : [])];
  });
  return [...new Set(found.map((text) => text.trim()))].filter((text) => text.length >= shortest);
}
