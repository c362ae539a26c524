import { type Card, canParseUrl, type Exchange } from '../../src/kit/index.js';
import { wrongPrefix } from './callers.js';

// Credentials of callers, as checks look for them in what the agent says. No rules.

/** Characters. Shorter secrets would be found by accident. */
export const shortest = 8;

const named = /(^|[-_])(authorization|cookie|api[-_]?key|key|token|secret)$/i;

/** The secrets of the caller in a request, each at least `shortest` long. */
export function secretsIn({ request, toWebhook }: Exchange, { securitySchemes }: Card): readonly string[] {
  // The agent itself was given the credentials of a webhook.
  if (toWebhook) return [];
  const keys = new Set(
    Object.values(securitySchemes).flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.name.toLowerCase()] : [])),
  );
  const isKey = (name: string): boolean => keys.has(name.toLowerCase()) || named.test(name);
  const values = request.headers.flatMap(([name, value]) => {
    if (/^cookie$/i.test(name)) return value.split(';').map((cookie) => cookie.slice(cookie.indexOf('=') + 1).trim());
    if (!isKey(name)) return [];
    const token = /^\S+\s+(\S.*)$/.exec(value)?.[1] ?? value;
    if (!/^basic\s/i.test(value)) return [token];
    return [token, Buffer.from(token, 'base64').toString('utf8').split(':').slice(1).join(':')];
  });
  const query = canParseUrl(request.url) ? [...new URL(request.url).searchParams] : [];
  const all = [...values, ...query.flatMap(([name, value]) => (isKey(name) ? [value] : []))];
  // Credentials that the kit made up are not secrets: an agent may show them.
  return all.filter((secret) => secret.length >= shortest && !secret.startsWith(wrongPrefix));
}
