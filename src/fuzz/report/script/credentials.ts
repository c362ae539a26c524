import type { Parameter } from '../../../client/index.js';
import type { Header } from '../../../wire/index.js';

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
}

const schemes = /^(basic|bearer|digest|dpop|token|apikey)\s+(?=\S)/i;
const upper = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');

function ofHeader([name, value]: Header, prefix: string): Variable {
  const before = schemes.exec(value)?.[0] ?? '';
  const isBearer = /^bearer\s/i.test(before) && /^authorization$/i.test(name);
  return { name: `A2A_TCK_${prefix}${isBearer ? 'TOKEN' : upper(name)}`, value, before };
}

const ofParameter = ([name, value]: Parameter, prefix: string): Variable => ({
  name: `A2A_TCK_${prefix}${upper(name)}`,
  value: encodeURIComponent(value),
  before: '',
});

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
      ...credentials.filter(secret).map((one) => ofHeader(one, '')),
      ...secondCredentials.filter(secret).map((one) => ofHeader(one, 'SECOND_')),
    ],
    parameters: [...query.map((one) => ofParameter(one, '')), ...secondQuery.map((one) => ofParameter(one, 'SECOND_'))],
  };
}
