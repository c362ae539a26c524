import type { Part } from '../../src/kit/index.js';
import {
  type Artifact,
  type CollectedStream,
  check,
  describe,
  excerpt,
  ifMet,
  inconclusive,
  isEnd,
  type Judgement,
  lastState,
  type Scene,
} from '../../src/kit/index.js';
import { type Assembled, assemble, pieces, samePieces } from './artifacts.js';
import { artifactsOf, configured, giving, plain, type StreamedMessage, watchedOf } from './streams.js';

// A2A 0.3 §7.2.3 with the streaming guide, 1.0 §4.2.2, §3.5.2: the task shows what was streamed in chunks.

interface Pair {
  readonly id: string;
  readonly streamed: readonly Part[];
  readonly kept: readonly Part[] | undefined;
  readonly chunks: number;
  /** The name that the task shows, and those that chunks had. */
  readonly name: string | undefined;
  readonly named: ReadonlySet<string>;
}

/** Nothing more can have followed: the server ended the stream, or kept it open behind the end of its task. */
const isWhole = ({ events, end }: Pick<CollectedStream, 'events' | 'end'>): boolean =>
  end === 'ended' || (end === 'left-open' && events.some(isEnd));

/**
 * Pairs each streamed artifact with that of the task; none when the stream did not end or the task could not be read.
 */
function pairsOf(streamed: StreamedMessage): readonly Pair[] {
  const { events, end } = watchedOf(streamed);
  if (!isWhole({ events, end }) || streamed.late?.kind !== 'result') return [];
  const made: Assembled = assemble(events);
  const kept = streamed.late.value.artifacts ?? [];
  const byId = new Map([...kept].reverse().map((artifact) => [artifact.artifactId, artifact]));
  const counts = new Map<string, number>();
  const names = new Map<string, Set<string>>();
  for (const event of events) {
    if (event.type !== 'artifact') continue;
    const { artifactId, name } = event.artifact;
    counts.set(artifactId, (counts.get(artifactId) ?? 0) + 1);
    if (name) names.set(artifactId, (names.get(artifactId) ?? new Set()).add(name));
  }
  return [...made].flatMap(([id, streamed]) => {
    const chunks = counts.get(id) ?? 0;
    if (id === '' || chunks === 0) return [];
    const same = byId.get(id) ?? kept.find(({ parts }) => samePieces(parts, streamed));
    return [{ id, streamed, chunks, kept: same?.parts, name: same?.name, named: names.get(id) ?? new Set<string>() }];
  });
}

async function streamedPairs(scene: Scene): Promise<readonly Pair[]> {
  const streamed = [await scene.use(configured), await scene.use(plain), await ifMet(scene.use(giving))];
  return [...new Set(streamed)].flatMap((message) => (message === undefined ? [] : pairsOf(message)));
}

/** Why no pair came: the outcome of the streams that brought artifacts, if any did. */
async function unpaired(scene: Scene): Promise<Judgement> {
  for (const source of [configured, plain, giving]) {
    const streamed = await ifMet(scene.use(source));
    const { watched, late } = streamed ?? {};
    if (watched === undefined || !watched.events.some(({ type }) => type === 'artifact')) continue;
    if (!isWhole(watched))
      return inconclusive(`a stream brought an artifact and did not come to its end (${watched.end})`);
    if (late !== undefined && late.kind !== 'result') {
      return inconclusive(`a stream brought an artifact, and the agent did not show its task: ${describe(late)}`);
    }
  }
  return inconclusive('set behaviours.streamed-chunks: no stream brought an artifact and came to its end');
}
const notShown = 'the task does not show the artifacts that were streamed';
const shortly = (parts: readonly Part[]): string => excerpt(JSON.stringify(pieces(parts)), 80);

