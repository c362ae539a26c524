import { excerpt, law, type Recorded, weakMemo } from '../../src/kit/index.js';
import { byTask, type Course, courseOf, mark, type Sighting, shownIn, unmarked } from './sightings.js';

// Paid content that came without a payment. a2a-x402 v0.1 §4.5, §9.

/** Shorter texts ("Done.") may appear anywhere. */
const shortest = 8;

const artifactsOf = ({ texts, ofArtifacts }: Sighting): readonly string[] => texts.slice(texts.length - ofArtifacts);

/** Texts that paid tasks yield and that no unpaid task or request contains. */
function contentsOf(tasks: ReadonlyMap<string, readonly Sighting[]>, { sent, requests }: Course): readonly string[] {
  const isTried = (id: string, at: number): boolean => sent.some((sent) => sent.at <= at && sent.about.has(id));
  const free = [...tasks].flatMap(([id, seen]) =>
    seen.filter(({ at }) => !isTried(id, at)).flatMap(({ texts }) => texts),
  );
  const known = [...new Set([...free, ...requests.map(unmarked)])];
  const yielded = [...tasks.values()].flatMap((seen) => {
    const done = seen.findLast(({ isPaid, state }) => isPaid && state === 'completed');
    return done === undefined ? [] : artifactsOf(done);
  });
  return [...new Set(yielded)].filter(
    (text) => text.length >= shortest && !known.some((secretText) => secretText.includes(text)),
  );
}

interface Leaks {
  /** The exchanges that show unpaid contents, with a description. */
  readonly found: ReadonlyMap<Recorded, string>;
  /** Exchanges that show unpaid tasks without the paid contents, where these are known. */
  readonly clean: ReadonlySet<Recorded>;
}

function look(tape: readonly Recorded[]): Leaks {
  const course = courseOf(tape);
  const tasks = byTask(course);
  const contents = contentsOf(tasks, course);
  const found = new Map<Recorded, string>();
  const clean = new Set<Recorded>();
  if (contents.length === 0) return { found, clean };
  for (const [id, seen] of tasks) {
    // A paid task may get its receipts only with its last message, after the paid artifacts.
    if (seen.at(-1)?.isDecided !== true || seen.some(({ isPaid }) => isPaid)) continue;
    for (const { standing, texts, recorded } of seen) {
      const leak = contents.find((content) => texts.some((text) => text.includes(content)));
      if (leak === undefined) clean.add(recorded);
      else found.set(recorded, `the task ${id} (${standing}) has what is paid for: ${shown(leak)}`);
    }
  }
  return { found, clean };
}

const shown = (content: string): string => JSON.stringify(excerpt(content.replaceAll(mark, '…'), 80));

const leaksIn = weakMemo(look);

// In our words (x402, a2a-x402 v0.1, 4.5, 9; x402 A2A transport, Settlement Response Delivery): Nothing of the paid
//   content is given before a successful receipt.
export const noLeak = law(
  'x402/no-leak',
  'x402.no-leak',
  'not give paid content before a successful receipt',
  {
    subject: 'the agent',
    otherwise: 'set --x402-message to work with an artifact: no payment brought content that only a payment brings',
    notes: [shownIn],
    advice: 'Keep back what was made until it is paid: also in status messages, and where settling failed.',
  },
  (reading, _, tape) => {
    const { found, clean } = leaksIn(tape);
    return found.get(reading) ?? (clean.has(reading) ? 'holds' : 'not-concerned');
  },
);
