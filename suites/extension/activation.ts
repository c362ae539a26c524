import {
  type CallOptions,
  type Card,
  type Exchange,
  early,
  header,
  type Outcome,
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

/** Another version of an extension, which the card does not declare. */
export function otherVersion(uri: string, card: Card): string {
  const digits = /^(.*?v?)(\d+)([^\d]*)$/i.exec(uri);
  const known = declaredUris(card);
  for (let next = Number(digits?.[2] ?? 0) + 1; ; next++) {
    const other = digits === null ? `${uri.replace(/\/$/, '')}/v${next + 1}` : `${digits[1]}${next}${digits[3]}`;
    if (!known.includes(other)) return other;
  }
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

/** Shared: a message that asks for what the agent does not have, besides what it requires. */
export const withUnknown = source('a message with extensions of others', async (scene): Promise<Strange> => {
  const { card, uuid } = scene;
  const unknown = `https://extensions.invalid/a2a-tck/${uuid()}/v1`;
  const required = requiredUris(card);
  const replaced = declaredUris(card).filter((uri) => !required.includes(uri));
  const others = replaced.map((uri) => otherVersion(uri, card));
  return { outcome: await sendActivating(scene, [...required, unknown, ...others]), unknown, replaced };
});
