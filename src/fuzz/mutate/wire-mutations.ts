import type { WireMutation } from '../case/case.js';
import type { RandomSource } from '../generate/random-source.js';
import { bytesTricks } from './bytes.js';
import { frameTricks } from './frame.js';
import { httpTricks } from './http.js';
import { paymentTricks } from './payment.js';
import { signedTricks } from './signed.js';
import { textTricks } from './text.js';
import type { WireMutationKind, WireMutationTools } from './wire-mutation.js';

export { isFrameTrick } from './frame.js';

const all: Readonly<Record<string, WireMutationKind>> = {
  ...textTricks,
  ...bytesTricks,
  ...httpTricks,
  ...frameTricks,
  ...signedTricks,
  ...paymentTricks,
};

/** Names of tricks that need no bare socket. */
export const portableTricks: readonly string[] = Object.keys({ ...textTricks, ...bytesTricks, ...httpTricks });
/** Names of tricks for callers who sign. */
export const signedTrickNames: readonly string[] = Object.keys(signedTricks);
export const socketTricks: readonly string[] = Object.keys(frameTricks);

/** What a trick does; undefined for a name that this version of the kit does not have. */
export const kindOf = ({ trick }: Pick<WireMutation, 'trick'>): WireMutationKind | undefined =>
  Object.hasOwn(all, trick) ? all[trick] : undefined;

/** A trick of this name with arguments. */
export function makeTrick(name: string, tools: WireMutationTools): WireMutation {
  const kind = kindOf({ trick: name });
  return { trick: name, ...(kind?.make(tools) ?? {}) };
}

/** One of all tricks; those of a bare socket only where there are sockets. */
export function anyTrick(dice: RandomSource, tools: WireMutationTools, sockets: boolean): WireMutation {
  const names = sockets && dice.chance(0.15) ? socketTricks : portableTricks;
  return makeTrick(dice.pick(names), tools);
}