// In our words (1.0, 4.2.2 TaskArtifactUpdateEvent): Assembled chunks equal the stored artifact.
export const assembled = check('stream/assembled-artifact', 'stream.assembled-artifact')
  .when('the client joins the chunks of a streamed artifact', streamedPairs)
  .expects('send chunks that make up the artifact of the task', async (all, scene): Promise<Judgement> => {
    const shown = all.filter(({ kept }) => kept !== undefined);
    const odd = shown.find(({ streamed, kept = [] }) => !samePieces(streamed, kept));
    if (odd === undefined && shown.length > 0) return undefined;
    if (odd === undefined) return all.length > 0 ? inconclusive(notShown) : unpaired(scene);
    const { id, streamed, kept = [] } = odd;
    return `the chunks of ${id} make up ${shortly(streamed)}, the task shows ${shortly(kept)}`;
  })
  .expects('name it alike', (all): Judgement => {
    const odd = all.find(({ name, named }) => name && !named.has(name));
    return odd && `the task shows ${odd.id} as ${excerpt(odd.name ?? '', 80)}, and no chunk has that name`;
  })
  .advice('A chunk with append is added to what came before; one without takes its place.');

// In our words (1.0, 3.1.3 Get Task): GetTask includes the artifacts that the stream of the task has brought.
/** Judges all streamed artifacts, whichever prompt produced them. */
export const readable = check('stream/artifacts-kept', 'stream.artifacts-kept')
  .when('the client reads the task of a stream that brought artifacts', streamedPairs)
  .expects('show them', async (all, scene): Promise<Judgement> => {
    const lost = all.find(({ kept }) => kept === undefined);
    if (lost !== undefined) return `the task does not show the artifact ${lost.id}, which was streamed`;
    return all.length > 0 ? undefined : unpaired(scene);
  })
  .advice('What is sent in a TaskArtifactUpdateEvent belongs to the task: keep it before it is sent.');

// In our words (1.0, 3.1.2 Send Streaming Message): A stream brings the artifacts of its task: intermediate results are
//   given at once, events go to all streams.
/** §7.2, §3.1.2: every artifact that the task finally shows was streamed when it was made. */
export const delivered = check('stream/artifacts', 'stream.artifacts')
  .given('streamed', giving)
  .when('the client reads a task with artifacts after its stream', async ({ streamed }) => streamed)
  .expects('have streamed all its artifacts', (streamed): Judgement => {
    const watched = watchedOf(streamed);
    const kept = artifactsOf(streamed).filter(({ artifactId }) => artifactId !== '');
    if (!isWhole(watched) || !watched.events.some(isEnd)) {
      const last = lastState(watched.events) ?? 'no state';
      return inconclusive(`the stream did not show the end of its task: its last state is ${last}, ${watched.end}`);
    }
    if (kept.length === 0) {
      const { late } = streamed;
      if (late?.kind !== 'result') {
        return inconclusive(`the agent did not show the task: ${late === undefined ? 'it has no id' : describe(late)}`);
      }
      return inconclusive(
        'the task shows no artifact: stream/artifacts-kept judges whether the agent lost those of the stream',
      );
    }
    const assembled = assemble(watched.events);
    const isStreamed = ({ artifactId, parts }: Artifact): boolean =>
      assembled.has(artifactId) || [...assembled.values()].some((pieces) => samePieces(pieces, parts));
    const left = kept.find((artifact) => !isStreamed(artifact));
    return left && `the artifact ${left.artifactId} of the task was not streamed`;
  })
  .advice('Send a TaskArtifactUpdateEvent for each artifact, or the task with its artifacts before the stream ends.');

const sorted = (parts: readonly Part[]): string => [...shortest(parts)].sort().join(' ');
const shortest = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [...part.text] : pieces([part])));

// In our words (1.0, 3.5.2 Streaming Event Delivery): Events arrive in the order they were produced.
export const chunkOrder = check('stream/chunk-order', 'stream.in-order')
  .when('the client joins the chunks of a streamed artifact', streamedPairs)
  .expects('send them in the order of the artifact of the task', async (all, scene): Promise<Judgement> => {
    const chunked = all.filter(({ chunks, kept }) => chunks > 1 && kept !== undefined);
    for (const { id, streamed, kept = [] } of chunked) {
      if (samePieces(streamed, kept)) continue;
      // The same characters in another order; stream/assembled-artifact judges all other differences.
      if (sorted(streamed) === sorted(kept)) return `the chunks of ${id} came in another order: ${shortly(streamed)}`;
      return inconclusive('the chunks do not make up the artifact');
    }
    return chunked.length > 0
      ? undefined
      : all.length > 0
        ? inconclusive('set behaviours.streamed-chunks: no artifact came in several chunks')
        : unpaired(scene);
  })
  .advice(
    'Send chunks from one queue, in the order in which they are stored: writes that do not wait for each other overtake each other.',
  );
