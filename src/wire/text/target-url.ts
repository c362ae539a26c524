import { canParseUrl, isLoopback, TckError } from '../../model/index.js';
import { createRedactor } from '../redaction/redaction.js';

/** Schemes of addresses that lead to gRPC alone, and those that stand for them. */
const addresses: Readonly<Record<string, string>> = { 'grpc:': 'http:', 'grpcs:': 'https:', 'dns:': 'https:' };

/** Whether the user gives an address of gRPC alone. */
export const isGrpcAddress = (text: string): boolean => /^(grpcs?|dns):\/\//i.test(text);

/** `localhost:4000` as a URL: on this machine without TLS, elsewhere with it; undefined: it is more or less. */
function hostAndPort(text: string): string | undefined {
  if (!/^[^/?#@]+:\d{1,5}$/.test(text) || !canParseUrl(`http://${text}`)) return undefined;
  return `${isLoopback(new URL(`http://${text}`).hostname) ? 'http' : 'https'}://${text}`;
}

/**
 * Throws `TckError('usage')` for anything but an absolute http(s) URL, or an address of gRPC: `grpc://host:port` is
 * read as http, `grpcs://` as https, `host:port` as http on this machine and as https elsewhere.
 */
export function parseTargetUrl(text: string): URL {
  const scheme = /^[a-z]+:/i.exec(text)?.[0].toLowerCase() ?? '';
  const bare = text.slice(scheme.length).replace(/^\/+/, '');
  const meant = hostAndPort(text) ?? (isGrpcAddress(text) ? `${addresses[scheme]}//${bare}` : text);
  const url = canParseUrl(meant) ? new URL(meant) : undefined;
  const hint = 'give an absolute URL such as http://localhost:4000';
  // A text that is not a URL may still contain a user and a password.
  const shown = createRedactor([])
    .url(text)
    .replace(/^[^/?#]*@/, '[hidden]@');
  if (url === undefined) throw new TckError('usage', `--url ${shown} is not a URL`, hint);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new TckError('usage', `--url ${shown} is neither http nor https`, hint);
}
