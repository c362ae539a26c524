import { isDeepStrictEqual } from 'node:util';
import { type Artifact, brief, type Judgement, type Part, type Task, unproven } from '../../src/kit/index.js';

const kindOf = (part: Part): string =>
  part.kind === 'file' ? (part.bytes === undefined ? 'file link' : 'file') : part.kind;

/** Some dialects have a name in place of an id; it may stand there more than once. */
const nameOf = ({ artifactId, name = '' }: Artifact): string => artifactId || name;

/** Artifacts of one name among which one is looked for. */
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

/** Everything that the artifacts of a finished task held is still there. */
export function artifactsKept(before: Task, after: Task): Judgement {
  // Ids that could not be read are a matter of the schema.
  const shown = (before.artifacts ?? []).filter((artifact) => nameOf(artifact) !== '');
  if (shown.length === 0) return unproven('the finished task has no artifact; set behaviours.completed');
  const named = new Map<string, Artifact[]>();
  for (const one of after.artifacts ?? []) {
    const alike = named.get(nameOf(one));
    if (alike === undefined) named.set(nameOf(one), [one]);
    else if (alike.length < mostAlike) alike.push(one);
  }
  for (const artifact of shown) {
    const alike = named.get(nameOf(artifact)) ?? [undefined];
    // Of so many with one name, any may be it.
    if (alike.length >= mostAlike) continue;
    const losses = alike.map((one) => lostOf(artifact, one));
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

/** What changed in a finished task from one reading to another. */
export function difference(first: Task, again: Task): string | undefined {
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['id', first.id, again.id],
    ['contextId', first.contextId, again.contextId],
    ['status', first.status, again.status],
    ['artifacts', withoutLinks(first.artifacts), withoutLinks(again.artifacts)],
  ];
  const other = pairs.find(([, one, two]) => !isDeepStrictEqual(one, two));
  return other && `${other[0]} was ${brief(other[1])} and is ${brief(other[2])}`;
}
