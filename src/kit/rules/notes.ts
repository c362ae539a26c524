import { hash } from 'node:crypto';
import { weakMemo } from '../../model/index.js';
import { breather } from '../../wire/index.js';
import type { Reading } from './reading.js';

// What laws compare of the answers of a run. Large answers are not kept parsed, so a law that read all of them again
// would keep the thread busy for as long as it takes to parse the tape.

/** An exchange of the tape without what has to be read in its answer. */
export type Recorded = Omit<Reading, 'replies' | 'outcome' | 'documents' | 'stream' | 'utf8'>;

/** What an answer says that is compared with other answers. It is taken once, and kept as long as the reading. */
export type Note<T> = (of: Recorded) => T;

/**
 * Makes a note of what `look` finds in an answer. What it finds is kept for every exchange of the tape: a few words and
 * numbers, and nothing that the answer was parsed to.
 */
// Every tape is made of readings; laws see less of them.
export const noteOf = <T>(look: (reading: Reading) => T): Note<T> => weakMemo(look) as Note<T>;

/** Whether the answer was a result, a refusal, or what else. */
export const kindOf = noteOf(({ outcome }) => outcome.kind);

/**
 * Takes notes of all answers, one answer after the other, and lets other work have its turn between them. A note that
 * throws throws again for each law that asks for it.
 */
export async function takeNotes(tape: readonly Reading[], notes: Iterable<Note<unknown>>): Promise<void> {
  const each = [...new Set(notes)];
  const breathe = breather();
  for (const reading of tape) {
    for (const note of each) {
      const pause = breathe();
      if (pause !== undefined) await pause;
      try {
        note(reading);
      } catch {
        // The law that compares it fails by the same error, and by its name.
      }
    }
  }
}

/** Longer texts are compared by their digest, characters. */
const longest = 256;

/** An id of the agent as a key of a note: an id may have megabytes. */
export const keyOf = (id: string): string => (id.length <= longest ? id : `sha256:${hash('sha256', id)}`);
