import type { IdKind } from './calls.js';

const kindDigits: Readonly<Record<IdKind, string>> = {
  task: '7a5c',
  context: 'c0de',
  message: '3e55',
  artifact: 'a27f',
  config: 'c0f1',
};

/**
 * Counters in the form of UUIDs (RFC 9562 §5.4), so that two runs of the same seed give the same bytes. Ids that are
 * taken (by tasks that were read from an archive) are skipped.
 */
export function idMaker(seed: number, taken: (id: string) => boolean = () => false): (kind: IdKind) => string {
  const head = (seed >>> 0).toString(16).padStart(8, '0');
  const counts = new Map<IdKind, number>();
  return (kind) => {
    for (;;) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      const id = `${head}-${kindDigits[kind]}-4000-8000-${count.toString(16).padStart(12, '0')}`;
      if (!taken(id)) return id;
    }
  };
}
