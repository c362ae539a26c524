// RFC 3986, with letters beyond ASCII as in RFC 3987, because clients accept them. One pass, no patterns over the whole
// text.

/**
 * Replaces `URL.canParse`: that of Node 20 rejects URLs with letters of Latin-1 beyond ASCII, once it was called often
 * enough to be compiled.
 */
export function canParseUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base) instanceof URL;
  } catch {
    return false;
  }
}

/** Printable characters that no URI has; placeholders such as `<HOST>` and `{id}` are recognised by them. */
const excluded = new Set([...'"<>\\^`{|} '].map((text) => text.charCodeAt(0)));
const isHex = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);

function hasUriCharacters(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0) || excluded.has(code)) return false;
    if (code === 0x25 && !(isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2)))) return false;
  }
  return true;
}

/** The scheme in lower case. */
const schemeOf = (text: string): string | undefined =>
  /^([a-z][a-z0-9+.-]{0,60}):/i.exec(text.slice(0, 64))?.[1]?.toLowerCase();

/** An absolute URI of any scheme. */
export function isUri(text: string): boolean {
  const scheme = schemeOf(text);
  return scheme !== undefined && text.length > scheme.length + 1 && hasUriCharacters(text) && canParseUrl(text);
}

/** An absolute URL that clients of HTTP can call. */
export function isHttpUrl(text: string): boolean {
  const scheme = schemeOf(text);
  if (scheme !== 'http' && scheme !== 'https') return false;
  // The URL class accepts any number of slashes.
  const host = text[scheme.length + 3] ?? '';
  return text.startsWith('://', scheme.length) && !'/?#'.includes(host) && isUri(text);
}

/** A target that gRPC clients accept: a URI, or a host with or without a port. */
export const isGrpcTarget = (text: string): boolean =>
  text !== '' && !text.startsWith('/') && hasUriCharacters(text) && (isUri(text) || canParseUrl(`grpc://${text}`));
