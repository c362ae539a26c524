import {
  type Artifact,
  brief,
  ifMet,
  type Message,
  modes,
  type Outcome,
  promptTo,
  type Scene,
  type SendReply,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';
import { invented } from './sends.js';

// Messages that can be distinguished, and contents of one message in the answer to another. No rules: index.ts does not
// collect this file.

/** Messages sent at once: enough for the agent to start some of them in the same millisecond. */
const burst = 8;

/** A message that can be distinguished from the others, and its outcome. */
export interface Marked {
  /** A word that is in its text, and nowhere else in this run. */
  readonly word: string;
  readonly message: Message;
  readonly outcome: Outcome<SendReply>;
  /** The smallest units of the answer that are about one message: each message and each artifact. */
  readonly pieces: readonly Piece[];
}
type Piece = readonly [about: string, text: string];

/**
 * The prompt with one more sentence in its first text. A prompt without text can be recognized by its messageId only.
 */
export function withWord(prompt: Message, word: string): Message {
  const at = prompt.parts.findIndex((part) => part.kind === 'text');
  const parts = prompt.parts.map((part, index) =>
    index === at && part.kind === 'text'
      ? { ...part, text: `${part.text} Repeat this word in your answer: ${word}` }
      : part,
  );
  return { ...prompt, parts };
}

/** A prompt that the agent completes at once, or one that it answers at all. */
const simple = async (scene: Scene): Promise<Message> =>
  (await ifMet(promptTo(scene, 'completed'))) ?? (await ifMet(promptTo(scene, 'message'))) ?? scene.say();

/** The send waits for the end, so that the answer shows whatever was mixed up during the work. */
async function mark(scene: Scene, ownContext: boolean): Promise<Marked> {
  const word = `tck${scene.uuid().replaceAll('-', '').slice(0, 12)}`;
  const message = withWord({ ...(await simple(scene)), ...(ownContext ? { contextId: scene.uuid() } : {}) }, word);
  const outcome = await scene.client.call(
    'send',
    { message, configuration: { ...modes(scene), blocking: true } },
    { timeoutMs: scene.patienceMs },
  );
  const task = outcome.kind === 'result' && outcome.value.type === 'task' ? outcome.value.task : undefined;
  // Also reads the settled task, where the answer shows one that has not settled.
  const after = task?.id ? await settle(scene, task) : undefined;
  return { word, message, outcome: withoutContents(outcome), pieces: piecesOf(outcome, after) };
}

/** Up to ten answers are held at once, so tasks are kept without artifacts and history. */
function withoutContents(outcome: Outcome<SendReply>): Outcome<SendReply> {
  if (outcome.kind !== 'result' || outcome.value.type !== 'task') return outcome;
  const { artifacts: _, history: __, ...task } = outcome.value.task;
  return { ...outcome, wire: undefined, value: { type: 'task', task } };
}

/** Messages sent twice, one after the other, and then eight times at once. */
export const marked = source('messages with different words', async (scene): Promise<readonly Marked[]> => {
  const probe = await scene.use(invented);
  const kept = probe.outcome.kind === 'result' && contextOf(probe.outcome.value) === probe.contextId;
  const sent = [await mark(scene, kept), await mark(scene, kept)];
  // An agent that fails on two messages would fail on eight.
  if (sent.every(({ outcome }) => outcome.kind !== 'result')) return sent;
  return [...sent, ...(await Promise.all(Array.from({ length: burst }, () => mark(scene, kept))))];
});

const contextOf = (reply: SendReply): string | undefined =>
  (reply.type === 'task' ? reply.task.contextId : reply.message.contextId) || undefined;

/** How many characters of each piece are looked at. */
const mostText = 256 * 1024;
/** How many pieces of an answer are looked at: a normal one has a few. */
const mostPieces = 1000;

const textOf = (piece: Message | Artifact): string => JSON.stringify(piece).slice(0, mostText).toLowerCase();

/** The pieces are read once: an answer may have megabytes, and is compared with all others. */
function piecesOf(outcome: Outcome<SendReply>, after: Task | undefined): readonly Piece[] {
  if (outcome.kind !== 'result') return [];
  const { value } = outcome;
  if (value.type === 'message') return [['the reply', textOf(value.message)]];
  const all = [value.task, ...(after === undefined ? [] : [after])].flatMap(
    ({ status: { message }, artifacts = [], history = [] }): readonly (readonly [string, Message | Artifact])[] => [
      ...(message === undefined ? [] : [['the message of its status', message] as const]),
      ...artifacts
        .slice(0, mostPieces)
        .map((artifact) => [`the artifact ${brief(artifact.artifactId || artifact.name)}`, artifact] as const),
      ...history
        .slice(0, mostPieces)
        .map((message) => [`the message ${brief(message.messageId)} of its history`, message] as const),
    ],
  );
  return all.slice(0, mostPieces).map(([about, piece]): Piece => [about, textOf(piece)]);
}

const marksOf = ({ word, message }: Marked): readonly string[] => [word, message.messageId.toLowerCase()];
const shows = (text: string, marked: Marked): boolean => marksOf(marked).some((own) => text.includes(own));

/** Describes contents of other messages in the answer to this one; undefined when there are none. */
export function strange(marked: Marked, others: readonly Marked[]): string | undefined {
  if (marked.outcome.kind !== 'result') return undefined;
  const own = marked.pieces;
  const context = contextOf(marked.outcome.value);
  const isAnswered = own.some(([, text]) => shows(text, marked));
  for (const other of others) {
    const { contextId, messageId } = other.message;
    if (contextId !== undefined && context === contextId)
      return `the task is in the context of the message ${messageId}`;
    // In a shared context an agent may remember what was said before.
    const shared =
      other.outcome.kind === 'result' && context !== undefined && contextOf(other.outcome.value) === context;
    if (shared && isAnswered) continue;
    const found = own.find(([, text]) => !shows(text, marked) && shows(text, other));
    if (found !== undefined) return `${found[0]} belongs to the message ${messageId}`;
  }
  return undefined;
}

export const othersThan = (marked: Marked, all: readonly Marked[]): readonly Marked[] =>
  all.filter((other) => other !== marked);

/** The answer contains something of its own message, so that a mix-up could be recognized. */
export const isKnown = (marked: Marked): boolean =>
  (marked.outcome.kind === 'result' &&
    marked.message.contextId !== undefined &&
    contextOf(marked.outcome.value) === marked.message.contextId) ||
  marked.pieces.some(([, text]) => shows(text, marked));
