import type { WireMutation } from '../case/case.js';
import type { RandomSource } from '../generate/random-source.js';
import { bytesMutations } from './bytes.js';
import { frameMutations } from './frame.js';
import { httpMutations } from './http.js';
import { paymentMutations } from './payment.js';
import { signedMutations } from './signed.js';
import { textMutations } from './text.js';
import type { WireMutationKind, WireMutationTools } from './wire-mutation.js';

export { isFrameMutation } from './frame.js';

const all: Readonly<Record<string, WireMutationKind>> = {
  ...textMutations,
  ...bytesMutations,
  ...httpMutations,
  ...frameMutations,
  ...signedMutations,
  ...paymentMutations,
};

/** Names of wire mutations that need no bare socket. */
export const portableMutations: readonly string[] = Object.keys({
  ...textMutations,
  ...bytesMutations,
  ...httpMutations,
});
/** Names of wire mutations for callers who sign. */
export const signedMutationNames: readonly string[] = Object.keys(signedMutations);
export const socketMutations: readonly string[] = Object.keys(frameMutations);

/** What a wire mutation does; undefined for a name that this version of the kit does not have. */
export const kindOf = ({ trick }: Pick<WireMutation, 'trick'>): WireMutationKind | undefined =>
  Object.hasOwn(all, trick) ? all[trick] : undefined;

/** A wire mutation of this name with arguments. */
export function makeWireMutation(name: string, tools: WireMutationTools): WireMutation {
  const kind = kindOf({ trick: name });
  return { trick: name, ...(kind?.make(tools) ?? {}) };
}

/** One of all wire mutations; those of a bare socket only where there are sockets. */
export function anyWireMutation(randomSource: RandomSource, tools: WireMutationTools, sockets: boolean): WireMutation {
  const names = sockets && randomSource.chance(0.15) ? socketMutations : portableMutations;
  return makeWireMutation(randomSource.pick(names), tools);
}
