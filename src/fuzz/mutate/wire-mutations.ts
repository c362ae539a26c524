import { methodAt } from '../../binding/index.js';
import type { Dialect } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';
import type { Value, WireMutation } from '../case/case.js';
import type { RandomSource } from '../generate/random-source.js';
import { bytesMutations } from './bytes.js';
import { frameMutations } from './frame.js';
import { httpMutations } from './http.js';
import { messageMutations } from './messages.js';
import { pathFrameMutations, pathMutations } from './paths.js';
import { textMutations } from './text.js';
import type { WireMutationKind, WireMutationTools } from './wire-mutation.js';

export { isFrameMutation } from './frame.js';

const all: Record<string, WireMutationKind> = {
  ...textMutations,
  ...bytesMutations,
  ...httpMutations,
  ...frameMutations,
  ...pathMutations,
  ...pathFrameMutations,
  ...messageMutations,
};

/** Names of wire mutations that need no bare socket. */
const portable: readonly string[] = Object.keys({ ...textMutations, ...bytesMutations, ...httpMutations });
const onSockets: readonly string[] = Object.keys(frameMutations);

/** Adds the wire mutations of a pack. A name that is there already keeps its meaning. */
export function addWireMutations(kinds: Readonly<Record<string, WireMutationKind>>): void {
  for (const [name, kind] of Object.entries(kinds)) all[name] ??= kind;
}

/** Names of wire mutations for callers who sign: their packs bring them. */
export const signedMutationNames = (): readonly string[] =>
  Object.keys(all).filter((name) => all[name]?.signed !== undefined);

/** What a wire mutation does; undefined for a name that this version of the kit does not have. */
export const kindOf = ({ trick }: Pick<WireMutation, 'trick'>): WireMutationKind | undefined =>
  Object.hasOwn(all, trick) ? all[trick] : undefined;

/** Whether it pays for a task. */
export const isPaymentMutation = (trick: Pick<WireMutation, 'trick'>): boolean => kindOf(trick)?.pays === true;

/** Whether it changes a request that the caller has signed. */
export const isSignedMutation = (trick: Pick<WireMutation, 'trick'>): boolean => kindOf(trick)?.signed !== undefined;

const needed = { envelopes: 'envelope', paths: 'paths', messages: 'messages' } as const;
/** Wire mutations of the head of a request that also a message has. */
const ofAnyHead: ReadonlySet<string> = new Set(['header', 'long-header', 'method', 'query']);

const suits = (trick: string, { needs }: WireMutationKind, { binding: { requests } }: Dialect): boolean =>
  needs === undefined ? requests !== 'messages' || ofAnyHead.has(trick) : needs === needed[requests];

/** Whether the params of the operation go out as a JSON text. */
const hasText = ({ binding, operations }: Dialect, operation: Operation): boolean => {
  const names = operations[operation];
  return names === undefined || binding.typed('', names);
};

/** Whether a wire mutation of this name changes a request of the operation in the binding of the dialect. */
export function isUsable(
  trick: { readonly trick: string; readonly at?: Value },
  dialect: Dialect,
  operation: Operation,
): boolean {
  const kind = kindOf(trick);
  if (kind === undefined || !suits(trick.trick, kind, dialect)) return false;
  const method = methodAt(dialect.operations[operation]?.grpc ?? '');
  if (kind.fits !== undefined && (method === undefined || !kind.fits(method))) return false;
  const isOfText = kind.text !== undefined || kind.bytes !== undefined || kind.members !== undefined;
  if (isOfText && !hasText(dialect, operation)) return false;
  // Without an envelope there is nothing around the params.
  return (
    dialect.binding.requests === 'envelopes' || typeof trick['at'] !== 'string' || trick['at'].startsWith('/params')
  );
}

export interface MutationNames {
  /** Those that need no bare socket. */
  readonly portable: readonly string[];
  readonly sockets: readonly string[];
}
/** The same list each time: a deck is dealt to its end. */
const listed = new Map<string, MutationNames>();

/** Names of wire mutations of requests in the binding of the dialect; with an operation, those that change its requests. */
export function namesFor(dialect: Dialect, operation?: Operation): MutationNames {
  const { requests } = dialect.binding;
  const hasEnvelope = requests === 'envelopes';
  // With an envelope all operations have the same requests.
  const key = hasEnvelope ? '' : `${dialect.id} ${operation}`;
  const found = listed.get(key);
  if (found !== undefined) return found;
  const usable = (names: readonly string[]): readonly string[] =>
    names.filter((trick) => {
      const kind = kindOf({ trick });
      if (kind === undefined || !suits(trick, kind, dialect)) return false;
      return hasEnvelope || operation === undefined || isUsable({ trick }, dialect, operation);
    });
  const made = {
    portable: usable(
      hasEnvelope ? portable : [...portable, ...Object.keys(pathMutations), ...Object.keys(messageMutations)],
    ),
    // What goes over a bare socket is written in the words of HTTP/1.1.
    sockets:
      requests === 'messages'
        ? []
        : usable(hasEnvelope ? onSockets : [...onSockets, ...Object.keys(pathFrameMutations)]),
  };
  listed.set(key, made);
  return made;
}

/** A wire mutation of this name with arguments. */
export function makeWireMutation(name: string, tools: WireMutationTools): WireMutation {
  const made: WireMutation = { trick: name, ...(kindOf({ trick: name })?.make(tools) ?? {}) };
  // Where nothing is around the params, what would go there goes into them.
  const isOutside = made['at'] === '' && tools.objects.length > 0 && !tools.objects.includes('');
  return isOutside ? { ...made, at: '/params' } : made;
}

/** One of all wire mutations of requests of an operation; those of a bare socket only where there are sockets. */
export function anyWireMutation(
  randomSource: RandomSource,
  tools: WireMutationTools,
  {
    dialect,
    operation,
    sockets,
  }: { readonly dialect: Dialect; readonly operation: Operation; readonly sockets: boolean },
): WireMutation {
  const all = namesFor(dialect, operation);
  const names = sockets && all.sockets.length > 0 && randomSource.chance(0.15) ? all.sockets : all.portable;
  return makeWireMutation(randomSource.pick(names), tools);
}
