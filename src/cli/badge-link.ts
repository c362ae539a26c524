import { TckError } from '../model/tck-error.js';
import { canParseUrl } from '../model/uri.js';

/**
 * The link of a badge. It must be https: other schemes could run a script or expose what is sent. Throws
 * `TckError('usage')`.
 */
export function readBadgeLink(text: string | undefined): { readonly badgeLink?: string } {
  if (text === undefined) return {};
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return { badgeLink: url.href };
  throw new TckError(
    'usage',
    `--badge-link ${text} is not an https URL`,
    'give one such as https://ci.example/report.html',
  );
}
