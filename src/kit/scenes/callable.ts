import { bindings } from '../../binding/index.js';
import { asReached, canParseUrl, type Interface, isSamePlace, portObstacle } from '../../model/index.js';
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
  const place = [...origins, endpoint].map((text) => new URL(text)).find((url) => isSamePlace(named, url));
  if (place === undefined) return undefined;
  const reached = asReached(named, place);
  return reached === named ? url : reached.href;
}

/** The URL that the address of an interface means in its binding; undefined: it means none there. */
export function placeOf({ url, transport }: Interface): string | undefined {
  const urlOf = bindings.find((binding) => binding.transport === transport)?.urlOf;
  return urlOf === undefined ? url : urlOf(url);
}

/**
 * The same for an interface: its address may be no URL, and a binding that usually has a port of its own may be at
 * another port of the host that the user gave (`portObstacle`).
 */
export function callablePlace(
  target: Pick<Target, 'origins' | 'endpoint' | 'sendsCredentials'>,
  at: Interface,
): string | undefined {
  const place = placeOf(at);
  if (place === undefined) return undefined;
  const url = callableUrl(target, place);
  const hasOwnPort = bindings.some((binding) => binding.transport === at.transport && binding.hasOwnPort === true);
  const [given] = target.origins;
  if (url !== undefined || !hasOwnPort || given === undefined) return url;
  const obstacle = portObstacle(new URL(place), new URL(given), target.sendsCredentials === true);
  return obstacle === undefined ? place : undefined;
}
