import { TckError } from './tck-error.js';
import { canParseUrl } from './uri.js';

/** The origin that the user allows (`--allow-origin`), as URLs have it. Throws `TckError('usage')` for anything else. */
export function readOrigin(text: string): string {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TckError('usage', `--allow-origin ${text} is not an origin`, 'give one such as https://agent.example');
  }
  return url.origin;
}
