import {
  type CallOptions,
  type Card,
  type Exchange,
  early,
  excerpt,
  header,
  type Outcome,
  type Scene,
  type SendReply,
  source,
  weakMemo,
} from '../../src/kit/index.js';

// Shared by the files of this chapter: how a client asks for extensions, and which ones the agent names as active.

/** 1.0 §3.2.6; the guide of 0.3. An agent of any version may know either name. */
const spellings = ['A2A-Extensions', 'X-A2A-Extensions'];

const listed = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');

/** URIs that a request asks for, or that an answer names, in either header. */
export const asked = ({ request }: Exchange): readonly string[] =>
  spellings.flatMap((name) => listed(header(request.headers, name)));
export const named = ({ response }: Exchange): readonly string[] =>
  spellings.flatMap((name) => listed(response && header(response.headers, name)));

export const requiredUris = ({ capabilities }: Card): readonly string[] =>
  capabilities.extensions.flatMap(({ uri, required }) => (required ? [uri] : []));
export const declaredUris = ({ capabilities }: Card): readonly string[] =>
  capabilities.extensions.map(({ uri }) => uri);

/** Computed once per card: laws ask for each exchange, and a card may declare tens of thousands. */
export const requiredSet = weakMemo((card: Card): ReadonlySet<string> => new Set(requiredUris(card)));
export const declaredSet = weakMemo((card: Card): ReadonlySet<string> => new Set(declaredUris(card)));

const mostNamed = 5;

/** For messages: the first URIs, and how many more there are. */
export function someOf(uris: readonly string[]): string {
  const rest = uris.length - mostNamed;
  return `${uris
    .slice(0, mostNamed)
    .map((uri) => excerpt(uri, 200))
    .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Headers that ask for exactly these extensions, only under the name of the agent's version. */
export function activating({ client }: Scene, uris: readonly string[]) {
  const headers = uris.length === 0 ? [] : [[client.dialect.extensionHeader, uris.join(', ')] as const];
  return { headers, without: spellings };
}

/** A message that asks for exactly these extensions. */
export function sendActivating(
  scene: Scene,
  uris: readonly string[],
  more: CallOptions = {},
): Promise<Outcome<SendReply>> {
  const params = { message: scene.say(), configuration: early(scene) };
  return scene.client.call('send', params, { ...activating(scene, uris), ...more });
}

/** In digits. A longer number is not a version, and too large to be counted up exactly in a double. */
const longestVersion = 15;

const isDigit = (text: string, at: number): boolean => text[at] !== undefined && text[at] >= '0' && text[at] <= '9';

/** Splits a URI around its last number: the text before, the digits, the text after. */
function numbered(uri: string): readonly [before: string, digits: string, after: string] | undefined {
  let end = uri.length;
  while (end > 0 && !isDigit(uri, end - 1)) end--;
  let start = end;
  while (start > 0 && isDigit(uri, start - 1)) start--;
  const isVersion = start < end && end - start <= longestVersion;
  return isVersion ? [uri.slice(0, start), uri.slice(start, end), uri.slice(end)] : undefined;
}

/** How many versions of an extension are tried to find one that the card does not declare. */
const mostTries = 20;

/**
 * Another version of an extension, one that the card does not declare; undefined when all nearby versions are declared.
 * `known`: the URIs that the card declares.
 */
export function otherVersion(uri: string, known: ReadonlySet<string>): string | undefined {
  const [before, digits, after] = numbered(uri) ?? [`${uri.replace(/\/$/, '')}/v`, '1', ''];
  const first = Number(digits) + 1;
  for (let next = first; next < first + mostTries; next++) {
    const other = `${before}${next}${after}`;
    if (!known.has(other)) return other;
  }
  return undefined;
}

/** Shared: a message that asks for all that the card declares. */
export const withDeclared = source('a message with all declared extensions', (scene) =>
  sendActivating(scene, declaredUris(scene.card)),
);

/** Shared: a message that asks for none. Two checks judge it: whether it is refused, and how. */
export const withoutRequired = source('a message without the required extensions', (scene) =>
  sendActivating(scene, []),
);

/** Shared: a message that asks for what the agent requires, and for nothing else. */
export const withRequired = source('a message with the required extensions only', (scene) =>
  sendActivating(scene, requiredUris(scene.card)),
);

interface Strange {
  readonly outcome: Outcome<SendReply>;
  /** A URI that no agent knows. */
  readonly unknown: string;
  /** Declared URIs that were asked for in another version only. */
  readonly replaced: readonly string[];
}

/** At most so many optional extensions are asked for in another version: they all go into one header. */
const mostReplaced = 50;

/** Shared: a message that asks for extensions that the agent does not have, and for those that it requires. */
export const withUnknown = source('a message that asks for unknown extensions', async (scene): Promise<Strange> => {
  const { card, uuid } = scene;
  const unknown = `https://extensions.invalid/a2a-tck/${uuid()}/v1`;
  const required = requiredSet(card);
  const declared = declaredSet(card);
  const swapped = [...declared]
    .filter((uri) => !required.has(uri))
    .slice(0, mostReplaced)
    .flatMap((uri): readonly (readonly [uri: string, other: string])[] => {
      const other = otherVersion(uri, declared);
      return other === undefined ? [] : [[uri, other]];
    });
  const others = swapped.map(([, other]) => other);
  const outcome = await sendActivating(scene, [...required, unknown, ...others]);
  return { outcome, unknown, replaced: swapped.map(([uri]) => uri) };
});
