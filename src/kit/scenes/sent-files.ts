import type { Outcome } from '../../client/index.js';
import { describe, isSameError } from '../../client/index.js';
import type { FilePart, Message, Part, SendReply } from '../../model/index.js';
import { ifMet, inconclusive, type Judgement, PreconditionUnmet } from '../rules/verdict.js';
import { type Scene, source } from './scene.js';
import { sendQuick } from './steering.js';

// Files that are sent to the agent, for all suites that judge what it says of them.

/** The media types that the card takes. */
const listed = ({ card }: Scene): ReadonlySet<string> =>
  new Set([...card.inputModes, ...card.skills.flatMap((skill) => skill.inputModes)]);

/** The file's type is one that the card lists, if it lists any of these. */
const files = [
  { name: 'hello.txt', mediaType: 'text/plain', bytes: 'SGVsbG8h' },
  { name: 'hello.md', mediaType: 'text/markdown', bytes: 'SGVsbG8h' },
  {
    name: 'dot.png',
    mediaType: 'image/png',
    bytes: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
  { name: 'hello.json', mediaType: 'application/json', bytes: 'eyJoZWxsbyI6IndvcmxkIn0=' },
] as const;
/** A file of a type that the card lists, if it lists one of these. */
export const fileFor = (scene: Scene) => files.find((file) => listed(scene).has(file.mediaType)) ?? files[0];

/**
 * Sends the part with a text before it: an agent may require a text, and a refusal for that would not be about the
 * part.
 */
export async function withText(
  scene: Scene,
  ...parts: readonly Part[]
): Promise<{ readonly message: Message; readonly outcome: Outcome<SendReply> }> {
  const said = scene.say();
  const message = { ...said, parts: [...said.parts, ...parts] };
  return { message, outcome: await sendQuick(scene, message) };
}

/** Shared: a file of a type that the card lists, if it lists one. */
export const sendingBytes = source('a file part with bytes', (scene: Scene) =>
  withText(scene, { kind: 'file', ...fileFor(scene) } satisfies FilePart),
);
/** A file of a type that the card does not list. */
export function unlistedFile(scene: Scene): FilePart {
  if ([...listed(scene)].some((type) => /^(\*|application)\/\*$/.test(type))) {
    throw new PreconditionUnmet('the card accepts files of every media type');
  }
  return { kind: 'file', bytes: 'SGVsbG8h', name: 'hello.tck', mediaType: 'application/x-tck-unheard-of' };
}

/** A refusal says nothing about the type of a file where the agent refuses each file with the same error. */
export async function mediaRefused(judged: Judgement, outcome: Outcome<unknown>, { use }: Scene): Promise<Judgement> {
  if (typeof judged !== 'string' || outcome.kind !== 'refusal') return judged;
  const other = await ifMet(use(sendingBytes));
  const isEach = other?.outcome.kind === 'refusal' && isSameError(outcome, other.outcome);
  return isEach
    ? inconclusive(`the agent refuses each file, of an accepted media type as well: ${describe(other.outcome)}`)
    : judged;
}
