import type { Artifact, Part, StreamEvent } from '../../src/kit/index.js';

// Artifacts assembled from a stream. No rules: index.ts does not collect this file.

/** Parts by artifactId. */
export type Assembled = ReadonlyMap<string, readonly Part[]>;

/** A2A 0.3 §7.2.3: a chunk with `append` continues the artifact with its id, any other chunk replaces it. */
export function assemble(events: readonly StreamEvent[]): Assembled {
  const made = new Map<string, readonly Part[]>();
  const put = ({ artifactId, parts }: Artifact, append: boolean): void => {
    made.set(artifactId, append ? [...(made.get(artifactId) ?? []), ...parts] : parts);
  };
  for (const event of events) {
    if (event.type === 'task') for (const artifact of event.task.artifacts ?? []) put(artifact, false);
    if (event.type === 'artifact') put(event.artifact, event.append === true);
  }
  return made;
}

/** A text that is the same for equal values, whatever the order of their members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Joins neighbouring text parts, since the split has no meaning. Leaves out metadata. */
export function pieces(parts: readonly Part[]): readonly string[] {
  const found: string[] = [];
  let text: string | undefined;
  for (const part of parts) {
    if (part.kind === 'text') {
      text = (text ?? '') + part.text;
      continue;
    }
    if (text !== undefined) found.push(text);
    text = undefined;
    const { metadata: _, ...rest } = part;
    found.push(canonical(rest));
  }
  return text === undefined ? found : [...found, text];
}

export const samePieces = (parts: readonly Part[], other: readonly Part[]): boolean =>
  canonical(pieces(parts)) === canonical(pieces(other));

/** The text of all parts, joined. */
export const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
