import { canParseUrl, TckError } from '../model/index.js';
import { createRedactor } from './redaction.js';

/** Throws `TckError('usage')` for anything but an absolute http(s) URL. */
export function parseTargetUrl(text: string): URL {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  const hint = 'give an absolute URL such as http://localhost:4000';
  // A text that is no URL may still contain a user and a password.
  const shown = createRedactor([])
    .url(text)
    .replace(/^[^/?#]*@/, '[hidden]@');
  if (url === undefined) throw new TckError('usage', `--url ${shown} is no URL`, hint);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new TckError('usage', `--url ${shown} is neither http nor https`, hint);
}
