import type { SecurityScheme } from '../model/index.js';
import { type Header, header } from '../wire/index.js';
import { type Account, accounts, basicCredentials } from './accounts.js';
import type { Incoming } from './calls.js';
import { Unauthorized } from './failure.js';
import { plainReply } from './replies.js';
import type { Seams, World } from './seams.js';

/** The credentials of a request for a scheme, not yet checked; undefined: none. */
function shown(scheme: SecurityScheme, { headers, url }: Incoming): string | undefined {
  const after = (name: string): string | undefined =>
    new RegExp(`^${name} +(\\S.*)$`, 'i').exec(header(headers, 'authorization') ?? '')?.[1];
  switch (scheme.type) {
    case 'apiKey':
      if (scheme.in === 'header') return header(headers, scheme.name);
      if (scheme.in === 'query') return new URL(url).searchParams.get(scheme.name) ?? undefined;
      return cookies(headers).get(scheme.name);
    case 'http':
      return after(scheme.scheme);
    case 'mutualTLS':
      return undefined;
    default:
      return after('bearer');
  }
}

/** RFC 6265 §5.4. */
function cookies(headers: readonly Header[]): ReadonlyMap<string, string> {
  const lines = headers.flatMap(([name, value]) => (name.toLowerCase() === 'cookie' ? value.split(';') : []));
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
}

/** RFC 9110 §11.6.1. `ApiKey` is not a registered scheme, but a 401 must name one. */
function challengeOf(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'mutualTLS') return undefined;
  if (scheme.type === 'apiKey') return `ApiKey realm="agent", in="${scheme.in}", name="${scheme.name}"`;
  if (scheme.type !== 'http' || scheme.scheme.toLowerCase() === 'bearer') return 'Bearer realm="agent"';
  return `${scheme.scheme[0]?.toUpperCase() ?? ''}${scheme.scheme.slice(1)} realm="agent", charset="UTF-8"`;
}

export type CallerSeams = Pick<Seams, 'authenticate' | 'account' | 'challenge' | 'visible'>;

/** 0.3 §4.4, 1.0 §7.4: every request is authenticated as the card declares. */
export function callers({ store }: World, whole: Seams): CallerSeams {
  return {
    async authenticate(request) {
      const { security, securitySchemes } = whole.card();
      const callerBy = (name: string): string | undefined => {
        const scheme = securitySchemes[name];
        const credentials = scheme && shown(scheme, request);
        return scheme === undefined || credentials === undefined ? undefined : whole.account(scheme, credentials);
      };
      const needed = security.length > 0 ? security : [{}];
      // Schemes that are declared and not demanded count as alternatives.
      const free = needed.some((option) => Object.keys(option).length === 0);
      const options = [
        ...needed.map((option) => Object.keys(option)),
        ...(free ? Object.keys(securitySchemes).map((name) => [name]) : []),
      ];
      for (const [first, ...others] of options) {
        const caller = first === undefined ? undefined : callerBy(first);
        if (caller !== undefined && others.every((name) => callerBy(name) === caller)) return caller;
      }
      const tried = Object.values(securitySchemes).some((scheme) => shown(scheme, request) !== undefined);
      if (tried || !free) throw new Unauthorized();
      return undefined;
    },
    account(scheme, credentials) {
      const isBasic = scheme.type === 'http' && scheme.scheme.toLowerCase() === 'basic';
      const right = (account: Account): string => (isBasic ? basicCredentials(account) : account.secret);
      return accounts.find((account) => right(account) === credentials)?.name;
    },
    challenge() {
      const schemes = Object.values(whole.card().securitySchemes);
      const named = new Set(schemes.map(challengeOf).filter((text) => text !== undefined));
      const all = named.size > 0 ? [...named] : ['Bearer realm="agent"'];
      return plainReply(
        401,
        'Credentials are required',
        all.map((value) => ['www-authenticate', value]),
      );
    },
    visible(taskId, caller) {
      const owner = store.owner(taskId);
      return owner === caller || owner === undefined;
    },
  };
}
