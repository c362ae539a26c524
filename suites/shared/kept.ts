import { isDeepStrictEqual } from 'node:util';
import { type Artifact, brief, inconclusive, type Judgement, type Part, type Task } from '../../src/kit/index.js';

const kindOf = (part: Part): string =>
  part.kind === 'file' ? (part.bytes === undefined ? 'file link' : 'file') : part.kind;

/** In some dialects artifacts have a name instead of an id; names need not be unique. */
const nameOf = ({ artifactId, name = '' }: Artifact): string => artifactId || name;

/** At most so many artifacts of one name are compared. */
const mostAlike = 100;

function lostOf(before: Artifact, after: Artifact | undefined): string | undefined {
  if (after === undefined) return `the artifact ${nameOf(before)} is gone`;
  const left = new Map<string, number>();
  for (const part of after.parts) left.set(kindOf(part), (left.get(kindOf(part)) ?? 0) + 1);
  for (const part of before.parts) {
    const count = left.get(kindOf(part)) ?? 0;
    if (count === 0) return `the artifact ${nameOf(before)} has lost a ${kindOf(part)} part`;
    left.set(kindOf(part), count - 1);
  }
  return undefined;
}

/** The finished task still has everything that its artifacts held. */
export function artifactsKept(before: Task, after: Task): Judgement {
  // The schema reports ids that could not be read.
  const shown = (before.artifacts ?? []).filter((artifact) => nameOf(artifact) !== '');
  if (shown.length === 0) return inconclusive('set behaviours.completed: the finished task has no artifact');
  const named = new Map<string, Artifact[]>();
  for (const artifact of after.artifacts ?? []) {
    const alike = named.get(nameOf(artifact));
    if (alike === undefined) named.set(nameOf(artifact), [artifact]);
    else if (alike.length < mostAlike) alike.push(artifact);
  }
  for (const artifact of shown) {
    const alike = named.get(nameOf(artifact)) ?? [undefined];
    // With so many, the right one may have been left out.
    if (alike.length >= mostAlike) continue;
    const losses = alike.map((candidate) => lostOf(artifact, candidate));
    if (!losses.includes(undefined)) return losses[0];
  }
  return undefined;
}

/** Links may be signed anew for each reader. */
const withoutLinks = (artifacts: readonly Artifact[] | undefined) =>
  (artifacts ?? []).map((artifact) => ({
    ...artifact,
    parts: artifact.parts.map((part) => (part.kind === 'file' ? { ...part, uri: part.uri === undefined } : part)),
  }));

/** Describes what changed in a finished task between two reads. */
export function difference(first: Task, again: Task): string | undefined {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['id', first.id, again.id],
    ['contextId', first.contextId, again.contextId],
    ['status', first.status, again.status],
    ['artifacts', withoutLinks(first.artifacts), withoutLinks(again.artifacts)],
  ];
  const other = pairs.find(([, before, two]) => !isDeepStrictEqual(before, two));
  return other && `${other[0]} was ${brief(other[1])} and is ${brief(other[2])}`;
}
