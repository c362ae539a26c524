import { asReached, canParseUrl, isSamePlace } from '../model/index.js';
import type { Target } from './scene.js';

/**
 * Where a URL that the agent names is called: within the origins that were given or allowed, and by the name of the
 * machine that the user gave, for it has several (localhost, 127.0.0.1). Undefined: nowhere.
 */
export function callableUrl(
  { origins, endpoint }: Pick<Target, 'origins' | 'endpoint'>,
  url: string,
): string | undefined {
  const named = canParseUrl(url) ? new URL(url) : undefined;
  if (named?.protocol !== 'http:' && named?.protocol !== 'https:') return undefined;
  const place = [...origins, endpoint].map((one) => new URL(one)).find((one) => isSamePlace(named, one));
  if (place === undefined) return undefined;
  const reached = asReached(named, place);
  return reached === named ? url : reached.href;
}
