import { excerpt, law, type Reading, type Task, weakMemo, x402 } from '../../src/kit/index.js';
import { byTask, type Course, courseOf, type Sighting } from './sightings.js';

// Paid content that came without a payment. a2a-x402 v0.1 §4.5, §9.

/** The unique word in each request of the kit, and the character that replaces it. */
const words = /tck[0-9a-f]{12}/g;
const mark = '\u0001';
/** Shorter texts ("Done.") may appear anywhere. */
const shortest = 8;

const textsOf = (task: Task): readonly string[] => x402.saidBy(task).map((text) => text.trim().replaceAll(words, mark));
const isPaid = (task: Task): boolean => x402.receiptsOf(task).some(({ success }) => success === true);
const artifactsOf = ({ id, artifacts = [] }: Task): Task => ({ id, artifacts, status: { state: 'completed' } });

/** Texts that paid tasks yield and that no unpaid task or request contains. */
function contentsOf(tasks: ReadonlyMap<string, readonly Sighting[]>, { sent, requests }: Course): readonly string[] {
  const isTried = (id: string, at: number): boolean => sent.some((one) => one.at <= at && one.about.has(id));
  const free = [...tasks].flatMap(([id, seen]) =>
    seen.filter(({ at }) => !isTried(id, at)).flatMap(({ task }) => textsOf(task)),
  );
  const known = [...new Set([...free, ...requests.map((text) => text.replaceAll(words, mark))])];
  const yielded = [...tasks.values()].flatMap((seen) => {
    const done = seen.findLast(({ task }) => isPaid(task) && task.status.state === 'completed')?.task;
    return done === undefined ? [] : textsOf(artifactsOf(done));
  });
  return [...new Set(yielded)].filter((text) => text.length >= shortest && !known.some((one) => one.includes(text)));
}

interface Leaks {
  /** The exchanges that show unpaid contents, with a description. */
  readonly found: ReadonlyMap<Reading, string>;
  /** Exchanges that show unpaid tasks without the paid contents, where these are known. */
  readonly clean: ReadonlySet<Reading>;
}

function look(tape: readonly Reading[]): Leaks {
  const course = courseOf(tape);
  const tasks = byTask(course);
  const contents = contentsOf(tasks, course);
  const found = new Map<Reading, string>();
  const clean = new Set<Reading>();
  if (contents.length === 0) return { found, clean };
  for (const [id, seen] of tasks) {
    const last = seen.at(-1)?.task;
    // A paid task may get its receipts only with its last message, after the paid artifacts.
    if (last === undefined || seen.some(({ task }) => isPaid(task)) || !x402.isDecided(last)) continue;
    for (const { task, reading } of seen) {
      const texts = textsOf(task);
      const leak = contents.find((content) => texts.some((text) => text.includes(content)));
      if (leak === undefined) clean.add(reading);
      else found.set(reading, `the task ${id} (${x402.standingOf(task)}) has what is paid for: ${shown(leak)}`);
    }
  }
  return { found, clean };
}

const shown = (content: string): string => JSON.stringify(excerpt(content.replaceAll(mark, '…'), 80));

const leaksIn = weakMemo(look);

export const noLeak = law(
  'x402/no-leak',
  'x402.no-leak',
  'give nothing of the paid content before a successful receipt',
  {
    subject: 'the agent',
    otherwise:
      'it is not known what is paid for: no payment brought an artifact, or what it brought is said unpaid, too, as the words of the request are',
    advice: 'Keep back what was made until it is paid: also in status messages, and where settling failed.',
  },
  (reading, _, tape) => {
    const { found, clean } = leaksIn(tape);
    return found.get(reading) ?? (clean.has(reading) ? 'holds' : 'not-concerned');
  },
).killedBy('x402-content-in-failures', 'x402-work-at-submission');
