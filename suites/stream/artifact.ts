import type { Part } from '../../src/kit/index.js';
import { check, excerpt, type Judgement, type Scene, unproven } from '../../src/kit/index.js';
import { type Assembled, assemble, pieces, samePieces } from './artifacts.js';
import { configured, plain, type Told, watchedOf } from './streams.js';

// A2A 0.3 §7.2.3 with the streaming guide, 1.0 §4.2.2, §3.5.2: what came in chunks is what the task shows.

interface Pair {
  readonly id: string;
  readonly streamed: readonly Part[];
  readonly kept: readonly Part[] | undefined;
  readonly chunks: number;
}

/** Each streamed artifact beside the one of the task; nothing when the stream or the task says too little. */
function pairs(told: Told): readonly Pair[] {
  const { events, end } = watchedOf(told);
  if (end !== 'ended' || told.late?.kind !== 'result') return [];
  const made: Assembled = assemble(events);
  const kept = told.late.value.artifacts ?? [];
  return [...made].flatMap(([id, streamed]) => {
    const chunks = events.filter((event) => event.type === 'artifact' && event.artifact.artifactId === id).length;
    if (id === '' || chunks === 0) return [];
    return [{ id, streamed, chunks, kept: kept.find((artifact) => artifact.artifactId === id)?.parts }];
  });
}

async function allPairs(scene: Scene): Promise<readonly Pair[]> {
  return [...pairs(await scene.use(configured)), ...pairs(await scene.use(plain))];
}

const none = 'no artifact was streamed to its end; set behaviours.streamed-chunks in the configuration';
const shortly = (parts: readonly Part[]): string => excerpt(JSON.stringify(pieces(parts)), 80);

export const assembled = check('stream/assembled-artifact', 'stream.assembled-artifact')
  .when('the client puts the chunks of a streamed artifact together', allPairs)
  .expects('make up the artifact that the task shows', (all): Judgement => {
    const odd = all.find(({ streamed, kept }) => kept === undefined || !samePieces(streamed, kept));
    if (odd === undefined) return all.length > 0 ? undefined : unproven(none);
    const { id, streamed, kept } = odd;
    if (kept === undefined) return `the task does not show the artifact ${id}`;
    return `the chunks of ${id} make up ${shortly(streamed)}, the task shows ${shortly(kept)}`;
  })
  .advice('A chunk with append is added to what came before; one without takes its place.')
  .killedBy(
    'stream-loses-a-chunk',
    'stream-repeats-a-chunk',
    'stream-chunks-without-append',
    'stream-keeps-no-artifacts',
  );

const sorted = (parts: readonly Part[]): string => [...shortest(parts)].sort().join(' ');
const shortest = (parts: readonly Part[]): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'text' ? [...part.text] : pieces([part])));

export const chunkOrder = check('stream/chunk-order', 'stream.in-order')
  .when('the client joins the chunks of a streamed artifact as they come', allPairs)
  .expects('come in the order in which the task shows them', (all): Judgement => {
    const chunked = all.filter(({ chunks, kept }) => chunks > 1 && kept !== undefined);
    for (const { id, streamed, kept = [] } of chunked) {
      if (samePieces(streamed, kept)) continue;
      // The same letters in another order; anything else is the matter of stream/assembled-artifact.
      if (sorted(streamed) === sorted(kept)) return `the chunks of ${id} came in another order: ${shortly(streamed)}`;
      return unproven('the chunks do not make up the artifact');
    }
    return chunked.length > 0 ? undefined : unproven(none);
  })
  .killedBy('stream-swaps-chunks');
