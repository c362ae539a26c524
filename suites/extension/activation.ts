import {
  type CallOptions,
  type Card,
  type Exchange,
  early,
  excerpt,
  header,
  type Outcome,
  rememberedOn,
  type Scene,
  type SendReply,
  source,
} from '../../src/kit/index.js';

// What the files of this chapter share: how a client asks for extensions, and which ones the agent says are active.

/** 1.0 §3.2.6; the guide of 0.3. An agent may know either name, whatever its version. */
const spellings = ['A2A-Extensions', 'X-A2A-Extensions'];

const listed = (value: string | undefined): readonly string[] =>
  (value ?? '')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');

/** URIs that a request asks for, or an answer names, under either name. */
export const asked = ({ request }: Exchange): readonly string[] =>
  spellings.flatMap((name) => listed(header(request.headers, name)));
export const named = ({ response }: Exchange): readonly string[] =>
  spellings.flatMap((name) => listed(response && header(response.headers, name)));

export const requiredUris = ({ capabilities }: Card): readonly string[] =>
  capabilities.extensions.flatMap(({ uri, required }) => (required ? [uri] : []));
export const declaredUris = ({ capabilities }: Card): readonly string[] =>
  capabilities.extensions.map(({ uri }) => uri);

/** Made once: laws ask for each exchange, and a card may declare tens of thousands. */
export const requiredSet = rememberedOn((card: Card): ReadonlySet<string> => new Set(requiredUris(card)));
export const declaredSet = rememberedOn((card: Card): ReadonlySet<string> => new Set(declaredUris(card)));

const mostNamed = 5;

/** For people: the first of them, and how many more there are. */
export function someOf(uris: readonly string[]): string {
  const rest = uris.length - mostNamed;
  return `${uris
    .slice(0, mostNamed)
    .map((uri) => excerpt(uri, 200))
    .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Asks for exactly these extensions, under the name of the version only. */
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

/** A longer number is no version, and no integer that a double can count up. */
const longestVersion = 15;

const isDigit = (text: string, at: number): boolean => text[at] !== undefined && text[at] >= '0' && text[at] <= '9';

/** What stands before the last number of a URI, the number, and what stands behind it. */
function numbered(uri: string): readonly [before: string, digits: string, after: string] | undefined {
  let end = uri.length;
  while (end > 0 && !isDigit(uri, end - 1)) end--;
  let start = end;
  while (start > 0 && isDigit(uri, start - 1)) start--;
  const isVersion = start < end && end - start <= longestVersion;
  return isVersion ? [uri.slice(0, start), uri.slice(start, end), uri.slice(end)] : undefined;
}

/** So many versions of one extension are tried for one that the card does not declare. */
const mostTries = 20;

/**
 * Another version of an extension, which the card does not declare; undefined: it declares all that are near.
 * `known`: the URIs that it declares.
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

/** Shared: a message that asks for none. Whether it is refused and how are two questions. */
export const withoutRequired = source('a message without the required extensions', (scene) =>
  sendActivating(scene, []),
);

interface Strange {
  readonly outcome: Outcome<SendReply>;
  /** Nobody has it. */
  readonly unknown: string;
  /** Declared URIs that were asked for in another version only. */
  readonly replaced: readonly string[];
}

/** Optional extensions of a card that are asked for in another version: they all go into one header. */
const mostReplaced = 50;

/** Shared: a message that asks for what the agent does not have, besides what it requires. */
export const withUnknown = source('a message with extensions of others', async (scene): Promise<Strange> => {
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
