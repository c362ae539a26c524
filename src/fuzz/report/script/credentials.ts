import type { Parameter } from '../../../client/index.js';
import { type Header, shellWord } from '../../../wire/index.js';

/** The credentials that the kit was given: values that a script takes from the environment. */
export interface Callers {
  readonly credentials: readonly Header[];
  readonly query?: readonly Parameter[];
  readonly secondCredentials?: readonly Header[];
  readonly secondQuery?: readonly Parameter[];
}

/** A credential in a request, and the environment variable that has its secret part. */
export interface Variable {
  readonly name: string;
  /** As it stands in the request: the value of a header, or an encoded parameter. */
  readonly value: string;
  /** What stands before the secret: `Bearer `. */
  readonly before: string;
  /** How the kit is given it: words of a shell. */
  readonly option: string;
}

const schemes = /^(basic|bearer|digest|dpop|token|apikey)\s+(?=\S)/i;
const upper = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

function ofHeader([name, value]: Header, caller: '' | 'second-'): Variable {
  const before = schemes.exec(value)?.[0] ?? '';
  const isBearer = /^bearer\s/i.test(before) && /^authorization$/i.test(name);
  const variable = `A2A_TCK_${upper(caller)}${isBearer ? 'TOKEN' : upper(name)}`;
  const option = isBearer ? `bearer-env ${variable}` : `header ${shellWord(`${name}: ${before}`)}"$${variable}"`;
  return { name: variable, value, before, option: `--${caller}${option}` };
}

function ofParameter([name, value]: Parameter, caller: '' | 'second-'): Variable {
  const variable = `A2A_TCK_${upper(caller)}${upper(name)}`;
  const option = `--${caller}query-env ${shellWord(`${name}=${variable}`)}`;
  return { name: variable, value: encodeURIComponent(value), before: '', option };
}

/**
 * Every credential that a request may carry, each with a variable of its own. Service headers are left out: they do not
 * identify a caller.
 */
export function variablesOf({ credentials, query = [], secondCredentials = [], secondQuery = [] }: Callers): {
  readonly headers: readonly Variable[];
  readonly parameters: readonly Variable[];
} {
  const secret = ([name]: Header) => !/^(x-)?a2a-/i.test(name);
  return {
    headers: [
      ...credentials.filter(secret).map((credential) => ofHeader(credential, '')),
      ...secondCredentials.filter(secret).map((secondCredential) => ofHeader(secondCredential, 'second-')),
    ],
    parameters: [
      ...query.map((parameter) => ofParameter(parameter, '')),
      ...secondQuery.map((parameter) => ofParameter(parameter, 'second-')),
    ],
  };
}

/** The options that give the kit these credentials, and the environment variables that they name. */
export function replayOptions(callers: Callers): {
  readonly variables: readonly string[];
  readonly words: readonly string[];
} {
  const { headers, parameters } = variablesOf(callers);
  const all = [...headers, ...parameters];
  return { variables: [...new Set(all.map(({ name }) => name))], words: all.map(({ option }) => option) };
}
