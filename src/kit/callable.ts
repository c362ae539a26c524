import { asReached, canParseUrl, isSamePlace } from '../model/index.js';
import type { Target } from './scene.js';

/**
 * The URL under which the kit calls one that the agent names: only within the given or allowed origins, and by the
 * machine name that the user gave, because a machine has several (localhost, 127.0.0.1). Undefined: it is not called.
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
