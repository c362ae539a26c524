import { bodyText, canParseUrl, type Exchange, type Scene } from '../../src/kit/index.js';

const links = /\bhttps?:\/\/[^\s"'\\<>)]+/g;
const hostOf = (link: string): string => (canParseUrl(link) ? new URL(link).hostname : link);

/** A link in an answer whose host neither the user nor the card names: its page would be meant for callers. */
export function foreignLink({ response }: Exchange, { target }: Scene): string | undefined {
  const known = [target.endpoint, target.url, JSON.stringify(target.cardDocument ?? null)].join(' ');
  const hosts = new Set([...known.matchAll(links)].map(([link]) => hostOf(link)));
  const found = [...bodyText(response?.body).matchAll(links)].map(([link]) => link);
  return found.find((link) => !hosts.has(hostOf(link)));
}
