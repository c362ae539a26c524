import { type Artifact, type Judgement, type Part, type Task, unproven } from '../../src/kit/index.js';

const kindOf = (part: Part): string =>
  part.kind === 'file' ? (part.bytes === undefined ? 'file link' : 'file') : part.kind;

function lostOf(before: Artifact, after: Artifact | undefined): string | undefined {
  if (after === undefined) return `the artifact ${before.artifactId} is gone`;
  const left = after.parts.map(kindOf);
  for (const part of before.parts) {
    const at = left.indexOf(kindOf(part));
    if (at < 0) return `the artifact ${before.artifactId} has lost a ${kindOf(part)} part`;
    left.splice(at, 1);
  }
  return undefined;
}

/** Everything that the artifacts of a finished task held is still there. */
export function artifactsKept(before: Task, after: Task): Judgement {
  // Ids that could not be read are a matter of the schema.
  const shown = (before.artifacts ?? []).filter((artifact) => artifact.artifactId !== '');
  if (shown.length === 0) return unproven('the finished task has no artifact; set behaviours.completed');
  for (const artifact of shown) {
    const lost = lostOf(
      artifact,
      after.artifacts?.find((one) => one.artifactId === artifact.artifactId),
    );
    if (lost !== undefined) return lost;
  }
  return undefined;
}
