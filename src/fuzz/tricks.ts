import type { Trick } from './case.js';
import type { Dice } from './dice.js';
import type { TrickKind, TrickTools } from './trick-kind.js';
import { bytesTricks } from './tricks-bytes.js';
import { frameTricks } from './tricks-frame.js';
import { httpTricks } from './tricks-http.js';
import { paymentTricks } from './tricks-payment.js';
import { signedTricks } from './tricks-signed.js';
import { textTricks } from './tricks-text.js';

export { isFrameTrick } from './tricks-frame.js';

const all: Readonly<Record<string, TrickKind>> = {
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
export const kindOf = ({ trick }: Pick<Trick, 'trick'>): TrickKind | undefined =>
  Object.hasOwn(all, trick) ? all[trick] : undefined;

/** A trick of this name with arguments. */
export function makeTrick(name: string, tools: TrickTools): Trick {
  const kind = kindOf({ trick: name });
  return { trick: name, ...(kind?.make(tools) ?? {}) };
}

/** One of all tricks; those of a bare socket only where there are sockets. */
export function anyTrick(dice: Dice, tools: TrickTools, sockets: boolean): Trick {
  const names = sockets && dice.chance(0.15) ? socketTricks : portableTricks;
  return makeTrick(dice.pick(names), tools);
}
